"""Searching for a Lua pattern, every step counted: a hostile pattern runs out of steps, not of time.

Source: gopher-lua pm/pm.go recursiveVM and Find.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, TypeAlias

from renderer.interpret.lua.patterns import Op, Pattern, PatternError, Step, compiled

Capture: TypeAlias = str | float  # what was captured, or the position (from 1) where nothing was to be

COST: Final = 8  # of a step here, in steps of a script


@dataclass(frozen=True, slots=True)
class Found:
    """A match: its bounds (from 0), what it captured, and where the next search begins."""

    start: int
    stop: int
    captures: tuple[Capture, ...]
    going_on: int


def search(subject: str, pattern: str, offset: int, budget: int) -> tuple[int, Found | None]:
    """The first match at or after an offset, and the steps of the script that it cost.

    Where they are more than the budget, the search was given up. Raises PatternError.
    """
    used = 2 * len(pattern)
    if used * COST > budget:
        return used * COST, None
    program = compiled(pattern)
    begin = program.first.search(subject, offset) if offset <= len(subject) else None
    while begin and not (program.anchored and begin.start() > offset):
        start = begin.start()
        used += (start - offset) // 64
        attempt = _Attempt(subject, program, budget // COST - used)
        stop = attempt.run(start)
        used += attempt.steps
        if stop is not None:
            going_on = len(subject) + 1 if program.anchored else max(start + 1, stop)
            return used * COST, Found(start, stop, attempt.captures(), going_on)
        offset = start + 1
        if program.anchored or used * COST > budget or offset > len(subject):
            break
        begin = program.first.search(subject, offset)
    return used * COST, None


@dataclass(slots=True)
class _Attempt:
    """A match attempted at one place. Slots 2n and 2n+1 are the bounds of capture n; 0 is the whole."""

    subject: str
    pattern: Pattern
    budget: int
    steps: int = 0
    slots: list[int] = field(default_factory=list)
    positions: list[bool] = field(default_factory=list)  # which slots hold positions
    # What to go back to: another step and its place, or a slot (as -1 - slot) and its former value.
    back: list[tuple[int, int]] = field(default_factory=list)

    def run(self, start: int) -> int | None:
        """Where the match ends; None where there is none, or where the budget does not suffice."""
        at, place = 0, start
        while self.steps <= self.budget:
            self.steps += 1
            step = self.pattern.program[at]
            if step.op is Op.MATCH or (step.op is Op.MATCH_END and place >= len(self.subject)):
                return place
            after = self._after(step, at, place) or self._another()
            if after is None:
                return None
            at, place = after
        return None

    def captures(self) -> tuple[Capture, ...]:
        """Everything captured, in the order of the opening parentheses."""
        return tuple(
            float(self.slots[slot])
            if self.positions[slot]
            else self.subject[self.slots[slot] : self.slots[slot + 1]]
            for slot in range(2, len(self.slots) - 1, 2)
        )

    def _after(self, step: Step, at: int, place: int) -> tuple[int, int] | None:
        """The step and the place after a step; None where it fails."""
        end: int | None = place
        match step.op:
            case Op.ONE_OF:
                taken = self.subject[place : place + 1]
                end = place + 1 if taken and taken in step.characters else None
            case Op.JUMP:
                return step.one, place
            case Op.SPLIT:
                self.back.append((step.other, place))
                return step.one, place
            case Op.SAVE:
                self.back.append((-1 - step.one, self._put(step.one, place)))
            case Op.POSITION:
                # It stays although what follows should fail.
                self._put(step.one, place + 1, position=True)
                self._put(step.one + 1, place + 1, position=True)
            case Op.BALANCE:
                end = self._balanced(place, self.pattern.pairs[step.one])
            case Op.AGAIN:
                end = self._again(place, step.one)
            case _:
                end = None
        return None if end is None else (at + 1, end)

    def _another(self) -> tuple[int, int] | None:
        """The last way that is left, with the slots as they were there."""
        while self.back:
            at, value = self.back.pop()
            if at >= 0:
                return at, value
            self._put(-1 - at, value)
        return None

    def _put(self, slot: int, value: int, *, position: bool = False) -> int:
        """Put a value into a slot; give the former one."""
        missing = slot + 1 - len(self.slots)
        self.slots += [0] * missing
        self.positions += [False] * missing
        former, self.slots[slot], self.positions[slot] = self.slots[slot], value, position
        return former

    def _balanced(self, place: int, pair: str) -> int | None:
        """The end of what begins with the first of a pair and is balanced by the second."""
        if len(pair) < 2 or self.subject[place : place + 1] != pair[0]:
            return None
        depth = 1
        for end in range(place + 1, len(self.subject)):
            character = self.subject[end]
            depth -= character == pair[1]
            if depth == 0:
                self.steps += (end - place) // 4
                return end + 1
            depth += character == pair[0]
        self.steps += (len(self.subject) - place) // 4
        return None

    def _again(self, place: int, capture: int) -> int | None:
        """The end of what a capture captured, if it stands here once more."""
        if 2 * capture >= len(self.slots) - 1:
            raise PatternError("invalid capture index")
        start, stop = self.slots[2 * capture], self.slots[2 * capture + 1]
        self.steps += (stop - start) // 64
        captured = self.subject[start:stop]
        return place + len(captured) if self.subject.startswith(captured, place) else None
