"""What overriding one object for one cluster came to: the body, each step to it, and what stopped it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from renderer.document.patch import ABSENT, Maybe
from renderer.document.problem import Problem
from renderer.document.values import Object, Value
from renderer.model.overrides import OverridePolicy, Overriders, RuleWithCluster


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectiveRule:
    """A rule that applies to an object on some clusters.

    Two are equal where policy, place and rendered values are, so equal tuples of them do the same to equal
    objects. `values` are what the expressions of a templated policy came to, in the order of the rule's
    texts; `overriders` are the rule's with these values; `fault` says why an expression has no value.
    """

    kind: str
    namespace: str
    name: str
    index: int  # of the rule in its policy, from 0
    values: tuple[str, ...] = ()
    fault: Problem | None = None
    policy: OverridePolicy = field(repr=False, compare=False)
    overriders: Overriders = field(repr=False, compare=False)

    @property
    def rule(self) -> RuleWithCluster:
        """The rule as the policy states it."""
        return self.policy.rules[self.index]

    @property
    def key(self) -> tuple[str, str, str, int]:
        """Which rule it is, whatever the values are on a cluster."""
        return self.kind, self.namespace, self.name, self.index

    def __str__(self) -> str:
        """Give `OverridePolicy shop/mirror, rule 1`: people count from one."""
        return f"{self.policy}, rule {self.index + 1}"


class Note(StrEnum):
    """What is worth knowing about a step beyond its before and after. Details of a remark in brackets."""

    NO_TARGET = "no-target"  # the overrider found nothing to work on [what it looked for]
    NO_CONTAINER = "no-container"  # no container has the name [names there are]
    NO_REGISTRY = "no-registry"  # the image has no registry part, so nothing changed [the part taken for one]
    DIGEST_LOST = "digest-lost"  # an image with tag and digest keeps the tag only [the digest]
    INVALID_IMAGE = "invalid-image"  # the outcome is no image reference [why]
    NOT_A_TAG = "not-a-tag"  # neither tag nor digest, so it was ignored [the text]
    NOT_TEXT = "not-text"  # elements of a list were turned into Go's words for a bad verb [the elements]
    EMPTY_LIST = "empty-list"  # removing from a list that is absent writes an empty one
    KEY_ABSENT = "key-absent"  # replace and remove skip a label or annotation that is not there [the key]
    WORD_ABSENT = "word-absent"  # no element of command or args is one that was to be removed [the words]
    MAP_RESET = "map-reset"  # a map with a value that is no text was emptied first [keys lost]
    KEYS_LOST = "keys-lost"  # a map was replaced or removed whole [keys lost]
    ENTRIES_LOST = "entries-lost"  # a list of named entries was replaced whole [names lost]
    PASSED_OVER = "passed-over"  # containers that the overrider does not look at [their names]
    NO_EFFECT = "no-effect"  # a path that starts with "//" changes a copy that nobody sees
    PATH_CUT = "path-cut"  # a path without a leading slash loses its first part [that part]
    REFORMATTED = "reformatted"  # the embedded text changed beyond the operations: layout, comments, order


@dataclass(frozen=True, slots=True)
class Remark:
    """A note with its details, in an order that does not vary."""

    note: Note
    details: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One field an overrider touched, or would have.

    `path` is the JSON pointer of the field in the object, `sub_path` that inside the text of the field for
    a fieldOverrider (None elsewhere); `index` counts the entries of the overrider's list from 0. `component`
    is the part of an image that was meant. `before` and `after` are ABSENT where there is no value.
    """

    rule: EffectiveRule
    overrider: str  # as policies spell it: imageOverrider, plaintext, …
    index: int
    operator: str
    path: str
    sub_path: str | None = None
    component: str = ""
    before: Maybe = ABSENT
    after: Maybe = ABSENT
    remarks: tuple[Remark, ...] = ()

    @property
    def changed(self) -> bool:
        """Whether the object is different for it."""
        return not same(self.before, self.after) and not self.has(Note.NO_EFFECT)

    def has(self, note: Note) -> bool:
        """Whether the step has such a remark."""
        return any(remark.note is note for remark in self.remarks)


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """An overrider that cannot be applied; the object does not reach the cluster.

    `path` is the path as the policy states it (that of the object for other overriders), `deepest` the
    pointer of the last container on it that exists, `missing` the token at which it ends.
    """

    rule: EffectiveRule
    overrider: str
    index: int
    operator: str = ""
    path: str = ""
    sub_path: str | None = None
    deepest: str = ""
    missing: str = ""
    problem: Problem


@dataclass(frozen=True, slots=True, kw_only=True)
class Overridden:
    """An object after the rules that apply; no body where one of them failed.

    `rules` were applied, in this order, `steps` are all that they did, also of those before a failure.
    """

    body: Object | None
    rules: tuple[EffectiveRule, ...] = ()
    steps: tuple[Step, ...] = ()
    failure: Failure | None = None

    @property
    def problem(self) -> Problem | None:
        """What the user is told about the failure."""
        return self.failure.problem if self.failure is not None else None


def same(one: Maybe, other: Maybe) -> bool:
    """Whether two values are the same JSON: 1 and 1.0 are, 1 and true are not."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    return one == other


def lost_keys(before: Maybe, after: Maybe) -> tuple[str, ...]:
    """The keys of a map that are gone after it was replaced or removed, in their order."""
    kept: Value = after if isinstance(after, dict) else {}
    if not isinstance(before, dict) or not isinstance(kept, dict):
        return ()
    return tuple(key for key in before if key not in kept)


def lost_entries(before: Maybe, after: Maybe) -> tuple[str, ...]:
    """The names of a list's entries that are gone after it was replaced by another list, in their order."""
    if not isinstance(before, list) or not isinstance(after, list):
        return ()
    kept = _names(after)
    return tuple(name for name in _names(before) if name not in kept)


def _names(entries: list[Value]) -> tuple[str, ...]:
    names = (entry.get("name") for entry in entries if isinstance(entry, dict))
    return tuple(name for name in names if isinstance(name, str))
