"""The YAML parser under the reader, and where its dialect and go-yaml's differ.

PyYAML's binding of libyaml is used where it is there; its pure Python parser reads the same documents, some
fifteen times slower. Both know YAML 1.2's small additions, which go-yaml v2 refuses: so do we.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import cast

import yaml
from yaml.events import (
    DocumentEndEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
)
from yaml.parser import Parser
from yaml.reader import Reader
from yaml.scanner import Scanner

from renderer.document.defects import flow_question, slash_escape, stray_bom

_STRAY_BOM = re.compile("[\n\r\x85\u2028\u2029]\ufeff")
_SLASH_ESCAPE = re.compile(r"(?<!\\)(?:\\\\)*\\/")


class _PurePython(Reader, Scanner, Parser):
    """PyYAML's own parser, for where it was built without libyaml."""

    def __init__(self, text: str) -> None:
        Reader.__init__(self, text)
        Scanner.__init__(self)
        Parser.__init__(self)


def events(text: str) -> Callable[[], Event]:
    """A function that gives the next event after the stream's start; raises yaml.YAMLError."""
    parser = yaml.CSafeLoader(text) if yaml.__with_libyaml__ else _PurePython(text)
    get = cast(Callable[[], Event], parser.get_event)
    get()
    return get


def first_document(text: str) -> Iterator[Event]:
    """The events of the first document of a text, its start and end included."""
    get = events(text)
    while not isinstance(event := get(), StreamEndEvent | DocumentEndEvent):
        yield event


def check_dialect(text: str, depth: int) -> None:
    """Raise Defect where libyaml would accept what go-yaml refuses or reads otherwise.

    Walks the events, down to `depth`, only where the characters in question occur, which is seldom.
    """
    bom = _STRAY_BOM.search(text) if "\ufeff" in text else None
    if bom:
        raise stray_bom(bom.end() - 1)
    if "\\/" not in text and not _question_in_brackets(text):
        return
    brackets: list[bool] = []
    for event in first_document(text):
        if isinstance(event, ScalarEvent):
            _check_scalar(text, event, in_brackets=bool(brackets) and brackets[-1])
        elif isinstance(event, MappingStartEvent | SequenceStartEvent):
            brackets.append(bool(event.flow_style))
        elif isinstance(event, MappingEndEvent | SequenceEndEvent):
            brackets.pop()
        if len(brackets) > depth:
            return  # the constructor says so


def _check_scalar(text: str, event: ScalarEvent, *, in_brackets: bool) -> None:
    """Raise Defect where a scalar is written as go-yaml does not read it."""
    if event.style == '"' and _SLASH_ESCAPE.search(written(text, event)):
        raise slash_escape(event)
    if not event.style and in_brackets and "?" in event.value:
        raise flow_question(event)


def written(text: str, event: Event) -> str:
    """The piece of the text an event was read from."""
    start, end = event.start_mark, event.end_mark
    return text[start.index : end.index] if start and end else ""


def _question_in_brackets(text: str) -> bool:
    """Whether a question mark stands where more brackets are open than closed."""
    start, depth = 0, 0
    while (end := text.find("?", start)) >= 0:
        opened = text.count("[", start, end) + text.count("{", start, end)
        closed = text.count("]", start, end) + text.count("}", start, end)
        depth = max(0, depth + opened - closed)
        if depth:
            return True
        start = end + 1
    return False
