"""Findings about manifests that what applies them would pass over."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from renderer.check.finding import Rule, some
from renderer.document.pointer import escape
from renderer.document.problem import Problem
from renderer.document.values import Value, sequence
from renderer.model.carried import clusters_of, marks, written
from renderer.model.delivery_engine import Engine
from renderer.model.plan import Plan, Rendering

PASSED_OVER: Final = Rule(id="KR805", title="What applies a manifest passes over it")

RULES: Final = (PASSED_OVER,)

# Source: kubernetes-sigs/kustomize api/resource/factory.go, api/konfig/general.go.
_LOCAL: Final = "config.kubernetes.io/local-config"
# Source: Argo CD reposerver/repository/repository.go.
_SKIP: Final = "+argocd:skip-file-rendering"
# What Argo CD neither watches nor syncs unless it is told to. Source: argo-cd
# manifests/base/config/argocd-cm.yaml, resource.exclusions.
_EXCLUDED: Final[Mapping[str, str]] = {
    "": "Endpoints",
    "discovery.k8s.io": "EndpointSlice",
    "coordination.k8s.io": "Lease",
    "authentication.k8s.io": "SelfSubjectReview TokenReview",
    "authorization.k8s.io": "LocalSubjectAccessReview SelfSubjectAccessReview SelfSubjectRulesReview "
    "SubjectAccessReview",
    "certificates.k8s.io": "CertificateSigningRequest",
    "cert-manager.io": "CertificateRequest",
    "cilium.io": "CiliumIdentity CiliumEndpoint CiliumEndpointSlice",
    **dict.fromkeys(
        ("kyverno.io", "reports.kyverno.io", "wgpolicyk8s.io"),
        "PolicyReport ClusterPolicyReport EphemeralReport ClusterEphemeralReport AdmissionReport "
        "ClusterAdmissionReport BackgroundScanReport ClusterBackgroundScanReport UpdateRequest",
    ),
}


def passed_over_findings(plan: Plan) -> Iterator[Problem]:
    """All findings of this family."""
    delivery = plan.workspace.config.delivery
    engines = {cluster.name: delivery.engine_of(cluster) for cluster in plan.workspace.clusters}
    for rendering in written(plan):
        yield from _local(rendering)
        yield from _excluded(rendering, engines)
        yield from _skipped(rendering, engines)


def _local(rendering: Rendering) -> Iterator[Problem]:
    for mark in marks(rendering, lambda field, key: field == "annotations" and key == _LOCAL):
        if mark.value != "false":
            yield PASSED_OVER.at(
                rendering.template.document,
                mark.pointer,
                what=f"{rendering.template.identity} is marked as configuration that no cluster gets",
                why=f"kustomize, Flux with it, drops an object with {mark}: it would be pruned",
                fix="remove the annotation, or name the file in .krenderignore",
            )


def _excluded(rendering: Rendering, engines: Mapping[str, Engine]) -> Iterator[Problem]:
    identity = rendering.template.identity
    if identity.kind not in _EXCLUDED.get(identity.group, "").split():
        return
    clusters = [name for name in clusters_of(rendering) if engines.get(name) is Engine.ARGOCD]
    if clusters:
        yield PASSED_OVER.at(
            rendering.template.document,
            "/kind",
            what=f"{identity} goes to {some(clusters)}, and Argo CD leaves out every {identity.kind}",
            why="the kind is in resource.exclusions of argocd-cm as it is installed: it is never applied",
            fix=f"take it out, or take {identity.kind} out of resource.exclusions",
        )


def _skipped(rendering: Rendering, engines: Mapping[str, Engine]) -> Iterator[Problem]:
    document = rendering.template.document
    if document is None or _SKIP not in document.text:
        return
    if all(engines.get(name) is Engine.FLUX for name in clusters_of(rendering)):
        return
    for pointer in _holding(rendering.template.body, ""):
        yield PASSED_OVER.at(
            document,
            pointer,
            what=f"{rendering.template.identity} holds the text {_SKIP}",
            why="Argo CD passes over a file with that text wherever it stands, and would prune the object",
            fix="write it otherwise",
        )
        return


def _holding(value: Value, pointer: str) -> Iterator[str]:
    """Where a text with the word stands."""
    if isinstance(value, str) and _SKIP in value:
        yield pointer
    elif isinstance(value, dict):
        for key, item in value.items():
            if _SKIP in key:
                yield f"{pointer}/{escape(key)}"
            yield from _holding(item, f"{pointer}/{escape(key)}")
    else:
        for index, item in enumerate(sequence(value)):
            yield from _holding(item, f"{pointer}/{index}")
