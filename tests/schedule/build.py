"""Builders that give a test only the fields it is about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from renderer.document.values import Value
from renderer.load.placement import placement_of
from renderer.model.binding import Binding, ReplicaRequirements, TargetCluster
from renderer.model.cluster import Cluster, ResourceModel, ResourceModelRange, ResourceSummary, Taint
from renderer.model.identity import Identity
from renderer.model.placement import Placement
from renderer.model.quantity import Quantity, parse_quantity

DEPLOYMENT = ("apps/v1", ("Deployment",))
CONFIG_MAP = ("v1", ("ConfigMap",))
DUPLICATED: Mapping[str, Value] = {"replicaSchedulingType": "Duplicated"}
AGGREGATED: Mapping[str, Value] = {
    "replicaSchedulingType": "Divided",
    "replicaDivisionPreference": "Aggregated",
}
DYNAMIC: Mapping[str, Value] = {
    "replicaSchedulingType": "Divided",
    "replicaDivisionPreference": "Weighted",
    "weightPreference": {"dynamicWeight": "AvailableReplicas"},
}
WEIGHTED: Mapping[str, Value] = {
    "replicaSchedulingType": "Divided",
    "replicaDivisionPreference": "Weighted",
}


def quantity(text: str) -> Quantity:
    """A quantity from its text."""
    parsed = parse_quantity(text)
    assert parsed is not None
    return parsed


def amounts(**named: str) -> tuple[tuple[str, Quantity], ...]:
    """Resources by name; `ephemeral_storage` is written with a hyphen."""
    return tuple((name.replace("_", "-"), quantity(text)) for name, text in named.items())


def summary(modelings: Sequence[tuple[int, int]] = (), **allocatable: str) -> ResourceSummary:
    """A resource summary of which nothing is taken."""
    return ResourceSummary(allocatable=amounts(**allocatable), allocatable_modelings=tuple(modelings))


def models(*grades: Mapping[str, str]) -> tuple[ResourceModel, ...]:
    """Resource models of grade 0, 1, …, given the least that a node has."""
    return tuple(
        ResourceModel(
            grade=grade,
            ranges=tuple(
                ResourceModelRange(name=name, min=quantity(least), max=quantity(least))
                for name, least in ranges.items()
            ),
        )
        for grade, ranges in enumerate(grades)
    )


def cluster(
    name: str,
    *,
    pods: int | None = 110,
    labels: Mapping[str, str] | None = None,
    region: str = "",
    provider: str = "",
    zones: Sequence[str] = (),
    taints: Sequence[Taint] = (),
    apis: Sequence[tuple[str, tuple[str, ...]]] = (DEPLOYMENT, CONFIG_MAP),
    apis_known: bool = True,
    resource_summary: ResourceSummary | None = None,
    resource_models: tuple[ResourceModel, ...] = (),
    deleting: bool = False,
) -> Cluster:
    """A cluster that serves Deployments and has room for `pods` of them."""
    if resource_summary is None and pods is not None:
        resource_summary = summary(pods=str(pods))
    return Cluster(
        name=name,
        labels=tuple((labels or {}).items()),
        region=region,
        provider=provider,
        zones=tuple(zones),
        taints=tuple(taints),
        api_enablements=tuple(apis),
        apis_known=apis_known,
        resource_summary=resource_summary,
        resource_models=resource_models,
        deletion_timestamp="2026-01-01T00:00:00Z" if deleting else "",
    )


def placement(**fields: Value) -> Placement:
    """A placement from JSON, with or without admission's blessing."""
    return placement_of(fields)


def binding(
    replicas: int = 0,
    where: Placement | None = None,
    *,
    previous: Mapping[str, int] | None = None,
    requests: Mapping[str, str] | None = None,
    kind: str = "Deployment",
    name: str = "web",
) -> Binding:
    """A binding of a Deployment; `previous` is the result of the last pass."""
    return Binding(
        identity=Identity("v1" if kind == "ConfigMap" else "apps/v1", kind, "shop", name),
        namespace="shop",
        name=f"{name}-{kind.lower()}",
        placement=Placement() if where is None else where,
        replicas=replicas,
        replica_requirements=None
        if requests is None
        else ReplicaRequirements(
            resource_request=tuple((name, quantity(text)) for name, text in requests.items())
        ),
        clusters=targets(previous or {}),
    )


def targets(replicas: Mapping[str, int]) -> tuple[TargetCluster, ...]:
    """A result, in the order given."""
    return tuple(TargetCluster(name=name, replicas=count) for name, count in replicas.items())


def result(clusters: Sequence[TargetCluster]) -> dict[str, int]:
    """A result as cluster -> replicas, in its order."""
    return {target.name: target.replicas for target in clusters}
