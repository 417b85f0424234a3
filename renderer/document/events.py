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

from renderer.document.defects import flow_question, slash_escape, surrogate_escape

_SURROGATE = re.compile("[\ud800-\udfff]")
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


def escapes_may_differ(text: str) -> bool:
    """Whether the text may hold an escape that its parser takes and go-yaml does not."""
    return "\\/" in text or (not yaml.__with_libyaml__ and "\\" in text)


def check_escapes(text: str, event: ScalarEvent) -> None:
    r"""Raise Defect where double quotes hold `\/`, or half a surrogate pair, as go-yaml does."""
    start, end = event.start_mark, event.end_mark
    if event.style == '"' and start and end and _SLASH_ESCAPE.search(text[start.index : end.index]):
        raise slash_escape(event)
    if _SURROGATE.search(event.value):
        raise surrogate_escape(event)


def check_questions(text: str) -> None:
    """Raise Defect where plain text between brackets has a "?", which ends it for go-yaml."""
    brackets: list[bool] = []
    for event in first_document(text):
        if isinstance(event, MappingStartEvent | SequenceStartEvent):
            brackets.append(bool(event.flow_style))
        elif isinstance(event, MappingEndEvent | SequenceEndEvent):
            brackets.pop()
        elif isinstance(event, ScalarEvent) and not event.style and "?" in event.value and any(brackets[-1:]):
            raise flow_question(event)
