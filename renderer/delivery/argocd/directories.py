"""An ApplicationSet that finds its units by their directories.

A directory tells no more than its path. What is not the same for all units is in the set, as lists of paths.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from renderer.delivery.argocd.application import CLUSTER, PAUSED, TENANT, WAVE, Parts
from renderer.delivery.argocd.sets import SetOf, application_set, ignoring_options
from renderer.delivery.parameters import ignored_differences
from renderer.document.values import Object
from renderer.model.delivery import ArgoSettings, Delivery, Unit, UnitOf
from renderer.model.places import CLUSTER_SCOPED, CLUSTERS
from renderer.model.tree import Node, Tree

SCOPED = "cluster-scoped"


def over_directories(of: SetOf, delivery: Delivery, top: str, directories: Mapping[str, Node]) -> Object:
    """The set over the directories of its units; `directories` are those of all clusters."""
    git: Object = {
        "repoURL": delivery.repo_url,
        "revision": delivery.revision,
        "directories": [*_paths(of, delivery, top, directories)],
    }
    slug = f"{{{{index .path.segments {top.count('/') + 1}}}}}"
    if delivery.unit is UnitOf.CLUSTER:
        name, namespace = f"{delivery.prefix}{slug}", ""
    else:
        name = f"{delivery.prefix}{slug}.{_unless_scoped(SCOPED)}"
        namespace = _unless_scoped("")
    parts = Parts(
        name=name,
        project=of.project,
        path="{{.path.path}}",
        destination={"name": slug, **({"namespace": namespace} if namespace else {})},
        labels={
            CLUSTER: slug,
            PAUSED: _told(of.units, lambda unit: "true" if unit.cluster.paused else "false"),
            **({TENANT: of.tenant} if of.tenant else {}),
            WAVE: _told(of.units, lambda unit: str(unit.cluster.wave)),
        },
    )
    return application_set(of, delivery, {"git": git}, parts, _patch(of.units, delivery.argocd))


def is_told(unit: Unit, delivery: Delivery) -> bool:
    """Whether the path of a unit tells its name, its cluster and its namespace."""
    cluster, directory = unit.cluster, unit.path.rpartition("/")[2]
    if cluster.name != cluster.slug:
        return False
    if delivery.unit is UnitOf.CLUSTER:
        return unit.name == f"{delivery.prefix}{cluster.slug}"
    part, namespace = (SCOPED, "") if directory == CLUSTER_SCOPED else (directory, directory)
    return (unit.name, unit.namespace) == (f"{delivery.prefix}{cluster.slug}.{part}", namespace)


def _paths(of: SetOf, delivery: Delivery, top: str, directories: Mapping[str, Node]) -> Iterator[Object]:
    """What the generator looks for, and what it must leave out because it is no unit of this set."""
    own = {unit.path for unit in of.units}
    clusters = f"{top}{CLUSTERS}"
    if delivery.unit is UnitOf.CLUSTER:
        yield {"path": f"{clusters}/*"}
        yield from _without(
            path for path in (f"{clusters}/{slug}" for slug in directories) if path not in own
        )
        return
    names = {path.rpartition("/")[2] for path in own}
    yield from ({"path": f"{clusters}/*/{name}"} for name in (["*"] if of.alone else sorted(names)))
    for slug, node in directories.items():
        below = (
            [name for name, child in node.items() if isinstance(child, Tree)]
            if isinstance(node, Tree)
            else []
        )
        found = [f"{clusters}/{slug}/{name}" for name in below if of.alone or name in names]
        foreign = [path for path in found if path not in own]
        yield from _without([f"{clusters}/{slug}/*"] if of.alone and foreign == found != [] else foreign)


def _without(paths: Iterable[str]) -> Iterator[Object]:
    return ({"path": path, "exclude": True} for path in paths)


def _patch(units: Sequence[Unit], settings: ArgoSettings) -> str:
    """What is not a string in an Application."""
    enabled = _told(units, lambda unit: "false" if unit.cluster.paused else "true")
    lines = ["spec:", "  syncPolicy:", "    automated:", f"      enabled: {enabled}"]
    if emptied := [unit.path for unit in units if unit.is_empty]:
        lines += [f"      {{{{- if {_among(emptied)}}}}}", "      allowEmpty: true", "      {{- end}}"]
    ignoring: dict[str, list[str]] = {}
    for unit in units:
        if unit.ignored:
            ignoring.setdefault(json.dumps(ignored_differences(unit.ignored)), []).append(unit.path)
    if ignoring:
        every = _among([path for paths in ignoring.values() for path in paths])
        lines += [
            f"    {{{{- if {every}}}}}",
            f"    syncOptions: {ignoring_options(settings)}",
            "    {{- end}}",
        ]
    for fields, paths in sorted(ignoring.items()):
        lines += [
            f"  {{{{- if {_among(paths)}}}}}",
            f"  ignoreDifferences: {_literal(fields)}",
            "  {{- end}}",
        ]
    return "".join(f"{line}\n" for line in lines)


def _told(units: Sequence[Unit], value: Callable[[Unit], str]) -> str:
    """A value of each unit, as a template: what most have, and lists of the paths that have another."""
    values = {unit.path: value(unit) for unit in units}
    (most, _), *others = sorted(Counter(values.values()).items(), key=lambda item: (-item[1], item[0]))
    told = most
    for other, _ in sorted(others, reverse=True):
        paths = [path for path, text in values.items() if text == other]
        told = f"{{{{if {_among(paths)}}}}}{other}{{{{else}}}}{told}{{{{end}}}}"
    return told


def _unless_scoped(other: str) -> str:
    """The directory's name, which is a namespace; something else where it holds what lives in none."""
    return (
        f'{{{{if eq .path.basename "{CLUSTER_SCOPED}"}}}}{other}{{{{else}}}}{{{{.path.basename}}}}{{{{end}}}}'
    )


def _among(paths: Sequence[str]) -> str:
    return f"has .path.path (list {' '.join(json.dumps(path) for path in sorted(paths))})"


def _literal(json_text: str) -> str:
    """JSON in which no brace begins an action."""
    return json_text.replace("{{", r"{\u007b")
