"""Points in time, as Kubernetes writes them: RFC 3339."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

EPOCH = "1970-01-01T00:00:00Z"
NO_CLOCK = "no clock"  # the time of a render that shows that it needs none: whoever reads it fails


class ClockError(Exception):
    """The time was asked for where there is no clock."""


def instant(text: str) -> datetime:
    """The point in time, in UTC, that RFC 3339 text names. Raises ValueError where it names none."""
    if text == NO_CLOCK:
        raise ClockError
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise ValueError(f'"{text}" is no time') from None
    if moment.tzinfo is None:
        raise ValueError(f'"{text}" has no time zone')
    try:
        return moment.astimezone(UTC)
    except OverflowError:
        raise ValueError(f'"{text}" is before the year 1, or after the year 9999') from None


def is_instant(text: str) -> bool:
    """Whether the text names a point in time."""
    try:
        instant(text)
    except ValueError:
        return False
    return True


def written(moment: datetime) -> str:
    """A point in time as Kubernetes writes it: UTC, whole seconds."""
    return moment.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="seconds") + "Z"


def later(one: str, other: str) -> str:
    """The later of two times; empty text is before all others."""
    if not one or not other:
        return one or other
    return one if instant(one) > instant(other) else other


def after(one: str, other: str) -> str:
    """The first time if it is after the other, else a second after that; empty text is before all."""
    if not other or (one and instant(one) > instant(other)):
        return one
    try:
        return written(instant(other) + timedelta(seconds=1))
    except OverflowError:  # there is no later time
        return other
