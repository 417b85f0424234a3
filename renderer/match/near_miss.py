"""Near misses: what stands between a selector that selects nothing and the template it was meant for.

Nothing is ever matched across a difference; this is only for telling the user.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum
from typing import Final

from renderer.match.labels import Unmet, invalid, unmet
from renderer.match.scope import Kind, Scope, scope_of
from renderer.model.identity import Identity, group_of
from renderer.model.selectors import ResourceSelector
from renderer.model.template import Template


class Difference(StrEnum):
    """An aspect in which a selector and a template disagree."""

    API_VERSION = "apiVersion"  # another version of the same group
    GROUP = "group"  # another group
    KIND_CASE = "kind"  # upper and lower case only
    NAMESPACE = "namespace"
    CLUSTER_SCOPED = "scope"  # a policy with a namespace, a kind without
    NAME_CASE = "name case"
    NAME = "name"  # one that looks alike
    OTHER_NAME = "other name"
    LABELS = "labels"
    INVALID_LABELS = "label selector"  # it can match nothing


@dataclass(frozen=True, slots=True, kw_only=True)
class Disagreement:
    """One aspect: what the selector asks for, what the template has; for labels the reason in words."""

    aspect: Difference
    wanted: str
    actual: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NearMiss:
    """The disagreements of a selector with one template; with a kind alone where `template` is None."""

    template: Identity | None
    disagreements: tuple[Disagreement, ...]


_COST: Final = {
    Difference.API_VERSION: 1,
    Difference.GROUP: 4,
    Difference.KIND_CASE: 1,
    Difference.NAMESPACE: 3,
    Difference.CLUSTER_SCOPED: 1,
    Difference.NAME_CASE: 1,
    Difference.NAME: 3,
    Difference.OTHER_NAME: 9,
    Difference.LABELS: 2,
    Difference.INVALID_LABELS: 2,
}
_FARTHEST: Final = 5  # beyond that the template is not what was meant
_ALIKE: Final = 0.75  # of two names, as difflib measures


class NearMisses:
    """Finds near misses among the templates of a workspace."""

    def __init__(self, templates: Iterable[Template], crds: Mapping[Kind, Scope] | None = None) -> None:
        """Index the templates; `crds` are the scopes the workspace declares."""
        self._crds = crds or {}
        by_kind: dict[str, list[Template]] = {}
        for template in templates:
            by_kind.setdefault(template.identity.kind.lower(), []).append(template)
        self._by_kind: Mapping[str, Sequence[Template]] = by_kind

    def of(
        self, selector: ResourceSelector, policy_namespace: str = "", most: int = 3
    ) -> tuple[NearMiss, ...]:
        """The nearest templates that the selector does not select, the nearest first, at most `most`.

        `policy_namespace` is that of the selector's policy, empty for a cluster-wide one.
        """
        found: list[tuple[int, tuple[bool, int], Identity, NearMiss]] = []
        for template in self._by_kind.get(selector.kind.lower(), ()):
            differences = disagreements(selector, template, policy_namespace)
            cost = sum(_COST[item.aspect] for item in differences)
            if differences and cost <= _FARTHEST:
                miss = NearMiss(template=template.identity, disagreements=differences)
                found.append((cost, _strangeness(selector, template), template.identity, miss))
        found.sort(key=lambda item: item[:3])
        return tuple(item[3] for item in found[:most]) or self._of_kind(selector, policy_namespace)

    def _of_kind(self, selector: ResourceSelector, policy_namespace: str) -> tuple[NearMiss, ...]:
        """What is wrong whatever templates there are: a namespaced policy for a cluster-scoped kind."""
        scope = scope_of(selector.api_version, selector.kind, self._crds)
        if not policy_namespace or scope is not Scope.CLUSTER:
            return ()
        scoped = Disagreement(aspect=Difference.CLUSTER_SCOPED, wanted=policy_namespace, actual="")
        return (NearMiss(template=None, disagreements=(scoped,)),)


def disagreements(
    selector: ResourceSelector, template: Template, policy_namespace: str = ""
) -> tuple[Disagreement, ...]:
    """Every aspect in which the two disagree, the kind but for its case apart; empty: it is selected."""
    identity = template.identity
    found = (
        _api(selector, identity),
        _namespace(selector, identity, policy_namespace),
        *(_name(selector, identity) if selector.name else _labels(selector, template)),
    )
    kind = () if selector.kind == identity.kind else (_kind(selector, identity),)
    return (*kind, *(item for item in found if item is not None))


def _kind(selector: ResourceSelector, identity: Identity) -> Disagreement:
    return Disagreement(aspect=Difference.KIND_CASE, wanted=selector.kind, actual=identity.kind)


def _api(selector: ResourceSelector, identity: Identity) -> Disagreement | None:
    if selector.api_version == identity.api_version:
        return None
    same_group = group_of(selector.api_version) == identity.group
    aspect = Difference.API_VERSION if same_group else Difference.GROUP
    return Disagreement(aspect=aspect, wanted=selector.api_version, actual=identity.api_version)


def _namespace(selector: ResourceSelector, identity: Identity, policy_namespace: str) -> Disagreement | None:
    wanted = selector.namespace or policy_namespace
    if not wanted or wanted == identity.namespace:
        return None
    scoped = not identity.namespace
    aspect = Difference.CLUSTER_SCOPED if scoped and policy_namespace else Difference.NAMESPACE
    return Disagreement(aspect=aspect, wanted=wanted, actual=identity.namespace)


def _name(selector: ResourceSelector, identity: Identity) -> tuple[Disagreement, ...]:
    wanted, actual = selector.name, identity.name
    if wanted == actual:
        return ()
    if wanted.lower() == actual.lower():
        return (Disagreement(aspect=Difference.NAME_CASE, wanted=wanted, actual=actual),)
    aspect = Difference.NAME if _alike(wanted, actual) else Difference.OTHER_NAME
    return (Disagreement(aspect=aspect, wanted=wanted, actual=actual),)


def _alike(one: str, other: str) -> bool:
    return SequenceMatcher(None, one, other).ratio() >= _ALIKE


def _labels(selector: ResourceSelector, template: Template) -> tuple[Disagreement, ...]:
    if selector.label_selector is None:
        return ()
    fault = invalid(selector.label_selector)
    if fault:
        return (Disagreement(aspect=Difference.INVALID_LABELS, wanted="", actual=fault),)
    return tuple(
        Disagreement(aspect=Difference.LABELS, wanted=", ".join(item.requirement.values), actual=str(item))
        for item in unmet(selector.label_selector, dict(template.labels))
    )


def _strangeness(selector: ResourceSelector, template: Template) -> tuple[bool, int]:
    """How little the labels look like what was meant; decides between templates that are equally near.

    The template whose name the selector asks for in a label comes first, then the one with the fewest labels
    that plainly say something else: one that lacks a label is rather meant than one of another app.
    """
    if selector.name or selector.label_selector is None or invalid(selector.label_selector):
        return False, 0
    wrong = unmet(selector.label_selector, dict(template.labels))
    named = any(template.identity.name in item.requirement.values for item in wrong)
    return not named, sum(map(_says_something_else, wrong))


def _says_something_else(label: Unmet) -> bool:
    actual = label.actual
    return actual is not None and not any(_alike(value, actual) for value in label.requirement.values)
