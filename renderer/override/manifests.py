"""The step: a scheduled template to what each of its clusters gets.

Replicas and completions are set first, overrides follow, pruning comes last. Each distinct result is made
once and shared by all clusters that get it.
Source: Karmada pkg/controllers/binding/common.go, ensureWork.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from renderer.document.problem import Problem
from renderer.document.values import Object, Value
from renderer.interpret.completions import divided_completions
from renderer.interpret.manifest import labelled, preserved_labels, published, revised
from renderer.interpret.operations import Operations
from renderer.model.binding import Binding, TargetCluster
from renderer.model.cluster import Cluster
from renderer.model.gates import FeatureGates
from renderer.model.identity import identity_of
from renderer.model.interpretation import InterpretError
from renderer.model.override_result import Overridden, same
from renderer.model.plan import Manifest
from renderer.model.sops import is_sops
from renderer.model.template import Template
from renderer.override.apply import Overriding
from renderer.override.order import RuleIndex
from renderer.override.rules import NO_MANIFEST


@dataclass(frozen=True, slots=True)
class Share:
    """What the division gives one cluster; clusters with equal shares start from one object."""

    replicas: int = 0
    completions: int | None = None


class Manifests:
    """Makes manifests of one workspace's templates."""

    def __init__(self, rules: RuleIndex, clusters: Iterable[Cluster], gates: FeatureGates) -> None:
        """Keep the rules and the inventory."""
        self._rules = rules
        self._clusters = {cluster.name: cluster for cluster in clusters}
        self._gates = gates

    def of(
        self, template: Template, body: Object, binding: Binding, operations: Operations
    ) -> tuple[Manifest, ...]:
        """The manifests of a scheduled template, each with the clusters that get it.

        `body` is the template's, with the maps a claim brings along where it has one. Clusters that the
        inventory does not have get nothing. Manifests are in the order of their first cluster by name.
        """
        targets = sorted(
            (target for target in binding.target_clusters if target.name in self._clusters),
            key=lambda target: target.name,
        )
        try:
            completions = divided_completions(body, binding)
        except InterpretError as error:
            return _nothing(template, targets, str(error))
        body = template.body if is_sops(template.body) else body
        groups: dict[Share, _Group] = {}
        for target in targets:
            share = Share(target.replicas, None if completions is None else completions.get(target.name))
            group = groups.get(share)
            if group is None:
                group = groups[share] = self._group(template, body, binding, target, operations, completions)
            group.add(self._clusters[target.name])
        made = [
            manifest for share, group in groups.items() for manifest in group.manifests(share, template.body)
        ]
        return tuple(sorted(made, key=lambda manifest: manifest.clusters))

    def alike(self, template: Template, names: Iterable[str]) -> tuple[Manifest, ...]:
        """The manifests of an object that is not scheduled, as a Namespace that follows its contents."""
        group = _Group(Overriding(self._rules, template.body), {}, template)
        for name in sorted(names):
            group.add(self._clusters[name])
        return tuple(sorted(group.manifests(Share(), template.body), key=lambda manifest: manifest.clusters))

    def _group(
        self,
        template: Template,
        body: Object,
        binding: Binding,
        target: TargetCluster,
        operations: Operations,
        completions: Mapping[str, int] | None,
    ) -> _Group:
        try:
            start = revised(body, binding, target, operations, completions)
        except InterpretError as error:
            return _Group(None, {}, template, error=str(error))
        # Only a workload that fails over, hence goes to one cluster, takes labels along.
        labels = preserved_labels(binding, target) if self._gates.stateful_failover_injection else {}
        return _Group(Overriding(self._rules, start), labels, template)


class _Group:
    """Clusters with one share, by what the overrides make of it."""

    def __init__(
        self, overriding: Overriding | None, labels: Mapping[str, Value], template: Template, error: str = ""
    ) -> None:
        self._overriding = overriding
        self._labels = labels
        self._template = template
        self._error = error
        self._results: dict[int, tuple[Overridden | None, list[str]]] = {}

    def add(self, cluster: Cluster) -> None:
        """One more cluster."""
        result = self._overriding.on(cluster) if self._overriding else None
        # Equal results are one object, which `_results` keeps alive: its id is its name here.
        self._results.setdefault(id(result), (result, []))[1].append(cluster.name)

    def manifests(self, share: Share, original: Object) -> Iterable[Manifest]:
        """One manifest for each distinct result."""
        for result, names in self._results.values():
            body, problem = result.body if result else None, result.problem if result else None
            if result is None:
                problem = _problem(self._template, self._error)
            if body is not None and is_sops(original):
                body, problem = _sealed(self._template, labelled(body, self._labels), result)
            elif body is not None:
                try:
                    body = published(labelled(body, self._labels), original)
                except InterpretError as error:
                    body, problem = None, _problem(self._template, str(error))
            yield Manifest(
                clusters=tuple(names),
                identity=self._template.identity if body is None else identity_of(body),
                replicas=share.replicas,
                completions=share.completions,
                body=body,
                overridden=result,
                problem=problem,
            )


def _nothing(template: Template, targets: Iterable[TargetCluster], error: str) -> tuple[Manifest, ...]:
    names = tuple(target.name for target in targets)
    problem = _problem(template, error)
    return (Manifest(clusters=names, identity=template.identity, problem=problem),) if names else ()


def _sealed(
    template: Template, body: Object, result: Overridden | None
) -> tuple[Object | None, Problem | None]:
    """An object encrypted with SOPS as it is; nothing where somebody would change it."""
    if same(body, template.body):
        return template.body, None
    steps = [step for step in result.steps if step.changed] if result else []
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
