"""Anchors of a document, and the account that bounds what its aliases expand to."""

from __future__ import annotations

from dataclasses import dataclass

from yaml.events import AliasEvent, Event, NodeEvent

from renderer.document.defects import endless_alias, too_many_aliases, unknown_alias
from renderer.document.values import Value

# go-yaml's bound: up to LOW decoded nodes 99 % may come from aliases, from HIGH on 10 %.
_FREE_ALIASED, _FREE_COUNT = 100, 1000
_LOW, _HIGH = 400_000, 4_000_000
_SHARE_LOW, _SHARE_HIGH = 0.99, 0.10


@dataclass(slots=True)
class Anchor:
    """A named node. `size` is what decoding it costs go-yaml, 0 while the node is still being read."""

    event: NodeEvent
    value: Value
    start: int
    size: int = 0


class Aliases:
    """The anchors seen so far; `count` is how many nodes go-yaml would have decoded, aliases followed."""

    def __init__(self, limit: int) -> None:
        """Start with the document node alone."""
        self.limit = limit
        self.count = 1
        self.aliased = 0
        self._anchors: dict[str, Anchor] = {}
        self._open: dict[int, Anchor] = {}

    def scalar(self, event: NodeEvent, value: Value) -> None:
        """Count a scalar, and keep it if it is anchored."""
        if event.anchor is not None:
            self._anchors[event.anchor] = Anchor(event, value, self.count, 1)
        self.count += 1

    def begin(self, event: NodeEvent, container: Value) -> None:
        """Count a container that opens, and keep it if it is anchored."""
        if event.anchor is not None:
            self._anchors[event.anchor] = self._open[id(container)] = Anchor(event, container, self.count)
        self.count += 1

    def end(self, container: Value) -> None:
        """Note what an anchored container has cost, now that it is complete."""
        anchor = self._open.pop(id(container), None)
        if anchor:
            anchor.size = self.count - anchor.start

    def target(self, event: AliasEvent) -> Anchor:
        """What an alias names, charged to the account. Raises Defect where there is no such thing."""
        anchor = self._anchors.get(event.anchor or "")
        if anchor is None:
            raise unknown_alias(event)
        if not anchor.size:
            raise endless_alias(event)
        self.count += 1 + anchor.size
        self.aliased += anchor.size
        self.check(event)
        return anchor

    def check(self, event: Event) -> None:
        """Raise Defect where too much of the document comes from aliases."""
        over = self.aliased > _FREE_ALIASED and self.count > _FREE_COUNT
        if self.count > self.limit or (over and self.aliased > self.count * _allowed_share(self.count)):
            raise too_many_aliases(event, self.count)


def _allowed_share(count: int) -> float:
    """The share of a document's nodes that may come from aliases."""
    if count <= _LOW:
        return _SHARE_LOW
    if count >= _HIGH:
        return _SHARE_HIGH
    return _SHARE_LOW - (_SHARE_LOW - _SHARE_HIGH) * (count - _LOW) / (_HIGH - _LOW)
