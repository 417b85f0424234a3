"""Objects, policies and clusters with only the fields that a test is about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from renderer.document.values import Object, Value
from renderer.load.clusters import cluster_of
from renderer.load.policies import override_policy_of
from renderer.match.fleet import Fleet
from renderer.model.cluster import Cluster
from renderer.model.override_result import Overridden, Step
from renderer.model.overrides import OverridePolicy
from renderer.override.apply import overridden as overrides
from renderer.override.apply import override
from renderer.override.order import RuleIndex
from renderer.override.targets import Targets


def workload(
    *containers: Value,
    kind: str = "Deployment",
    labels: Value = None,
    annotations: Value = None,
    namespace: str = "shop",
) -> dict[str, Value]:
    """An object with a pod template; by default Deployment shop/web with one container."""
    metadata: dict[str, Value] = {"name": "web", "namespace": namespace}
    if labels is not None:
        metadata["labels"] = labels
    if annotations is not None:
        metadata["annotations"] = annotations
    pod: Value = {"containers": list(containers) or [{"name": "app", "image": "web:1"}]}
    return {
        "apiVersion": "v1" if kind == "Pod" else "apps/v1",
        "kind": kind,
        "metadata": metadata,
        "spec": pod if kind == "Pod" else {"replicas": 3, "template": {"spec": pod}},
    }


def config(**data: str) -> dict[str, Value]:
    """ConfigMap shop/settings; `_` in a key stands for a dot."""
    return {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "settings", "namespace": "shop"},
        "data": {key.replace("_", "."): text for key, text in data.items()},
    }


def policy(
    name: str = "p",
    overriders: Object | None = None,
    *,
    namespace: str = "shop",
    selectors: Sequence[Value] = (),
    rules: Sequence[Value] = (),
    target: Value = None,
    jinja: bool = False,
) -> OverridePolicy:
    """An override policy of one rule with these overriders, or of these rules. No namespace: a cluster's."""
    metadata: dict[str, Value] = {"name": name}
    if namespace:
        metadata["namespace"] = namespace
    if jinja:
        metadata["annotations"] = {"krender.io/values": "jinja2"}
    rule: dict[str, Value] = {"overriders": dict(overriders or {})}
    if target is not None:
        rule["targetCluster"] = target
    return override_policy_of(
        {
            "apiVersion": "policy.karmada.io/v1alpha1",
            "kind": "OverridePolicy" if namespace else "ClusterOverridePolicy",
            "metadata": metadata,
            "spec": {"resourceSelectors": list(selectors), "overrideRules": list(rules) or [rule]},
        }
    )


def cluster(name: str = "east", *, region: str = "", labels: Mapping[str, str] | None = None) -> Cluster:
    """A member cluster."""
    return cluster_of(
        {
            "apiVersion": "cluster.karmada.io/v1alpha1",
            "kind": "Cluster",
            "metadata": {"name": name, "labels": dict(labels or {})},
            "spec": {"syncMode": "Push", "zones": ["a", "b"], **({"region": region} if region else {})},
        }
    )


def overridden(body: Object, *policies: OverridePolicy, on: Cluster | None = None) -> Overridden:
    """The object on a cluster."""
    return override(RuleIndex(policies), body, on or cluster())


def on_each(index: RuleIndex, body: Object, *members: Cluster) -> list[Overridden]:
    """The object on each of some clusters, overridden for all of them together."""
    fleet = Fleet(members)
    results = overrides(Targets(index, fleet), body, fleet.everything)
    by_place = {place: result for result, mask in results for place in fleet.positions(mask)}
    return [by_place[fleet.position[member.name]] for member in members]


def applied(body: Object, overriders: Object) -> Overridden:
    """The object with one rule of a ClusterOverridePolicy applied."""
    return overridden(body, policy(overriders=overriders, namespace=""))


def image_of(result: Overridden, container: int = 0) -> Value:
    """The image of a container of the result."""
    body: Value = result.body
    for key in ("spec", "template", "spec", "containers"):
        body = body[key] if isinstance(body, dict) else None
    found = body[container] if isinstance(body, list) else None
    return found.get("image") if isinstance(found, dict) else None


def only_step(result: Overridden) -> Step:
    """The one step that was taken."""
    (step,) = result.steps
    return step
