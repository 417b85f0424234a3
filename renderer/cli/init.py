"""`krender init`: a workspace to start from."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from renderer.edge.scaffold import write_scaffold


@click.command(name="init")
@click.argument("directory", type=click.Path(path_type=Path))
def command(directory: Path) -> int:
    """Make DIRECTORY a workspace that renders as it is: three clusters, one app, two policies."""
    for path in write_scaffold(directory):
        click.echo(f"{directory}/{path}")
    click.echo(f"\nnext: krender render {shlex.quote(str(directory))} -o out")
    return 0
