"""`--metrics FILE`: what a run has to tell in numbers, written when it ends, however it ends.

The numbers are read from the values that the run decided by, and nothing is worked out where nobody asks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial, wraps
from pathlib import Path
from typing import TYPE_CHECKING

import click

from renderer import __version__
from renderer.document.problem import InputError, Problem
from renderer.model.errors import OutsideError, ToldError
from renderer.model.plan import Plan

if TYPE_CHECKING:
    from renderer.edge.git import GitRepository
    from renderer.model.published import Tip
    from renderer.publish.changes import Changes
    from renderer.view.metrics.openmetrics import Measured
    from renderer.view.written import Writing

_option = click.option(
    "--metrics",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write what the run decided in numbers, as OpenMetrics text.",
)


def metered(name: str) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """Add `--metrics` to the command of that name, which is handed a Meter as `meter`."""

    def decorate(command: Callable[..., int]) -> Callable[..., int]:
        @_option
        @wraps(command)
        def call(metrics: Path | None, workspace: Path, **options: object) -> int:
            meter = Meter(metrics, name, workspace)
            return meter.watch(partial(command, workspace=workspace, meter=meter, **options))

        return call

    return decorate


class Meter:
    """Collects what a run tells; without a file it does nothing."""

    def __init__(self, path: Path | None, command: str, workspace: Path) -> None:
        """Write to `path` what the command of that name tells of a workspace."""
        self._path = path
        self._command = command
        self._workspace = workspace
        self._measured: list[Measured] = []

    @property
    def is_asked(self) -> bool:
        """Whether anybody wants to know."""
        return self._path is not None

    def watch(self, run: Callable[[], int]) -> int:
        """Run a command, and write what it told and how it ended. Raises what the command raises."""
        path = self._path
        if path is None:
            return run()
        from renderer.edge.metrics_file import check_metrics_file
        from renderer.publish.guards.stop import GuardError
        from renderer.view.metrics.told import found

        check_metrics_file(path)
        try:
            code = run()
        except InputError as error:
            self._measured[:0] = found(error.problems)  # if there is a plan, it knows more of them
            self._fail(path, 1)
            raise
        except ToldError as error:
            if isinstance(error, GuardError):
                self.stopped(stop.guard for stop in error.stops)
            self._fail(path, 3 if isinstance(error, OutsideError) else 4)
            raise
        self._write(path, code)
        return code

    def decided(self, plan: Plan, more: Iterable[Problem] = ()) -> None:
        """What the plan is, what moves, and what is wrong, with more of that than the plan knows."""
        if not self.is_asked:
            return
        from renderer.check.failures import every_problem
        from renderer.publish.guards.moved_replicas import moves
        from renderer.view.metrics import decided, told

        self._measured += decided.decided(plan)
        self._measured += told.moved(sum(move.number for move in moves(plan)))
        self._measured += told.found(dict.fromkeys((*every_problem(plan), *more)))

    def problems(self, problems: Iterable[Problem]) -> None:
        """What is wrong, where there is no plan."""
        if self.is_asked:
            from renderer.view.metrics.told import found

            self._measured += found(problems)

    def proposed(self, changes: Changes) -> None:
        """What a commit changes, or would."""
        if self.is_asked:
            from renderer.publish.objects import objects_in
            from renderer.view.metrics.told import changed

            self._measured += changed(*objects_in(changes))

    def written(self, writing: Writing, *, dry_run: bool) -> None:
        """Files that were added, changed and removed in a directory, or would have been; no guard minded."""
        if not self.is_asked:
            return
        from renderer.publish.objects import objects_of
        from renderer.view.metrics.told import changed

        self._measured += changed(*objects_of(writing.added, writing.changed, writing.removed))
        self.stopped(())
        self.wrote(anything=not dry_run and bool(writing.added or writing.changed or writing.removed))

    def stopped(self, guards: Iterable[str]) -> None:
        """What the guards stopped; nothing, where they let it pass or nothing was to be done."""
        if self.is_asked:
            from renderer.view.metrics.told import stopped

            self._measured += stopped(guards)

    def wrote(self, *, anything: bool) -> None:
        """Whether anything was written."""
        if self.is_asked:
            from renderer.view.metrics.told import wrote

            self._measured += wrote(anything=anything)

    def published(self, repository: GitRepository, tip: Tip | None, plan: Plan) -> None:
        """What lies on the branch in the end, and since when."""
        if not self.is_asked or tip is None:
            return
        from renderer.model.differences import clusters_of
        from renderer.model.places import CLUSTERS
        from renderer.publish.publisher import published_at
        from renderer.view.metrics.told import published

        path = plan.workspace.config.output.path
        place = f"{path}/{CLUSTERS}" if path else CLUSTERS
        dates = repository.changed_at(tip, place, clusters_of(published_at(tip, path)))
        names = {cluster.slug: cluster.name for cluster in plan.workspace.clusters}
        clusters = {names.get(directory, directory): date for directory, date in dates.items()}
        self._measured += published(tip.date, clusters)

    def _fail(self, path: Path, code: int) -> None:
        """Write what a run told that failed; its own error is the one to be told."""
        try:
            self._write(path, code)
        except OutsideError as error:
            click.echo(f"krender: {error}", err=True)

    def _write(self, path: Path, code: int) -> None:
        from renderer.edge.metrics_file import write_metrics
        from renderer.view.metrics.openmetrics import openmetrics
        from renderer.view.metrics.told import ended, wrote

        measured = [*wrote(anything=False), *self._measured, *ended(__version__, code)]
        text = openmetrics(measured, command=self._command, workspace=_name(self._workspace))
        write_metrics(path, text)


def _name(workspace: Path) -> str:
    """What the workspace is called in its settings, else its directory, so that no two are taken for one."""
    from renderer.load.config import read_config
    from renderer.load.peek import CONFIG_FILE

    try:
        settings, _ = read_config((workspace / CONFIG_FILE).read_bytes())
    except OSError:
        return workspace.resolve().name
    return settings.name or workspace.resolve().name
