"""A difference for a pull request: what a reviewer needs first, the rest folded away."""

from __future__ import annotations

import re
from collections.abc import Iterator

from renderer.document.values import Object, mapping, sequence, text
from renderer.view.diff.lines import change_line, cluster_lines, file_line, object_title, on, unit_lines
from renderer.view.diff.text import shown_files, summary
from renderer.view.markdown import plain as _plain
from renderer.view.problems import printable

_LONGEST = 60_000  # characters: GitHub takes 65,536 in a comment
_LEFT = 100  # for a line on what was left out
_FILES = 100


def diff_markdown(facts: Object, longest: int = _LONGEST) -> str:
    """All of it, cut where more than `longest` characters would come of it."""
    head = f"**{_plain(text(facts.get('from')))} → {_plain(text(facts.get('to')))}**"
    if not facts.get("changed"):
        return f"{head}: nothing changes\n"
    kept = [f"{head}: {_plain(summary(facts))}\n"]
    size, left = len(kept[0]), 0
    for block in _blocks(facts):
        if left or size + len(block) > longest - _LEFT:
            left += 1
        else:
            kept.append(block)
            size += len(block) + 1
    if left:
        kept.append(f"\n_… and {left} more parts that a comment cannot hold; `krender diff` tells all._\n")
    return "\n".join(kept)


def _blocks(facts: Object) -> Iterator[str]:
    """Parts that can be left out from the end."""
    first = [*cluster_lines(facts), *unit_lines(facts)]
    if first:
        yield "".join(f"- {_plain(line)}\n" for line in first)
    for item in map(mapping, sequence(facts.get("objects"))):
        lines = [_plain(change_line(mapping(change))) for change in sequence(item.get("changes"))]
        yield f"- **{_plain(object_title(item))}**\n" + "".join(f"  - {line}\n" for line in lines)
    yield from _files(facts)
    for item in map(mapping, sequence(facts.get("text"))):
        diff = "\n".join(map(printable, text(item.get("diff")).split("\n")))
        fence = "`" * max(3, 1 + max(map(len, re.findall("`+", diff)), default=0))
        title = _plain(f"{text(item.get('path'))} {on(sequence(item.get('clusters')))}")
        yield f"<details><summary>{title}</summary>\n\n{fence}diff\n{diff}\n{fence}\n\n</details>\n"


def _files(facts: Object) -> Iterator[str]:
    files = shown_files(facts)
    if files:
        lines = [f"- {_plain(file_line(item))}\n" for item in files[:_FILES]]
        more = f"- and {len(files) - _FILES} more\n" if len(files) > _FILES else ""
        yield f"<details><summary>Files: {len(files)}</summary>\n\n{''.join(lines)}{more}\n</details>\n"
