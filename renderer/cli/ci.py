"""`krender ci`: what a job of GitHub Actions does with a workspace, decided by the event that started it."""

from __future__ import annotations

from pathlib import Path

import click

from renderer.cli.jobs import Asked, Steps
from renderer.cli.reviewing import pass_over, publish, review
from renderer.edge.actions import Job, job
from renderer.model.guards import GUARDS

_MODES = ("auto", "review", "publish")
_PUBLISHING = ("push", "schedule", "workflow_dispatch", "repository_dispatch", "workflow_run")


@click.command(name="ci")
@click.argument(
    "workspace", type=click.Path(path_type=Path), default=Path(), metavar="[WORKSPACE]",
    envvar="KRENDER_WORKSPACE",
)  # fmt: skip
@click.option(
    "--mode", type=click.Choice(_MODES), default="auto", envvar="KRENDER_MODE",
    help="auto: publish on the default branch, review everywhere else.",
)  # fmt: skip
@click.option(
    "--branch", metavar="NAME", envvar="KRENDER_BRANCH", help="The branch. Default: output.branch: rendered."
)
@click.option(
    "--allow", multiple=True, metavar="GUARD", type=click.Choice(GUARDS), envvar="KRENDER_ALLOW",
    help="Let this guard pass. May be repeated.",
)  # fmt: skip
@click.option(
    "--strict/--no-strict", default=False, envvar="KRENDER_STRICT", help="Warnings fail a review, too."
)
@click.option(
    "--comment/--no-comment", default=True, envvar="KRENDER_COMMENT",
    help="Keep a comment on the pull request.",
)  # fmt: skip
@click.option(
    "--sarif/--no-sarif", default=False, envvar="KRENDER_SARIF", help="Write a file for code scanning, too."
)
@click.option(
    "--id", "name", default="fleet", envvar="KRENDER_ID", metavar="NAME",
    help="What tells this comment from those of other workspaces.",
)  # fmt: skip
@click.option(
    "--author", default="github-actions[bot]", envvar="KRENDER_AUTHOR", metavar="LOGIN",
    help="Who the token's comments are by.",
)  # fmt: skip
def command(
    workspace: Path,
    mode: str,
    branch: str | None,
    allow: tuple[str, ...],
    name: str,
    author: str,
    *,
    strict: bool,
    comment: bool,
    sarif: bool,
) -> int:
    """In a job of GitHub Actions: review a pull request, or publish what was pushed to the default branch.

    Everything can be said by variables (KRENDER_WORKSPACE, KRENDER_MODE, ...), so that nothing of an event is
    ever part of a command line. KRENDER_TOKEN is the job's token. See docs/github-actions.md.
    """
    if not all(character.isalnum() or character in "-_." for character in name):
        raise click.BadParameter("write letters, digits, '-', '_' and '.' only", param_hint="--id")
    here = job()
    asked = Asked(
        workspace=workspace, branch=branch, allow=allow, strict=strict, comment=comment, sarif=sarif,
        name=name, author=author,
    )  # fmt: skip
    steps = Steps(here, asked)
    if steps.is_result:
        return pass_over(steps)
    return publish(steps) if _is_to_publish(here, mode) else review(steps)


def _is_to_publish(here: Job, mode: str) -> bool:
    """Whether this event is one to publish on. Raises UsageError for one on which nothing may be done."""
    if here.event == "pull_request_target":
        raise click.UsageError(
            "pull_request_target would give strangers' files a token that can write: use pull_request"
        )
    if mode != "auto":
        return mode == "publish"
    return here.event in _PUBLISHING and here.branch == here.default_branch != ""
