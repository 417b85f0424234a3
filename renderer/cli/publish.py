"""`krender publish`: the rendered workspace as one commit on its branch."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from renderer import __version__
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
from renderer.cli.metering import Meter, metered
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
from renderer.edge.git import GitRepository
from renderer.edge.place import source_of
from renderer.model.errors import StoppedError
from renderer.model.published import Tip
from renderer.model.tree import Tree
from renderer.publish.message import Origin
from renderer.publish.publisher import PlanAgain, Proposal, propose, publish
from renderer.view.published import published_json, published_text

if TYPE_CHECKING:
    from renderer.publish.plan_file import PlanFile


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
@click.option(
    "--plan",
    "plan_file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Publish exactly what `krender plan` wrote, or stop if anything has moved.",
)
@click.option("--dry-run", is_flag=True, help="Tell what would be committed, and commit nothing.")
@now_option
@format_option
@metered("publish")
def command(
    workspace: Path,
    repo: str | None,
    branch: str | None,
    remote: str,
    allow: tuple[str, ...],
    plan_file: Path | None,
    *,
    push: bool,
    fresh: bool,
    keep_going: bool,
    adopt: bool,
    dry_run: bool,
    now: str | None,
    form: str,
    meter: Meter,
) -> int:
    """Render WORKSPACE (default: here) and commit the result to a branch of its own.

    Your worktree, index and HEAD stay as they are. Where nothing changed there is no commit. Placements are
    remembered from what the branch holds. Guards stop what looks like an accident; --allow lets one pass.
    """
    reviewed = _reviewed(plan_file, stated=fresh or keep_going or adopt or now is not None)
    if reviewed:
        fresh, keep_going, adopt = reviewed.fresh, reviewed.keep_going, reviewed.adopt
        allow = (*allow, *reviewed.allow)
    loaded = read(workspace, lenient=keep_going)
    source = source_of(workspace)
    time = reviewed.now if reviewed else clock(now, workspace, lambda: source)
    planner = Planner(loaded, workspace, time, source, fresh=fresh, keep_going=keep_going)
    target = Target(repo=repo, branch=branch, push=push, remote=remote)
    with opened(loaded, workspace, target) as repository:
        run = _Run(
            repository=repository,
            planner=planner,
            origin=planner.origin(),
            place=shown_target(loaded, target),
            adopt=adopt,
            allow=allow,
            dry_run=dry_run,
            form=form,
            meter=meter,
        )
        return run.exactly(reviewed) if reviewed else run.anew()


def _reviewed(path: Path | None, *, stated: bool) -> PlanFile | None:
    """The plan that was reviewed, if one is named. Raises StoppedError where it is none."""
    if path is None:
        return None
    if stated:
        raise click.UsageError("--plan says itself how it was rendered: leave out the other options")
    from renderer.edge.plan_files import read_plan
    from renderer.publish.plan_reader import decode

    return decode(read_plan(path))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Run:
    """One publish, with all that was said about it."""

    repository: GitRepository
    planner: Planner
    origin: Origin
    place: str
    adopt: bool
    allow: tuple[str, ...]
    dry_run: bool
    form: str
    meter: Meter

    def anew(self) -> int:
        """Publish what is rendered now, on whatever lies on the branch; returns the exit code."""
        tip = self.repository.tip()
        if self.planner.on(tip):
            return self._failed(tip)
        return self._publish(tip, self.planner.again)

    def exactly(self, plan: PlanFile) -> int:
        """Publish what was reviewed, or stop. Raises StoppedError. Nothing to do where it is done already."""
        from renderer.publish.reviewed import unmoved, unmoved_tip, unmoved_tree

        repository, workspace = self.repository, self.planner.workspace
        branch, path = repository.branch, self.planner.path
        unmoved(plan, version=__version__, inputs=workspace.digest, branch=branch, path=path)
        tip = repository.tip()
        done = self._proposed(tip, plan.tree)
        if not done.is_change:
            if self.meter.is_asked:
                self.planner.on(tip)
            self._show(done, None)
            self._measure(done, None)
            return 0
        unmoved_tip(plan, tip)
        if self.planner.on(tip):
            return self._failed(tip)
        unmoved_tree(plan, self.planner.plan.tree)

        def still(tip: Tip | None) -> Tree:
            unmoved_tip(plan, tip)
            return self.planner.plan.tree

        return self._publish(tip, still)

    def _publish(self, tip: Tip | None, again: PlanAgain) -> int:
        tree = self.planner.plan.tree
        if self.dry_run:
            proposal = self._proposed(tip, tree)
            self._show(proposal, None)
            if proposal.is_change:
                self._guard(proposal)
            self._measure(proposal, None)
        else:
            published = publish(
                self.repository,
                tip,
                tree,
                self.origin,
                plan_again=again,
                guard=self._guard,
                adopt=self.adopt,
                path=self.planner.path,
                clusters=self.planner.workspace.clusters,
            )
            self._show(published.proposal, published.commit)
            self._measure(published.proposal, published.commit)
        return 1 if self.planner.failed else 0

    def _proposed(self, tip: Tip | None, tree: Tree) -> Proposal:
        return propose(
            self.repository,
            tip,
            tree,
            self.origin,
            adopt=self.adopt,
            path=self.planner.path,
            clusters=self.planner.workspace.clusters,
        )

    def _guard(self, proposal: Proposal) -> None:
        situation = self.planner.situation(proposal, self.repository.algorithm)
        try:
            see_guards(situation, self.allow, self.form)
        except StoppedError:
            self._measure(proposal, None)
            raise

    def _failed(self, tip: Tip | None) -> int:
        """What failed was told; returns the exit code."""
        self.meter.decided(self.planner.plan)
        self.meter.published(self.repository, tip, self.planner.plan)
        return 1

    def _measure(self, proposal: Proposal, commit: str | None) -> None:
        """What was decided, and what became of it."""
        meter, plan = self.meter, self.planner.plan
        meter.decided(plan)
        meter.proposed(proposal.changes)
        meter.stopped(())
        meter.wrote(anything=commit is not None)
        meter.published(self.repository, self.repository.at(commit) if commit else proposal.onto, plan)

    def _show(self, proposal: Proposal, commit: str | None) -> None:
        view = published_json if self.form == "json" else published_text
        click.echo(view(self.place, proposal, commit, dry_run=self.dry_run))
