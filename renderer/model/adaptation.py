"""What was changed in an object, or is withheld from its engine, because of who applies it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from renderer.document.edit import placed, removed
from renderer.document.patch import ABSENT, Maybe
from renderer.document.pointer import patch_parts
from renderer.document.values import Object
from renderer.model.identity import Identity


@dataclass(frozen=True, slots=True, kw_only=True)
class Adaptation:
    """One field: `path` is its JSON pointer, `before` and `after` are ABSENT where there is no value.

    `by` names the module that asks for it, `reason` says why in words, `because` is the object that is the
    reason, where one is. `ignored` tells that the engine neither compares nor applies the field. What is
    `withheld` was not done, since the object may not be touched.
    """

    by: str
    path: str
    before: Maybe
    after: Maybe
    reason: str
    because: Identity | None = None
    ignored: bool = False
    withheld: bool = False

    @property
    def changed(self) -> bool:
        """Whether the object is another for it."""
        return not self.withheld and self.before != self.after


def adapted(body: Object, adaptations: Iterable[Adaptation]) -> Object:
    """The object after the adaptations; everything beside their paths is shared with the one before."""
    for item in adaptations:
        body = _with(body, item.path, item.after) if item.changed else body
    return body


def _with(body: Object, path: str, value: Maybe) -> Object:
    keys = patch_parts(path)
    return removed(body, *keys) if value is ABSENT else placed(body, value, *keys)
