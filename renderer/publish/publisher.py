"""Publishing a tree: one commit on the branch, or none where nothing changed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from renderer.model.errors import OutsideError, StoppedError
from renderer.model.published import Tip
from renderer.model.tree import EMPTY_TREE, Tree
from renderer.publish.changes import Changes, compare
from renderer.publish.message import Origin, message
from renderer.publish.ownership import settle
from renderer.publish.repository import Repository

TRIES = 10

# From what is published now to what shall be: a render on the new memory.
PlanAgain: TypeAlias = Callable[[Tip | None], Tree]
# Raises StoppedError where a change must not be published.
Guard: TypeAlias = Callable[[Tip | None, Changes], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """The commit that would be made on a tip; `foreign` are files on the branch that are not krender's."""

    onto: Tip | None
    tree: Tree
    changes: Changes
    message: str
    date: int
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
    repository: Repository, onto: Tip | None, tree: Tree, origin: Origin, *, adopt: bool = False
) -> Proposal:
    """What publishing this tree on that tip would commit; nothing is written.

    Raises StoppedError where krender must not write the branch.
    """
    algorithm = repository.algorithm
    _refuse_source(onto, origin, repository.branch)
    settled = settle(onto, tree, branch=repository.branch, algorithm=algorithm, adopt=adopt)
    before = onto.tree if onto else EMPTY_TREE
    changes = compare(before, settled.tree, algorithm)
    name = settled.tree.object_id(algorithm)
    return Proposal(
        onto=onto,
        tree=settled.tree,
        changes=changes,
        message=message(changes, origin, None if settled.foreign else name.hex()),
        date=max(origin.date, onto.date if onto else 0),  # Git expects no child to be older than its parent
        foreign=settled.foreign,
        is_change=onto is None or onto.tree.object_id(algorithm) != name,
    )


def publish(
    repository: Repository,
    onto: Tip | None,
    tree: Tree,
    origin: Origin,
    *,
    plan_again: PlanAgain | None = None,
    guard: Guard | None = None,
    adopt: bool = False,
    tries: int = TRIES,
) -> Published:
    """Commit the tree that was planned on the tip `onto`; no change, no commit.

    Where the branch has moved meanwhile, `plan_again` plans on what lies there now, and that is tried.
    Raises StoppedError where a guard or foreign files stop it, OutsideError where the branch keeps moving
    or Git refuses: nothing was published then, and nothing is lost.
    """
    for attempt in range(1, tries + 1):
        proposal = propose(repository, onto, tree, origin, adopt=adopt)
        if not proposal.is_change:
            return Published(commit=None, proposal=proposal, tries=attempt)
        if guard:
            guard(onto, proposal.changes)
        commit = repository.commit(onto, proposal.tree, proposal.message, proposal.date)
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


def _refuse_source(onto: Tip | None, origin: Origin, branch: str) -> None:
    """See that the branch is not the one that the workspace was read from. Raises StoppedError."""
    if onto and origin.source and onto.commit == origin.source.commit:
        raise StoppedError(
            f"the branch {branch} is the one the workspace was read from",
            "krender would render its own output, and every render would start the next",
            "name another branch with --branch",
        )
