"""Rendering on what lies on the branch, again when that moves."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from renderer import __version__
from renderer.check.failures import failures
from renderer.cli.inputs import located
from renderer.cli.memory import remembered
from renderer.cli.planning import report
from renderer.cli.settling import settles
from renderer.document.problem import InputError
from renderer.edge.place import folder_of
from renderer.edge.progress import step
from renderer.model.instant import instant
from renderer.model.plan import Plan
from renderer.model.published import Source, Tip
from renderer.model.tree import Tree
from renderer.model.workspace import Workspace
from renderer.pipeline import render
from renderer.publish.message import Origin
from renderer.publish.publisher import Proposal, published_at

if TYPE_CHECKING:
    from renderer.publish.guards.situation import Situation


class Planner:
    """Makes plans of one workspace; the guards look at the last one."""

    def __init__(
        self,
        workspace: Workspace,
        root: Path,
        time: str,
        source: Source | None,
        *,
        fresh: bool,
        keep_going: bool,
    ) -> None:
        """Remember what stays the same from plan to plan."""
        self.workspace = workspace
        self.plan = Plan(workspace=workspace)
        self.failed = False  # whether something of the plan failed
        self._root = root
        self._time = time
        self._source = source
        self._fresh = fresh
        self._keep_going = keep_going

    @property
    def path(self) -> str:
        """Where on the branch it is published."""
        return self.workspace.config.output.path

    def on(self, tip: Tip | None) -> bool:
        """Plan on what lies there, and tell what fails. True if something did that must not."""
        self._render(tip)
        self.failed = report(self.plan, self._root, keep_going=self._keep_going)
        return self.failed and not self._keep_going

    def again(self, tip: Tip | None) -> Tree:
        """Plan anew because the branch moved. Raises InputError where that fails."""
        self._render(tip)
        failed = failures(self.plan)
        if failed and not self._keep_going:
            raise InputError(*located(failed, self._root))
        return self.plan.tree

    def origin(self) -> Origin:
        """Where its plans come from, for the commit message."""
        source = self._source
        if source is not None and self.path:
            source = replace(source, folder=folder_of(self._root))
        return Origin(
            version=__version__,
            input_digest=self.workspace.digest,
            date=int(instant(self._time).timestamp()),
            source=source,
            settled=self._settles,
        )

    def _settles(self, published: Tree, algorithm: str) -> bool:
        return settles(self.plan, published, algorithm)

    def _render(self, tip: Tip | None) -> None:
        memory = remembered(published_at(tip, self.path), fresh=self._fresh)
        step("rendering")
        self.plan = render(self.workspace, memory, self._time, fresh=self._fresh, known=self.plan)

    def situation(self, proposal: Proposal, algorithm: str) -> Situation:
        """What the guards look at."""
        from renderer.publish.guards.situation import Situation

        return Situation(before=proposal.before, after=proposal.after, plan=self.plan, algorithm=algorithm)
