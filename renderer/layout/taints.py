"""The taints that krender gave clusters, as a file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from renderer.document.emit import emit
from renderer.document.values import Object, Value
from renderer.model.failover import GivenTaint
from renderer.model.memory_keys import KRENDER_API, TAINTS


def taint_files(given: Iterable[GivenTaint]) -> Mapping[str, bytes]:
    """Path -> content; nothing where no taint was given."""
    by_cluster: dict[str, list[Value]] = {}
    for item in given:
        by_cluster.setdefault(item.cluster, []).append(_taint(item))
    if not by_cluster:
        return {}
    clusters: list[Value] = [{"name": name, "taints": by_cluster[name]} for name in sorted(by_cluster)]
    body: Object = {"apiVersion": KRENDER_API, "kind": "ClusterTaints", "clusters": clusters}
    return {TAINTS: emit(body).encode()}


def _taint(item: GivenTaint) -> Object:
    taint = item.taint
    fields = {
        "key": taint.key,
        "value": taint.value,
        "effect": taint.effect,
        "timeAdded": taint.time_added,
        "givenBy": item.given_by,
    }
    return {key: value for key, value in fields.items() if value}
