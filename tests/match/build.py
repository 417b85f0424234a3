"""Templates and policies with only the fields that a test is about."""

from __future__ import annotations

from collections.abc import Mapping

from renderer.document.values import Object
from renderer.model.identity import Identity
from renderer.model.policy import PropagationPolicy
from renderer.model.selectors import LabelSelector, Requirement, ResourceSelector
from renderer.model.template import Template


def template(
    name: str = "web",
    *,
    api_version: str = "apps/v1",
    kind: str = "Deployment",
    namespace: str = "shop",
    labels: Mapping[str, str] | None = None,
    annotations: Mapping[str, str] | None = None,
) -> Template:
    """A template; by default Deployment shop/web."""
    metadata: Object = {"name": name, "labels": dict(labels or {}), "annotations": dict(annotations or {})}
    return Template(
        identity=Identity(api_version, kind, namespace, name),
        body={"apiVersion": api_version, "kind": kind, "metadata": metadata},
        labels=tuple((labels or {}).items()),
    )


def selector(
    name: str = "",
    *,
    api_version: str = "apps/v1",
    kind: str = "Deployment",
    namespace: str = "",
    labels: LabelSelector | None = None,
) -> ResourceSelector:
    """A resource selector; by default of every Deployment."""
    return ResourceSelector(
        api_version=api_version, kind=kind, namespace=namespace, name=name, label_selector=labels
    )


def labelled(*requirements: Requirement, **equal: str) -> LabelSelector:
    """A label selector of matchLabels and matchExpressions."""
    return LabelSelector(match_labels=tuple(equal.items()), match_expressions=requirements)


def policy(
    name: str,
    *selectors: ResourceSelector,
    namespace: str = "shop",
    priority: int = 0,
    dependent_overrides: tuple[str, ...] = (),
    preemption: str = "Never",
    activation_preference: str = "",
    deleting: bool = False,
) -> PropagationPolicy:
    """A policy; an empty namespace makes it a ClusterPropagationPolicy. By default of every Deployment."""
    return PropagationPolicy(
        name=name,
        namespace=namespace,
        resource_selectors=selectors or (selector(namespace=namespace),),
        priority=priority,
        dependent_overrides=dependent_overrides,
        preemption=preemption,
        activation_preference=activation_preference,
        deleting=deleting,
    )
