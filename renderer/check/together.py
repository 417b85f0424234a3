"""Findings about what belongs together and does not go together: followers, needs, and parents at odds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from renderer.check.finding import Rule, some
from renderer.document.problem import Problem, Severity
from renderer.document.values import Object, Value, dig, mapping, sequence, text
from renderer.interpret.optional import needed
from renderer.load.selectors import label_selector_of
from renderer.match.labels import matches
from renderer.model.binding import Binding
from renderer.model.cluster import Cluster
from renderer.model.identity import Identity, group_of, string_map
from renderer.model.plan import Plan, Rendering
from renderer.schedule.dependents import TemplateIndex

APART: Final = Rule(id="KR601", title="What is about a workload is not where the workload is")
UNSUPPLIED: Final = Rule(id="KR602", title="What a workload needs is not where the workload is")
AT_ODDS: Final = Rule(id="KR603", title="Workloads that share a dependency disagree about it")

RULES: Final = (APART, UNSUPPLIED, AT_ODDS)

Clusters: TypeAlias = Mapping[str, None]

_PODS: Final = (("spec", "jobTemplate", "spec", "template"), ("spec", "template"))
_EFFECT: Final = {
    "Service": "there no traffic reaches its pods by this name",
    "Ingress": "there no traffic reaches it from outside",
    "HorizontalPodAutoscaler": "there nothing scales it",
    "PodDisruptionBudget": "there nothing limits its disruption",
}


def together_findings(plan: Plan) -> Iterator[Problem]:
    """All findings of this family."""
    company = _Company(plan.renderings, plan.workspace.clusters)
    index = TemplateIndex(plan.workspace.templates)
    for rendering in plan.renderings:
        yield from company.apart(rendering)
        yield from _unsupplied(rendering, company, index)
    yield from _at_odds(plan)


@dataclass(frozen=True, slots=True)
class _Workload:
    """Something with pods, the labels of the pods, and where it is."""

    rendering: Rendering
    labels: Mapping[str, str]


class _Company:
    """The renderings by what others say of them."""

    def __init__(self, renderings: Sequence[Rendering], clusters: Sequence[Cluster]) -> None:
        self.clusters = {cluster.name: cluster for cluster in clusters}
        self.by_identity = {item.template.identity: item for item in renderings}
        self.scalable: dict[tuple[str, str, str, str], Rendering] = {}
        self.workloads: dict[str, list[_Workload]] = {}  # by namespace
        for item in renderings:
            identity = item.template.identity
            self.scalable[identity.key] = item
            labels = _pod_labels(item.template.body)
            if labels is not None and item.manifests:
                self.workloads.setdefault(identity.namespace, []).append(_Workload(item, labels))

    def apart(self, rendering: Rendering) -> Iterator[Problem]:
        """Where an object is about workloads that are on clusters without it."""
        pointer, about = self._about(rendering)
        if not about:
            return
        here, identity = _clusters(rendering), rendering.template.identity
        missing = {
            name: None
            for item in about
            for name in _clusters(item)
            if name not in here and _serves(self.clusters[name], identity)
        }
        if missing:
            yield self._told(rendering, pointer, about, sorted(missing))

    def _told(
        self, rendering: Rendering, pointer: str, about: Sequence[Rendering], missing: Sequence[str]
    ) -> Problem:
        identity = rendering.template.identity
        policy = about[0].claim.policy
        return APART.at(
            rendering.template.document,
            pointer,
            what=f"{identity} does not go to {some(missing)}, "
            f"where {some([item.template.identity for item in about])} is",
            why=_EFFECT[identity.kind],
            fix=f"select it in {policy} too" if policy else "place it on the same clusters",
        )

    def _about(self, rendering: Rendering) -> tuple[str, tuple[Rendering, ...]]:
        """The placed renderings that an object is about, and where it says so."""
        identity, spec = rendering.template.identity, mapping(rendering.template.body.get("spec"))
        match (identity.group, identity.kind):
            case ("", "Service"):
                return "/spec/selector", self._selected(identity.namespace, _equal_labels(spec))
            case ("policy", "PodDisruptionBudget"):
                return "/spec/selector", self._selected(identity.namespace, spec.get("selector"))
            case ("autoscaling", "HorizontalPodAutoscaler"):
                target = mapping(spec.get("scaleTargetRef"))
                return "/spec/scaleTargetRef", self._scaled(identity.namespace, target)
            case ("networking.k8s.io", "Ingress"):
                return "/spec", self._served(identity.namespace, spec)
            case _:
                return "", ()

    def _selected(self, namespace: str, selector: Value) -> tuple[Rendering, ...]:
        labels = label_selector_of(selector)
        if labels is None:
            return ()
        workloads = self.workloads.get(namespace, ())
        return tuple(item.rendering for item in workloads if matches(labels, item.labels))

    def _scaled(self, namespace: str, target: Object) -> tuple[Rendering, ...]:
        group, kind, name = group_of(text(target.get("apiVersion"))), target.get("kind"), target.get("name")
        found = self.scalable.get((group, text(kind), namespace, text(name)))
        return (found,) if found is not None and found.manifests else ()

    def _served(self, namespace: str, spec: Object) -> tuple[Rendering, ...]:
        backends = [spec.get("defaultBackend")]
        for rule in sequence(spec.get("rules")):
            backends += [dig(path, "backend") for path in sequence(dig(rule, "http", "paths"))]
        names = dict.fromkeys(text(dig(backend, "service", "name")) for backend in backends)
        found = (self.by_identity.get(Identity("v1", "Service", namespace, name)) for name in names if name)
        return tuple(item for item in found if item is not None and item.manifests)


def _serves(cluster: Cluster, identity: Identity) -> bool:
    """Whether a cluster could have the object at all; where nobody knows, it could."""
    return not cluster.apis_known or any(
        version == identity.api_version and identity.kind in kinds
        for version, kinds in cluster.api_enablements
    )


def _equal_labels(spec: Object) -> Value:
    """The selector of a Service, as a label selector; one without labels selects nothing."""
    selector = spec.get("selector")
    return {"matchLabels": selector} if isinstance(selector, dict) and selector else None


def _pod_labels(body: Object) -> Mapping[str, str] | None:
    """The labels of the pods that an object makes; None where it makes none."""
    if (body.get("apiVersion"), body.get("kind")) == ("v1", "Pod"):
        return string_map(dig(body, "metadata", "labels")) or {}
    for path in _PODS:
        template = dig(body, *path)
        if isinstance(dig(template, "spec"), dict):
            return string_map(dig(template, "metadata", "labels")) or {}
    return None


def _clusters(rendering: Rendering) -> Clusters:
    return dict.fromkeys(name for manifest in rendering.manifests for name in manifest.clusters)


def _unsupplied(rendering: Rendering, company: _Company, index: TemplateIndex) -> Iterator[Problem]:
    """Where something that the workspace has is needed on clusters to which it does not go."""
    if not rendering.manifests or rendering.keeps_files:
        return
    lacking: dict[str, list[Identity]] = {}
    for need in needed(rendering.interpretation.dependencies, rendering.template.body):
        for identity in index.named(need) if need.name else ():
            there = _clusters(company.by_identity[identity])
            for name in _clusters(rendering):
                if name not in there:
                    lacking.setdefault(name, []).append(identity)
    if lacking:
        objects = dict.fromkeys(identity for found in lacking.values() for identity in found)
        yield UNSUPPLIED.at(
            rendering.template.document,
            what=f"{rendering.template.identity} goes to {some(sorted(lacking))} "
            f"without {some(list(objects))}, which it needs",
            why="where nothing else makes it, it is missing",
            fix="set propagateDeps: true in its policy, or place what it needs on the same clusters",
        )


def _at_odds(plan: Plan) -> Iterator[Problem]:
    bindings = {
        rendering.binding.key: rendering.binding
        for rendering in plan.renderings
        if rendering.binding is not None
    }
    for rendering in plan.renderings:
        binding = rendering.binding
        if binding is None or binding.placement is not None:
            continue
        parents = [
            bindings[item.namespace, item.name]
            for item in binding.required_by
            if (item.namespace, item.name) in bindings
        ]
        yield from _disagreements(rendering, binding, parents)


def _disagreements(rendering: Rendering, binding: Binding, parents: Sequence[Binding]) -> Iterator[Problem]:
    """Of two words about a shared dependency the stronger counts, for all of them."""
    preserve = [bool(parent.preserve_resources_on_deletion) for parent in parents]
    conflict = [parent.conflict_resolution or "Abort" for parent in parents]
    for field, words, counts in (
        ("conflictResolution", conflict, binding.conflict_resolution),
        (
            "preserveResourcesOnDeletion",
            [str(word).lower() for word in preserve],
            str(bool(binding.preserve_resources_on_deletion)).lower(),
        ),
    ):
        if len(set(words)) > 1:
            told = [f"{parent.identity} ({word})" for parent, word in zip(parents, words, strict=True)]
            yield AT_ODDS.at(
                rendering.template.document,
                what=f"{rendering.template.identity} follows {some(told)}, whose {field} differ",
                why=f"the stronger word counts for all: {counts}",
                fix=f"state one {field} in their policies, or give it a policy of its own",
                severity=Severity.WARNING,
            )
