"""How the result reaches the clusters: the engines, their settings, and the units they apply."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from renderer.model.cluster import Cluster
from renderer.model.delivery_engine import Engine
from renderer.model.identity import Identity


class UnitOf(StrEnum):
    """What one Application or Kustomization applies."""

    CLUSTER = "cluster"
    NAMESPACE = "namespace"


class Autoscaled(StrEnum):
    """What becomes of `replicas` where an autoscaler on the same cluster owns them."""

    DROP = "drop"  # left out of the manifest
    IGNORE = "ignore"  # left in, and the engine is told not to compare them
    KEEP = "keep"  # left in, as Karmada does


class HandedOver(StrEnum):
    """What becomes of replicas that were published and that an autoscaler owns now."""

    KEEP = "keep"  # they stay, and the engine leaves them alone
    DROP = "drop"  # they are left out by the publish after the one that tells the engine


# Their deletion takes with it what is in no file: all that lives in a namespace, data, all objects of a kind.
PROTECTED: Final = ("Namespace", "PersistentVolumeClaim", "CustomResourceDefinition.apiextensions.k8s.io")


class Generator(StrEnum):
    """Where Argo CD's Applications come from."""

    FILES = "files"  # an ApplicationSet over one parameter file a unit
    DIRECTORIES = "directories"  # an ApplicationSet over the directories themselves
    PLUGIN = "plugin"  # an ApplicationSet that asks `krender serve`
    APPLICATIONS = "applications"  # plain Applications


class ArgoSource(StrEnum):
    """How Argo CD reads a unit's directory."""

    DIRECTORY = "directory"
    KUSTOMIZE = "kustomize"


class Destination(StrEnum):
    """By what an Application names its cluster."""

    NAME = "name"
    SERVER = "server"


class FluxSource(StrEnum):
    """Where Flux reads the rendered tree from."""

    GIT = "git"
    OCI = "oci"


class ServiceAccounts(StrEnum):
    """What Flux applies as a ServiceAccount that may do exactly that, instead of with all its own rights."""

    NONE = "none"
    TENANTS = "tenants"  # what belongs to a team
    ALL = "all"


@dataclass(frozen=True, slots=True, kw_only=True)
class ArgoSettings:
    """`delivery.argocd`."""

    namespace: str = "argocd"
    generator: Generator = Generator.FILES
    source: ArgoSource = ArgoSource.DIRECTORY
    destination: Destination = Destination.NAME
    project: str = "krender"  # of what belongs to no tenant
    prune: bool = True
    self_heal: bool = True
    preserve_resources_on_deletion: bool = True
    rolling_sync: bool = False
    fail_on_shared_resource: bool = True
    plugin: str = "krender"  # the ConfigMap that tells where `krender serve` is


