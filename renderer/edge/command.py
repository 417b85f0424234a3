"""Running git, and telling what it refused."""

from __future__ import annotations

import contextlib
import re
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, cast

from renderer.edge.environment import command_line, variables
from renderer.edge.errors import OutsideError

# part of what git says (in small letters): what it means, how to fix it
_MEANINGS = (
    ("dubious ownership", "Git does not trust it, because somebody else owns it", "{advice}"),
    ("not a git repository", "no Git repository is there", "run `git init`, or name one with --repo"),
    ("no space left on device", "the disk is full", "free some space and run it again"),
    ("out of diskspace", "the disk is full", "free some space and run it again"),
    ("disk quota exceeded", "the disk quota is used up", "free some space and run it again"),
    ("read-only file system", "it is on a read-only file system", "name another one with --repo"),
    ("permission denied", "permission denied", "check who owns the files in its Git directory"),
    ("insufficient permission", "permission denied", "check who owns the files in its Git directory"),
    (
        ".lock': file exists",
        "another Git process holds a lock",
        "wait for it, or remove the lock if none runs",
    ),
    ("promisor remote", "a partial clone could not fetch an object", "check the connection to its remote"),
    ("corrupt", "it is damaged", "run `git fsck --full` in it"),
    ("unable to read", "it is damaged", "run `git fsck --full` in it"),
    ("bad object", "it is damaged", "run `git fsck --full` in it"),
)


@dataclass(frozen=True, slots=True)
class Git:
    """Git commands in one directory."""

    directory: Path
    variables: Mapping[str, str] = field(default_factory=dict)

    def ask(self, *arguments: str, given: bytes = b"", extra: Mapping[str, str] | None = None) -> str:
        """Run a command and return what it prints, less the last newline. Raises OutsideError if it fails."""
        code, printed, said = self.attempt(*arguments, given=given, extra=extra)
        if code:
            raise refusal(self.directory, arguments, said)
        return printed

    def attempt(
        self, *arguments: str, given: bytes = b"", extra: Mapping[str, str] | None = None
    ) -> tuple[int, str, str]:
        """Run a command that may fail; returns its exit code, what it printed and what it said."""
        with _starting(self.directory):
            done = subprocess.run(
                self.line(*arguments),
                cwd=self.directory,
                env=self.environment(extra),
                input=given,
                capture_output=True,
                check=False,
            )
        printed = done.stdout.decode("utf-8", "surrogateescape").removesuffix("\n")
        return done.returncode, printed, done.stderr.decode("utf-8", "replace").strip()

    def start(self, *arguments: str, extra: Mapping[str, str] | None = None, collect: bool = False) -> Child:
        """Start a command that is fed through a pipe.

        With `collect`, its answers go to a file to be read after its end, so that neither side ever waits
        for the other.
        """
        import tempfile  # which takes long

        said = tempfile.TemporaryFile()  # noqa: SIM115 - the child's, which closes it
        answers = tempfile.TemporaryFile() if collect else None  # noqa: SIM115 - the same
        with _starting(self.directory):
            process = subprocess.Popen(
                self.line(*arguments),
                cwd=self.directory,
                env=self.environment(extra),
                stdin=subprocess.PIPE,
                stdout=answers or subprocess.PIPE,
                stderr=said,
                bufsize=1 << 18,
            )
        return Child(self, arguments, process, answers, said)

    def line(self, *arguments: str) -> Sequence[str]:
        """The whole command line."""
        return command_line(*arguments)

    def environment(self, extra: Mapping[str, str] | None = None) -> Mapping[str, str]:
        """The environment a command runs in."""
        return dict(variables()) | dict(self.variables) | dict(extra or {})


class Child:
    """A running git: what it is fed, what it answers, what it said when it failed."""

    def __init__(
        self,
        git: Git,
        arguments: Sequence[str],
        process: subprocess.Popen[bytes],
        answers: IO[bytes] | None,
        said: IO[bytes],
    ) -> None:
        """Take over a started process and the files it writes to."""
        self.feed = cast("IO[bytes]", process.stdin)  # it was started with a pipe
        self.answers = answers or cast("IO[bytes]", process.stdout)
        self.number = process.pid
        self._git = git
        self._arguments = arguments
        self._process = process
        self._said = said

    def end(self) -> int:
        """Close its input and wait; returns the exit code."""
        with contextlib.suppress(BrokenPipeError):  # it ended before it read everything; its code says why
            self.feed.close()
        return self._process.wait()

    def complaint(self) -> str:
        """What it said; call it after the end."""
        self._said.seek(0)
        return self._said.read().decode("utf-8", "replace")

    def refusal(self) -> OutsideError:
        """The error for a child that failed; call it after the end."""
        return refusal(self._git.directory, self._arguments, self.complaint())

    def close(self) -> None:
        """End it for good, whatever it is doing."""
        self._process.kill()
        self.end()
        self.answers.close()
        self._said.close()


def refusal(directory: Path, arguments: Sequence[str], said: str) -> OutsideError:
    """The error for a command that failed, in a user's words where they are known."""
    for part, meaning, fix in _MEANINGS:
        if part in said.lower():
            what = f"cannot use the repository at {directory}: {meaning}"
            return OutsideError(what, f"git said: {_short(said)}", fix.format(advice=_advice(said)))
    settings = sum(2 for argument in arguments if argument == "-c")
    what = f"`git {arguments[settings]}` failed in {directory}"
    return OutsideError(what, f"git said: {_short(said) or 'nothing'}")


@contextlib.contextmanager
def _starting(directory: Path) -> Iterator[None]:
    """Tell a git that cannot be started from a directory that cannot be entered."""
    try:
        yield
    except FileNotFoundError as error:
        if not directory.is_dir():
            raise OutsideError(f"{directory} is no directory", "", "check the path") from error
        raise OutsideError(
            "git is not found on PATH",
            "it tells the source commit and its date, and publishes",
            "install git, or say the time with --now and write a directory with -o",
        ) from error
    except (NotADirectoryError, PermissionError) as error:
        raise OutsideError(f"git cannot be run in {directory}: {error.strerror}") from error


def _short(said: str) -> str:
    """What git said, on one line of bearable length."""
    return " ".join(said.split())[:500]


def _advice(said: str) -> str:
    """The command that git recommends, if it does."""
    found = re.search(r"git config --global --add safe\.directory .*", said)
    return f"run `{found[0].strip()}` if you trust it" if found else "see safe.directory in `git help config`"
