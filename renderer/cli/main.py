"""The command `krender`: finds the subcommand, and turns errors into text and exit codes, once.

Exit codes: 0 done, 1 problems in the user's files, 2 the command line, 3 the outside world, 4 stopped by a
guard, 5 changes found by `diff --exit-code`. Subcommands are imported when they are called, so that each pays
for its own libraries only.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import Final

import click

from renderer import __version__

COMMANDS: Final = {
    "render": "Render a workspace into a directory.",
    "check": "Tell every problem of a workspace.",
    "explain": "Tell why an object is, or is not, on a cluster.",
    "diff": "Tell what would change, and why.",
    "plan": "Write what would be published to a file, for review.",
    "publish": "Commit the rendered workspace to its branch.",
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

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
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


def main() -> None:
    """Run the command line and leave with its exit code."""
    # What krender prints are names and YAML: they must not depend on the machine's locale.
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    sys.exit(_run())


def _run() -> int:
    try:
        result = krender.main(prog_name="krender", standalone_mode=False)
        if sys.stdout is not None:  # None where it was closed: `krender check >&-`
            sys.stdout.flush()
        return result if isinstance(result, int) else 0
    except click.exceptions.Exit as leaving:
        return leaving.exit_code
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except click.Abort:
        click.echo("interrupted; nothing was written", err=True)
        return 130
    except BrokenPipeError:
        _be_quiet()  # the reader has seen enough: `krender explain … | head`
        return 0
    except OSError as error:
        place = f" ({error.filename})" if error.filename else ""
        click.echo(f"krender: {(error.strerror or str(error)).lower()}{place}", err=True)
        _be_quiet()
        return 3
    except Exception as error:
        return _told(error)


def _be_quiet() -> None:
    """Keep Python from complaining at exit of what it could not print."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _told(error: Exception) -> int:
    """Print the errors that are meant for the user; anything else is a bug and stays a traceback."""
    from renderer.document.problem import InputError
    from renderer.model.errors import OutsideError, StoppedError

    if isinstance(error, InputError):
        from renderer.view.problems import as_text, summary

        click.echo(as_text(error.problems), err=True)
        click.echo(summary(error.problems), err=True)
        return 1
    if isinstance(error, OutsideError | StoppedError):
        click.echo(f"krender: {error}", err=True)
        return 3 if isinstance(error, OutsideError) else 4
    raise error
