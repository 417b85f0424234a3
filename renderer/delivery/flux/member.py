"""What the Flux of a cluster that pulls is given: the source, and Kustomizations of that cluster alone.

A cluster that somebody else applies to now has no Kustomizations here, and those it had are pruned.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from renderer.delivery.flux.documents import documents, source_file
from renderer.delivery.flux.kustomizations import Part, Scene, kustomization
from renderer.delivery.flux.places import MEMBERS, RBAC, on_branch
from renderer.delivery.flux.sources import generator, own_name, source
from renderer.delivery.kustomization import listing
from renderer.model.config import WorkspaceConfig
from renderer.model.places import CLUSTERS, KUSTOMIZATION
from renderer.model.tree import Node, Tree


def member_files(
    slug: str, parts: Sequence[Part], scene: Scene, config: WorkspaceConfig, published: Tree
) -> Iterator[tuple[str, Node]]:
    """The files of one cluster, by path from the top of the published tree."""
    delivery, directory = scene.delivery, f"{MEMBERS}/{slug}"
    path = on_branch(config, directory)
    read = [on_branch(config, f"{CLUSTERS}/{slug}"), path]
    if any(part.path.startswith(on_branch(config, f"{RBAC}/{slug}/")) for part in parts):
        read.append(on_branch(config, f"{RBAC}/{slug}"))
    sources = [source(delivery, only=read)]
    if delivery.flux.artifact_generator and parts:
        sources.append(generator(delivery, own_name(delivery), [(part.name, part.path) for part in parts]))
    entry = Part(name=scene.names.free(own_name(delivery, "-member")), path=path, serves=True)
    files: dict[str, Node] = {
        "entry.yaml": documents([kustomization(entry, scene)]),
        "source.yaml": source_file(sources, published.at(f"{directory}/source.yaml")),
    }
    if parts:
        files["kustomizations.yaml"] = documents(kustomization(part, scene) for part in parts)
    files[KUSTOMIZATION] = listing(files)
    for name, file in files.items():
        yield f"{directory}/{name}", file
