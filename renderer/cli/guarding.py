"""The guards on the command line: what they look at, what lets them pass, how they are told."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

import click

from renderer.model.guards import GUARDS
from renderer.model.plan import Plan
from renderer.model.tree import Tree

if TYPE_CHECKING:
    from renderer.publish.guards.situation import Situation

allow_option = click.option(
    "--allow",
    multiple=True,
    metavar="GUARD",
    type=click.Choice(GUARDS),
    help=f"Let this guard pass, for once. May be repeated: {', '.join(GUARDS)}.",
)


def see_guards(situation: Situation, allowed: Collection[str], form: str) -> None:
    """See that no guard stops it. Raises GuardError, which a program gets to read as JSON, too."""
    # Imported where something is about to change: a run that has nothing to do must feel instant.
    from renderer.publish.guards.guards import guarded
    from renderer.publish.guards.stop import GuardError
    from renderer.view.stopped import stopped_json

    try:
        guarded(situation, allowed)
    except GuardError as error:
        if form == "json":
            click.echo(stopped_json(error.stops))
        raise


def see_directory_guards(before: Tree, plan: Plan, allowed: Collection[str], form: str) -> None:
    """See that no guard stops a plan from taking the place of what krender wrote into a directory.

    Raises GuardError. A directory is where people look first, so Secrets are not minded.
    """
    from renderer.publish.guards.guards import NOT_FOR_DIRECTORIES
    from renderer.publish.guards.situation import Situation

    situation = Situation(before=before, after=plan.tree, plan=plan, names_only=True)
    see_guards(situation, (*allowed, *NOT_FOR_DIRECTORIES), form)
