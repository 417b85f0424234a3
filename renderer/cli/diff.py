"""`krender diff`: what would change, and why: against what is published, a revision, or another state."""

from __future__ import annotations

from pathlib import Path

import click

from renderer.cli.inputs import fresh_option, now_option
from renderer.cli.sides import Asked, sides
from renderer.cli.target import Target, branch_option, remote_option, repo_option
from renderer.view.diff.facts import diff_facts
from renderer.view.diff.markdown import diff_markdown
from renderer.view.diff.text import diff_json, diff_text

CHANGES = 5  # exit code
_VIEWS = {"text": diff_text, "json": diff_json, "markdown": diff_markdown}


@click.command(name="diff")
@click.argument("states", nargs=-1, type=click.Path(path_type=Path), metavar="[STATE [STATE]]")
@click.option("--from", "revision", metavar="REV", help="Compare with a revision of the repository.")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Compare with a rendered directory.")
@repo_option
@branch_option
@click.option("--push", is_flag=True, help="Take the branch of a remote, which is fetched first.")
@remote_option
@fresh_option
@now_option
@click.option("--stat", is_flag=True, help="Tell the meaning and the files, not the text.")
@click.option("--exit-code", is_flag=True, help=f"Exit with {CHANGES} if there are changes.")
@click.option(
    "--format", "form", type=click.Choice(tuple(_VIEWS)), default="text", help="How to print the result."
)
def command(
    states: tuple[Path, ...],
    revision: str | None,
    output: Path | None,
    repo: str | None,
    branch: str | None,
    remote: str,
    *,
    push: bool,
    fresh: bool,
    now: str | None,
    stat: bool,
    exit_code: bool,
    form: str,
) -> int:
    """Tell what changes, first the meaning, then the files, then the text. Secrets are never shown.

    A STATE is a workspace (default: here) or a plan file. One is compared with what is published, or what
    --from or --output names; two are compared with each other.
    """
    if len(states) > 2 or (len(states) == 2 and (revision or output)):
        raise click.UsageError("compare one state with what is published, or two with each other")
    target = Target(repo=repo, branch=branch, push=push, remote=remote)
    asked = Asked(target=target, revision=revision, output=output, now=now, fresh=fresh)
    with sides(states, asked) as (old, new, algorithm):
        facts = diff_facts(old, new, algorithm, with_text=not stat)
    click.echo(_VIEWS[form](facts).rstrip("\n"))
    return CHANGES if exit_code and facts.get("changed") else 0
