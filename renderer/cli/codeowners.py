"""`krender codeowners`: who must review which sources, from the teams of the workspace."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from renderer.cli.inputs import read, workspace_argument
from renderer.edge.errors import telling
from renderer.edge.place import folder_of, is_in_repository
from renderer.edge.whole import write_whole
from renderer.view.codeowners import codeowners, with_block


@click.command(name="codeowners")
@workspace_argument
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write the lines into a CODEOWNERS file, in the place of those it has.",
)
@click.option("--check", is_flag=True, help="Write nothing; exit with 1 if the file would change.")
def command(workspace: Path, output: Path | None, *, check: bool) -> int:
    """Tell who owns the sources of WORKSPACE (default: here), as a CODEOWNERS file says it.

    A directory or file is a team's where only the team's objects lie, or where `paths` of the team says so.
    What nobody's objects, or those of two teams, lie in has no line: it stays with whoever owns the rest.
    """
    if check and output is None:
        raise click.UsageError("--check needs -o FILE: the file to compare with")
    loaded = read(workspace)
    block = codeowners(loaded, folder_of(workspace) if is_in_repository(workspace) else "")
    if not block:
        print("no team of krender.yaml has owners and sources of its own", file=sys.stderr)
    if output is None:
        click.echo(block, nl=False)
        return 0
    with telling(f"read {output}"):
        before = output.read_text(encoding="utf-8") if output.exists() else ""
    after = with_block(before, block)
    if after == before:
        click.echo(f"{output}: up to date")
        return 0
    if check:
        click.echo(f"{output}: out of date; run krender codeowners -o {output}")
        return 1
    write_whole(output, after.encode())
    click.echo(f"{output}: written")
    return 0
