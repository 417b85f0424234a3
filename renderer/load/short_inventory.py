"""The short form of an inventory, ClusterInventory, to Cluster objects as Karmada would hold them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from renderer.document.problem import Problem, Severity
from renderer.document.source import Document
from renderer.document.values import Object, Value, mapping, sequence, text
from renderer.load.cluster_faults import (
    Fault,
    below,
    capacity_faults,
    label_faults,
    place_faults,
    quantity_faults,
    taint_faults,
)
from renderer.load.clusters import (
    CLUSTER_API,
    CLUSTER_KIND,
    ENGINE,
    FROZEN,
    OBSERVED_AT,
    PAUSED,
    PREVIOUS_NAME,
    PROTECTED,
    SLUG,
    SOURCE,
    WAVE,
)
from renderer.load.kubernetes_apis import KUBERNETES_APIS
from renderer.load.schemas import load_schema
from renderer.load.shape import shape
from renderer.load.wording import KRENDER, show
from renderer.match.plurals import resource_name
from renderer.model.slug import is_portable

PRESET = "kubernetes"
NOT_READY: Value = {"key": "cluster.karmada.io/not-ready", "effect": "NoSchedule"}

_NOTES = {
    "observedAt": OBSERVED_AT,
    "source": SOURCE,
    "slug": SLUG,
    "previousName": PREVIOUS_NAME,
    "wave": WAVE,
    "engine": ENGINE,
}
_FLAGS = {"paused": PAUSED, "frozen": FROZEN, "protected": PROTECTED}


@dataclass(frozen=True, slots=True, kw_only=True)
class ShortCluster:
    """One entry as a Cluster object; `apis_known` is False where the entry says nothing of APIs."""

    body: Object
    document: Document
    apis_known: bool


def short_clusters(document: Document) -> tuple[tuple[ShortCluster, ...], tuple[Problem, ...]]:
    """The clusters of a ClusterInventory, and what is wrong with it; entries with an error are left out."""
    shaped = shape(document, load_schema("clusterinventory"), KRENDER)
    if shaped.errors:
        return (), shaped.problems
    spec = mapping(mapping(shaped.value).get("spec"))
    defaults = mapping(spec.get("defaults"))
    faults = tuple(_faults(defaults))
    shared = document.below("/spec/defaults", defaults)
    problems = [*shaped.problems, *(fault.problem(shared, "spec.defaults") for fault in faults)]
    clusters: list[ShortCluster] = []
    for index, entry in enumerate(map(mapping, sequence(spec.get("clusters")))):
        own = document.below(f"/spec/clusters/{index}", entry)
        wrong = (*_name_faults(entry), *_faults(entry))
        problems += [fault.problem(own, f"Cluster {text(entry.get('name'))}") for fault in wrong]
        if not any(fault.severity is Severity.ERROR for fault in (*wrong, *faults)):
            clusters.append(_cluster(defaults, entry, own))
    return tuple(clusters), tuple(problems)


def _name_faults(entry: Object) -> Iterator[Fault]:
    name, slug = text(entry.get("name")), text(entry.get("slug"))
    if not name.isprintable() or name != name.strip():
        why, fix = "reports and policies could not show it as it is", "remove them"
        yield Fault(
            pointer="/name", what="its name has spaces around it or control characters", why=why, fix=fix
        )
    if slug and not is_portable(slug):
        yield Fault(
            pointer="/slug",
            what=f"{show(slug)} cannot be the name of a directory everywhere",
            why="another machine, or Argo CD, would refuse it",
            fix="write lower-case letters, digits, '-' and '.'",
        )


def _faults(fields: Object) -> Iterator[Fault]:
    yield from below("/labels", label_faults(mapping(fields.get("labels"))))
    yield from place_faults(fields)
    yield from below("/taints", taint_faults(fields.get("taints")))
    capacity = mapping(fields.get("capacity"))
    yield from below("/capacity", (*quantity_faults(capacity), *capacity_faults(capacity)))
    for index, api in enumerate(_api_texts(fields.get("apis"))):
        if api != PRESET and not _is_api(api):
            pointer = f"/apis/{index}" if isinstance(fields.get("apis"), list) else "/apis"
            fix = f"write {PRESET}, group/version/Kind or v1/Kind"
            yield Fault(pointer=pointer, what=f"{show(api)} names no API", fix=fix)


def _api_texts(value: Value) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(text(item) for item in sequence(value))


def _is_api(api: str) -> bool:
    group_version, _, kinds = api.rpartition("/")
    parts = group_version.split("/")
    return len(parts) in (1, 2) and all(parts) and all(kind[:1].isupper() for kind in kinds.split(","))


def _cluster(defaults: Object, entry: Object, document: Document) -> ShortCluster:
    fields = {**defaults, **entry}
    labels = {**mapping(defaults.get("labels")), **mapping(entry.get("labels"))}
    annotations = {key: "true" for name, key in _FLAGS.items() if fields.get(name) is True}
    for name, key in _NOTES.items():
        if fields.get(name):
            annotations[key] = str(fields[name])
    ready = fields.get("ready") is not False
    spec = {
        "syncMode": fields.get("syncMode", "Push"),
        "apiEndpoint": fields.get("server"),
        "provider": fields.get("provider"),
        "region": fields.get("region"),
        "zones": fields.get("zones"),
        "taints": [*sequence(fields.get("taints")), *(() if ready else (NOT_READY,))],
    }
    capacity = fields.get("capacity")
    status = {
        "kubernetesVersion": fields.get("kubernetesVersion"),
        "apiEnablements": _enablements(_api_texts(fields.get("apis"))),
        "conditions": [{"type": "Ready", "status": "True" if ready else "False"}],
        "resourceSummary": None if capacity is None else {"allocatable": capacity},
    }
    metadata: Object = {"name": fields.get("name"), **_stated({"labels": labels, "annotations": annotations})}
    body: Object = {
        "apiVersion": CLUSTER_API,
        "kind": CLUSTER_KIND,
        "metadata": metadata,
        "spec": _stated(spec),
        "status": _stated(status),
    }
    return ShortCluster(body=body, document=document, apis_known="apis" in fields)


def _stated(fields: Object) -> Object:
    """The fields that say something."""
    return {key: value for key, value in fields.items() if value not in (None, [], {}, "")}


@lru_cache(maxsize=256)
def _enablements(apis: tuple[str, ...]) -> list[Value]:
    """status.apiEnablements for the APIs of a cluster; one list for all clusters with the same."""
    kinds: dict[str, list[str]] = {}
    for api in apis:
        if api == PRESET:
            for group_version, names in KUBERNETES_APIS.items():
                kinds.setdefault(group_version, []).extend(names.split())
        else:
            group_version, _, names = api.rpartition("/")
            kinds.setdefault(group_version, []).extend(names.split(","))
    return [
        {
            "groupVersion": group_version,
            "resources": [{"name": resource_name(kind), "kind": kind} for kind in dict.fromkeys(names)],
        }
        for group_version, names in sorted(kinds.items())
    ]
