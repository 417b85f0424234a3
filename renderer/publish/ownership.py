"""What on the branch is krender's, and what is foreign: that is kept, listed, and never overwritten."""

from __future__ import annotations

from dataclasses import dataclass

from renderer.model.errors import StoppedError
from renderer.model.owned import NOTHING, OWNED_PATH, Directory, decode, names_of
from renderer.model.published import Tip
from renderer.model.tree import EMPTY_TREE, Blob, Node, Tree, placed
from renderer.publish.trailers import TREE_TRAILER, trailers


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """The tree to commit: the plan's, the record of it, and what is foreign (`docs/`: all below)."""

    tree: Tree
    foreign: tuple[str, ...] = ()


def settle(tip: Tip | None, tree: Tree, *, branch: str, algorithm: str, adopt: bool = False) -> Settled:
    """Join the plan's tree with what others have put on the branch.

    With `adopt`, krender takes over a branch that it did not create, and foreign files in its places.
    Raises StoppedError where that would be needed, and where a foreign file blocks the way for good.
    """
    whole = placed(tree, OWNED_PATH, Blob(names_of(tree)))
    if tip is None or is_all_krenders(tip, algorithm):
        return Settled(tree=whole)
    merge = _Merge(algorithm, adopt)
    joined = merge.directory("", tip.tree, _recorded(tip, branch, adopt=adopt), whole)
    if merge.blocked:
        more = f" (and {len(merge.blocked) - 1} more)" if len(merge.blocked) > 1 else ""
        raise StoppedError(
            f"{merge.blocked[0]}{more} on branch {branch} is foreign, but in the place of a rendered file",
            "a foreign file is never overwritten",
            "remove it from the branch, or let krender take it over with --adopt",
            tuple(merge.blocked),
        )
    return Settled(tree=joined, foreign=tuple(merge.foreign))


def is_all_krenders(tip: Tip, algorithm: str) -> bool:
    """Whether krender made this very commit and nothing foreign lies in it.

    The message then names the tree; a commit that somebody else made or amended has another tree, or none.
    """
    return trailers(tip.message).get(TREE_TRAILER) == tip.tree.object_id(algorithm).hex()


def _recorded(tip: Tip, branch: str, *, adopt: bool) -> Directory:
    """What krender wrote, by the record on the branch."""
    record = tip.tree.at(OWNED_PATH)
    try:
        if isinstance(record, Blob):
            return decode(record.data)
        reason = "was not created by krender"
    except ValueError as error:
        reason = f"has a damaged record {OWNED_PATH}: {error}"
    if adopt:
        return NOTHING
    raise StoppedError(
        f"the branch {branch} {reason}",
        "krender deletes what it does not render again, and must not delete what is not its own",
        "name another branch with --branch, or let krender take this one over with --adopt",
    )


class _Merge:
    """Walks the published tree, the record of it and the plan's tree together."""

    def __init__(self, algorithm: str, adopt: bool) -> None:
        self.foreign: list[str] = []
        self.blocked: list[str] = []
        self._algorithm = algorithm
        self._adopt = adopt

    def directory(self, below: str, found: Tree, recorded: Directory, wanted: Tree) -> Tree:
        """The wanted directory with what is foreign in the one that was found."""
        kept: dict[str, Node] = {}
        for name, node in found.entries().items():
            path, record, want = below + name, recorded.at(name), wanted.child(name)
            if isinstance(node, Tree):
                inner = record if isinstance(record, Directory) else NOTHING
                self._directory(path, node, inner, want, kept)
            elif not isinstance(record, str) and path != OWNED_PATH:
                self._file(path, node, want, kept)
        return Tree({**wanted.entries(), **kept}) if kept else wanted

    def _directory(
        self, path: str, found: Tree, recorded: Directory, want: Node | None, kept: dict[str, Node]
    ) -> None:
        """A directory: look inside, unless it is foreign as a whole."""
        name = path.rpartition("/")[2]
        if recorded is NOTHING and want is None:
            self.foreign.append(f"{path}/")
            kept[name] = found
            return
        inside = want if isinstance(want, Tree) else EMPTY_TREE
        joined = self.directory(f"{path}/", found, recorded, inside)
        if joined is inside:
            return
        if isinstance(want, Blob):
            self.blocked.append(path)
        kept[name] = joined

    def _file(self, path: str, found: Blob, want: Node | None, kept: dict[str, Node]) -> None:
        """A foreign file."""
        if want is None:
            self.foreign.append(path)
            kept[path.rpartition("/")[2]] = found
        elif isinstance(want, Tree) or not (self._adopt or self._same(found, want)):
            self.blocked.append(path)

    def _same(self, found: Blob, want: Blob) -> bool:
        """Whether a foreign file is just what krender would write."""
        algorithm = self._algorithm
        return found.mode == want.mode and found.object_id(algorithm) == want.object_id(algorithm)
