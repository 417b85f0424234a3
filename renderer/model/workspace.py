"""The whole input of a render."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from renderer.document.problem import Problem
from renderer.document.source import Document
from renderer.model.cluster import Cluster
from renderer.model.config import WorkspaceConfig
from renderer.model.customization import ResourceInterpreterCustomization
from renderer.model.identity import Identity
from renderer.model.overrides import OverridePolicy
from renderer.model.policy import PropagationPolicy
from renderer.model.rebalancer import WorkloadRebalancer
from renderer.model.scope import Kind, Scope
from renderer.model.taint_policy import ClusterTaintPolicy
from renderer.model.template import Template


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """An object that admission refuses, so that it does not exist.

    `reason` is how far it got: decode, mutate, schema or webhook; `message` is the server's text.
    """

    identity: Identity
    reason: str
    message: str = ""
    document: Document | None = field(default=None, repr=False, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Workspace:
    """Everything a workspace says, in a fixed order: clusters by name, the rest by identity.

    `scopes` are those of the kinds that CustomResourceDefinitions of the workspace define. `problems` are
    warnings and notes; of a workspace loaded leniently, errors too, and then `refused` are the objects
    that were left out. `digest` is the SHA-256 of all input files, names included, in hexadecimal.
    """

    config: WorkspaceConfig = field(default_factory=WorkspaceConfig)
    clusters: tuple[Cluster, ...] = ()
    templates: tuple[Template, ...] = ()
    propagation_policies: tuple[PropagationPolicy, ...] = ()
    override_policies: tuple[OverridePolicy, ...] = ()
    customizations: tuple[ResourceInterpreterCustomization, ...] = ()
    rebalancers: tuple[WorkloadRebalancer, ...] = ()
    taint_policies: tuple[ClusterTaintPolicy, ...] = ()
    scopes: Mapping[Kind, Scope] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()
    refused: tuple[Refused, ...] = ()
    digest: str = ""
