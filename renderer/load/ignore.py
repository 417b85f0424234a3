"""What `.krenderignore` files leave out of a workspace, in the syntax of `.gitignore`.

Written here because a pattern may come from a stranger's pull request: every glob compiles to a regular
expression that cannot backtrack, which no library promises.
Source: gitignore(5), wildmatch.c of Git.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from renderer.document.problem import Position, Problem

IGNORE_FILE = ".krenderignore"

Segments = tuple[str, ...]

_CLASSES = {
    "alnum": "A-Za-z0-9",
    "alpha": "A-Za-z",
    "blank": r" \t",
    "digit": "0-9",
    "lower": "a-z",
    "punct": r"!-/:-@\[-`{-~",
    "space": r"\s",
    "upper": "A-Z",
    "xdigit": "0-9A-Fa-f",
}


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
    """A regular expression for one glob. Raises ValueError.

    Each text between two stars is taken where it first occurs and never given up again, which is enough
    for globs and makes the match linear.
    """
    fixed = [""]
    at = 0
    while at < len(text):
        match text[at]:
            case "*":
                fixed.append("")
            case "?":
                fixed[-1] += "."
            case "[":
                end = _bracket_end(text, at)
                fixed[-1] += _bracket(text[at + 1 : end])
                at = end
            case "\\":
                at += 1
                if at == len(text):
                    raise ValueError('"\\" stands at the end')
                fixed[-1] += re.escape(text[at])
            case character:
                fixed[-1] += re.escape(character)
        at += 1
    first, *between = fixed
    if not between:
        return first
    return first + "".join(f"(?>.*?{part})" for part in between[:-1] if part) + ".*" + between[-1]


def _bracket_end(text: str, start: int) -> int:
    at = start + 1
    if text[at : at + 1] in ("!", "^"):
        at += 1
    first = at
    while at < len(text):
        if text.startswith("[:", at) and ":]" in text[at:]:
            at = text.index(":]", at) + 2
        elif text[at] == "]" and at > first:
            return at
        else:
            at += 2 if text[at] == "\\" else 1
    raise ValueError('"[" has no "]"')


def _bracket(text: str) -> str:
    """The character class between the brackets, as Python's regular expressions write it."""
    negated = text[:1] in ("!", "^")
    items = ""
    for name, escaped, plain in re.findall(
        r"\[:([a-z]*):\]|\\(.)|(.)", text[1:] if negated else text, re.DOTALL
    ):
        if name and name not in _CLASSES:
            raise ValueError(f"there are no characters called [:{name}:]")
        items += _CLASSES[name] if name else re.escape(escaped) if escaped else _range_safe(plain)
    expression = f"[{'^' if negated else ''}{items}]"
    try:
        re.compile(expression)
    except re.error as error:
        raise ValueError(str(error)) from error
    return expression


def _range_safe(character: str) -> str:
    return character if character == "-" else re.escape(character)
