"""The step: what was decided, to one tree of files.

    clusters/<cluster>/<namespace>/<kind>[.<group>].<name>.yaml
    .krender/bindings/<namespace>/<kind>[.<group>].<name>.yaml

Clusters that get the same files share one directory object. What is held back (suspended, orphaned,
failed, frozen, being evicted) stays as it was last published.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from renderer.document.problem import Problem, Severity
from renderer.document.rule import Rule
from renderer.layout.bindings import binding_files
from renderer.layout.claims import claim_files
from renderer.layout.files import manifest_file
from renderer.layout.keep import KEEP, KEEP_FILE
from renderer.layout.paths import manifest_paths
from renderer.layout.release import Releasing, release_files
from renderer.layout.taints import taint_files
from renderer.model.claim_memory import ClaimMemory
from renderer.model.cluster import Cluster
from renderer.model.failover import GivenTaint
from renderer.model.identity import Identity
from renderer.model.memory_keys import PROTECTED
from renderer.model.plan import Manifest, Rendering
from renderer.model.previous import Previous
from renderer.model.released import Released
from renderer.model.tree import EMPTY_TREE, Blob, Tree, tree_of

ONE_OBJECT: Final = Rule(id="KR015", title="Two templates become one object", severity=Severity.ERROR)

CLUSTERS: Final = "clusters"

Path: TypeAlias = str  # below the directory of a cluster


@dataclass(frozen=True, slots=True)
class Laid:
    """The tree, what could not be laid out, and what was kept though nothing asks for it."""

    tree: Tree
    problems: tuple[Problem, ...] = ()
    released: tuple[Released, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """What the next render must know beside the bindings."""

    claims: ClaimMemory | None = None
    taints: tuple[GivenTaint, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class _Piece:
    """One manifest with its place; `new` is None where only what was published may stay."""

    rendering: Rendering
    manifest: Manifest
    path: Path
    new: Blob | None


def lay_out(
    renderings: Sequence[Rendering],
    clusters: Sequence[Cluster],
    previous: Previous,
    memory: Memory,
    *,
    prune_released: bool = False,
) -> Laid:
    """The tree of all clusters and bindings, built on what was published where that must stay.

    Two manifests of one identity on one cluster are a problem: the first, by template, is laid out. With
    `prune_released`, files that were kept and marked before are let go.
    """
    paths = _paths(renderings)
    by_cluster, problems = _assigned(renderings, paths)
    directories: dict[str, Tree] = {}
    shared: dict[tuple[tuple[_Piece, bool], ...], Tree] = {}
    releasing = Releasing(previous, renderings, prune=prune_released)
    published = previous.tree.get(CLUSTERS, EMPTY_TREE)
    for cluster in clusters:
        before = published.get(cluster.slug) if isinstance(published, Tree) else None
        old = before if isinstance(before, Tree) else EMPTY_TREE
        new = (
            old or _tree({})
            if cluster.frozen
            else _directory(cluster.name, by_cluster.get(cluster.name, ()), old, shared)
        )
        directories[cluster.slug] = releasing.on(cluster, old, new)
    own = tree_of(
        {
            **binding_files(renderings, paths),
            **claim_files(memory.claims),
            **taint_files(memory.taints),
            **release_files(releasing.released),
            **_protected(clusters),
        }
    )
    return Laid(Tree({CLUSTERS: Tree(directories), **own}), problems, releasing.released)


def _protected(clusters: Iterable[Cluster]) -> Mapping[str, bytes]:
    """The record of clusters in which nothing may be deleted: it holds even when the inventory lost one."""
    names = sorted(cluster.slug for cluster in clusters if cluster.protected)
    return {PROTECTED: "".join(f"{name}\n" for name in names).encode()} if names else {}


def _directory(
    cluster: str,
    pieces: Sequence[_Piece],
    old: Tree,
    shared: dict[tuple[tuple[_Piece, bool], ...], Tree],
) -> Tree:
    """The files of one cluster."""
    plan = tuple((piece, piece.new is None or cluster in piece.rendering.suspended) for piece in pieces)
    kept = {piece.path: node for piece, held in plan if held and isinstance(node := old.at(piece.path), Blob)}
    if not kept:
        tree = shared.get(plan)
        if tree is None:
            tree = shared[plan] = _tree(
                {piece.path: piece.new for piece, held in plan if not held and piece.new}
            )
        return tree
    fresh = {piece.path: piece.new for piece, held in plan if not held and piece.new}
    return _tree({**kept, **fresh})


def _tree(files: Mapping[Path, Blob]) -> Tree:
    return tree_of(files) if files else Tree({KEEP: KEEP_FILE})


def _paths(renderings: Iterable[Rendering]) -> Mapping[Identity, tuple[str, str]]:
    """Directory and file name of everything that any cluster gets."""
    return manifest_paths(
        dict.fromkeys(
            manifest.identity
            for rendering in renderings
            for manifest in (*rendering.manifests, *rendering.leaving)
        )
    )


def _assigned(
    renderings: Sequence[Rendering], paths: Mapping[Identity, tuple[str, str]]
) -> tuple[Mapping[str, list[_Piece]], tuple[Problem, ...]]:
    """What each cluster gets, in the order of the renderings."""
    by_cluster: dict[str, list[_Piece]] = {}
    taken: dict[Path, _Place] = {}
    problems: list[Problem] = []
    for piece in _pieces(renderings, paths):
        place = taken.setdefault(piece.path, _Place())
        problems += _conflicts(piece, place.rivals(piece))
        for name in place.free(piece):
            by_cluster.setdefault(name, []).append(piece)
        place.add(piece)
    for piece in _leaving(renderings, paths):
        for name in taken.setdefault(piece.path, _Place()).free(piece):
            by_cluster.setdefault(name, []).append(piece)
    return by_cluster, tuple(problems)


def _leaving(renderings: Sequence[Rendering], paths: Mapping[Identity, tuple[str, str]]) -> Iterator[_Piece]:
    """What stays on a cluster only because the work has not left it yet: it gives way to anything new."""
    for rendering in renderings:
        for manifest in rendering.leaving:
            yield _Piece(rendering, manifest, "/".join(paths[manifest.identity]), None)


class _Place:
    """The pieces that want one path so far; a template may have one for each cluster."""

    __slots__ = ("_names", "_pieces")

    def __init__(self) -> None:
        self._pieces: dict[int, list[_Piece]] = {}  # by rendering
        self._names: dict[str, None] = {}  # the clusters that have a file there

    def rivals(self, piece: _Piece) -> Iterator[_Piece]:
        """The pieces of other templates."""
        for rendering, pieces in self._pieces.items():
            if rendering != id(piece.rendering):
                yield from pieces

    def free(self, piece: _Piece) -> list[str]:
        """The clusters of a piece that have no file there yet."""
        return [name for name in piece.manifest.clusters if name not in self._names]

    def add(self, piece: _Piece) -> None:
        """Give the piece what is free."""
        self._pieces.setdefault(id(piece.rendering), []).append(piece)
        self._names.update(dict.fromkeys(piece.manifest.clusters))


def _pieces(renderings: Sequence[Rendering], paths: Mapping[Identity, tuple[str, str]]) -> Iterator[_Piece]:
    files: dict[int, Blob] = {}
    for rendering in renderings:
        for manifest in rendering.manifests:
            new = None
            if manifest.body is not None and not rendering.keeps_files:
                new = files.setdefault(id(manifest.body), manifest_file(manifest.body, rendering.template))
            yield _Piece(rendering, manifest, "/".join(paths[manifest.identity]), new)


def _conflicts(piece: _Piece, rivals: Iterable[_Piece]) -> Iterator[Problem]:
    for rival in rivals:
        common = sorted(set(piece.manifest.clusters) & set(rival.manifest.clusters))
        if common:
            yield ONE_OBJECT.at(
                piece.rendering.template.document,
                what=(
                    f"{piece.rendering.template.identity} and {rival.rendering.template.identity} "
                    f"are both {piece.manifest.identity} on {common[0]}"
                    + (f" and {len(common) - 1} more" if len(common) > 1 else "")
                ),
                why="an object has one file on a cluster; the second would overwrite the first",
                fix="let the override write another name or namespace, or not apply to one of the two",
            )
