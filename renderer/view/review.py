"""A run on GitHub for its reviewers: what is stopped and deleted first, then counts, then the details."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from renderer.document.problem import Problem, Severity
from renderer.document.values import Object, mapping, sequence, text
from renderer.view.diff.lines import file_line, plural, some
from renderer.view.diff.markdown import diff_markdown
from renderer.view.diff.text import summary as changes_summary
from renderer.view.markdown import as_markdown, plain
from renderer.view.problems import printable, summary

COMMENT: Final = 60_000  # characters: GitHub takes 65,536
SUMMARY: Final = 900 * 1024  # bytes: it takes a MiB, and shows nothing of what is larger

_ROWS = 50
_DELETED = 20
_OBJECTS = 20
_WORDS = ("added", "changed", "removed")


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """What there is to say: problems, what guards stop, the difference, and why a step failed."""

    title: str
    problems: Sequence[Problem] = ()
    stops: Sequence[Object] = ()
    diff: Object = field(default_factory=dict)
    failure: str = ""
    commit: str = ""  # that was made, and its message
    message: str = ""
    footer: str = ""

    @property
    def is_quiet(self) -> bool:
        """Whether there is nothing that anybody has to look at."""
        wrong = any(problem.severity is Severity.ERROR for problem in self.problems)
        return not (wrong or self.stops or self.failure or self.diff.get("changed"))


def comment(review: Review, mark: str) -> str:
    """The text of a comment, beginning with its mark."""
    return f"{mark}\n{_fitted(review, COMMENT - len(mark) - 1)}"


def step_summary(review: Review) -> str:
    """The text of a step's summary, of which bytes are counted."""
    room = SUMMARY
    while True:
        told = _fitted(review, room)
        size = len(told.encode("utf-8", "replace"))
        if size <= SUMMARY:
            return told
        room = room * SUMMARY // size - 1


def cluster_counts(diff: Object) -> Mapping[str, tuple[int, int, int]]:
    """How many files of each cluster are added, changed and removed; in the order of their names."""
    found: dict[str, list[int]] = {}
    for item in map(mapping, sequence(diff.get("files"))):
        index = _WORDS.index(text(item.get("change")))
        for name in sequence(item.get("clusters")):
            found.setdefault(text(name), [0, 0, 0])[index] += 1
    return {name: (a, c, r) for name, (a, c, r) in sorted(found.items())}


def _fitted(review: Review, room: int) -> str:
    """Heading and table in full; problems and details as far as there is room."""
    head = "\n".join(_head(review))
    foot = f"\n{review.footer}\n" if review.footer else ""
    room -= len(head) + len(foot) + 2
    parts = [head]
    if review.problems:
        parts.append(as_markdown(review.problems, room // 2 if review.diff else room))
        room -= len(parts[-1]) + 1
    if review.diff.get("changed"):
        parts.append(diff_markdown(review.diff, room - 1))
    return "\n".join(parts) + foot


def _head(review: Review) -> Iterator[str]:
    """What must be seen, and the table."""
    yield f"### {plain(review.title)}\n"
    yield f"**{plain(_verdict(review))}**\n"
    if review.failure:
        yield _fenced(review.failure[:4000], "text")
    for stop in review.stops:
        yield from _stop(stop)
    yield from _deleted(review.diff)
    yield from _table(review.diff)
    if review.message:
        yield _fenced(review.message[:4000], "text")


def _verdict(review: Review) -> str:
    """One line that says how it stands."""
    parts = [summary(review.problems)] if review.problems else []
    if review.stops:
        guards = ", ".join(text(stop.get("guard")) for stop in review.stops)
        parts.append(f"publishing is blocked by {guards}")
    if review.failure:
        parts.append("it cannot be rendered or published")
    if review.diff:
        parts.append(changes_summary(review.diff) if review.diff.get("changed") else "nothing changes")
    if review.commit:
        parts.append(f"published as {review.commit[:12]}")
    return "; ".join(parts) or "nothing changed, no commit"


def _stop(stop: Object) -> Iterator[str]:
    """One guard, as an alert."""
    objects = [text(item) for item in sequence(stop.get("objects"))]
    more = stop.get("more")
    left = len(objects) - _OBJECTS + (more if isinstance(more, int) else 0)
    yield "> [!CAUTION]"
    yield f"> **{plain(text(stop.get('guard')))}**: {_line(text(stop.get('what')))}"
    yield from (f"> - {_line(name)}" for name in objects[:_OBJECTS])
    if left > 0:
        yield f"> - and {left} more"
    yield f">\n> why: {_line(text(stop.get('why')))}\n>\n> fix: {_line(text(stop.get('fix')))}\n"


def _deleted(diff: Object) -> Iterator[str]:
    """The files that go."""
    files = [item for item in map(mapping, sequence(diff.get("files"))) if item.get("change") == "removed"]
    if files:
        yield f"**Deleted: {plural(len(files), 'object')}**\n"
        yield from (f"- {plain(file_line(item))}" for item in files[:_DELETED])
        if len(files) > _DELETED:
            yield f"- and {len(files) - _DELETED} more"
        yield ""


def _table(diff: Object) -> Iterator[str]:
    """Counts of files; clusters with the same ones are one row, and those that lose something come first."""
    alike: dict[tuple[int, int, int], list[str]] = {}
    for name, counts in cluster_counts(diff).items():
        alike.setdefault(counts, []).append(name)
    rows = sorted(alike.items(), key=lambda row: (-row[0][2], -len(row[1]), row[1]))
    if rows:
        yield "| clusters | added | modified | deleted |\n|---|--:|--:|--:|"
    for (added, changed, removed), names in rows[:_ROWS]:
        who = names[0] if len(names) == 1 else f"{len(names)}: {some(names)}"
        yield f"| {_line(who)} | {added} | {changed} | {removed} |"
    if len(rows) > _ROWS:
        left = sum(len(names) for _, names in rows[_ROWS:])
        yield f"| {plural(left, 'more cluster')} | | | |"
    if rows:
        yield ""


def _fenced(body: str, language: str) -> str:
    """Text as it is, in a fence that nothing in it closes."""
    body = "\n".join(map(printable, body.rstrip("\n").split("\n")))
    fence = "```"
    while fence in body:
        fence += "`"
    return f"{fence}{language}\n{body}\n{fence}\n"


def _line(words: str) -> str:
    return plain(printable(" ".join(words.split())))
