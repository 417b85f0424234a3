"""krender's own annotations of Cluster objects: a value that says nothing is an error, not an absent one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from renderer.document.pointer import escape
from renderer.document.values import Object, Value, mapping
from renderer.load.cluster_faults import Fault
from renderer.load.clusters import ENGINE, FROZEN, PAUSED, PROTECTED, SLUG, WAVE, engine_of, wave_of
from renderer.load.wording import show
from renderer.model.delivery_engine import Engine
from renderer.model.slug import is_portable

_WHY: Final = "krender does not guess what is meant, and without it the cluster is like any other"
_FLAG: Final = 'write "true", or take it out'

_CHECKS: Final[tuple[tuple[str, Callable[[str], bool], str], ...]] = (
    (PAUSED, {"true", "false"}.__contains__, _FLAG),
    (FROZEN, {"true", "false"}.__contains__, _FLAG),
    (PROTECTED, {"true", "false"}.__contains__, _FLAG),
    (WAVE, lambda value: wave_of(value) is not None, 'write a whole number such as "1"'),
    (ENGINE, lambda value: engine_of(value) is not None, f"write {', '.join(Engine)}, or take it out"),
    (SLUG, is_portable, 'write a name of a directory such as "eu-1": lower-case letters, digits, - and .'),
)


def note_faults(annotations: Value) -> Iterator[Fault]:
    """The annotations whose values krender does not know."""
    stated: Object = mapping(annotations)
    for name, is_known, fix in _CHECKS:
        value = stated.get(name)
        if isinstance(value, str) and not is_known(value):
            yield Fault(
                pointer=f"/{escape(name)}",
                what=f"{show(value)} is no value of the annotation {name}",
                why=_WHY,
                fix=fix,
            )
