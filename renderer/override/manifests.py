"""The step: a scheduled template to what each of its clusters gets.

Replicas and completions are set first, overrides follow, pruning comes last. Each distinct result is made
once and shared by all clusters that get it.
Source: Karmada pkg/controllers/binding/common.go, ensureWork.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from renderer.document.problem import Problem
from renderer.document.values import Object, Value
from renderer.interpret.completions import divided_completions
from renderer.interpret.manifest import labelled, preserved_labels, published, revised
from renderer.interpret.operations import Operations
from renderer.match.fleet import Fleet, Mask, union
from renderer.model.binding import Binding, TargetCluster
from renderer.model.cluster import Cluster
from renderer.model.gates import FeatureGates
from renderer.model.holes import is_free
from renderer.model.identity import Identity, identity_of
from renderer.model.interpretation import InterpretError
from renderer.model.override_result import Overridden, same
from renderer.model.plan import Manifest
from renderer.model.sops import is_sops
from renderer.model.template import Template
from renderer.model.variants import Part, Variants, VariedManifests
from renderer.override.apply import Together, grouped, overridden
from renderer.override.holed import fillings
from renderer.override.order import RuleIndex
from renderer.override.rules import NO_MANIFEST
from renderer.override.targets import Parts, Targets


@dataclass(frozen=True, slots=True)
class Share:
    """What the division gives one cluster; clusters with equal shares start from one object."""

    replicas: int = 0
    completions: int | None = None


class Manifests:
    """Makes manifests of one workspace's templates."""

    def __init__(self, rules: RuleIndex, clusters: Iterable[Cluster], gates: FeatureGates) -> None:
        """Keep the rules and the inventory."""
        self._fleet = Fleet(clusters)
        self._targets = Targets(rules, self._fleet)
        self._gates = gates
        self._names: dict[Mask, tuple[str, ...]] = {}
        self._free: dict[int, bool] = {}  # templates, which live longer than this, by id
        self._parts: dict[int, tuple[Parts, tuple[Part, ...]]] = {}
        self._divisions: dict[int, tuple[tuple[TargetCluster, ...], Mapping[int, Mask]]] = {}

    def of(
        self, template: Template, body: Object, binding: Binding, operations: Operations
    ) -> Sequence[Manifest]:
        """The manifests of a scheduled template, each with the clusters that get it.

        `body` is the template's, with the maps a claim brings along where it has one. Clusters that the
        inventory does not have get nothing. Manifests are in the order of their first cluster by name.
        """
        divided = self._divided(binding.target_clusters)
        try:
            completions = divided_completions(body, binding)
        except InterpretError as error:
            failed = self._failed(template, Share(), union(divided.values()), str(error))
            return (failed,) if failed.clusters else ()
        body = template.body if is_sops(template.body) else body
        made: list[Manifest | Variants] = []
        for share, mask in self._shares(divided, completions):
            target = TargetCluster(name=self._named(mask)[0], replicas=share.replicas)
            try:
                start = revised(body, binding, target, operations, completions)
            except InterpretError as error:
                made.append(self._failed(template, share, mask, str(error)))
                continue
            # Only a workload that fails over, hence goes to one cluster, takes labels along.
            labels = preserved_labels(binding, target) if self._gates.stateful_failover_injection else {}
            made += self._made(template, start, share, mask, labels)
        return _in_order(made)

    def alike(self, template: Template, names: Iterable[str]) -> Sequence[Manifest]:
        """The manifests of an object that is not scheduled, as a Namespace that follows its contents."""
        return _in_order(self._made(template, template.body, Share(), self._fleet.named(names), {}))

    def named(self, template: Template, body: Object, names: Iterable[str]) -> tuple[Manifest, ...]:
        """What an object is called on clusters that keep it as published: manifests without a body."""
        masks: dict[Identity, Mask] = {}
        for result, members in overridden(self._targets, body, self._fleet.named(names)):
            identity = template.identity if result.body is None else identity_of(result.body)
            masks[identity] = masks.get(identity, 0) | members
        kept = (Manifest(clusters=self._named(mask), identity=name) for name, mask in masks.items())
        return tuple(sorted(kept, key=_clusters))

    def _divided(self, targets: tuple[TargetCluster, ...]) -> Mapping[int, Mask]:
        """Replicas -> the clusters that run so many; of a name that is repeated, the last entry counts."""
        known = self._divisions.get(id(targets))
        if known is None:
            position = self._fleet.position
            held = {position.get(target.name, -1): target.replicas for target in targets}
            held.pop(-1, None)
            places: dict[int, list[int]] = {}
            for place, replicas in held.items():
                places.setdefault(replicas, []).append(place)
            divided = {replicas: self._fleet.mask(group) for replicas, group in places.items()}
            # Bindings with the same result share the tuple; kept here, its id stays its own.
            known = self._divisions[id(targets)] = (targets, divided)
        return known[1]

    def _shares(
        self, divided: Mapping[int, Mask], completions: Mapping[str, int] | None
    ) -> Iterator[tuple[Share, Mask]]:
        for replicas, mask in divided.items():
            if completions is None:
                yield Share(replicas), mask
                continue
            places: dict[int | None, list[int]] = {}
            for place in self._fleet.positions(mask):
                places.setdefault(completions.get(self._fleet.names[place]), []).append(place)
            for count, group in places.items():
                yield Share(replicas, count), self._fleet.mask(group)

    def _made(
        self, template: Template, start: Object, share: Share, mask: Mask, labels: Mapping[str, Value]
    ) -> Iterator[Manifest | Variants]:
        """One manifest for each distinct result of the overrides."""
        for item in grouped(self._targets, start, mask):
            if isinstance(item, Together):
                variants = self._variants(template, item, share, labels)
                if variants is not None:
                    yield variants
                    continue
            results = item.apart() if isinstance(item, Together) else (item,)
            for result, members in results:
                yield self._manifest(template, result, members, share, labels)

    def _manifest(
        self, template: Template, result: Overridden, members: Mask, share: Share, labels: Mapping[str, Value]
    ) -> Manifest:
        body, problem = result.body, result.problem
        if body is not None and is_sops(template.body):
            body, problem = _sealed(template, labelled(body, labels), result)
        elif body is not None:
            try:
                body = published(labelled(body, labels), template.body)
            except InterpretError as error:
                body, problem = None, _problem(template, str(error))
        return Manifest(
            clusters=self._named(members),
            identity=template.identity if body is None else identity_of(body),
            replicas=share.replicas,
            completions=share.completions,
            body=body,
            overridden=result,
            problem=problem,
        )

    def _variants(
        self, template: Template, together: Together, share: Share, labels: Mapping[str, Value]
    ) -> Variants | None:
        """The manifests that differ in values only; None where each has to be made."""
        free = self._free.get(id(template))
        if free is None:
            free = self._free[id(template)] = is_free(template.body) and not is_sops(template.body)
        if not free:
            return None
        made = self._manifest(template, together.result, 0, share, labels)
        if made.body is None:
            return None
        found = fillings(made.body, together.result, together.start.body or {})
        if found is None:
            return None
        return Variants(
            identity=made.identity,
            replicas=share.replicas,
            completions=share.completions,
            body=made.body,
            overridden=together.result,
            rules=together.valued.holed,
            parts=self._parts_of(together.valued.parts),
            holes=found[0],
            overridden_holes=found[1],
        )

    def _parts_of(self, parts: Parts) -> tuple[Part, ...]:
        """The parts by the names of their clusters; the same for all templates with the same rules."""
        known = self._parts.get(id(parts))
        if known is None:
            named = (
                Part(
                    clusters=self._named(members),
                    values=tuple(value for rule in rules for value in rule.values),
                    rules=rules,
                )
                for rules, members in parts
            )
            # The parts are kept as well, so that their id stays their own.
            known = self._parts[id(parts)] = (parts, tuple(sorted(named, key=_clusters)))
        return known[1]

    def _failed(self, template: Template, share: Share, mask: Mask, error: str) -> Manifest:
        return Manifest(
            clusters=self._named(mask),
            identity=template.identity,
            replicas=share.replicas,
            completions=share.completions,
            problem=_problem(template, error),
        )

    def _named(self, mask: Mask) -> tuple[str, ...]:
        """The names in a mask: one tuple for all manifests of the same clusters."""
        names = self._names.get(mask)
        if names is None:
            names = self._names[mask] = tuple(map(self._fleet.names.__getitem__, self._fleet.positions(mask)))
        return names