@dataclass(frozen=True, slots=True, kw_only=True)
class FluxSettings:
    """`delivery.flux`. Durations are Flux's, such as `10m`. `{cluster}` in a name stands for the slug.

    `url` is where the source is, if not at `repo_url`. `resources` are the plurals of kinds, as `Kind.group`,
    that neither krender nor a CustomResourceDefinition of the workspace knows.
    """

    namespace: str = "flux-system"
    source: FluxSource = FluxSource.GIT
    source_name: str = "krender"
    source_interval: str = "1m"
    secret: str = ""  # with the source's credentials
    interval: str = "1h"
    retry_interval: str = "2m"
    timeout: str = "5m"
    prune: bool = True
    wait: bool = False
    deletion_policy: str = "Orphan"
    kube_config_secret: str = "{cluster}-kubeconfig"  # noqa: S105 - its name
    substitution: bool = False
    artifact_generator: bool = False
    url: str = ""
    tag: str = "latest"  # of the OCI artifact
    service_accounts: ServiceAccounts = ServiceAccounts.TENANTS
    resources: tuple[tuple[str, str], ...] = ()
    hub_parts: int = 1  # Kustomizations that the hub's own are divided into


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """`delivery` of `krender.yaml`.

    `engine` is that of clusters which name none. `repo_url` is where the engines find the rendered branch,
    `revision` what they follow there (a full ref name). `prefix` stands before the names of all units.
    """

    engine: Engine = Engine.NONE
    repo_url: str = ""
    revision: str = "refs/heads/rendered"
    unit: UnitOf = UnitOf.CLUSTER
    prefix: str = ""
    autoscaled: Autoscaled | None = None  # None: drop where an engine delivers, keep where none does
    handed_over: HandedOver = HandedOver.KEEP
    protect: tuple[str, ...] = PROTECTED  # kinds that no engine prunes, as `Kind` or `Kind.group`
    argocd: ArgoSettings = field(default_factory=ArgoSettings)
    flux: FluxSettings = field(default_factory=FluxSettings)

    def engine_of(self, cluster: Cluster) -> Engine:
        """The one engine of a cluster."""
        return cluster.engine or self.engine

    def cascades(self, engine: Engine) -> bool:
        """Whether an Application or Kustomization that goes takes along what it applied."""
        if engine is Engine.ARGOCD:
            return not self.argocd.preserve_resources_on_deletion
        return engine is Engine.FLUX and (
            self.flux.deletion_policy == "Delete"
            or (self.flux.deletion_policy == "MirrorPrune" and self.flux.prune)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Tenant:
    """A team and what it may have: names, where `*` at the end stands for anything.

    No clusters or kinds: all of them. Kinds are written `Kind` or `Kind.group`.
    """

    name: str
    namespaces: tuple[str, ...] = ()
    clusters: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    owners: tuple[str, ...] = ()  # of its sources, as CODEOWNERS writes them
    paths: tuple[str, ...] = ()  # of its sources


@dataclass(frozen=True, slots=True, kw_only=True)
class Contents:
    """What lies in a directory that an engine applies; equal directories share one.

    `objects` are paths below it with what they hold, by path.
    """

    objects: tuple[tuple[str, Identity], ...] = ()

    @property
    def paths(self) -> tuple[str, ...]:
        """The files that hold objects, by name."""
        return tuple(path for path, _ in self.objects)

    @property
    def kinds(self) -> tuple[tuple[str, str, bool], ...]:
        """Group, kind and whether it lives in a namespace, of all there is; sorted, each once."""
        return tuple(sorted({(i.group, i.kind, bool(i.namespace)) for _, i in self.objects}))

    @property
    def namespaces(self) -> tuple[str, ...]:
        """The namespaces that something lives in; sorted, each once."""
        return tuple(sorted({i.namespace for _, i in self.objects if i.namespace}))


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class IgnoredField:
    """Fields of one object that somebody else writes, so that the engine must neither compare nor apply them.

    `pointers` are JSON pointers into the object. `reason` is for people, and no part of what it is.
    """

    group: str
    kind: str
    namespace: str
    name: str
    pointers: tuple[str, ...]
    reason: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """What one Application or Kustomization applies.

    `name` is unique in the fleet and does not depend on other units. `path` leads to its directory from the
    top of the branch. `namespace` is the one it is of; empty for all of a cluster, and for what is
    cluster-scoped (`cluster_scoped`). `ignored` are sorted; most units have none.
    """

    name: str
    cluster: Cluster
    engine: Engine
    path: str
    namespace: str = ""
    cluster_scoped: bool = False
    tenant: str = ""
    ignored: tuple[IgnoredField, ...] = ()
    contents: Contents = field(default_factory=Contents, repr=False)

    @property
    def is_part(self) -> bool:
        """Whether it is a part of a cluster."""
        return self.cluster_scoped or bool(self.namespace)

    @property
    def is_empty(self) -> bool:
        """Whether the last object has left it: the engine must then be allowed to prune everything."""
        return not self.contents.objects
