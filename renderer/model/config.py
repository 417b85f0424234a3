"""The settings of a workspace, as `krender.yaml` gives them: everything that is not a default."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from renderer.document.limits import DEFAULT_LIMITS, Limits
from renderer.document.source import Document
from renderer.document.values import Object
from renderer.model.delivery import Delivery, Tenant
from renderer.model.failover import FailoverSettings
from renderer.model.gates import FeatureGates
from renderer.model.guards import GuardSettings


class Claims(StrEnum):
    """Whether claims are decided afresh on every render, or kept as a running control plane keeps them."""

    AFRESH = "afresh"
    STICKY = "sticky"


class Namespaces(StrEnum):
    """Where Namespace objects go that no policy claims."""

    NEEDED = "needed"
    EVERYWHERE = "everywhere"
    NEVER = "never"


class Orphans(StrEnum):
    """What becomes of manifests whose template no policy claims any more."""

    KEEP = "keep"
    PRUNE = "prune"


class ReleasedFiles(StrEnum):
    """What becomes of files that were kept and marked, so that their objects outlive them."""

    KEEP = "keep"
    PRUNE = "prune"


class Strict(StrEnum):
    """What is an error that stops a render, where Karmada goes on without a word."""

    SPREAD = "spread"  # spread constraints that are not enforced, or not met
    WEIGHTS = "weights"  # weights and clusters that do not agree
    READINESS = "readiness"  # work for clusters that are not ready
    CAPACITY = "capacity"  # clusters of unknown capacity, and old figures
    DIGEST = "digest"  # image overrides that drop a digest
    WRITERS = "writers"  # objects that somebody else writes, too
    TENANTS = "tenants"  # teams that have what they may not have


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """Where the result goes.

    `branch` of `repo` (empty: the workspace's own repository), below `path`; or a plain `directory`,
    relative to the workspace.
    """

    branch: str = "rendered"
    repo: str = ""
    path: str = ""
    directory: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkspaceConfig:
    """All settings; without a `krender.yaml`, these defaults.

    `values` is for Jinja2 templates. `skipped_propagating_namespaces` are regular expressions;
    `skipped_propagating_apis` is the text of Karmada's option, its parts joined by ";".
    """

    name: str = ""
    values: Object = field(default_factory=dict, repr=False)
    default_namespace: str = "default"
    claims: Claims = Claims.AFRESH
    namespaces: Namespaces = Namespaces.NEEDED
    orphans: Orphans = Orphans.KEEP
    released: ReleasedFiles = ReleasedFiles.KEEP
    failover: FailoverSettings = field(default_factory=FailoverSettings)
    feature_gates: FeatureGates = field(default_factory=FeatureGates)
    output: Output = field(default_factory=Output)
    delivery: Delivery = field(default_factory=Delivery)
    tenants: tuple[Tenant, ...] = ()
    take_over: bool = False  # what a live Karmada wrote on templates is left out
    skipped_propagating_namespaces: tuple[str, ...] = ("kube-.*",)
    skipped_propagating_apis: str = ""
    enable_empty_workload_propagation: bool = False
    capacity_max_age_seconds: int = 86_400  # of the figures that divide replicas; 0: never too old
    strict: tuple[Strict, ...] = ()
    guards: GuardSettings = field(default_factory=GuardSettings)
    limits: Limits = DEFAULT_LIMITS
    document: Document | None = field(default=None, repr=False, compare=False)