def _in_order(made: Iterable[Manifest | Variants]) -> Sequence[Manifest]:
    """Manifests by the first of their clusters."""
    single, many = [], []
    for item in made:
        if isinstance(item, Variants):
            many.append(item)
        else:
            single.append(item)
    ordered = sorted(single, key=_clusters)
    return VariedManifests(ordered, many) if many else tuple(ordered)


def _clusters(item: Manifest | Part) -> tuple[str, ...]:
    return item.clusters


def _sealed(template: Template, body: Object, result: Overridden) -> tuple[Object | None, Problem | None]:
    """An object encrypted with SOPS as it is; nothing where somebody would change it."""
    if same(body, template.body):
        return template.body, None
    steps = [step for step in result.steps if step.changed]
    who = f"{steps[0].rule} would change {steps[0].path}" if steps else "its replicas would be set"
    problem = NO_MANIFEST.at(
        template.document,
        what=f"{template.identity} is encrypted with SOPS, and {who}",
        why="SOPS seals all values of a file together; changed, it could not be decrypted any more",
        fix="encrypt one file for each variant, and place each by a policy of its own",
    )
    return None, problem


def _problem(template: Template, error: str) -> Problem:
    return NO_MANIFEST.at(
        template.document,
        what=f"{template.identity} cannot be rendered: {error}",
        why="it does not reach the clusters it was scheduled to",
        fix="correct the field in the template, or in the override that wrote it",
    )
