"""What the Flux of the hub is given.

hub/source.yaml              where everything is read from
hub/entry.yaml               the Kustomization that follows this directory
hub/waves/<number>.yaml      the gates between waves
hub/clusters/<cluster>.yaml  the Kustomizations of a cluster
hub/parts/<part>/…           these instead, where the hub is divided

Kustomize compares every object with every other, so a thousand of them take it seconds and ten thousand a
quarter of an hour. A divided hub has a Kustomization for each part, which a cluster's name alone decides:
nothing moves from one part to another when the fleet grows. A part without clusters is there as well, and so
is a hub without any: it prunes the Kustomizations of clusters that somebody else applies to now.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from renderer.delivery.flux.documents import documents, source_file
from renderer.delivery.flux.kustomizations import Part, Scene, kustomization
from renderer.delivery.flux.places import HUB, NOTHING, TOP, on_branch
from renderer.delivery.flux.sources import generator, own_name, source
from renderer.delivery.flux.waves import Waves
from renderer.delivery.kustomization import listing
from renderer.delivery.names import code
from renderer.model.config import WorkspaceConfig
from renderer.model.delivery import Delivery, FluxSource
from renderer.model.places import DELIVERY, KUSTOMIZATION
from renderer.model.tree import Blob, Node

_DIGITS: Final = {1: 0, 16: 1, 256: 2}
_UNREAD: Final = (".krender", f"{DELIVERY}/argocd", f"{TOP}/members", f"{TOP}/parameters")


class Clusters:
    """The Kustomizations of clusters, in the parts of the hub."""

    def __init__(self, of: Mapping[str, Sequence[Part]], *, parts: int) -> None:
        """Take them by cluster, and the number of parts."""
        self.is_divided = parts > 1
        digits = _DIGITS[parts]
        names = [f"{number:0{digits}x}" for number in range(parts)] if digits else [""]
        self.parts: dict[str, dict[str, Sequence[Part]]] = {name: {} for name in names}
        for slug, own in of.items():
            self.parts[code(slug)[:digits]][slug] = own

    def directory(self, part: str) -> str:
        """Where the clusters of a part lie, below the hub's directory."""
        return f"parts/{part}" if self.is_divided else "clusters"


def most_artifacts(clusters: Clusters, delivery: Delivery) -> int:
    """How many artifacts the largest generator has."""
    if not delivery.flux.artifact_generator:
        return 0
    return max((sum(map(len, own.values())) for own in clusters.parts.values()), default=0)


def hub_files(
    clusters: Clusters, waves: Waves, scene: Scene, config: WorkspaceConfig, published: Node | None
) -> Iterator[tuple[str, Node]]:
    """The files, by path from the top of the published tree; `published` is the source that was there."""
    delivery = scene.delivery
    listed: dict[str, Node] = {}  # of the top
    follow = [
        Part(name=scene.names.free(own_name(delivery, "-hub")), path=on_branch(config, HUB), serves=True)
    ]
    for part, own in clusters.parts.items():
        directory = clusters.directory(part)
        files = dict(_clusters(own, part, scene))
        if clusters.is_divided:
            follow.append(
                Part(
                    name=scene.names.free(own_name(delivery, f"-hub-{part}")),
                    path=on_branch(config, f"{HUB}/{directory}"),
                    serves=True,
                )
            )
            yield from ((f"{HUB}/{directory}/{name}", file) for name, file in files.items())
            yield f"{HUB}/{directory}/{KUSTOMIZATION}", listing(files)
        else:
            listed.update({f"{directory}/{name}": file for name, file in files.items()})
    listed["source.yaml"] = source_file([source(delivery, without=_unread(config))], published)
    listed["entry.yaml"] = documents(kustomization(part, scene) for part in follow)
    for wave, gates in waves.gate_parts(on_branch(config, NOTHING)).items():
        listed[f"waves/{wave}.yaml"] = documents(kustomization(gate, scene) for gate in gates)
    if not waves.is_one:
        yield f"{NOTHING}/{KUSTOMIZATION}", listing(())
    yield from ((f"{HUB}/{name}", file) for name, file in listed.items())
    yield f"{HUB}/{KUSTOMIZATION}", listing(listed)


def _clusters(own: Mapping[str, Sequence[Part]], part: str, scene: Scene) -> Iterator[tuple[str, Blob]]:
    """The files of a part."""
    delivery = scene.delivery
    for slug, parts in own.items():
        yield f"{slug}.yaml", documents(kustomization(item, scene) for item in parts)
    if delivery.flux.artifact_generator and own:
        name = own_name(delivery, f"-{part}" if part else "")
        paths = [(item.name, item.path) for parts in own.values() for item in parts]
        yield _GENERATOR, documents([generator(delivery, name, paths)])


_GENERATOR: Final = "_artifacts.yaml"  # no cluster can be called so


def _unread(config: WorkspaceConfig) -> Sequence[str]:
    """What Flux need not fetch from Git."""
    if config.delivery.flux.source is FluxSource.OCI:
        return ()
    return [on_branch(config, path) for path in _UNREAD]
