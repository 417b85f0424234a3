"""`krender render`: a workspace into a directory."""

from __future__ import annotations

from pathlib import Path

import click

from renderer import __version__
from renderer.cli.guarding import allow_option, see_directory_guards
from renderer.cli.inputs import (
    clock,
    format_option,
    fresh_option,
    keep_going_option,
    now_option,
    read,
    workspace_argument,
)
from renderer.cli.memory import remembered
from renderer.cli.metering import Meter, metered
from renderer.cli.planning import report
from renderer.cli.printing import (
    Printing,
    allow_empty_option,
    asked_to_print,
    cluster_option,
    print_manifests,
    stdout_option,
)
from renderer.cli.settling import settles
from renderer.edge.directory import write_directory
from renderer.edge.published import read_owned, read_published
from renderer.edge.rested import Rested, remember
from renderer.model.owned import OWNED_PATH, contents_of
from renderer.model.plan import Plan
from renderer.model.tree import Blob, placed
from renderer.model.workspace import Workspace
from renderer.pipeline import render
from renderer.view.written import total_of, written_json, written_text


@click.command(name="render")
@workspace_argument
@click.option("-o", "--output", type=click.Path(path_type=Path), help="The directory to write.")
@fresh_option
@keep_going_option
@click.option("--adopt", is_flag=True, help="Take over a directory that krender did not write.")
@click.option("--overwrite", is_flag=True, help="Give up edits made by hand in the output.")
@allow_option
@click.option("--dry-run", is_flag=True, help="Tell what would be written, and write nothing.")
@cluster_option
@stdout_option
@allow_empty_option
@now_option
@format_option
@metered("render")
def command(
    workspace: Path,
    output: Path | None,
    allow: tuple[str, ...],
    cluster: str | None,
    *,
    fresh: bool,
    keep_going: bool,
    adopt: bool,
    overwrite: bool,
    dry_run: bool,
    is_printed: bool,
    allow_empty: bool,
    now: str | None,
    form: str,
    meter: Meter,
) -> int:
    """Render WORKSPACE (default: here) into a directory, one below clusters/ for each cluster.

    Only what changed is written, and only what krender wrote is removed. Placements are remembered from what
    the directory holds. What fails stops everything, unless --keep-going. Guards stop what looks like an
    accident, such as many deletions; --allow lets one pass.

    With --stdout, what one cluster gets is printed, whole or not at all, and nothing is written.
    """
    if is_printed or allow_empty or cluster is not None:
        plain = form == "text" and not (
            keep_going or adopt or overwrite or allow or dry_run or meter.is_asked
        )
        name = asked_to_print(cluster, is_printed=is_printed, alone=plain)
        asked = Printing(cluster=name, memory=output, fresh=fresh, allow_empty=allow_empty, now=now)
        return print_manifests(workspace, asked)
    loaded = read(workspace, [output] if output else (), lenient=keep_going)
    target = output or _configured(loaded, workspace)
    memory = remembered(read_published(target), fresh=fresh)
    plan = render(loaded, memory, clock(now, workspace), fresh=fresh)
    failed = report(plan, workspace, keep_going=keep_going, output=output)
    meter.decided(plan)
    if failed and not keep_going:
        return 1
    before = read_owned(target, memory.tree)
    if before:
        see_directory_guards(before, plan, allow, form)
    written = write_directory(
        target, plan.tree, apart_from=[workspace], adopt=adopt, overwrite=overwrite, dry_run=dry_run
    )
    meter.written(written, dry_run=dry_run)
    if not (written.added or written.changed or written.removed or failed or allow or dry_run):
        _note(target, plan)
    show = written_json if form == "json" else written_text
    click.echo(show(plan, written, str(target), dry_run=dry_run))
    return 1 if failed else 0


def _note(target: Path, plan: Plan) -> None:
    """Have the next run know that there is nothing to do, if that is sure."""
    whole = placed(plan.tree, OWNED_PATH, Blob(contents_of(plan.tree)))
    if settles(plan, whole, "sha256"):
        remember(
            target,
            Rested(version=__version__, inputs=plan.workspace.digest, total=total_of(plan)),
        )


def _configured(workspace: Workspace, root: Path) -> Path:
    """The directory that krender.yaml names."""
    directory = workspace.config.output.directory
    if not directory:
        raise click.UsageError("name the directory to write: -o DIR (or output.directory in krender.yaml)")
    return root / directory
