"""What the rules came to, taken together: rules without effect, and effects that a later rule undid."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from renderer.document.patch import ABSENT, Maybe
from renderer.document.pointer import PointerError, look_up
from renderer.model.override_result import EffectiveRule, Overridden, Step, same

_WORDS = ("commandOverrider", "argsOverrider")


class Fate(StrEnum):
    """What became of an effect."""

    OVERWRITTEN = "overwritten"  # another value stands there now
    RESTORED = "restored"  # the value before it stands there again


@dataclass(frozen=True, slots=True)
class Undone:
    """A step whose effect a step of a later rule undid."""

    step: Step
    by: Step
    fate: Fate


def without_effect(overridden: Overridden) -> tuple[EffectiveRule, ...]:
    """The rules that were applied and changed nothing, in the order of application."""
    effective = {step.rule.key for step in overridden.steps if step.changed}
    return tuple(rule for rule in overridden.rules if rule.key not in effective)


def never_applied(rules: Iterable[EffectiveRule], results: Iterable[Overridden]) -> tuple[EffectiveRule, ...]:
    """Of all rules of a workspace those that no result mentions, applied or failed, in their order."""
    seen = {rule.key for result in results for rule in _mentioned(result)}
    return tuple(rule for rule in rules if rule.key not in seen)


def undone(steps: Iterable[Step]) -> tuple[Undone, ...]:
    """The steps of one result that a later rule undid, each with the first step that did."""
    standing: list[Step] = []
    found: list[Undone] = []
    for step in steps:
        if not step.changed:
            continue
        kept: list[Step] = []
        for earlier in standing:
            fate = _fate(earlier, step) if earlier.rule.key != step.rule.key else None
            if fate is None:
                kept.append(earlier)
            else:
                found.append(Undone(earlier, step, fate))
        standing = [*kept, step]
    return tuple(found)


def _mentioned(result: Overridden) -> tuple[EffectiveRule, ...]:
    return (*result.rules, result.failure.rule) if result.failure is not None else result.rules


def _fate(earlier: Step, later: Step) -> Fate | None:
    """What a later step made of an earlier one's effect; None where that still stands."""
    if not _about(earlier, later):
        return None
    if earlier.sub_path is not None and later.sub_path is None:
        return Fate.OVERWRITTEN  # together with the text it was in
    before, after = _seen(later.before, earlier, later), _seen(later.after, earlier, later)
    # Where the later step found something else, the index of a list means another element by now.
    if not same(before, earlier.after) or same(after, earlier.after):
        return None
    if earlier.overrider in _WORDS and earlier.overrider == later.overrider and _words_stand(earlier, after):
        return None
    return Fate.RESTORED if same(after, earlier.before) else Fate.OVERWRITTEN


def _about(earlier: Step, later: Step) -> bool:
    """Whether the later step wrote the field of the earlier one, or something around it."""
    if earlier.path == later.path and earlier.sub_path is not None and later.sub_path is not None:
        return _within(earlier.sub_path, later.sub_path)
    if earlier.component and later.component:  # parts of an image stand side by side
        return earlier.path == later.path and earlier.component == later.component
    return later.sub_path is None and _within(earlier.path, later.path)


def _within(path: str, around: str) -> bool:
    return path == around or path.startswith(f"{around}/")


def _seen(value: Maybe, earlier: Step, later: Step) -> Maybe:
    """What a value of the later step holds at the place of the earlier one."""
    inner, outer = earlier.path, later.path
    if earlier.sub_path is not None and later.sub_path is not None:
        inner, outer = earlier.sub_path, later.sub_path
    if value is ABSENT:
        return ABSENT
    try:
        return look_up(value, inner[len(outer) :])
    except PointerError:
        return ABSENT


def _words_stand(earlier: Step, words: Maybe) -> bool:
    """Whether words that were added are still there, and those that were removed still gone."""
    now = words if isinstance(words, list) else []
    before = earlier.before if isinstance(earlier.before, list) else []
    after = earlier.after if isinstance(earlier.after, list) else []
    added = [word for word in after if word not in before]
    removed = [word for word in before if word not in after]
    return all(word in now for word in added) and not any(word in now for word in removed)
