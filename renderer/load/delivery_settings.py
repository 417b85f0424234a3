"""`spec.delivery` and `spec.tenants` of `krender.yaml` to settings; they conform to the schema already."""

from __future__ import annotations

import re

from renderer.document.values import Object, Value, mapping, sequence, text
from renderer.model.delivery import (
    PROTECTED,
    ArgoSettings,
    ArgoSource,
    Autoscaled,
    Delivery,
    Destination,
    FluxSettings,
    FluxSource,
    Generator,
    HandedOver,
    ServiceAccounts,
    Tenant,
    UnitOf,
)
from renderer.model.delivery_engine import Engine

_PASSWORD = re.compile(r"(?<=://)(?:[^/@:]*:[^/@]*@)")


def delivery_settings(stated: Object, *, branch: str, repo: str) -> Delivery:
    """The settings; what is not stated has its default, which follows the output's branch and repository."""
    autoscaled = text(stated.get("autoscaled"))
    return Delivery(
        engine=Engine(text(stated.get("engine")) or Engine.NONE),
        repo_url=text(stated.get("repoURL")) or _address(repo),
        revision=text(stated.get("revision")) or f"refs/heads/{branch}",
        unit=UnitOf(text(stated.get("unit")) or UnitOf.CLUSTER),
        prefix=text(stated.get("prefix")),
        autoscaled=Autoscaled(autoscaled) if autoscaled else None,
        handed_over=HandedOver(text(stated.get("handedOver")) or HandedOver.KEEP),
        protect=_texts(stated, "protect") if "protect" in stated else PROTECTED,
        argocd=_argocd(mapping(stated.get("argocd"))),
        flux=_flux(mapping(stated.get("flux"))),
    )


def tenants(stated: Value) -> tuple[Tenant, ...]:
    """The teams, in the order of the file."""
    return tuple(
        Tenant(
            name=text(tenant.get("name")),
            namespaces=_texts(tenant, "namespaces"),
            clusters=_texts(tenant, "clusters"),
            kinds=_texts(tenant, "kinds"),
            owners=_texts(tenant, "owners"),
            paths=_texts(tenant, "paths"),
        )
        for tenant in map(mapping, sequence(stated))
    )


def _address(repo: str) -> str:
    """The address of a repository for everybody to read; empty for a path on somebody's machine."""
    return _PASSWORD.sub("", repo) if "://" in repo else ""


def _argocd(stated: Object) -> ArgoSettings:
    default = ArgoSettings()
    return ArgoSettings(
        namespace=text(stated.get("namespace")) or default.namespace,
        generator=Generator(text(stated.get("generator")) or default.generator),
        source=ArgoSource(text(stated.get("source")) or default.source),
        destination=Destination(text(stated.get("destination")) or default.destination),
        project=text(stated.get("project")) or default.project,
        prune=_flag(stated, "prune", default=default.prune),
        self_heal=_flag(stated, "selfHeal", default=default.self_heal),
        preserve_resources_on_deletion=_flag(
            stated, "preserveResourcesOnDeletion", default=default.preserve_resources_on_deletion
        ),
        rolling_sync=_flag(stated, "rollingSync", default=default.rolling_sync),
        fail_on_shared_resource=_flag(
            stated, "failOnSharedResource", default=default.fail_on_shared_resource
        ),
        plugin=text(stated.get("plugin")) or default.plugin,
    )


def _flux(stated: Object) -> FluxSettings:
    default = FluxSettings()
    return FluxSettings(
        namespace=text(stated.get("namespace")) or default.namespace,
        source=FluxSource(text(stated.get("source")) or default.source),
        source_name=text(stated.get("sourceName")) or default.source_name,
        source_interval=text(stated.get("sourceInterval")) or default.source_interval,
        secret=text(stated.get("secret")),
        interval=text(stated.get("interval")) or default.interval,
        retry_interval=text(stated.get("retryInterval")) or default.retry_interval,
        timeout=text(stated.get("timeout")) or default.timeout,
        prune=_flag(stated, "prune", default=default.prune),
        wait=_flag(stated, "wait", default=default.wait),
        deletion_policy=text(stated.get("deletionPolicy")) or default.deletion_policy,
        kube_config_secret=text(stated.get("kubeConfigSecret")) or default.kube_config_secret,
        substitution=_flag(stated, "substitution", default=default.substitution),
        artifact_generator=_flag(stated, "artifactGenerator", default=default.artifact_generator),
        url=text(stated.get("url")),
        tag=text(stated.get("tag")) or default.tag,
        service_accounts=ServiceAccounts(text(stated.get("serviceAccounts")) or default.service_accounts),
        resources=tuple((kind, text(name)) for kind, name in mapping(stated.get("resources")).items()),
        hub_parts=parts if isinstance(parts := stated.get("hubParts"), int) else default.hub_parts,
    )


def _flag(stated: Object, name: str, *, default: bool) -> bool:
    value = stated.get(name)
    return value if isinstance(value, bool) else default


def _texts(stated: Object, name: str) -> tuple[str, ...]:
    return tuple(text(item) for item in sequence(stated.get(name)))
