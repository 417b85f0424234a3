"""What `.krenderignore` files leave out of a workspace, in the syntax of `.gitignore`.

A pattern may come from a stranger's pull request. The regular expressions of pathspec, which knows this
syntax, backtrack: five stars and a name of 250 letters take minutes, and no bound on stars that is safe
leaves the usual patterns alone. So paths are walked here, and names are left to `fnmatch`, whose expressions
never backtrack; the tests compare with pathspec and with Git.
Source: gitignore(5).
"""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from renderer.document.problem import Position, Problem
from renderer.document.rule import UNREADABLE

IGNORE_FILE = ".krenderignore"

Segments = tuple[str, ...]

# An escaped character, a bracket with its characters, or what lacks its other half.
_SPECIAL = re.compile(r"\\(?P<escaped>.?)|\[(?P<negated>[!^]?)(?P<characters>\]?[^]]*)\]|\[", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One pattern. `segments` are compiled globs, None for "**": any number of directories."""

    segments: tuple[re.Pattern[str] | None, ...]
    negated: bool = False
    directories_only: bool = False

    def matches(self, path: Segments, *, is_directory: bool) -> bool:
        """Whether the pattern names the path, which is relative to the file the rule stands in."""
        if self.directories_only and not is_directory:
            return False
        reached: tuple[int, ...] = (0,)
        for segment in self.segments:
            if segment is None:
                reached = tuple(range(reached[0], len(path) + 1))
            else:
                fits = (at for at in reached if at < len(path) and segment.fullmatch(path[at]))
                reached = tuple(at + 1 for at in fits)
            if not reached:
                return False
        return reached[-1] == len(path)


@dataclass(frozen=True, slots=True, kw_only=True)
class IgnoreFile:
    """The rules of one file; `directory` is where it stands, relative to the workspace."""

    directory: Segments
    rules: tuple[Rule, ...]

    def verdict(self, path: Segments, *, is_directory: bool) -> bool | None:
        """True: ignored, False: kept by a "!" rule, None: no rule speaks of it. The last rule wins."""
        below = path[len(self.directory) :]
        for rule in reversed(self.rules):
            if rule.matches(below, is_directory=is_directory):
                return not rule.negated
        return None


def parse_ignore(path: str, data: bytes) -> tuple[IgnoreFile, tuple[Problem, ...]]:
    """Read one ignore file; a line that is not a pattern is a problem, the others still count."""
    directory = tuple(path.split("/")[:-1])
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        problem = Problem(
            where=Position(path, data.count(b"\n", 0, error.start) + 1, 1),
            what=f"{path} is not UTF-8 text",
            why="its patterns cannot be read, so files meant to be left out would be rendered",
            fix="save it as UTF-8",
            rule=UNREADABLE.id,
        )
        return IgnoreFile(directory=directory, rules=()), (problem,)
    rules: list[Rule] = []
    problems: list[Problem] = []
    for number, line in enumerate(text.split("\n"), start=1):
        try:
            rules.extend(_rules(line.removesuffix("\r")))
        except ValueError as error:
            problems.append(
                Problem(
                    where=Position(path, number, 1),
                    what=f"the pattern {line.strip()!r} cannot be read: {error}",
                    why="it would match nothing, so files meant to be left out would be rendered",
                    fix="write it as in a .gitignore file",
                    rule=UNREADABLE.id,
                    excerpt=line,
                )
            )
    return IgnoreFile(directory=directory, rules=tuple(rules)), tuple(problems)


def ignored(path: Segments, files: Iterable[IgnoreFile], *, is_directory: bool) -> bool:
    """Whether a path is left out by itself; `files` are those above it, outermost first.

    The innermost file that speaks of the path decides. Whoever walks a tree must not go below an ignored
    directory: as in Git, nothing in it can be taken back in.
    """
    for file in reversed(tuple(files)):
        verdict = file.verdict(path, is_directory=is_directory)
        if verdict is not None:
            return verdict
    return False


def _rules(line: str) -> Iterator[Rule]:
    """The rule of a line, none for a blank line or a comment. Raises ValueError."""
    if line.startswith("#"):
        return
    pattern = re.sub(r"(?<!\\) +$", "", line)
    negated = pattern.startswith("!")
    pattern = pattern.removeprefix("!")
    directories_only = pattern.endswith("/")
    pattern = pattern.removesuffix("/")
    if not pattern:
        if negated or directories_only:
            raise ValueError("there is nothing to match")
        return
    anchored = "/" in pattern
    parts = pattern.removeprefix("/").split("/")
    if not anchored:
        parts.insert(0, "**")
    yield Rule(
        segments=tuple(_segments(parts, anchored=anchored)),
        negated=negated,
        directories_only=directories_only,
    )


def _segments(parts: list[str], *, anchored: bool) -> Iterator[re.Pattern[str] | None]:
    last = len(parts) - 1
    for index, part in enumerate(parts):
        if part == "**" and (anchored or index < last):
            yield None
            if index == last:  # "a/**" is everything in a, but not a
                yield re.compile(".*", re.DOTALL)
        else:
            yield re.compile(_glob(part), re.DOTALL)


def _glob(text: str) -> str:
    """A regular expression for one glob. Raises ValueError."""
    return fnmatch.translate(_SPECIAL.sub(_special, text))


def _special(match: re.Match[str]) -> str:
    """What Git's globs write differently from Python's."""
    escaped, characters = match["escaped"], match["characters"]
    if escaped is not None:
        if not escaped:
            raise ValueError('"\\" stands at the end')
        return f"[{escaped}]" if escaped in "*?[" else escaped
    if characters is None:
        raise ValueError('"[" has no "]"')
    if "\\" in characters or "[:" in characters:
        raise ValueError("brackets can hold characters and ranges only")
    return f"[{'!' if match['negated'] else ''}{characters}]"
