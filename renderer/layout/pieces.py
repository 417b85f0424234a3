"""Which clusters get which files: groups of clusters that get the same, however many there are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from renderer.document.problem import Problem, Severity
from renderer.document.rule import Rule
from renderer.layout.files import Forms, manifest_file
from renderer.layout.keep import KEEP_FILE
from renderer.model.identity import Identity
from renderer.model.places import KEEP
from renderer.model.plan import Manifest, Rendering
from renderer.model.template import Template
from renderer.model.tree import Blob, Tree, tree_of
from renderer.model.variants import Variant

ONE_OBJECT: Final = Rule(id="KR015", title="Two templates become one object", severity=Severity.ERROR)

Path: TypeAlias = str  # below the directory of a cluster
Paths: TypeAlias = Mapping[Identity, tuple[str, str]]  # directory and file name
_Names: TypeAlias = tuple[str, ...]  # of clusters


@dataclass(slots=True, eq=False)  # not frozen, which takes twice as long to make
class _Piece:
    """One manifest with its place; `new` is None where only what was published may stay."""

    rendering: Rendering
    identity: Identity
    clusters: _Names
    path: Path
    new: Blob | None


class Directory:
    """The files of clusters that get the same, on top of what must stay as it was published there."""

    def __init__(self, fresh: Mapping[Path, Blob] | None = None, held: Sequence[Path] = ()) -> None:
        """Keep the files that are written, and the paths of those that stay."""
        self._fresh = fresh or {}
        self._held = held
        self._trees: dict[tuple[int, ...], tuple[Tree, Sequence[Blob | None]]] = {}

    def on(self, old: Tree) -> Tree:
        """The directory of one cluster that had another before; one object where the outcome is the same."""
        nodes = [node if isinstance(node := old.at(path), Blob) else None for path in self._held]
        key = tuple(map(id, nodes))
        known = self._trees.get(key)
        if known is None:
            kept = {path: node for path, node in zip(self._held, nodes, strict=True) if node is not None}
            # The nodes are kept as well, so that their ids stay their own.
            known = self._trees[key] = (directory({**kept, **self._fresh}), nodes)
        return known[0]


def directory(files: Mapping[Path, Blob]) -> Tree:
    """The directory of a cluster; one without files has the file that keeps it."""
    return tree_of(files) if files else Tree({KEEP: KEEP_FILE})


def directories(
    renderings: Sequence[Rendering], paths: Paths
) -> tuple[Mapping[str, Directory], tuple[Problem, ...]]:
    """What each cluster gets that gets anything, by name.

    Two manifests of one identity on one cluster are a problem: the first, by template, counts.
    """
    assigned, problems = _assigned(renderings, paths)
    members: dict[_Names, list[int]] = {}  # pieces by the clusters that get them
    for place, (_, names) in enumerate(assigned):
        members.setdefault(names, []).append(place)
    suspended: dict[_Names, list[int]] = {}  # renderings by the clusters on which they are held back
    for rendering in renderings:
        suspended.setdefault(rendering.suspended, []).append(id(rendering))
    found: dict[str, Directory] = {}
    for lists, together in _groups([*dict.fromkeys((*members, *suspended))]):
        held = dict.fromkeys(item for stated in lists for item in suspended.get(stated, ()))
        places = sorted(place for stated in lists for place in members.get(stated, ()))
        group = _directory([assigned[place][0] for place in places], held)
        found.update(dict.fromkeys(together, group))
    return found, problems


def _groups(lists: Sequence[_Names]) -> Iterator[tuple[list[_Names], list[str]]]:
    """The clusters that are in the same lists, with these lists."""
    numbers: dict[str, list[int]] = {}
    for number, names in enumerate(lists):
        for name in names:
            numbers.setdefault(name, []).append(number)
    groups: dict[tuple[int, ...], list[str]] = {}
    for name, listed in numbers.items():
        groups.setdefault(tuple(listed), []).append(name)
    for common, together in groups.items():
        yield [lists[number] for number in common], together


def _directory(pieces: Iterable[_Piece], held: Mapping[int, None]) -> Directory:
    fresh: dict[Path, Blob] = {}
    stays: list[Path] = []
    for piece in pieces:
        if piece.new is None or id(piece.rendering) in held:
            stays.append(piece.path)
        else:
            fresh[piece.path] = piece.new
    return Directory(fresh, stays)


def _assigned(
    renderings: Sequence[Rendering], paths: Paths
) -> tuple[list[tuple[_Piece, _Names]], tuple[Problem, ...]]:
    """Each piece with the clusters that get it, in the order of the renderings."""
    taken: dict[Path, _Place] = {}
    assigned: list[tuple[_Piece, _Names]] = []
    rivals: dict[tuple[Path, int, int], tuple[_Piece, _Piece, list[str]]] = {}
    for piece in _pieces(renderings, paths):
        place = taken.setdefault(piece.path, _Place())
        names = place.free(piece)
        for name in piece.clusters if names is not piece.clusters else ():
            owner = place.owners[name]
            if owner is not piece:
                key = (piece.path, id(piece.rendering), id(owner.rendering))
                rivals.setdefault(key, (piece, owner, []))[2].append(name)
        assigned.append((piece, names))
    for piece in _leaving(renderings, paths):
        assigned.append((piece, taken.setdefault(piece.path, _Place()).free(piece, leaving=True)))
    return assigned, tuple(_conflict(*item) for item in rivals.values())


class _Place:
    """Who gets a path; a template may have a piece for each cluster."""

    __slots__ = ("_owners", "_pieces")

    def __init__(self) -> None:
        self._pieces: list[_Piece] = []
        self._owners: dict[str, _Piece] | None = None

    @property
    def owners(self) -> dict[str, _Piece]:
        """The piece that each cluster has there. It is only needed where two templates want one path."""
        if self._owners is None:
            self._owners = {name: piece for piece in self._pieces for name in piece.clusters}
        return self._owners

    def free(self, piece: _Piece, *, leaving: bool = False) -> _Names:
        """The clusters of a piece that have no file there yet: now they have this one.

        Two pieces of one template have no cluster in common, unless one of them is `leaving`.
        """
        names = piece.clusters
        alone = all(other.rendering is piece.rendering for other in self._pieces[:1])
        if self._owners is None and alone and not leaving:
            self._pieces.append(piece)
            return names
        free = tuple(name for name in names if name not in self.owners)
        self.owners.update(dict.fromkeys(free, piece))
        return free


def _pieces(renderings: Sequence[Rendering], paths: Paths) -> Iterator[_Piece]:
    files: dict[int, Blob] = {}
    forms = Forms()
    places = {identity: "/".join(path) for identity, path in paths.items()}
    for rendering in renderings:
        for manifest in rendering.manifests:
            new = None if rendering.keeps_files else _file(manifest, rendering.template, files, forms)
            yield _Piece(rendering, manifest.identity, manifest.clusters, places[manifest.identity], new)


def _file(manifest: Manifest, template: Template, files: dict[int, Blob], forms: Forms) -> Blob | None:
    """What is written of a manifest; `files` are known by the bodies, which the plan keeps."""
    if isinstance(manifest, Variant):
        return forms.file(manifest, template)
    body = manifest.body
    if body is None:
        return None
    known = files.get(id(body))
    if known is None:
        known = files[id(body)] = manifest_file(body, template)
    return known


def _leaving(renderings: Sequence[Rendering], paths: Paths) -> Iterator[_Piece]:
    """What stays on a cluster only because the work has not left it yet: it gives way to anything new."""
    for rendering in renderings:
        for manifest in rendering.leaving:
            path = "/".join(paths[manifest.identity])
            yield _Piece(rendering, manifest.identity, manifest.clusters, path, None)


def _conflict(piece: _Piece, owner: _Piece, names: list[str]) -> Problem:
    common = sorted(names)
    return ONE_OBJECT.at(
        piece.rendering.template.document,
        what=(
            f"{piece.rendering.template.identity} and {owner.rendering.template.identity} "
            f"are both {piece.identity} on {common[0]}"
            + (f" and {len(common) - 1} more" if len(common) > 1 else "")
        ),
        why="an object has one file on a cluster; the second would overwrite the first",
        fix="let the override write another name or namespace, or not apply to one of the two",
    )
