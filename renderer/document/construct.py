"""YAML events to values, as go-yaml v2 and sigs.k8s.io/yaml decode them.

The loop in `_Constructor.node` is the hot path of every run: it works on events instead of nodes, looks plain
scalars up in one dict, and keeps what is rare (anchors, tags, merge keys) behind flags that the text sets.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import IntEnum
from operator import attrgetter
from typing import Final, TypeAlias, cast

from yaml.error import YAMLError
from yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
)

from renderer.document.aliases import Aliases
from renderer.document.byte_order import BOM, refuse_marks, stand_in_for, with_marks
from renderer.document.defects import (
    bad_key,
    bad_merge,
    bad_scalar,
    bad_version,
    lost_text,
    repeated_key,
    too_deep,
)
from renderer.document.events import check_escapes, check_questions, escapes_may_differ, events
from renderer.document.limits import Limits
from renderer.document.scalars import (
    MERGE_TAG,
    PLAIN_KEYS,
    PlainScalars,
    ScalarError,
    resolve_tagged,
    spell_key,
)
from renderer.document.values import Object, Value

MERGE: Final = "<<"

# Anchors and tags stand after a flow indicator or white space; most text has no such place.
_ANCHOR = re.compile("&[A-Za-z0-9_-]")
_TAG = re.compile("!")
_QUOTED = re.compile(r"""'[^']*'|"(?:[^"\\]|\\.)*\"""")
_BEFORE_TOKEN = frozenset(" \t\r\n[{,:?\x85\u2028\u2029\ufeff")

# Tuples, because building a union costs more than the test with it.
_STARTS: Final = (MappingStartEvent, SequenceStartEvent)
_ENDS: Final = (MappingEndEvent, SequenceEndEvent)

_Container: TypeAlias = dict[str, Value] | list[Value]


class Duplicates(IntEnum):
    """What becomes of a key that a map sets twice."""

    LAST_WINS = 0  # as a Kubernetes client reads it
    CLEAR = 1  # an error, but a key may override what an earlier merge key brought, as in every reader
    REFUSE = 2  # an error always, as sigs.k8s.io/yaml's strict mode has it


def construct(
    text: str, scalars: PlainScalars, limits: Limits, duplicates: Duplicates, *, whole: bool = False
) -> Value:
    """The value of the first document of a text; None where it has none.

    With `whole` the reading is strict about what go-yaml does in silence: text that follows the document or
    that an invisible mark has changed. Raises Defect, and yaml.YAMLError where the text is not YAML.
    """
    stand_in = ""
    if BOM in text:
        if whole or text.startswith(BOM):
            refuse_marks(text)
        else:
            stand_in = stand_in_for(text)
    readable = text.replace(BOM, stand_in) if stand_in else text
    value = _Constructor(events(readable), readable, scalars, limits, duplicates).document(whole=whole)
    return with_marks(value, stand_in) if stand_in else value


