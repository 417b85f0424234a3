"""Findings about workloads whose selector leaves out their own pods: an API server refuses them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from renderer.check.finding import Rule, some
from renderer.document.problem import Problem, Severity
from renderer.document.values import Object, dig, mapping
from renderer.load.selectors import label_selector_of
from renderer.match.labels import why_not
from renderer.model.carried import written
from renderer.model.holes import Path
from renderer.model.override_result import Step
from renderer.model.plan import Manifest, Plan, Rendering
from renderer.model.selectors import LabelSelector
from renderer.model.variants import Variants, alike

NOT_ITS_OWN: Final = Rule(
    id="KR509", title="A workload does not select its own pods", severity=Severity.ERROR
)

RULES: Final = (NOT_ITS_OWN,)

_KINDS: Final = ("DaemonSet", "Deployment", "ReplicaSet", "StatefulSet")
_PLACES: Final = ("/spec/selector", "/spec/template/metadata/labels")


def pod_findings(plan: Plan) -> Iterator[Problem]:
    """All findings of this family: in templates, and in what overrides make of them."""
    for rendering in written(plan):
        identity = rendering.template.identity
        if identity.api_version != "apps/v1" or identity.kind not in _KINDS:
            continue
        fault = _fault(rendering.template.body)
        if fault:
            yield NOT_ITS_OWN.at(
                rendering.template.document,
                "/spec/selector",
                what=f"{identity} does not select its own pods: {fault}",
                why="an API server refuses the object",
                fix="give spec.template.metadata.labels what spec.selector asks for",
            )
        else:
            yield from _by_overrides(rendering)


def _by_overrides(rendering: Rendering) -> Iterator[Problem]:
    told: dict[tuple[object, ...], tuple[Step, str, list[str]]] = {}
    for manifest in alike(rendering.manifests, _is_read):
        step = _suspect(manifest)
        fault = _fault(manifest.body) if step and manifest.body is not None else ""
        if step and fault:
            told.setdefault((step.rule.key, step.index), (step, fault, []))[2].extend(manifest.clusters)
    for step, fault, clusters in told.values():
        yield NOT_ITS_OWN.at(
            step.rule.policy.document,
            f"{step.rule.rule.pointer}/{step.overrider}/{step.index}",
            what=f"{step.rule}: {rendering.template.identity} does not select its own pods any more on "
            f"{some(sorted(clusters))}: {fault}",
            why="an API server refuses the object, and the cluster keeps what it has",
            fix="override spec.selector and spec.template.metadata.labels alike, for new objects only",
        )


def _is_read(_variants: Variants, path: Path) -> bool:
    """Whether a value is one of those that are compared."""
    return path[:2] == ("spec", "selector") or path[:4] == ("spec", "template", "metadata", "labels")


def _suspect(manifest: Manifest) -> Step | None:
    """The last override that wrote the selector or the labels, or something around or in them."""
    for step in reversed(manifest.overridden.steps if manifest.overridden else ()):
        if step.changed and any(
            f"{place}/".startswith(f"{step.path}/") or step.path.startswith(f"{place}/") for place in _PLACES
        ):
            return step
    return None


def _fault(body: Object) -> str:
    selector = label_selector_of(dig(body, "spec", "selector"))
    if selector is None or selector == LabelSelector():
        return ""
    labels = mapping(dig(body, "spec", "template", "metadata", "labels"))
    plain = {key: value for key, value in labels.items() if isinstance(value, str)}
    return "; ".join(why_not(selector, plain)) if len(plain) == len(labels) else ""
