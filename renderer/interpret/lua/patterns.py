"""Lua patterns, compiled for the small backtracking machine that gopher-lua has for them.

It differs from Lua's own matcher: `%f` is the letter f, `%g` the letter g, and only single characters and
classes repeat. Texts are bytes, a character each.
Source: gopher-lua pm/pm.go.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from functools import lru_cache
from typing import Final, TypeAlias

Characters: TypeAlias = frozenset[str]

_DEEPEST: Final = 100  # captures inside each other
_REPEATS: Final = frozenset("*+-?")


class PatternError(Exception):
    """A pattern that is none, or that refers to a capture that is none."""


class Op(Enum):
    """What a step of a pattern does."""

    ONE_OF = auto()  # take one of some characters
    MATCH = auto()
    MATCH_END = auto()  # if the subject ends here
    JUMP = auto()
    SPLIT = auto()  # go on at `one`; where that fails, at `other`
    SAVE = auto()  # put the place into slot `one`
    POSITION = auto()  # put the position into slot `one` and the next
    BALANCE = auto()  # take what begins with one of a pair and ends with the other
    AGAIN = auto()  # take what capture `one` captured


@dataclass(frozen=True, slots=True)
class Step:
    """One step; only what its operation needs is set."""

    op: Op
    one: int = 0
    other: int = 0
    characters: Characters = frozenset()


@dataclass(frozen=True, slots=True)
class Pattern:
    """A compiled pattern; an anchored one matches where the search begins, or not at all."""

    program: tuple[Step, ...]
    anchored: bool
    pairs: tuple[str, ...]  # those of the steps BALANCE, by their `one`
    first: re.Pattern[str]  # finds where a match can begin


@lru_cache(maxsize=256)
def compiled(pattern: str) -> Pattern:
    """Compile a pattern. Raises PatternError."""
    return _Compiler(pattern).compiled()


_ALL: Final = frozenset(map(chr, range(256)))
_CLASSES: Final = {
    letter: frozenset(filter(test, map(chr, range(256))))
    for letter, test in {
        "a": lambda c: "A" <= c <= "Z" or "a" <= c <= "z",
        "c": lambda c: c < " " or c == "\x7f",
        "d": lambda c: "0" <= c <= "9",
        "l": lambda c: "a" <= c <= "z",
        "p": lambda c: "!" <= c <= "/" or ":" <= c <= "@" or "[" <= c <= "`" or "{" <= c <= "~",
        "s": lambda c: c in " \f\n\r\t\v",
        "u": lambda c: "A" <= c <= "Z",
        "w": lambda c: "0" <= c <= "9" or "A" <= c <= "Z" or "a" <= c <= "z",
        "x": lambda c: "0" <= c <= "9" or "A" <= c <= "F" or "a" <= c <= "f",
        "z": lambda c: c == "\0",
    }.items()
}


def _class(letter: str) -> Characters:
    """What `%` with a letter means; at the end of a pattern nothing."""
    named = _CLASSES.get(letter.lower())
    if named is None:
        return frozenset(letter)
    return named if letter.islower() else _ALL - named


def _range(first: str, last: str) -> Characters:
    """The characters between two literal ones; with a class at an end there are none."""
    return frozenset(map(chr, range(ord(first), ord(last) + 1))) if first and last else frozenset()


class _Compiler:
    """A pattern on its way to a program."""

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.at = 0
        self.slots = 2
        self.depth = 0
        self.program = [Step(Op.SAVE, 0)]
        self.pairs: list[str] = []

    def compiled(self) -> Pattern:
        anchored = self.next == "^"
        self.at = int(anchored)
        self._sequence()
        ends = self.pattern[self.at :] == "$"
        self.program += [Step(Op.SAVE, 1), Step(Op.MATCH_END if ends else Op.MATCH)]
        return Pattern(tuple(self.program), anchored, tuple(self.pairs), _beginning(self.program))

    @property
    def next(self) -> str:
        """The next character; empty at the end."""
        return self.pattern[self.at : self.at + 1]

    def take(self) -> str:
        character = self.next
        self.at += 1
        return character

    def _sequence(self) -> None:
        """Compile to the end, to a `$` that ends the pattern, or to the closing parenthesis."""
        repeatable: Characters | None = None
        while self.next and not (self.next == ")" and self.depth):
            if self.next == ")":
                raise PatternError("invalid ')'")
            if not self.depth and self.pattern[self.at :] == "$":
                return
            if self.next in _REPEATS and repeatable is not None:
                begin = len(self.program) - 1
                self.program[begin:] = _repeated(self.take(), repeatable, begin)
                repeatable = None
            elif self.next == "(":
                self._capture()
                repeatable = None
            elif self._reference():
                repeatable = None
            else:
                repeatable = self._single()
                self.program.append(Step(Op.ONE_OF, characters=repeatable))

    def _capture(self) -> None:
        self.take()
        slot = self.slots
        self.slots += 2
        if self.next == ")":
            self.take()
            self.program.append(Step(Op.POSITION, slot))
            return
        if self.depth == _DEEPEST:
            raise PatternError("too many captures inside each other")
        self.depth += 1
        self.program.append(Step(Op.SAVE, slot))
        self._sequence()
        if self.take() != ")":
            raise PatternError("unfinished capture")
        self.program.append(Step(Op.SAVE, slot + 1))
        self.depth -= 1

    def _reference(self) -> bool:
        """Compile `%1` or `%bxy`, if that is what stands here."""
        letter = self.pattern[self.at + 1 : self.at + 2] if self.next == "%" else ""
        if letter == "0":
            raise PatternError("invalid capture index")
        if letter == "b":
            self.program.append(Step(Op.BALANCE, len(self.pairs)))
            self.pairs.append(self.pattern[self.at + 2 : self.at + 4])
            self.at += 4
        elif letter and letter in "123456789":
            self.program.append(Step(Op.AGAIN, int(letter)))
            self.at += 2
        else:
            return False
        return True

    def _single(self) -> Characters:
        character = self.take()
        if character == ".":
            return _ALL
        if character == "%":
            return _class(self.take())
        return self._set() if character == "[" else frozenset(character)

    def _set(self) -> Characters:
        """What stands in brackets."""
        negated = self.next == "^"
        self.at += negated
        found: list[tuple[Characters, str]] = []  # with the character itself where it is literal
        is_range = False
        while self.next != "]" or not found:
            if not self.next:
                raise PatternError("unexpected EOS")
            if self.next == "-" and found:
                self.take()
                is_range = True
                continue
            character = self.take()
            found.append((_class(self.take()), "") if character == "%" else (frozenset(character), character))
            if is_range:
                (_, first), (_, last) = found[-2:]
                found[-2:] = [(_range(first, last), "")]
                is_range = False
        self.take()
        union = frozenset(("-",) if is_range else ()).union(*(characters for characters, _ in found))
        return _ALL - union if negated else union


def _beginning(program: Sequence[Step]) -> re.Pattern[str]:
    """What finds a character that a match can begin with; a place, where it can begin with any."""
    step = next(step for step in program if step.op not in (Op.SAVE, Op.POSITION))
    if step.op is not Op.ONE_OF:
        return re.compile("")
    if not step.characters:
        return re.compile("(?!)")
    return re.compile(f"[{''.join(map(re.escape, sorted(step.characters)))}]")


def _repeated(kind: str, characters: Characters, begin: int) -> list[Step]:
    """A step that takes a character, from index `begin` on, as often as the kind of repeat says."""
    one = Step(Op.ONE_OF, characters=characters)
    match kind:
        case "*":
            return [Step(Op.SPLIT, begin + 1, begin + 3), one, Step(Op.JUMP, begin)]
        case "+":
            return [one, Step(Op.SPLIT, begin, begin + 2)]
        case "-":
            return [Step(Op.SPLIT, begin + 3, begin + 1), one, Step(Op.JUMP, begin)]
        case _:
            return [Step(Op.SPLIT, begin + 1, begin + 2), one]