class _Constructor:
    """The state of one document: its anchors, and which keys merge keys brought."""

    def __init__(
        self,
        get: Callable[[], Event],
        text: str,
        scalars: PlainScalars,
        limits: Limits,
        duplicates: Duplicates,
    ) -> None:
        self.get, self.scalars, self.depth, self.duplicates = get, scalars, limits.depth, duplicates
        self.anchored = _may_have(text, _ANCHOR)
        self.tagged = _may_have(text, _TAG)
        self.quoted: Callable[[ScalarEvent], str] = (
            self._checked if escapes_may_differ(text) else attrgetter("value")
        )
        self.text, self.questions = text, "?" in text
        self.cleared, self.doubtful = 0, False  # up to where brackets hold no bare "?"; whether some may
        self.aliases = Aliases(limits.expanded_nodes)
        # By identity; the container is kept too, lest a later one takes its place in memory.
        self.merged: dict[int, tuple[_Container, set[str]]] = {}

    def document(self, *, whole: bool) -> Value:
        """The document's value; None too where there is no document."""
        start = self.get()
        if not isinstance(start, DocumentStartEvent):
            return None
        if start.version not in (None, (1, 1)):
            raise bad_version(start)
        value = self.node(self.get(), 0)
        end = self.get()
        self.aliases.check(start)
        if self.doubtful:
            check_questions(self.text)
        if whole:
            self._check_end(end)
        return value

    def node(self, event: Event, depth: int) -> Value:
        """The value that begins with `event`, inside `depth` open containers.

        Long and flat on purpose: this runs once for each node of all input.
        """
        if not isinstance(event, _STARTS):
            return self._leaf(event)
        get, scalars, keys = self.get, self.scalars, PLAIN_KEYS
        anchored, quoted = self.anchored, self.quoted
        simple = not anchored and not self.tagged
        stack: list[_Container] = []
        child: _Container
        container = root = self._begin(event, depth)
        try:
            while True:
                if isinstance(container, dict):
                    while True:
                        event = get()
                        if isinstance(event, ScalarEvent) and (simple or not (anchored or event.tag)):
                            key = keys[event.value] if event.implicit[0] else quoted(event)
                        elif isinstance(event, MappingEndEvent):
                            break
                        else:
                            key = self._key(event)
                        if key == MERGE and _is_merge(event):
                            self._merge(container, depth + len(stack) + 1)
                            continue
                        if key in container:
                            self._repeated(container, key, event)
                        event = get()
                        if isinstance(event, ScalarEvent) and (simple or not (anchored or event.tag)):
                            container[key] = scalars[event.value] if event.implicit[0] else quoted(event)
                        elif isinstance(event, _STARTS):
                            stack.append(container)
                            container[key] = child = self._begin(event, depth + len(stack))
                            container = child
                            break
                        else:
                            container[key] = self._leaf(event)
                else:
                    while True:
                        event = get()
                        if isinstance(event, ScalarEvent) and (simple or not (anchored or event.tag)):
                            container.append(scalars[event.value] if event.implicit[0] else quoted(event))
                        elif isinstance(event, _STARTS):
                            stack.append(container)
                            child = self._begin(event, depth + len(stack))
                            container.append(child)
                            container = child
                            break
                        elif isinstance(event, SequenceEndEvent):
                            break
                        else:
                            container.append(self._leaf(event))
                if isinstance(event, _ENDS):
                    if self.anchored:
                        self.aliases.end(container)
                    if not stack:
                        return root
                    container = stack.pop()
        except ScalarError as error:
            raise bad_scalar(event, error) from None

    def _check_end(self, end: Event) -> None:
        """Raise Defect where anything but comments follows the document."""
        try:
            after = self.get()
        except YAMLError:
            after = end
        if not isinstance(after, StreamEndEvent):
            raise lost_text(after)

    def _begin(self, event: MappingStartEvent | SequenceStartEvent, depth: int) -> _Container:
        """An empty container for a start event."""
        if depth >= self.depth:
            raise too_deep(event, self.depth)
        container: _Container = {} if isinstance(event, MappingStartEvent) else []
        if event.flow_style and self.questions:
            self._look_for_questions(event)
        if self.anchored:
            self.aliases.begin(event, container)
        return container

    def _look_for_questions(self, event: Event) -> None:
        """Find out cheaply whether brackets that open may hold a bare "?"; most close on their line."""
        start = event.start_mark.index if event.start_mark else 0
        if start < self.cleared or self.doubtful:
            return
        end = self.text.find("\n", start)
        line = _QUOTED.sub("", self.text[start:end])  # without its last character at the text's end
        opened, closed = (sum(map(line.count, brackets)) for brackets in ("[{", "]}"))
        self.cleared, self.doubtful = end, opened != closed or "?" in line

    def _leaf(self, event: Event) -> Value:
        """The value of a scalar or an alias, with all their rarities."""
        if not isinstance(event, ScalarEvent):
            return self.aliases.target(cast(AliasEvent, event)).value
        try:
            if event.tag:
                value = self.scalars.typed(resolve_tagged(event.tag, self.quoted(event)))
            else:
                value = self.scalars[event.value] if event.implicit[0] else self.quoted(event)
        except ScalarError as error:
            raise bad_scalar(event, error) from None
        self.aliases.scalar(event, value)
        return value

    def _checked(self, event: ScalarEvent) -> str:
        """The text of a quoted or block scalar where an escape may be wrong."""
        check_escapes(self.text, event)
        return event.value

    def _key(self, event: Event) -> str:
        """The key an event spells, with all the rarities of keys."""
        node = self.aliases.target(event).event if isinstance(event, AliasEvent) else event
        if not isinstance(node, ScalarEvent):
            raise bad_key(event, node)
        if node is event and not _is_merge(event):
            if node.anchor is not None:
                self._leaf(node)
            else:
                self.aliases.count += 1
        if node.tag:
            return spell_key(resolve_tagged(node.tag, self.quoted(node)))
        return PLAIN_KEYS[node.value] if node.implicit[0] else self.quoted(node)

    def _repeated(self, container: dict[str, Value], key: str, event: Event) -> None:
        """Decide about a key that is there already."""
        if self.duplicates is Duplicates.LAST_WINS:
            return
        _, merged = self.merged.get(id(container), (container, set()))
        if self.duplicates is Duplicates.REFUSE or key not in merged:
            raise repeated_key(event, key)
        merged.discard(key)

    def _merge(self, container: dict[str, Value], depth: int) -> None:
        """Lay the maps of a merge key over the container, the first of a list last so that it wins."""
        event = self.get()
        sources: list[Object] = []
        if isinstance(event, SequenceStartEvent):
            items = cast(list[Value], self._begin(event, depth))
            while not isinstance(item := self.get(), SequenceEndEvent):
                sources.append(self._merge_source(item, depth + 1))
            items.extend(sources)  # the list may be anchored
            self.aliases.end(items)
            sources.reverse()
        else:
            sources.append(self._merge_source(event, depth))
        _, merged = self.merged.setdefault(id(container), (container, set()))
        for source in sources:
            if self.duplicates is not Duplicates.LAST_WINS:
                allowed = merged if self.duplicates is Duplicates.CLEAR else ()
                for key in source:
                    if key in container and key not in allowed:
                        raise repeated_key(event, key)
            container.update(source)
            merged.update(source)

    def _merge_source(self, event: Event, depth: int) -> Object:
        """One map to merge, written out or by alias."""
        value: Value = None
        if isinstance(event, AliasEvent):
            anchor = self.aliases.target(event)
            value = anchor.value if isinstance(anchor.event, MappingStartEvent) else None
        elif isinstance(event, MappingStartEvent):
            value = self.node(event, depth)
        if not isinstance(value, dict):
            raise bad_merge(event)
        return value


def _may_have(text: str, indicator: re.Pattern[str]) -> bool:
    """Whether a token that starts so (an anchor or a tag) can be in the text at all."""
    return any(
        not match.start() or text[match.start() - 1] in _BEFORE_TOKEN for match in indicator.finditer(text)
    )


def _is_merge(event: Event) -> bool:
    """Whether a key event is a merge key: plain `<<`, or one tagged so."""
    return (
        isinstance(event, ScalarEvent)
        and event.value == MERGE
        and (event.implicit[0] or event.tag == MERGE_TAG)
    )
