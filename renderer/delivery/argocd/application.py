"""An Application, with values of its own or with what a generator fills in."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from renderer.delivery.argocd.project import API
from renderer.delivery.parameters import ignored_differences
from renderer.document.values import EMPTY, Object
from renderer.model.delivery import ArgoSettings, ArgoSource, Delivery, IgnoredField, Unit

# Labels of an Application.
CLUSTER: Final = "krender.io/cluster"
TENANT: Final = "krender.io/tenant"
WAVE: Final = "krender.io/wave"
PAUSED: Final = "krender.io/paused"

_SHARED: Final = "FailOnSharedResource=true"
_RESPECT: Final = "RespectIgnoreDifferences=true"

# A commit that touches nothing of the directory does not have it rendered again.
_PATHS: Final[Object] = {"argocd.argoproj.io/manifest-generate-paths": "."}
_CASCADE: Final = "resources-finalizer.argocd.argoproj.io"
_SOURCES: Final[dict[ArgoSource, Object]] = {
    ArgoSource.DIRECTORY: {"directory": {"recurse": True}},
    # Argo CD takes a `kustomize` without any setting out again, and whoever applied it puts it back: a loop.
    # This setting changes nothing, since there are no components.
    ArgoSource.KUSTOMIZE: {"kustomize": {"ignoreMissingComponents": True}},
}
# With `refresh` a retry takes the newest commit: what failed is mended by a commit, not by patience.
_RETRY: Final[Object] = {
    "limit": 5,
    "refresh": True,
    "backoff": {"duration": "10s", "factor": 2, "maxDuration": "5m"},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """What differs between Applications: values, or what a generator makes values of."""

    name: str
    project: str
    path: str
    destination: Object
    labels: Object
    automated: Object = field(default_factory=dict)  # beside what the settings say
    ignored: tuple[IgnoredField, ...] = ()


def parts_of(unit: Unit, project: str, destination: Object) -> Parts:
    """The parts of a unit's Application."""
    cluster = unit.cluster
    return Parts(
        name=unit.name,
        project=project,
        path=unit.path,
        destination={**destination, **({"namespace": unit.namespace} if unit.namespace else EMPTY)},
        labels={
            CLUSTER: cluster.slug,
            PAUSED: "true" if cluster.paused else "false",
            **({TENANT: unit.tenant} if unit.tenant else EMPTY),
            WAVE: str(cluster.wave),
        },
        # What has lost its last object may be pruned whole; everything else may not.
        automated={"enabled": not cluster.paused, **({"allowEmpty": True} if unit.is_empty else EMPTY)},
        ignored=unit.ignored,
    )


def application(parts: Parts, delivery: Delivery) -> Object:
    """The Application as an object."""
    settings = delivery.argocd
    return {
        "apiVersion": API,
        "kind": "Application",
        "metadata": {
            "name": parts.name,
            "namespace": settings.namespace,
            "labels": parts.labels,
            "annotations": _PATHS,
            **({} if settings.preserve_resources_on_deletion else {"finalizers": [_CASCADE]}),
        },
        "spec": spec(parts, delivery),
    }


def template(parts: Parts, delivery: Delivery) -> Object:
    """The template of an ApplicationSet, which sees to the namespace and the finalizer itself."""
    return {
        "metadata": {"name": parts.name, "labels": parts.labels, "annotations": _PATHS},
        "spec": spec(parts, delivery),
    }


def spec(parts: Parts, delivery: Delivery) -> Object:
    """The `spec` of the Application."""
    settings = delivery.argocd
    return {
        "project": parts.project,
        "source": {
            "repoURL": delivery.repo_url,
            "targetRevision": delivery.revision,
            "path": parts.path,
            **_SOURCES[settings.source],
        },
        "destination": parts.destination,
        "syncPolicy": {
            "automated": {"prune": settings.prune, "selfHeal": settings.self_heal, **parts.automated},
            "retry": _RETRY,
            **sync_options(settings, ignoring=bool(parts.ignored)),
        },
        **({"ignoreDifferences": ignored_differences(parts.ignored)} if parts.ignored else {}),
    }


def sync_options(settings: ArgoSettings, *, ignoring: bool) -> Object:
    """The options that count for a whole Application; `ignoring` tells that it ignores some fields."""
    stated = ((_SHARED, settings.fail_on_shared_resource), (_RESPECT, ignoring))
    options = [option for option, wanted in stated if wanted]
    return {"syncOptions": options} if options else EMPTY
