"""What stands before and after the overrides when one cluster's manifest is made of a template.

    claimed -> revised -> (overrides) -> labelled -> published

Karmada's own labels and annotations are not added; what they do to the maps they are put in is.
Source: Karmada pkg/controllers/binding/common.go, pkg/controllers/ctrlutil/work.go.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from renderer.document.edit import placed, removed
from renderer.document.values import Object, Value, dig, mapping, sequence
from renderer.interpret.operations import Operations
from renderer.interpret.prune import prune
from renderer.interpret.workloads import whole_number
from renderer.model.binding import Binding, TargetCluster
from renderer.model.identity import annotations_of, string_map
from renderer.model.interpretation import InterpretError

CONFLICT_RESOLUTION: Final = "work.karmada.io/conflict-resolution"

_MAPS: Final = ("labels", "annotations")


def claimed(body: Object) -> Object:
    """A template as it is once a policy has written its claim: labels and annotations are maps of strings.

    A map that is absent, or holds anything but strings, is empty.
    """
    for name in _MAPS:
        if string_map(dig(body, "metadata", name)) is None and isinstance(body.get("metadata"), dict):
            body = placed(body, {}, "metadata", name)
    return body


def revised(
    body: Object,
    binding: Binding,
    target: TargetCluster,
    operations: Operations,
    completions: Mapping[str, int] | None = None,
) -> Object:
    """The object with the replicas, and of a Job the completions, of one cluster.

    Of a Duplicated workload too: the schedule's replicas count, not the template's. Raises
    InterpretError where they cannot be set.
    """
    if operations.revise is not None and binding.is_workload:
        body = operations.revise(body, target.replicas)
    if completions is None:
        return body
    if target.name not in completions:
        raise InterpretError(f"cluster {target.name} has no share of the completions")
    if whole_number(body, "spec", "completions") is None:
        return body
    return placed(body, completions[target.name], "spec", "completions")


def labelled(body: Object, labels: Mapping[str, Value]) -> Object:
    """The object with labels added to it."""
    if not labels:
        return body
    return placed(
        body, {**(string_map(dig(body, "metadata", "labels")) or {}), **labels}, "metadata", "labels"
    )


def preserved_labels(binding: Binding, target: TargetCluster) -> Mapping[str, Value]:
    """Labels that a workload which fails over takes along (gate StatefulFailoverInjection).

    Only to the single cluster it goes to, and only if it is deleted at once where it came from.
    """
    tasks = binding.graceful_eviction_tasks
    if len(binding.target_clusters) > 1 or not tasks or tasks[-1].purge_mode != "Directly":
        return {}
    if target.name in sequence(tasks[-1].raw.get("clustersBeforeFailover")):
        return {}
    return mapping(tasks[-1].raw.get("preservedLabelState"))


def published(body: Object, template: Object) -> Object:
    """The object as it is written down: pruned, without label and annotation maps that say nothing.

    That is maps with anything but strings in them, which Karmada replaces, and empty ones that
    `template` did not have. Raises InterpretError where the object cannot be pruned.
    """
    for name in _MAPS:
        current = dig(body, "metadata", name)
        had = isinstance(dig(template, "metadata", name), dict)
        if string_map(current) is None or (not current and not had):
            body = removed(body, "metadata", name)
    return prune(body)


def conflict_resolution(body: Object, binding: Binding) -> str:
    """What becomes of an object that exists in the cluster already: `overwrite` it or `abort`.

    A valid annotation of the (overridden) object counts before the binding's word.
    """
    written = annotations_of(body).get(CONFLICT_RESOLUTION, "")
    if written in {"overwrite", "abort"}:
        return written
    return "overwrite" if binding.conflict_resolution == "Overwrite" else "abort"
