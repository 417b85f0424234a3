"""`krender explain`: why an object is, or is not, on a cluster, and where its values come from."""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path

import click

from renderer.cli.inputs import clock, format_option, fresh_option, now_option, read, workspace_argument
from renderer.cli.memory import published_tree
from renderer.document.problem import Severity
from renderer.document.values import Object
from renderer.edge.progress import step
from renderer.model.workspace import Workspace
from renderer.pipeline import render
from renderer.schedule.previous import read_previous
from renderer.view.explain.answer import Question, answer, pages
from renderer.view.explain.page import plain


@click.command(name="explain")
@click.argument("subject", metavar="KIND/NAME")
@workspace_argument
@click.option("-n", "--namespace", default="", metavar="NAME", help="The namespace. Default: all.")
@click.option("--cluster", default="", metavar="NAME", help="One cluster only.")
@click.option(
    "--field",
    metavar="PATH",
    help="Where a value comes from: /spec/replicas, or spec.template.spec.containers[0].image.",
)
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
    field: str | None,
    output: Path | None,
    *,
    fresh: bool,
    now: str | None,
    form: str,
) -> int:
    """Tell who claims an object, where it goes, where not and why, and what was overridden there.

    The kind is written as kubectl takes it: deployment/web, deploy/web, deployment.apps/web. cluster/NAME
    tells what one cluster gets and does not get, policy/NAME what a policy selects and what comes of it, and
    the id of a rule, such as KR101, what a finding of `krender check` means.
    The answer is that of the next render: with the memory of the published branch if there is one.
    """
    if subject.startswith("KR") and subject[2:].isdecimal():
        click.echo(_rule(subject))
        return 0
    if not all(subject.partition("/")):
        raise click.BadParameter("write KIND/NAME, for example deployment/web", param_hint="KIND/NAME")
    loaded = read(workspace, [output] if output else (), lenient=True)
    question = Question(subject=subject, namespace=namespace, cluster=cluster, field=field)
    base = workspace if workspace.is_dir() else workspace.parent
    with published_tree(loaded, workspace, output) as tree:
        step("rendering")
        plan = render(loaded, read_previous(tree), clock(now, workspace), fresh=fresh)
        document = answer(plan, question, str(base))
    click.echo(json.dumps(document, indent=2, ensure_ascii=False) if form == "json" else _text(document))
    _warn(loaded, workspace)
    return 0


def _rule(name: str) -> str:
    """The section of the documentation on a rule."""
    from renderer.view.rule_pages import rule_pages

    page = rule_pages().get(name)
    if page is None:
        raise click.BadParameter(f"there is no rule {name}", param_hint="KIND/NAME")
    return f"{page.id} {page.title}\n\n{page.body}"


def _text(document: Object) -> str:
    """For a pipe one line a row; for a terminal as wide as that is, in colour unless NO_COLOR is set."""
    if sys.stdout is None or not sys.stdout.isatty():
        return "\n\n".join(plain(page) for page in pages(document))
    from renderer.view.explain.terminal import wrapped

    colour = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    width = shutil.get_terminal_size().columns
    return "\n\n".join(wrapped(page, width, colour=colour) for page in pages(document))


def _warn(workspace: Workspace, root: Path) -> None:
    """Say that something was left out, which may be why an answer surprises."""
    errors = sum(problem.severity is Severity.ERROR for problem in workspace.problems)
    if errors:
        told = f"{errors} error{'s' if errors > 1 else ''} in the workspace: what is refused counts as absent"
        click.echo(f"{told}; `krender check {root}` tells more", err=True)
