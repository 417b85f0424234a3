"""The manifests of one template that differ only in values, made when somebody looks at them.

A fleet of ten thousand clusters with values of their own has a million manifests of a hundred templates. Kept
is one for each template and set of rules, with holes, and the values of each cluster, once for all templates.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import overload

from renderer.document.patch import ABSENT, Maybe
from renderer.document.values import Object
from renderer.model.holes import Filling, Hole, Path, filled, filled_object, filling, holes, paths
from renderer.model.identity import Identity
from renderer.model.override_result import EffectiveRule, Overridden
from renderer.model.plan import Manifest

Rules = tuple[EffectiveRule, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """Clusters with the same values: these, and the rules with them."""

    clusters: tuple[str, ...]
    values: tuple[str, ...]
    rules: Rules


@dataclass(frozen=True, slots=True, kw_only=True)
class Variants:
    """Manifests of one template, one for each of the parts, which are in order of their clusters.

    `body` and `overridden` have holes; `rules` are those with holes, of which each part has its own.
    """

    identity: Identity
    replicas: int
    completions: int | None
    body: Object
    overridden: Overridden
    rules: Rules
    parts: tuple[Part, ...]
    holes: Filling
    overridden_holes: Filling

    def __iter__(self) -> Iterator[Manifest]:
        """The manifests."""
        return (Variant(self, part) for part in self.parts)


class Variant(Manifest):
    """One of them; what is asked for is made then, and kept as long as it lives."""

    __slots__ = ("_body", "_overridden", "part", "variants")
    variants: Variants
    part: Part
    _body: Object | None
    _overridden: Overridden | None

    def __init__(self, variants: Variants, part: Part) -> None:
        """Take what all have in common, and what this one has of its own."""
        put = object.__setattr__
        put(self, "variants", variants)
        put(self, "part", part)
        put(self, "_body", None)
        put(self, "_overridden", None)
        put(self, "clusters", part.clusters)
        put(self, "identity", variants.identity)
        put(self, "replicas", variants.replicas)
        put(self, "completions", variants.completions)
        put(self, "adapted", ())
        put(self, "problem", None)

    @property
    def body(self) -> Object:
        """What is written."""
        made = self._body
        if made is None:
            made = filled_object(self.variants.body, self.variants.holes, self.part.values)
            object.__setattr__(self, "_body", made)
        return made

    @property
    def overridden(self) -> Overridden:
        """What the rules did."""
        made = self._overridden
        if made is None:
            made = _overridden(self.variants, self.part)
            object.__setattr__(self, "_overridden", made)
        return made


class VariedManifests(Sequence[Manifest]):
    """Manifests of one template in order of their clusters, some of them made when they are looked at."""

    __slots__ = ("_alike", "_many", "_single")

    def __init__(self, single: Iterable[Manifest], many: Iterable[Variants]) -> None:
        """Take manifests as they are, and such as differ in values."""
        self._single = tuple(single)
        self._many = tuple(many)
        self._alike: tuple[tuple[Manifest, ...], ...] | None = None

    def __len__(self) -> int:
        """How many there are."""
        return len(self._single) + sum(len(variants.parts) for variants in self._many)

    def __iter__(self) -> Iterator[Manifest]:
        """All of them."""
        return iter(sorted(chain(self._single, *self._many), key=_clusters))

    def alike(self, reads: Callable[[Variants, Path], bool]) -> Sequence[Manifest]:
        """See `alike`."""
        if self._alike is None:
            self._alike = tuple(map(_alike, self._many))
        made = [*self._single]
        for variants, together in zip(self._many, self._alike, strict=True):
            is_read = any(reads(variants, path) for path in paths(variants.holes))
            made += variants if is_read else together
        return sorted(made, key=_clusters)

    @overload
    def __getitem__(self, index: int) -> Manifest: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Manifest]: ...
    def __getitem__(self, index: int | slice) -> Manifest | Sequence[Manifest]:
        """One of them, or some."""
        return tuple(self)[index]


def _nowhere(_variants: Variants, _path: Path) -> bool:
    return False


def alike(
    manifests: Sequence[Manifest], reads: Callable[[Variants, Path], bool] = _nowhere
) -> Sequence[Manifest]:
    """The manifests, as one those that are the same to whoever is not told what the values are.

    Such a one stands for all its clusters; its body and its steps are those of the first. What may be asked
    of it is whether the values in its steps equal each other and other texts there: that all have in common.
    Whoever looks at what the text of a value is says so, by its place in the body, with `reads`.
    """
    return manifests.alike(reads) if isinstance(manifests, VariedManifests) else manifests


def _alike(variants: Variants) -> tuple[Manifest, ...]:
    known = {text for step in variants.overridden.steps for text in _texts(step.before, step.after)}
    groups: dict[tuple[str | int, ...], list[Part]] = {}
    for part in variants.parts:
        values = part.values
        pattern = tuple([value if value in known else values.index(value) for value in values])
        groups.setdefault(pattern, []).append(part)
    return tuple(
        Variant(
            variants, replace(parts[0], clusters=tuple(sorted(chain(*(part.clusters for part in parts)))))
        )
        for parts in groups.values()
    )


def _texts(*values: Maybe) -> Iterator[str]:
    """Every text in some values."""
    for value in values:
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict):
            yield from _texts(*value.values())
        elif isinstance(value, list):
            yield from _texts(*value)


def settled(manifest: Manifest) -> Manifest:
    """The manifest as one that has all it is asked for, and of which others can be made."""
    if not isinstance(manifest, Variant):
        return manifest
    return Manifest(
        clusters=manifest.clusters,
        identity=manifest.identity,
        replicas=manifest.replicas,
        completions=manifest.completions,
        body=manifest.body,
        overridden=manifest.overridden,
    )


def _clusters(manifest: Manifest) -> tuple[str, ...]:
    return manifest.clusters


def _overridden(variants: Variants, part: Part) -> Overridden:
    """What the rules did, with the values of a part."""
    whole, values = variants.overridden, part.values
    own = {id(rule): mine for rule, mine in zip(variants.rules, part.rules, strict=True)}
    return Overridden(
        body=filled_object(whole.body, variants.overridden_holes, values) if whole.body else whole.body,
        rules=tuple(own.get(id(rule), rule) for rule in whole.rules),
        steps=tuple(
            replace(
                step,
                rule=own.get(id(step.rule), step.rule),
                before=_value(step.before, values),
                after=_value(step.after, values),
            )
            for step in whole.steps
        ),
    )


def _value(value: Maybe, values: Sequence[str]) -> Maybe:
    """A value of a step with its holes filled, if it has any."""
    if value is ABSENT:
        return ABSENT
    if isinstance(value, Hole):
        return values[value.number]
    found = list(holes(value))
    return filled(value, filling(found), values) if found else value
