"""Where the parts of a document stand in its text; worked out only when somebody asks."""

from __future__ import annotations

from collections.abc import Iterator

from yaml.error import YAMLError
from yaml.events import (
    AliasEvent,
    MappingEndEvent,
    MappingStartEvent,
    NodeEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from renderer.document.events import first_document
from renderer.document.json_document import json_entries
from renderer.document.scalars import PLAIN_KEYS, ScalarError, resolve_tagged, spell_key
from renderer.document.walk import Entry, Walk


def entries(text: str, *, is_json: bool) -> Iterator[Entry]:
    """All values of a document, parents first, as far as it can be read.

    Aliases and merge keys count where they stand: a merge key under the pointer `…/<<`.
    """
    if is_json:
        yield from json_entries(text)
        return
    try:
        yield from _yaml_entries(text)
    except YAMLError:  # whoever reads the value reports it
        return


def _yaml_entries(text: str) -> Iterator[Entry]:
    """The entries of the first YAML document; raises YAMLError where it cannot be read on."""
    walk, anchors = Walk(), dict[str, str]()
    for event in first_document(text):
        if isinstance(event, MappingEndEvent | SequenceEndEvent):
            walk.close()
        if not isinstance(event, NodeEvent):
            continue
        at = event.start_mark.index if event.start_mark else 0
        key_is_due = walk.key_is_due
        if key_is_due:
            walk.key(_spell(event, anchors), at)
        entry = Entry("", at, at) if key_is_due else walk.value(at)
        if isinstance(event, MappingStartEvent | SequenceStartEvent):
            walk.open(entry.pointer, is_map=isinstance(event, MappingStartEvent))
        if isinstance(event, ScalarEvent) and event.anchor:
            anchors[event.anchor] = _spell(event, anchors)
        if not key_is_due:
            yield entry


def _spell(event: NodeEvent, anchors: dict[str, str]) -> str:
    """The key a node spells; the text itself where Kubernetes refuses it."""
    if isinstance(event, AliasEvent):
        return anchors.get(event.anchor or "", "")
    if not isinstance(event, ScalarEvent):
        return ""
    try:
        if event.tag:
            return spell_key(resolve_tagged(event.tag, event.value))
        return PLAIN_KEYS[event.value] if event.implicit[0] else event.value
    except ScalarError:
        return event.value
