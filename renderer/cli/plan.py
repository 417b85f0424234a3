"""`krender plan`: what a publish would do, as a file to review and to publish exactly so."""

from __future__ import annotations

from pathlib import Path

import click

from renderer import __version__
from renderer.cli.guarding import allow_option
from renderer.cli.inputs import (
    clock,
    format_option,
    fresh_option,
    keep_going_option,
    now_option,
    read,
    shown_path,
    workspace_argument,
)
from renderer.cli.planner import Planner
from renderer.cli.target import (
    Target,
    branch_option,
    opened,
    remote_option,
    repo_option,
    shown_target,
)
from renderer.edge.place import source_of
from renderer.edge.whole import write_whole
from renderer.model.published import Tip
from renderer.model.tree import digest
from renderer.publish.guards.guards import stops
from renderer.publish.plan_file import PlanFile, encode
from renderer.publish.publisher import propose
from renderer.view.diff.hunks import without_secrets
from renderer.view.diff.reasons import OfPlan
from renderer.view.published import published_json, published_text


@click.command(name="plan")
@workspace_argument
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), required=True, help="The plan file to write."
)
@repo_option
@branch_option
@click.option("--push", is_flag=True, help="Take the branch of a remote, which is fetched first.")
@remote_option
@fresh_option
@keep_going_option
@click.option("--adopt", is_flag=True, help="Take over a branch that krender did not write.")
@allow_option
@now_option
@format_option
def command(
    workspace: Path,
    output: Path,
    repo: str | None,
    branch: str | None,
    remote: str,
    allow: tuple[str, ...],
    *,
    push: bool,
    fresh: bool,
    keep_going: bool,
    adopt: bool,
    now: str | None,
    form: str,
) -> int:
    """Tell what publishing WORKSPACE (default: here) would commit, and write it to a plan file.

    `krender publish --plan FILE` publishes exactly that, or stops if the branch, the files or krender
    itself are not what they were. `krender diff FILE` shows it. What guards would stop is told; --allow is
    kept in the file.
    """
    loaded = read(workspace, lenient=keep_going)
    source = source_of(workspace)
    time = clock(now, workspace, lambda: source)
    planner = Planner(loaded, workspace, time, source, fresh=fresh, keep_going=keep_going)
    target = Target(repo=repo, branch=branch, push=push, remote=remote)
    origin = planner.origin()
    with opened(loaded, workspace, target, to_write=False) as repository:
        tip = repository.tip()
        if planner.on(tip):
            return 1
        plan, path = planner.plan, planner.path
        proposal = propose(
            repository, tip, plan.tree, origin, adopt=adopt, path=path, clusters=loaded.clusters
        )
        document = PlanFile(
            version=__version__,
            inputs=loaded.digest,
            now=time,
            fresh=fresh,
            keep_going=keep_going,
            source=origin.source.commit if origin.source else "",
            dirty=origin.source.dirty if origin.source else False,
            branch=repository.branch,
            path=path,
            tip=_commit(tip),
            adopt=adopt,
            allow=tuple(sorted(allow)),
            digest=digest(plan.tree),
            algorithm=repository.algorithm,
            tree=plan.tree,
            reasons=OfPlan(plan, shown_path(workspace)).recorded(),
        )
        stopped = stops(planner.situation(proposal, repository.algorithm), allow)
        write_whole(output, encode(document, without_secrets))
        place = shown_target(loaded, target)
        if form == "json":
            told = published_json(place, proposal, None, dry_run=True, units=plan.units, stops=stopped)
        else:
            told = published_text(place, proposal, None, dry_run=True, units=plan.units)
        click.echo(told)
    for stop in stopped:
        click.echo(f"\npublish would stop at {stop}", err=True)
    click.echo(f"plan: {output}", err=True)
    return 1 if planner.failed else 0


def _commit(tip: Tip | None) -> str:
    return tip.commit if tip else ""
