"""Completions of a Job, divided among its clusters in proportion to their replicas.

Source: Karmada pkg/controllers/binding/common.go, divideReplicasByJobCompletions.
"""

from __future__ import annotations

from collections.abc import Mapping

from renderer.document.values import Object, dig, text
from renderer.interpret.typed import int32
from renderer.interpret.workloads import whole_number
from renderer.model.binding import Binding
from renderer.model.webster import webster


def divided_completions(body: Object, binding: Binding) -> Mapping[str, int] | None:
    """Cluster name -> completions; None where every cluster keeps the template's number.

    Only the completions of a divided Job with replicas are divided, and only if there is a number.
    Raises InterpretError where it is no whole number: then the Job reaches no cluster at all.
    """
    if body.get("kind") != "Job" or binding.replicas <= 0 or not binding.is_divided:
        return None
    completions = whole_number(body, "spec", "completions")
    if completions is None:
        return None
    weights = {cluster.name: cluster.replicas for cluster in binding.target_clusters}
    return webster(int32(completions), weights, text(dig(body, "metadata", "uid"))) or None
