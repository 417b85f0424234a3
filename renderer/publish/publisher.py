"""Publishing a tree: one commit on the branch, or none where nothing changed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from renderer.model.cluster import Cluster
from renderer.model.errors import OutsideError, StoppedError
from renderer.model.published import Tip
from renderer.model.tree import EMPTY_TREE, Blob, Tree, placed
from renderer.publish.changes import Changes, compare
from renderer.publish.message import Origin, message
from renderer.publish.ownership import settle
from renderer.publish.repository import Repository
from renderer.schedule.renamed import moved_directories

TRIES = 30  # each time it moves somebody else was heard: so many publishers at once are all heard

# From what is published now to what shall be: a render on the new memory.
PlanAgain: TypeAlias = Callable[[Tip | None], Tree]
# Raises StoppedError where a change must not be published.
Guard: TypeAlias = Callable[["Proposal"], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """The commit that would be made on a tip.

    `tree` is the commit's; `before` and `after` are krender's part of it, below the path it writes to.
    `foreign` are files in that part that are not krender's.
    """

    onto: Tip | None
    tree: Tree
    before: Tree
    after: Tree
    changes: Changes
    message: str
    date: int
    author: str = ""  # `Name <mail>`; the user where it is empty
    foreign: tuple[str, ...] = ()
    is_change: bool = True  # False where the branch holds this tree already


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """What publishing did: the commit, None where nothing changed, and what it was made of."""

    commit: str | None
    proposal: Proposal
    tries: int = 1

    @property
    def changes(self) -> Changes:
        """What the commit changes."""
        return self.proposal.changes


def propose(
    repository: Repository,
    onto: Tip | None,
    tree: Tree,
    origin: Origin,
    *,
    adopt: bool = False,
    path: str = "",
    clusters: Sequence[Cluster] = (),
) -> Proposal:
    """What publishing this tree on that tip would commit; nothing is written.

    With a `path`, the tree goes below that directory of the branch, and all else there stays as it is.
    `clusters` are asked what they were called before.
    Raises StoppedError where krender must not write the branch.
    """
    algorithm, branch = repository.algorithm, repository.branch
    before = published_at(onto, path)
    there = replace(onto, tree=before) if onto and (before or not path) else None
    place = f"{branch}:{path}" if path else branch
    try:
        settled = settle(there, tree, branch=place, algorithm=algorithm, adopt=adopt)
    except StoppedError:
        _refuse_source(repository, onto, origin, path)  # which --adopt would not change
        raise
    changes = compare(before, settled.tree, algorithm, moved_directories(before, clusters))
    name = settled.tree.object_id(algorithm)
    is_change = there is None or before.object_id(algorithm) != name
    if is_change:
        _refuse_source(repository, onto, origin, path)
    is_settled = is_change and not settled.foreign and origin.settled(settled.tree, algorithm)
    return Proposal(
        onto=onto,
        tree=_placed(onto, path, settled.tree, branch),
        before=before,
        after=settled.tree,
        changes=changes,
        message=message(changes, origin, None if settled.foreign else name.hex(), path, settled=is_settled),
        date=max(origin.date, onto.date if onto else 0),  # Git expects no child to be older than its parent
        author=origin.source.author if origin.source and not origin.source.dirty else "",
        foreign=settled.foreign,
        is_change=is_change,
    )


def published_at(tip: Tip | None, path: str = "") -> Tree:
    """What lies at a path of a tip (empty: all of it); empty where nothing does."""
    if tip is None:
        return EMPTY_TREE
    node = tip.tree.at(path) if path else tip.tree
    return node if isinstance(node, Tree) else EMPTY_TREE


def _placed(onto: Tip | None, path: str, tree: Tree, branch: str) -> Tree:
    """The whole tree of the branch with krender's part in its place. Raises StoppedError."""
    if not path:
        return tree
    whole = onto.tree if onto else EMPTY_TREE
    try:
        if isinstance(whole.at(path), Blob):
            raise ValueError(f"{path} is a file")
        return placed(whole, path, tree)
    except ValueError as error:
        raise StoppedError(
            f"the branch {branch} has a file in the place of the directory {path}: {error}",
            "a foreign file is never overwritten",
            "name another directory in output.path of krender.yaml",
        ) from error


def publish(
    repository: Repository,
    onto: Tip | None,
    tree: Tree,
    origin: Origin,
    *,
    plan_again: PlanAgain | None = None,
    guard: Guard | None = None,
    adopt: bool = False,
    path: str = "",
    clusters: Sequence[Cluster] = (),
    tries: int = TRIES,
) -> Published:
    """Commit the tree that was planned on the tip `onto`; no change, no commit.

    Where the branch has moved meanwhile, `plan_again` plans on what lies there now, and that is tried.
    Raises StoppedError where a guard or foreign files stop it, OutsideError where the branch keeps moving
    or Git refuses: nothing was published then, and nothing is lost.
    """
    for attempt in range(1, tries + 1):
        proposal = propose(repository, onto, tree, origin, adopt=adopt, path=path, clusters=clusters)
        if not proposal.is_change:
            return Published(commit=None, proposal=proposal, tries=attempt)
        if guard:
            guard(proposal)
        commit = repository.commit(onto, proposal.tree, proposal.message, proposal.date, proposal.author)
        if commit:
            return Published(commit=commit, proposal=proposal, tries=attempt)
        if plan_again is None or attempt == tries:
            break
        repository.pause(attempt)
        onto = repository.tip()
        tree = plan_again(onto)
    raise OutsideError(
        f"the branch {repository.branch} moved while it was being published to ({attempt} tries)",
        "somebody else publishes to it, too; nothing was published, and nothing is lost",
        "run it again, or let one publisher at a time work on the branch",
    )


def _refuse_source(repository: Repository, onto: Tip | None, origin: Origin, path: str) -> None:
    """See that krender will not read what it writes. Raises StoppedError.

    A directory of the branch that the workspace is on may be written, if the workspace is not in it; if it
    is in the workspace, it is not read as input.
    """
    if not onto or not origin.source or (path and not f"{origin.source.folder}/".startswith(f"{path}/")):
        return
    if repository.stems_from(onto, origin.source.commit):
        place = f"{repository.branch} is the one" if not path else f"{repository.branch} has in {path} what"
        raise StoppedError(
            f"the branch {place} the workspace was read from",
            "krender would render its own output, and every render would start the next",
            "name another branch with --branch, or another directory of it in output.path of krender.yaml",
        )
