"""Rules with holes for the values of their expressions, so that many clusters are overridden at once.

That gives what overriding each of them would, if nothing looks at a value on the way. So it is done for
values that only overriders of metadata and of plain fields write, where no other overrider follows; and what
comes of it must hold the values nowhere but in places of their own, which are not what an object is known by
and not what its kind is pruned by.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from renderer.document.values import Object, text
from renderer.expression.overriders import expressions, visited
from renderer.model.holes import MARK, Filling, Hole, LeakError, Path, filling, holes
from renderer.model.override_result import EffectiveRule, Overridden
from renderer.model.overrides import Overriders

Rules = tuple[EffectiveRule, ...]

_SITES: Final = ("/labelsOverrider/", "/annotationsOverrider/", "/plaintext/")
_IDENTITY: Final[tuple[Path, ...]] = (
    ("apiVersion",),
    ("kind",),
    ("metadata", "name"),
    ("metadata", "namespace"),
    ("metadata", "generateName"),
)
# Kinds of which more than keys is looked at before they are written (see `interpret.prune`).
_LOOKED_AT: Final = ("Job", "PersistentVolumeClaim", "Secret", "Service", "ServiceAccount")
_DECIDING: Final = "volume.kubernetes.io/selected-node"


def with_holes(rules: Rules, templated: Sequence[bool]) -> Rules:
    """The rules with a hole for each value of those that are `templated`; none where it must not be."""
    first = templated.index(True)
    if not all(map(_passes_values_on, rules[first + 1 :])) or rules[first].overriders.field_overrider:
        return ()
    count = 0

    def visit(_text: str, _pointer: str) -> str:
        nonlocal count
        count += 1
        return Hole(count - 1)

    made = []
    for rule, is_templated in zip(rules, templated, strict=True):
        if is_templated and not all(map(_is_plain, _sites(rule.overriders))):
            return ()
        made.append(replace(rule, overriders=visited(rule.overriders, visit)) if is_templated else rule)
    return tuple(made)


def fillings(body: Object, result: Overridden, start: Object) -> tuple[Filling, Filling] | None:
    """What there is to fill in a manifest and in the result that it was made of; None if it must not be.

    `start` is the object before the rules were applied.
    """
    try:
        written = list(holes(body, start))
        before = list(holes(result.body, start))
        for step in result.steps:
            for value in (step.before, step.after):
                if isinstance(value, str | dict | list):
                    list(holes(value))
            if MARK in f"{step.path}{step.sub_path}{step.component}{step.remarks}":
                return None
    except LeakError:
        return None
    kind = text(body.get("kind"))
    if any(_decides(path, kind) for path, _ in (*written, *before)):
        return None
    return filling(written), filling(before)


def _decides(path: Path, kind: str) -> bool:
    """Whether what stands there makes an object another one, or is looked at before it is written."""
    if path in _IDENTITY or not path:
        return True
    if path[:2] in (("metadata", "labels"), ("metadata", "annotations")):
        return path[2:] == (_DECIDING,)
    return kind in _LOOKED_AT


def _sites(overriders: Overriders) -> Iterator[str]:
    return (pointer for _, pointer in expressions(overriders))


def _is_plain(site: str) -> bool:
    """Whether a value is written as it is, by an overrider that looks at none."""
    return site.startswith(_SITES)


def _passes_values_on(rule: EffectiveRule) -> bool:
    """Whether none of the rule's overriders looks at the values that it finds."""
    overriders = rule.overriders
    return not (
        overriders.image_overrider
        or overriders.command_overrider
        or overriders.args_overrider
        or overriders.field_overrider
    )
