"""`krender explain`: why an object is, or is not, on a cluster."""

from __future__ import annotations

import json
from pathlib import Path

import click

from renderer.cli.inputs import clock, format_option, fresh_option, now_option, read, workspace_argument
from renderer.cli.memory import published_tree
from renderer.pipeline import render
from renderer.schedule.previous import read_previous
from renderer.view.explain.facts import object_facts
from renderer.view.explain.subject import find
from renderer.view.explain.text import object_text


@click.command(name="explain")
@click.argument("subject", metavar="KIND/NAME")
@workspace_argument
@click.option("-n", "--namespace", default="", metavar="NAME", help="The namespace. Default: all.")
@click.option("--cluster", default="", metavar="NAME", help="One cluster only.")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), help="Take the memory of a rendered directory."
)
@fresh_option
@now_option
@format_option
def command(
    subject: str,
    workspace: Path,
    namespace: str,
    cluster: str,
    output: Path | None,
    *,
    fresh: bool,
    now: str | None,
    form: str,
) -> int:
    """Tell who claims an object, where it goes, where not and why, and what was overridden there.

    The kind is written as kubectl takes it: deployment/web, deploy/web, deployment.apps/web. The answer is
    that of the next render: with the memory of the published branch if there is one.
    """
    if "/" not in subject:
        raise click.BadParameter("write KIND/NAME, for example deployment/web", param_hint="KIND/NAME")
    loaded = read(workspace, [output] if output else (), lenient=True)
    with published_tree(loaded, workspace, output) as tree:
        plan = render(loaded, read_previous(tree), clock(now, workspace), fresh=fresh)
        found = [object_facts(plan, item, cluster) for item in find(plan, subject, namespace)]
    if form == "json":
        click.echo(json.dumps(found, indent=2, ensure_ascii=False))
    else:
        click.echo("\n\n".join(object_text(facts) for facts in found))
    return 0
