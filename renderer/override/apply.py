"""An object with everything that the rules say of it on one cluster.

Source: Karmada pkg/util/overridemanager/overridemanager.go, ApplyOverridePolicies and applyPolicyOverriders.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

from renderer.document.problem import Problem
from renderer.document.values import Object
from renderer.match.fleet import Fleet, Mask
from renderer.model.cluster import Cluster
from renderer.model.identity import identity_of, labels_of
from renderer.model.override_result import EffectiveRule, Failure, Overridden
from renderer.model.overrides import Overriders
from renderer.override.command_args import apply_args, apply_command
from renderer.override.draft import Draft, OverrideError
from renderer.override.field import apply_field
from renderer.override.image import apply_image
from renderer.override.metadata import apply_annotations, apply_labels
from renderer.override.order import RuleIndex, Selection
from renderer.override.plaintext import apply_plaintext
from renderer.override.rules import NOT_APPLICABLE
from renderer.override.targets import Targets, Valued

Overrider = Callable[[Draft, Overriders], None]

# In the order in which a rule applies them. The last is always run: Karmada reads the object anew after
# each rule, and refuses one that has lost its kind.
OVERRIDERS: Final[tuple[tuple[str, Overrider], ...]] = (
    ("imageOverrider", apply_image),
    ("commandOverrider", apply_command),
    ("argsOverrider", apply_args),
    ("labelsOverrider", apply_labels),
    ("annotationsOverrider", apply_annotations),
    ("fieldOverrider", apply_field),
    ("plaintext", apply_plaintext),
)

_SPLIT: Final = "split the policy by kind: each operation is tried on every object that the policy selects"


def apply_rules(body: Object, rules: Iterable[EffectiveRule]) -> Overridden:
    """The body with the rules applied one after the other; it stays as it is. The first failure ends it."""
    return _continued(Overridden(body=body), rules)


def override(index: RuleIndex, body: Object, cluster: Cluster) -> Overridden:
    """The body with all that applies to it on the cluster. It states its own namespace and labels."""
    fleet = Fleet([cluster])
    ((result, _),) = overridden(Targets(index, fleet), body, fleet.everything)
    return result


@dataclass(frozen=True, slots=True)
class Together:
    """What becomes of an object on clusters that differ in values only: a result with holes for these."""

    start: Overridden  # which the rules are applied to
    result: Overridden
    valued: Valued

    def apart(self) -> Iterator[tuple[Overridden, Mask]]:
        """The result of each of them."""
        return ((_continued(self.start, rules), members) for rules, members in self.valued.parts)


def overridden(targets: Targets, body: Object, mask: Mask) -> Iterator[tuple[Overridden, Mask]]:
    """What becomes of an object on the clusters of a mask, each result with the clusters that have it.

    `body` is the object after its replicas were set. OverridePolicies are selected by what the
    ClusterOverridePolicies made of it.
    """
    for result in grouped(targets, body, mask):
        if isinstance(result, Together):
            yield from result.apart()
        else:
            yield result


def grouped(targets: Targets, body: Object, mask: Mask) -> Iterator[tuple[Overridden, Mask] | Together]:
    """The same, with results together that differ in values only."""
    start = Overridden(body=body)
    selections: dict[tuple[object, ...], Selection] = {}
    for rules, members in targets.parts(_first(targets, body), mask):
        changed = _continued(start, rules)
        if changed.body is None:
            yield changed, members
            continue
        identity, labels = identity_of(changed.body), labels_of(changed.body)
        seen = (identity, *sorted(labels.items()))
        if seen not in selections:
            selections[seen] = targets.index.namespaced_rules(identity, labels)
        for group in targets.grouped(selections[seen], members):
            if isinstance(group, Valued):
                yield Together(changed, _continued(changed, group.holed), group)
            else:
                yield _continued(changed, group[0]), group[1]


def _first(targets: Targets, body: Object) -> Selection:
    return targets.index.cluster_rules(identity_of(body), labels_of(body))


def _continued(start: Overridden, rules: Iterable[EffectiveRule]) -> Overridden:
    rules = tuple(rules)
    if not rules or start.body is None:
        return start
    draft = Draft(start.body, patched=bool(start.rules))
    failure = None
    done = 0
    for rule in rules:
        failure = _failure(draft, rule)
        if failure is not None:
            break
        done += 1
    return Overridden(
        body=draft.body if failure is None else None,
        rules=(*start.rules, *rules[:done]),
        steps=(*start.steps, *draft.steps),
        failure=failure,
    )


def _failure(draft: Draft, rule: EffectiveRule) -> Failure | None:
    """Apply one rule to the draft; give what stopped it."""
    if rule.fault is not None:
        return Failure(rule=rule, overrider="", index=0, problem=rule.fault)
    for name, overrider in OVERRIDERS:
        draft.begin(rule, name)
        try:
            overrider(draft, rule.overriders)
        except OverrideError as error:
            return Failure(
                rule=rule,
                overrider=name,
                index=error.index,
                operator=error.operator,
                path=error.path,
                sub_path=error.sub_path,
                deepest=error.deepest,
                missing=error.missing,
                problem=_problem(draft, rule, name, error),
            )
    return None


def _problem(draft: Draft, rule: EffectiveRule, name: str, error: OverrideError) -> Problem:
    path = f' "{error.path}"' if error.path else ""
    inside = f' at "{error.sub_path}"' if error.sub_path else ""
    deepest = f" in {_named(error.deepest)}" if error.missing and error.sub_path is None else ""
    what = (
        f"{rule}: {name} {error.index + 1}{path}{inside} cannot be applied to "
        f"{identity_of(draft.body)}: {error.reason}{deepest}"
    )
    return NOT_APPLICABLE.at(
        rule.policy.document,
        f"{rule.rule.pointer}/{name}/{error.index}",
        what=what,
        why="the object does not reach the clusters that this rule is about",
        fix=_SPLIT if _is_for_another_kind(draft.body, rule, error) else error.fix,
    )


def _named(pointer: str) -> str:
    return f'"{pointer}"' if pointer else "the object"


def _is_for_another_kind(body: Object, rule: EffectiveRule, error: OverrideError) -> bool:
    """Whether a path begins with a field that the object lacks, under a policy that selects several kinds."""
    kinds = {(selector.api_version, selector.kind) for selector in rule.policy.resource_selectors}
    lacks = bool(error.missing) and not error.deepest and error.sub_path is None
    return (
        lacks
        and len(kinds) != 1
        and error.path.count("/") > 1
        and not get_close_matches(error.missing, body, n=1, cutoff=0.7)
    )
