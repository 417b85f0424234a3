"""os.time and os.date of Karmada's Lua, in UTC, on a clock that stands still: the time of the render.

Source: Karmada pkg/util/lifted/lua/oslib_safe.go.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Final

from renderer.model.instant import instant

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
# What each letter after `%` stands for; `%a` and `%x` are as strange in Karmada.
_CODES: Final = {
    "a": "mon", "A": "%A", "b": "%b", "B": "%B", "c": "%d %b %y %H:%M UTC", "d": "%d", "F": "%Y-%m-%d",
    "H": "%H", "I": "%I", "m": "%m", "M": "%M", "p": "%p", "S": "%S", "x": "%H/%M/%S", "X": "%H:%M:%S",
    "y": "%y", "Y": "%Y", "z": "+0000", "Z": "UTC", "w": "%w",
}  # fmt: skip
_CYCLE: Final = 400
_CYCLE_DAYS: Final = 146_097
_DIRECTIVE: Final = re.compile(r"%(%|.|\Z)", re.DOTALL)
_DEFAULTS: Final = (-1, -1, -1, 12, 0, 0)  # year, month, day, hour, minute, second


def seconds_at(now: str) -> float:
    """The seconds since 1970 of RFC 3339 text, without their fraction."""
    return float(int((instant(now) - _EPOCH).total_seconds() // 1))


def seconds_of(*fields: int | None) -> float:
    """The seconds since 1970 of year, month, day, hour, minute and second, None for one not given.

    What is out of its range carries over.
    """
    given = [default if field is None else field for field, default in zip(fields, _DEFAULTS, strict=True)]
    year, month, day, hour, minute, second = given
    # The Gregorian calendar repeats after 400 years, so that those beyond Python's have a year of its own.
    cycles, year = divmod(year + (month - 1) // 12, _CYCLE)
    start = datetime(year + _CYCLE, (month - 1) % 12 + 1, 1, tzinfo=UTC)
    days = (start - _EPOCH).days + (cycles - 1) * _CYCLE_DAYS + day - 1
    return float(((days * 24 + hour) * 60 + minute) * 60 + second)


def moment_at(seconds: float) -> datetime | None:
    """The moment so many seconds after 1970; None where its year has not four digits."""
    try:
        return _EPOCH + timedelta(seconds=seconds)
    except OverflowError:
        return None


def date_parts(seconds: float) -> tuple[float, ...] | None:
    """Year, month, day, hour, minute, second, and weekday from 1 for Sunday."""
    moment = moment_at(seconds)
    if moment is None:
        return None
    parts = (moment.year, moment.month, moment.day, moment.hour, moment.minute, moment.second)
    return (*map(float, parts), float(moment.isoweekday() % 7 + 1))


def date_text(wanted: str, seconds: float) -> str | None:
    """The moment as a format wants it; codes that are not known stay."""
    moment = moment_at(seconds)
    if moment is None:
        return None

    def part(match: re.Match[str]) -> str:
        code = match[1]
        if code == "P":
            return f"{moment:%p}".lower()
        return f"{moment:{_CODES[code]}}" if code in _CODES else "%" if code == "%" else match[0]

    return _DIRECTIVE.sub(part, wanted.lstrip("!"))
