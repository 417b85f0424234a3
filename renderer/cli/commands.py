"""The subcommands of `krender`, imported when they are called: each pays for its own libraries only."""

from __future__ import annotations

from importlib import import_module
from typing import Final

import click

from renderer import __version__

COMMANDS: Final = {
    "render": "Render a workspace into a directory.",
    "check": "Tell every problem of a workspace.",
    "validate": "Tell what is wrong with single files.",
    "explain": "Tell why an object is, or is not, on a cluster.",
    "diff": "Tell what would change, and why.",
    "plan": "Write what would be published to a file, for review.",
    "publish": "Commit the rendered workspace to its branch.",
    "codeowners": "Tell who owns which sources, from the teams.",
    "serve": "Serve what is published to ApplicationSets and ResourceSets.",
    "ci": "In GitHub Actions: review a pull request, or publish.",
    "init": "Make a workspace that renders as it is.",
}

EPILOG = """\b
Exit codes:
  0  done
  1  problems in your files
  2  the command line
  3  the outside world: Git, disk
  4  stopped by a guard; nothing was written
  5  `diff --exit-code` found changes"""


class Commands(click.Group):
    """Subcommands by name, one module each."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """In the order in which people meet them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the module of a command."""
        if cmd_name not in COMMANDS:
            from difflib import get_close_matches

            near = get_close_matches(cmd_name, COMMANDS, n=1)
            if near:
                ctx.fail(f"No such command '{cmd_name}'. Did you mean '{near[0]}'?")
            return None
        command = import_module(f"renderer.cli.{cmd_name}").command
        return command if isinstance(command, click.Command) else None

    def format_commands(
        self,
        ctx: click.Context,  # noqa: ARG002 - click's signature
        formatter: click.HelpFormatter,
    ) -> None:
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=Commands, epilog=EPILOG, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="krender", message="%(prog)s %(version)s")
def krender() -> None:
    """Karmada's policies, rendered to Git.

    A workspace is a directory of Kubernetes objects: resource templates, Karmada policies and the clusters
    they are for. krender decides which cluster gets what, as Karmada would, and writes one directory a
    cluster for Argo CD or Flux to apply.
    """
