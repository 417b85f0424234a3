"""`krender publish`: the rendered workspace as one commit on its branch."""

from __future__ import annotations

from pathlib import Path

import click

from renderer import __version__
from renderer.cli.inputs import (
    clock,
    format_option,
    fresh_option,
    keep_going_option,
    now_option,
    read,
    workspace_argument,
)
from renderer.cli.planning import report
from renderer.edge.git import GitRepository
from renderer.edge.place import source_of
from renderer.model.instant import instant
from renderer.model.plan import Plan
from renderer.model.published import Tip
from renderer.model.tree import EMPTY_TREE, Tree
from renderer.model.workspace import Workspace
from renderer.pipeline import render
from renderer.publish.message import Origin
from renderer.publish.publisher import propose, publish
from renderer.schedule.previous import read_previous
from renderer.view.published import published_json, published_text


@click.command(name="publish")
@workspace_argument
@click.option("--repo", type=click.Path(path_type=Path), help="The repository. Default: the workspace's own.")
@click.option("--branch", metavar="NAME", help="The branch. Default: rendered, or output.branch.")
@fresh_option
@keep_going_option
@click.option("--adopt", is_flag=True, help="Take over a branch that krender did not write.")
@click.option("--dry-run", is_flag=True, help="Tell what would be committed, and commit nothing.")
@now_option
@format_option
def command(
    workspace: Path,
    repo: Path | None,
    branch: str | None,
    *,
    fresh: bool,
    keep_going: bool,
    adopt: bool,
    dry_run: bool,
    now: str | None,
    form: str,
) -> int:
    """Render WORKSPACE (default: here) and commit the result to a branch of its own.

    Your worktree, index and HEAD stay as they are. Where nothing changed there is no commit. Placements are
    remembered from what the branch holds.
    """
    loaded = read(workspace, lenient=keep_going)
    time = clock(now, workspace)
    output = loaded.config.output
    home = repo or (workspace / output.repo if output.repo else workspace)
    origin = Origin(
        version=__version__,
        input_digest=loaded.digest,
        date=int(instant(time).timestamp()),
        source=source_of(workspace),
    )
    with GitRepository(home, branch or output.branch) as repository:
        tip = repository.tip()
        plan = _planned(loaded, tip, time, fresh=fresh)
        failed = report(plan, workspace, keep_going=keep_going)
        if failed and not keep_going:
            return 1
        if dry_run:
            proposal, commit = propose(repository, tip, plan.tree, origin, adopt=adopt), None
        else:
            published = publish(
                repository,
                tip,
                plan.tree,
                origin,
                plan_again=lambda moved: _planned(loaded, moved, time, fresh=fresh).tree,
                adopt=adopt,
            )
            proposal, commit = published.proposal, published.commit
        show = published_json if form == "json" else published_text
        click.echo(show(repository.branch, proposal, commit, dry_run=dry_run))
    return 1 if failed else 0


def _planned(workspace: Workspace, tip: Tip | None, time: str, *, fresh: bool) -> Plan:
    before: Tree = tip.tree if tip else EMPTY_TREE
    return render(workspace, read_previous(before), time, fresh=fresh)
