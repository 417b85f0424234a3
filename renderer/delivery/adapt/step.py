"""The step: what clusters get, adapted to the engine that applies it there.

An adaptation is a module with a function that looks at the world once, and then at each manifest. Where no
cluster has an engine nothing is looked at, and the result is Karmada's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from renderer.delivery.adapt.adapter import Adapter, Adapting, Piece
from renderer.delivery.adapt.filled import filled
from renderer.delivery.adapt.ignored import by_cluster, ignored, record
from renderer.delivery.adapt.large import large
from renderer.delivery.adapt.protect import protect
from renderer.delivery.adapt.replicas import replicas
from renderer.delivery.adapt.substitute import substitute
from renderer.delivery.adapt.undefined import undefined
from renderer.delivery.adapt.world import World
from renderer.document.values import Object
from renderer.match.fleet import Mask
from renderer.model.adaptation import Adaptation, adapted
from renderer.model.cluster import Cluster
from renderer.model.config import WorkspaceConfig
from renderer.model.delivery import IgnoredField
from renderer.model.delivery_engine import Engine
from renderer.model.identity import Identity
from renderer.model.plan import Manifest, Rendering
from renderer.model.previous import Previous
from renderer.model.sops import is_sops
from renderer.model.variants import settled

# What looks at the text of an object comes after what changes it.
ADAPTATIONS: Final[tuple[Adapting, ...]] = (replicas, filled, undefined, protect, substitute, large)


@dataclass(frozen=True, slots=True, kw_only=True)
class Adapted:
    """The renderings with manifests as their engines need them, and what engines are to leave alone.

    `ignored` are the fields by cluster, `record` the file that tells the next render about them.
    """

    renderings: tuple[Rendering, ...]
    ignored: Mapping[str, tuple[IgnoredField, ...]] = field(default_factory=dict)
    record: Mapping[str, bytes] = field(default_factory=dict)


def adapt(
    renderings: tuple[Rendering, ...],
    clusters: Sequence[Cluster],
    previous: Previous,
    config: WorkspaceConfig,
    path_of: Callable[[Identity], str],
) -> Adapted:
    """Adapt what needs it, splitting manifests where clusters differ; the rest stays the same objects.

    Each change is in the `adapted` of its manifest. `path_of` tells where an object lies below the directory
    of a cluster.
    """
    if all(config.delivery.engine_of(cluster) is Engine.NONE for cluster in clusters):
        return Adapted(renderings=renderings)
    world = World(renderings, clusters, previous, config.delivery, path_of)
    adapters = [adapter for adapting in ADAPTATIONS if (adapter := adapting(world)) is not None]
    made = tuple(_adapted(rendering, world, adapters) for rendering in renderings)
    found = tuple(ignored(made, world))
    return Adapted(renderings=made, ignored=by_cluster(found), record=record(found))


def _adapted(rendering: Rendering, world: World, adapters: Sequence[Adapter]) -> Rendering:
    found = [(each, tuple(_parted(rendering, each, world, adapters))) for each in rendering.manifests]
    if all(len(parts) == 1 and parts[0] is manifest for manifest, parts in found):
        return rendering
    ordered = tuple(sorted((item for _, parts in found for item in parts), key=lambda item: item.clusters))
    return replace(rendering, manifests=ordered, plain=rendering.manifests)


@dataclass(frozen=True, slots=True)
class _Part:
    """Some of a manifest's clusters, with the object as it is so far and what was done to it."""

    mask: Mask
    body: Object
    done: tuple[Adaptation, ...] = ()


def _parted(
    rendering: Rendering, manifest: Manifest, world: World, adapters: Sequence[Adapter]
) -> Iterable[Manifest]:
    """The manifest, or one for each distinct result."""
    if manifest.body is None or not adapters:
        return (manifest,)
    whole = world.mask(manifest.clusters)
    sealed = is_sops(manifest.body)
    parts = [_Part(whole, manifest.body)]
    for adapter in adapters:
        parts = [
            part
            for before in parts
            for part in _after(
                adapter, before, Piece(rendering, manifest.identity, before.body, before.mask), sealed=sealed
            )
        ]
    if len(parts) == 1 and not parts[0].done:
        return (manifest,)
    return [
        replace(
            settled(manifest),
            clusters=manifest.clusters if part.mask == whole else world.names(part.mask),
            body=part.body,
            adapted=part.done,
        )
        for part in parts
    ]


def _after(adapter: Adapter, before: _Part, piece: Piece, *, sealed: bool) -> Iterator[_Part]:
    """The part as one adapter leaves it: what it does the same to is one part."""
    found = [(mask, asked) for mask, asked in adapter(piece) if mask and asked]
    if not found:
        yield before
        return
    left = before.mask
    for mask, asked in found if len(found) == 1 else _merged(found):
        # The seal of SOPS is over all of a file.
        done = tuple(replace(item, withheld=item.changed) for item in asked) if sealed else asked
        yield _Part(mask, adapted(before.body, done), (*before.done, *done))
        left &= ~mask
    if left:
        yield _Part(left, before.body, before.done)


def _merged(
    found: Sequence[tuple[Mask, tuple[Adaptation, ...]]],
) -> Iterable[tuple[Mask, tuple[Adaptation, ...]]]:
    masks: dict[str, tuple[Mask, tuple[Adaptation, ...]]] = {}
    for mask, asked in found:
        key = repr(asked)
        masks[key] = mask | masks.get(key, (0, ()))[0], asked
    return masks.values()
