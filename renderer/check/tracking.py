"""Findings about what another tool notes on the objects that it applies itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from renderer.check.finding import Rule
from renderer.document.problem import Problem, Severity
from renderer.document.values import dig, text
from renderer.model.carried import Mark, clusters_of, marks, written
from renderer.model.plan import Plan, Rendering

TRACKED: Final = Rule(
    id="KR802",
    title="An object carries what another tool notes on its own",
)

RULES: Final = (TRACKED,)


@dataclass(frozen=True, slots=True)
class _Tool:
    """Who writes a mark, of which kind its objects are, and what comes of the mark."""

    name: str
    kind: tuple[str, str] | None
    why: str


_OWNS = "{0} takes the object for its own: what it does not find in its source it may delete"
_ARGO: Final = _Tool("Argo CD", ("argoproj.io", "Application"), _OWNS.format("Argo CD"))
_FLUX: Final = _Tool("Flux", ("kustomize.toolkit.fluxcd.io", "Kustomization"), _OWNS.format("Flux"))
_FLUX_HELM: Final = _Tool("Flux", ("helm.toolkit.fluxcd.io", "HelmRelease"), _OWNS.format("Flux"))
_HELM: Final = _Tool(
    "Helm", None, "it belongs to a release in the cluster it came from, and upgrades of the release write it"
)
_KUBECTL: Final = _Tool(
    "kubectl",
    None,
    "it is a copy of the object as it once was, values of a Secret included, for kubectl alone",
)

# Source: Argo CD common/common.go; Flux pkg/ssa and helm-controller internal/postrender; Helm pkg/action;
# k8s.io/api core/v1 annotation_key_constants.go.
_TOOLS: Final[Mapping[str, _Tool]] = {
    "argocd.argoproj.io/tracking-id": _ARGO,
    "argocd.argoproj.io/installation-id": _ARGO,
    "kustomize.toolkit.fluxcd.io/name": _FLUX,
    "kustomize.toolkit.fluxcd.io/namespace": _FLUX,
    "helm.toolkit.fluxcd.io/name": _FLUX_HELM,
    "helm.toolkit.fluxcd.io/namespace": _FLUX_HELM,
    "meta.helm.sh/release-name": _HELM,
    "meta.helm.sh/release-namespace": _HELM,
    "kubectl.kubernetes.io/last-applied-configuration": _KUBECTL,
}


def tracking_findings(plan: Plan) -> Iterator[Problem]:
    """All findings of this family: one a template and tool."""
    owners = _owners(plan)
    for rendering in written(plan):
        told: dict[str, list[Mark]] = {}
        for mark in marks(rendering, lambda _, key: key in _TOOLS):
            told.setdefault(_TOOLS[mark.key].name, []).append(mark)
        for found in told.values():
            yield _finding(rendering, found, owners)


def _finding(rendering: Rendering, found: list[Mark], owners: Mapping[tuple[str, ...], Rendering]) -> Problem:
    tool, mark = _TOOLS[found[0].key], found[0]
    identity = rendering.template.identity
    owner = next((owners[key] for key in _named(tool, found) if key in owners), None)
    what, why = f"{identity} has {mark}, which {tool.name} writes", tool.why
    common = _common(rendering, owner) if owner else ""
    if owner and common:
        what += f": {owner.template.identity} has it applied on {common}, too"
        why = "the object has two writers there, and each undoes what the other writes"
    return TRACKED.at(
        rendering.template.document,
        mark.pointer,
        what=what,
        why=why,
        fix=f"remove {'them' if len(found) > 1 else 'it'}" if not common else "leave it to one of the two",
        severity=Severity.ERROR if common else None,
    )


def _named(tool: _Tool, found: list[Mark]) -> Iterator[tuple[str, ...]]:
    """The keys of the objects that the marks may mean."""
    values = {mark.key.rpartition("/")[2]: mark.value for mark in found}
    if tool.kind is None:
        return
    if "tracking-id" in values:
        application = values["tracking-id"].partition(":")[0]
        yield (*tool.kind, application.rpartition("_")[2])
    if "name" in values:
        yield (*tool.kind, values["name"])


def _owners(plan: Plan) -> Mapping[tuple[str, ...], Rendering]:
    """The objects by which Argo CD and Flux are told what to apply."""
    kinds = {tool.kind for tool in _TOOLS.values()}
    return {
        (identity.group, identity.kind, identity.name): rendering
        for rendering in plan.renderings
        if ((identity := rendering.template.identity).group, identity.kind) in kinds
    }


def _common(rendering: Rendering, owner: Rendering) -> str:
    """A cluster on which both write, as far as it is known: an Application may write anywhere."""
    there = clusters_of(rendering)
    if owner.template.identity.kind == "Application":
        name = text(dig(owner.template.body, "spec", "destination", "name"))
        return name if name in there else ""
    return next((name for name in clusters_of(owner) if name in there), "")
