"""The guards on the command line: what they look at, what lets them pass, how they are told."""

from __future__ import annotations

from collections.abc import Collection

import click

from renderer.model.guards import GUARDS
from renderer.publish.guards.guards import guarded
from renderer.publish.guards.situation import Situation
from renderer.publish.guards.stop import GuardError
from renderer.view.stopped import stopped_json

allow_option = click.option(
    "--allow",
    multiple=True,
    metavar="GUARD",
    type=click.Choice(GUARDS),
    help=f"Let this guard pass, for once. May be repeated: {', '.join(GUARDS)}.",
)


def see_guards(situation: Situation, allowed: Collection[str], form: str) -> None:
    """See that no guard stops it. Raises GuardError, which a program gets to read as JSON, too."""
    try:
        guarded(situation, allowed)
    except GuardError as error:
        if form == "json":
            click.echo(stopped_json(error.stops))
        raise
