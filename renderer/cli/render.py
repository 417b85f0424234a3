"""`krender render`: a workspace into a directory."""

from __future__ import annotations

from pathlib import Path

import click

from renderer.cli.guarding import allow_option, see_directory_guards
from renderer.cli.inputs import (
    clock,
    format_option,
    fresh_option,
    keep_going_option,
    now_option,
    read,
    tracked_option,
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
from renderer.cli.worktree import command_to_add, directory_of, not_staged, note_answer, note_rendered
from renderer.edge.answers import question
from renderer.edge.directory import write_directory
from renderer.edge.progress import step
from renderer.edge.published import read_owned, read_published
from renderer.model.plan import Plan
from renderer.pipeline import render
from renderer.view.written import written_json, written_text


@click.command(name="render")
@workspace_argument
@click.option("-o", "--output", type=click.Path(path_type=Path), help="The directory to write.")
@fresh_option
@keep_going_option
@click.option("--adopt", is_flag=True, help="Take over a directory that krender did not write.")
@click.option("--overwrite", is_flag=True, help="Give up edits made by hand in the output.")
@allow_option
@click.option("--dry-run", is_flag=True, help="Tell what would be written, and write nothing.")
@tracked_option
@click.option(
    "--exit-code", is_flag=True, help="Exit with 1 if anything was written, or with --tracked is not staged."
)
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
    tracked: bool,
    exit_code: bool,
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
            keep_going or adopt or overwrite or allow or dry_run or tracked or exit_code or meter.is_asked
        )
        name = asked_to_print(cluster, is_printed=is_printed, alone=plain)
        asked = Printing(cluster=name, memory=output, fresh=fresh, allow_empty=allow_empty, now=now)
        return print_manifests(workspace, asked)
    loaded = read(workspace, [output] if output else (), lenient=keep_going, tracked=tracked)
    target = directory_of(loaded.config.output, workspace, output)
    memory = remembered(read_published(target), fresh=fresh)
    step("rendering")
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
    changed = bool(written.added or written.changed or written.removed)
    meter.written(written, dry_run=dry_run)
    if form == "json":
        told = written_json(plan, written, str(target), dry_run=dry_run)
    else:
        told = written_text(plan, written, str(target), dry_run=dry_run, listed=exit_code)
    click.echo(told)
    due = exit_code and _tell_due(target, plan, changed=changed, tracked=tracked)
    if not (changed or failed or due or allow or dry_run):
        if not tracked:
            note_rendered(target, plan)
        elif form == "text":
            note_answer(question("render", workspace, output), plan, workspace, target, told)
    return 1 if failed or due else 0


def _tell_due(target: Path, plan: Plan, *, changed: bool, tracked: bool) -> bool:
    """Tell what is to be done before a commit has what was rendered; whether there is anything."""
    missing = () if changed or not tracked else not_staged(target, plan.tree)
    if missing:
        click.echo("\n".join(("not as Git has it:", *(f"  {path}" for path in missing))), err=True)
    if changed or missing:
        click.echo(f"fix: {command_to_add(target)}", err=True)
    return changed or bool(missing)
