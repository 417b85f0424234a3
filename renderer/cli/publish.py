"""`krender publish`: the rendered workspace as one commit on its branch."""

from __future__ import annotations

from pathlib import Path

import click

from renderer.cli.guarding import allow_option, see_guards
from renderer.cli.inputs import (
    clock,
    format_option,
    fresh_option,
    keep_going_option,
    now_option,
    read,
    workspace_argument,
)
from renderer.cli.planner import Planner
from renderer.cli.target import (
    Target,
    branch_option,
    opened,
    push_option,
    remote_option,
    repo_option,
    shown_target,
)
from renderer.publish.publisher import Proposal, propose, publish
from renderer.view.published import published_json, published_text


@click.command(name="publish")
@workspace_argument
@repo_option
@branch_option
@push_option
@remote_option
@fresh_option
@keep_going_option
@click.option("--adopt", is_flag=True, help="Take over a branch that krender did not write.")
@allow_option
@click.option("--dry-run", is_flag=True, help="Tell what would be committed, and commit nothing.")
@now_option
@format_option
def command(
    workspace: Path,
    repo: str | None,
    branch: str | None,
    remote: str,
    allow: tuple[str, ...],
    *,
    push: bool,
    fresh: bool,
    keep_going: bool,
    adopt: bool,
    dry_run: bool,
    now: str | None,
    form: str,
) -> int:
    """Render WORKSPACE (default: here) and commit the result to a branch of its own.

    Your worktree, index and HEAD stay as they are. Where nothing changed there is no commit. Placements are
    remembered from what the branch holds. Guards stop what looks like an accident; --allow lets one pass.
    """
    loaded = read(workspace, lenient=keep_going)
    planner = Planner(loaded, workspace, clock(now, workspace), fresh=fresh, keep_going=keep_going)
    target = Target(repo=repo, branch=branch, push=push, remote=remote)
    origin = planner.origin()
    with opened(loaded, workspace, target) as repository:

        def guard(proposal: Proposal) -> None:
            see_guards(planner.situation(proposal, repository.algorithm), allow, form)

        tip = repository.tip()
        if planner.on(tip):
            return 1
        tree, path = planner.plan.tree, planner.path
        clusters = loaded.clusters
        if dry_run:
            proposal = propose(repository, tip, tree, origin, adopt=adopt, path=path, clusters=clusters)
            commit = None
        else:
            published = publish(
                repository,
                tip,
                tree,
                origin,
                plan_again=planner.again,
                guard=guard,
                adopt=adopt,
                path=path,
                clusters=clusters,
            )
            proposal, commit = published.proposal, published.commit
        show = published_json if form == "json" else published_text
        click.echo(show(shown_target(loaded, target), proposal, commit, dry_run=dry_run))
        if dry_run and proposal.is_change:
            guard(proposal)
    return 1 if planner.failed else 0
