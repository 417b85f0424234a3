"""Where a plan is published to: the workspace's own repository, another one by its path or address."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import click

from renderer.edge.address import cloned, is_address, shown_address
from renderer.edge.git import GitRepository
from renderer.edge.remote import PushedRepository
from renderer.model.workspace import Workspace

REMOTE = "origin"

repo_option = click.option(
    "--repo", metavar="PATH|URL", help="The repository. Default: output.repo, else the workspace's own."
)
branch_option = click.option("--branch", metavar="NAME", help="The branch. Default: output.branch: rendered.")
push_option = click.option(
    "--push", is_flag=True, help="Fetch the branch from a remote first, and push to it."
)
remote_option = click.option(
    "--remote", metavar="NAME", default=REMOTE, help="The remote for --push. Default: origin."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """What the command line says about it; the rest is in `krender.yaml`."""

    repo: str | None = None
    branch: str | None = None
    push: bool = False
    remote: str = REMOTE


@contextmanager
def opened(
    workspace: Workspace, root: Path, target: Target, *, to_write: bool = True
) -> Iterator[GitRepository]:
    """The repository and its branch. A repository by its address is fetched, and pushed to.

    Raises OutsideError where it cannot be used, StoppedError where the branch must not be written.
    """
    settings = workspace.config.output
    branch = settings.branch if target.branch is None else target.branch
    named = target.repo or settings.repo
    if named and is_address(named):
        with (
            cloned(named, branch) as place,
            PushedRepository(place, branch, to_write=to_write) as repository,
        ):
            yield repository
        return
    home = Path(target.repo) if target.repo else root / settings.repo if settings.repo else root
    if target.push:
        with PushedRepository(home, branch, target.remote, to_write=to_write) as repository:
            yield repository
    else:
        with GitRepository(home, branch, to_write=to_write) as repository:
            yield repository


def shown_target(workspace: Workspace, target: Target) -> str:
    """Where it goes, for messages: `rendered`, `origin/rendered`, `rendered of https://…`."""
    branch = target.branch or workspace.config.output.branch
    path = workspace.config.output.path
    named = target.repo or workspace.config.output.repo
    place = f"{branch}:{path}" if path else branch
    if named and is_address(named):
        return f"{place} of {shown_address(named)}"
    return f"{target.remote}/{place}" if target.push else place
