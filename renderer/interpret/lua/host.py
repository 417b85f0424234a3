"""What the sandbox asks of Python: text, time, sorting, and the library `kube`.

These functions never raise: an exception would be a Python object in the hands of a script.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from renderer.document.values import Value
from renderer.interpret.lua import clock, kube, matching
from renderer.interpret.lua.formats import Argument, FormatError, sprintf
from renderer.interpret.lua.numbers import number_text, parsed_number, tonumber
from renderer.interpret.lua.patterns import PatternError
from renderer.interpret.lua.values import to_bytes, to_text
from renderer.model.interpretation import InterpretError
from renderer.model.pdqsort import PatternDefeatingQuicksort


@dataclass(frozen=True, slots=True, kw_only=True)
class Host:
    """The functions, on a clock that stands at `now` (seconds since 1970).

    `read` and `write` take values from Lua and give them to it, `listed` gives it a plain list.
    """

    now: float
    priority_class: bool
    read: Callable[[object], Value]
    write: Callable[[Value], object]
    listed: Callable[[Sequence[object]], object]

    def functions(self) -> Mapping[str, Callable[..., object]]:
        """All functions by the name that Lua calls them."""
        return {
            "now": lambda: self.now,
            "seconds_of": seconds_of,
            "date_parts": clock.date_parts,
            "date_text": clock.date_text,
            "number_text": number_text,
            "parsed_number": parsed_number,
            "tonumber": tonumber,
            "format": formatted,
            "lower": lambda text: _cased(text, lambda character: character.lower()[:1]),
            "upper": lambda text: _cased(text, str.upper),
            "search": searched,
            "search_all": self.search_all,
            "find_plain": found_plain,
            "sort": sorted_by,
            "frexp": frexp,
            "ldexp": ldexp,
            "resource_add": lambda *texts: _answer(lambda: kube.resource_add(*map(_optional_text, texts))),
            "quantity": lambda text: _answer(lambda: kube.resource_quantity(_optional_text(text))),
            "requirements": self.requirements,
            "dependencies": self.dependencies,
        }

    def search_all(self, subject: str, pattern: str, budget: int) -> tuple[object, ...]:
        """The steps it took; an error or nil; all matches in a list, each with the number of its captures."""
        used, offset, flat = 0, 0, list[object]()
        try:
            while offset <= len(subject) and used <= budget:
                cost, found = matching.search(subject, pattern, offset, budget - used)
                used += cost + matching.COST
                if found is None:
                    break
                captures = found.captures or (subject[found.start : found.stop],)
                flat += (len(captures), *captures)
                offset = found.going_on
        except PatternError as error:
            return 0, str(error)
        return used, None, self.listed(flat)

    def requirements(self, template: object) -> tuple[bool, object]:
        """AccuratePodRequirements of a flat list."""
        return self._written(
            lambda: kube.accurate_pod_requirements(self.read(template), priority_class=self.priority_class)
        )

    def dependencies(self, template: object, namespace: str) -> tuple[bool, object]:
        """GetPodDependencies of a flat list."""
        return self._written(lambda: kube.pod_dependencies_of(self.read(template), to_text(namespace)))

    def _written(self, compute: Callable[[], Value]) -> tuple[bool, object]:
        ok, answer = _answer(compute)
        return (ok, self.write(answer)) if ok and answer is not None else (ok, answer)


def _answer(compute: Callable[[], Value]) -> tuple[bool, Value]:
    """True and the answer, or False and why there is none."""
    try:
        return True, compute()
    except InterpretError as error:
        return False, to_bytes(str(error))


def _optional_text(text: str | None) -> str | None:
    return None if text is None else to_text(text)


def seconds_of(*fields: float | bool) -> float:
    """clock.seconds_of, with false for a field that is not given."""
    return clock.seconds_of(*(None if field is False else int(field) for field in fields))


def formatted(pattern: str, *arguments: Argument) -> tuple[bool, str]:
    """string.format."""
    try:
        return True, sprintf(pattern, arguments)
    except FormatError as error:
        return False, str(error)


def searched(subject: str, pattern: str, offset: int, budget: int) -> tuple[object, ...]:
    """The steps it took; an error or nil; of a match its bounds and its captures."""
    try:
        used, found = matching.search(subject, pattern, offset, budget)
    except PatternError as error:
        return 0, str(error)
    return (used, None) if found is None else (used, None, found.start, found.stop, *found.captures)


def found_plain(subject: str, wanted: str, offset: int) -> tuple[float, float] | None:
    """The bounds of a text in another one, as Lua counts them."""
    start = subject.find(wanted, offset)
    return None if start < 0 else (start + 1.0, float(start + len(wanted)))


def frexp(number: float) -> tuple[float, float]:
    """Fraction and exponent of a number."""
    fraction, exponent = math.frexp(number)
    return fraction, float(exponent)


def ldexp(fraction: float, exponent: int) -> float:
    """A fraction times two to an exponent; infinite where that is too large."""
    try:
        return math.ldexp(fraction, exponent)
    except OverflowError:
        return math.copysign(math.inf, fraction)


def sorted_by(length: int, less: Callable[[int, int], bool | None], swap: Callable[[int, int], None]) -> None:
    """Sort elements by Lua functions that compare and swap two; stop where one cannot be compared."""
    try:
        _Sorting(less, swap).sort_all(length)
    except _NotCompared:
        return


class _NotCompared(Exception):  # noqa: N818 - the error itself is Lua's
    """The comparison failed; Lua knows why."""


class _Sorting(PatternDefeatingQuicksort):
    __slots__ = ("_less", "_swap")

    def __init__(self, less: Callable[[int, int], bool | None], swap: Callable[[int, int], None]) -> None:
        super().__init__()
        self._less = less
        self._swap = swap

    def less(self, i: int, j: int) -> bool:
        answer = self._less(i, j)
        if answer is None:
            raise _NotCompared
        return answer

    def swap(self, i: int, j: int) -> None:
        self._swap(i, j)


def _cased(text: str, change: Callable[[str], str]) -> str:
    """A text in another case, character by character as Go does it: none becomes several."""
    changed = ((character, change(character)) for character in to_text(text))
    return to_bytes("".join(after if len(after) == 1 else before for before, after in changed))
