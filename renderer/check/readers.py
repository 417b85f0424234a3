"""Who reads what: Applications, ApplicationSets and Kustomizations among the templates of a workspace."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from renderer.check.given import Fleet, Given
from renderer.check.reader import Reader
from renderer.check.readers_argocd import application, application_set
from renderer.check.readers_flux import kustomization
from renderer.delivery.flux.sources import own_name, source
from renderer.document.values import Object
from renderer.model.delivery_engine import Engine
from renderer.model.plan import Plan

FLUX: Final = "kustomize.toolkit.fluxcd.io"
ARGO: Final = "argoproj.io"
_SOURCES: Final = "source.toolkit.fluxcd.io"
_READERS: Final = {
    (ARGO, "Application"): application,
    (ARGO, "ApplicationSet"): application_set,
    (FLUX, "Kustomization"): kustomization,
}


def readers(plan: Plan) -> tuple[Reader, ...]:
    """Every one, in the order of the templates: as it is written, or as it is rendered for some clusters."""
    fleet, sources = Fleet(plan), _git_sources(plan)
    found: list[Reader] = []
    for rendering in plan.renderings:
        identity, document = rendering.template.identity, rendering.template.document
        read = _READERS.get((identity.group, identity.kind))
        if read is None:
            continue
        bodies: Iterable[tuple[Object, tuple[str, ...]]] = [
            (manifest.body, manifest.clusters)
            for manifest in rendering.manifests
            if manifest.body is not None
        ] or [(rendering.template.body, ())]
        for body, clusters in bodies:
            found += read(Given(identity, document, body, clusters, fleet, sources))
    return tuple(found)


def _git_sources(plan: Plan) -> Mapping[tuple[str, str], Object]:
    """Those of the workspace, and what krender gives Flux to read."""
    delivery = plan.workspace.config.delivery
    own = any(delivery.engine_of(cluster) is Engine.FLUX for cluster in plan.workspace.clusters)
    return {
        **({(delivery.flux.namespace, own_name(delivery)): source(delivery)} if own else {}),
        **{
            (identity.namespace, identity.name): template.body
            for template in plan.workspace.templates
            if ((identity := template.identity).group, identity.kind) == (_SOURCES, "GitRepository")
        },
    }
