"""The command `krender`: runs what the command line says, and turns errors into text and exit codes, once.

Exit codes: 0 done, 1 problems in the user's files, 2 the command line, 3 the outside world, 4 stopped by a
guard.
"""

from __future__ import annotations

import gc
import os
import sys

TYPE_CHECKING = False  # to import typing takes as long as saying that there is nothing to do
if TYPE_CHECKING:
    from collections.abc import Sequence


def main() -> None:
    """Run the command line and leave with its exit code."""
    # Almost nothing krender makes is ever garbage. By default Python looks for some so often that it takes a
    # sixth of a render.
    gc.set_threshold(200_000, 20, 100)
    # What krender prints are names and YAML: they must not depend on the machine's locale.
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    sys.exit(_run(sys.argv[1:]))


def _run(arguments: Sequence[str]) -> int:
    try:
        answer = _answer(arguments)
        if answer is None:
            code = _commanded()
        else:
            print(answer)
            code = 0
        if sys.stdout is not None:  # None where it was closed: `krender check >&-`
            sys.stdout.flush()
    except KeyboardInterrupt:
        return _interrupted()
    except BrokenPipeError:
        _be_quiet()  # the reader has seen enough: `krender explain … | head`
        return 0
    except OSError as error:
        place = f" ({error.filename})" if error.filename else ""
        _complain(f"krender: {(error.strerror or str(error)).lower()}{place}")
        _be_quiet()
        return 3
    return code


def _answer(arguments: Sequence[str]) -> str | None:
    """What there is to say where nothing is to do; None where a command has to be run."""
    if arguments[:1] not in (["publish"], ["render"], ["check"]):
        return None
    from renderer.edge.standing import recall

    answer = recall(arguments)
    if answer is None:
        from renderer.cli.noop import nothing_to_do

        answer = nothing_to_do(arguments)
    return answer


def _commanded() -> int:
    """Run the subcommand."""
    import click  # which a run that has nothing to do does without

    from renderer.cli.commands import krender
    from renderer.document.problem import InputError
    from renderer.edge.progress import shown
    from renderer.model.errors import OutsideError, StoppedError

    try:
        with shown():
            result = krender.main(prog_name="krender", standalone_mode=False)
    except click.exceptions.Exit as leaving:
        return leaving.exit_code
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except click.Abort:
        return _interrupted()
    except InputError as error:
        from renderer.view.problems import as_text, summary

        _complain(as_text(error.problems))
        _complain(summary(error.problems))
        return 1
    except (OutsideError, StoppedError) as error:
        _complain(f"krender: {error}")
        return 3 if isinstance(error, OutsideError) else 4
    return result if isinstance(result, int) else 0


def _interrupted() -> int:
    _complain("interrupted; nothing was written")
    return 130


def _complain(text: str) -> None:
    """Print to the user what is no result."""
    print(text, file=sys.stderr)


def _be_quiet() -> None:
    """Keep Python from complaining at exit of what it could not print."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
