"""Findings about hooks: objects that Helm or Argo CD would run at a moment, and others apply at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from renderer.check.finding import Rule, some
from renderer.document.problem import Problem
from renderer.model.carried import Mark, clusters_of, marks, written
from renderer.model.delivery_engine import Engine
from renderer.model.plan import Plan, Rendering

NO_HOOK: Final = Rule(id="KR804", title="A hook is no hook where it is applied")

RULES: Final = (NO_HOOK,)

_HELM: Final = "helm.sh/hook"
_ARGO: Final = "argocd.argoproj.io/hook"
# Source: argoproj/gitops-engine pkg/sync/hook/helm/type.go, pkg/sync/hook/hook.go.
_PHASES: Final[Mapping[str, str]] = {
    "pre-install": "PreSync",
    "pre-upgrade": "PreSync",
    "post-install": "PostSync",
    "post-upgrade": "PostSync",
    "pre-delete": "PreDelete",
    "post-delete": "PostDelete",
}
_ORDINARY: Final = "crd-install"  # of Helm 2; Argo CD applies such an object like any other
_STAYS: Final = (
    "it is applied with everything else, in no order, and stays: nothing deletes it when it is done"
)


def hook_findings(plan: Plan) -> Iterator[Problem]:
    """All findings of this family: one a template."""
    delivery = plan.workspace.config.delivery
    engines = {cluster.name: delivery.engine_of(cluster) for cluster in plan.workspace.clusters}
    for rendering in written(plan):
        for mark in marks(rendering, lambda _, key: key in (_HELM, _ARGO))[:1]:
            yield from _finding(rendering, mark, engines)


def _finding(rendering: Rendering, mark: Mark, engines: Mapping[str, Engine]) -> Iterator[Problem]:
    clusters = clusters_of(rendering)
    argo = [name for name in clusters if engines.get(name) is Engine.ARGOCD]
    others = [name for name in clusters if name not in argo]
    for what, why in (
        _argo_hook(mark, [name for name in others if engines.get(name) is Engine.FLUX])
        if mark.key == _ARGO
        else _helm_hook(mark, argo, others)
    ):
        yield NO_HOOK.at(
            rendering.template.document,
            mark.pointer,
            what=f"{rendering.template.identity} is a {what}",
            why=why,
            fix=f"take it out, or remove {mark} if the object is to stay",
        )


def _argo_hook(mark: Mark, flux: list[str]) -> Iterator[tuple[str, str]]:
    if flux:
        yield f"hook of Argo CD ({mark.value}), and Flux applies it on {some(flux)}", _STAYS


def _helm_hook(mark: Mark, argo: list[str], others: list[str]) -> Iterator[tuple[str, str]]:
    words = [word.strip() for word in mark.value.split(",")]
    if argo and not any(word in _PHASES or word == _ORDINARY for word in words):
        yield (
            f"Helm hook ({mark.value}) that Argo CD does not know, so it never reaches {some(argo)}",
            "a hook without a phase in Argo CD is passed over without a word",
        )
    if others:
        yield (
            f"Helm hook ({mark.value}), and nobody runs it as one on {some(others)}",
            f"only Helm does{_in_argo(words)}; by kubectl or Flux {_STAYS}",
        )


def _in_argo(words: Sequence[str]) -> str:
    phases = dict.fromkeys(_PHASES[word] for word in words if word in _PHASES)
    return f", and Argo CD ({', '.join(phases)}, in every sync)" if phases else ""
