"""The fields that engines leave alone: for the units of each cluster, and as a record for the next render."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from renderer.delivery.adapt.published import REPLICAS
from renderer.delivery.adapt.world import World
from renderer.document.emit import emit
from renderer.document.values import Object, Value
from renderer.model.delivery import IgnoredField
from renderer.model.identity import Identity
from renderer.model.memory_keys import KRENDER_API, LEFT_ALONE
from renderer.model.plan import Rendering

# Clusters with a field that their engine leaves alone, and the path of its file.
Ignored: TypeAlias = tuple[tuple[str, ...], IgnoredField, str]

_LEAVING: Final = "its work is leaving the cluster, and goes on being scaled until then"


def ignored(renderings: Sequence[Rendering], world: World) -> Iterator[Ignored]:
    """Everything that is left alone, in the order of the renderings."""
    for rendering in renderings:
        for manifest in rendering.manifests:
            found = [item for item in manifest.adapted if item.ignored and not item.withheld]
            if found:
                pointers = tuple(item.path for item in found)
                field = _field(manifest.identity, pointers, "; ".join(item.reason for item in found))
                yield manifest.clusters, field, world.path_of(manifest.identity)
        for manifest in rendering.leaving:
            path = world.path_of(manifest.identity)
            mask = world.mask(manifest.clusters) & world.left_alone(path)
            if mask:
                yield world.names(mask), _field(manifest.identity, (REPLICAS,), _LEAVING), path


def by_cluster(found: Iterable[Ignored]) -> Mapping[str, tuple[IgnoredField, ...]]:
    """Cluster -> what its engine leaves alone there, sorted; clusters with the same share it."""
    lists: dict[tuple[str, ...], list[IgnoredField]] = {}
    for names, field, _ in found:
        lists.setdefault(names, []).append(field)
    numbers: dict[str, list[int]] = {}  # of the lists a cluster is in
    for number, names in enumerate(lists):
        for name in names:
            numbers.setdefault(name, []).append(number)
    fields = [*lists.values()]
    shared: dict[tuple[int, ...], tuple[IgnoredField, ...]] = {}
    result: dict[str, tuple[IgnoredField, ...]] = {}
    for name, listed in numbers.items():
        key = tuple(listed)
        if key not in shared:
            shared[key] = tuple(sorted(field for number in listed for field in fields[number]))
        result[name] = shared[key]
    return result


def record(found: Iterable[Ignored]) -> Mapping[str, bytes]:
    """What the next render must know: path -> content, nothing where there is nothing."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for names, _, path in found:
        groups.setdefault(names, []).append(path)
    files: list[Value] = [
        {"paths": [*sorted(paths)], "clusters": [*names]} for names, paths in sorted(groups.items())
    ]
    body: Object = {"apiVersion": KRENDER_API, "kind": "LeftAlone", "files": files}
    return {LEFT_ALONE: emit(body).encode()} if files else {}


def _field(identity: Identity, pointers: tuple[str, ...], reason: str) -> IgnoredField:
    return IgnoredField(
        group=identity.group,
        kind=identity.kind,
        namespace=identity.namespace,
        name=identity.name,
        pointers=pointers,
        reason=reason,
    )
