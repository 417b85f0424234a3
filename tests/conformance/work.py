"""Vectors `work`: the manifests of one template on each target cluster.

Karmada's bookkeeping labels and annotations, which krender leaves out, are stripped from both sides.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from renderer.document.values import Object, Value, mapping, sequence, text
from renderer.interpret.binding import binding_spec, build_binding
from renderer.interpret.interpret import interpret, interpreter
from renderer.interpret.lua.customized import customized_layer
from renderer.interpret.manifest import conflict_resolution
from renderer.load.admission import admission
from renderer.load.clusters import cluster_of
from renderer.load.policies import override_policy_of, propagation_policy_of
from renderer.model.binding import Binding, BindingSnapshot, GracefulEvictionTask, TargetCluster
from renderer.model.instant import EPOCH
from renderer.model.interpretation import InterpretError
from renderer.model.plan import Manifest
from renderer.override.manifests import Manifests
from renderer.override.order import RuleIndex
from tests.conformance.gates import gates_of
from tests.conformance.interpret import customizations_of
from tests.conformance.match import refusal, template_of
from tests.conformance.verdict import Verdict

STRIPPED: Final = (
    "resourcebinding.karmada.io/",
    "clusterresourcebinding.karmada.io/",
    "work.karmada.io/",
    "resourcetemplate.karmada.io/",
    "karmada.io/managed",
)
OVERRIDES: Final = ("overridePolicies", "clusterOverridePolicies")
CONFLICT: Final = "work.karmada.io/conflict-resolution"


def run(vector: Mapping[str, Any]) -> Verdict:
    """Build the binding and each manifest, and compare."""
    got, expected = _got(vector["input"]), _expected(vector["expect"])
    return Verdict(
        category=f"work/{_category(vector['input'])}",
        expected=expected,
        got=got,
        passed=json.dumps(got, sort_keys=True) == json.dumps(expected, sort_keys=True),
    )


def _category(given: Mapping[str, Any]) -> str:
    if "customizations" in given:
        return "lua"
    group = text(given["template"].get("apiVersion")).partition("/")[0]
    return "work" if group in _BUILT_IN_GROUPS else "thirdparty"


_BUILT_IN_GROUPS: Final = ("v1", "apps", "batch", "networking.k8s.io", "rbac.authorization.k8s.io")


def _got(given: Mapping[str, Any]) -> Value:
    admitted = admission(given["policy"])
    rules = [admission(body) for name in OVERRIDES for body in given.get(name, ())]
    if refusal(admitted):
        return {"rejected": True}
    gates, template = gates_of(given.get("featureGates")), template_of(given["template"])
    custom = customized_layer(customizations_of(given), now=EPOCH, gates=gates)
    ask = interpreter(gates, custom)
    interpretation = interpret(template.body, ask, gates)
    try:
        policy = propagation_policy_of(admitted.object)
        binding = _patched(build_binding(template, policy, interpretation, gates), given)
    except InterpretError:
        return {"error": True}
    index = RuleIndex([override_policy_of(rule.object) for rule in rules if not refusal(rule)])
    clusters = [cluster_of(body) for body in given["clusters"]]
    manifests = Manifests(index, clusters, gates).of(template, template.body, binding, ask.of(template.body))
    known = {cluster.name for cluster in clusters}
    failed = any(target.name not in known for target in binding.target_clusters)
    failed = failed or any(manifest.problem for manifest in manifests)
    result: dict[str, Value] = {"bindingSpec": binding_spec(binding), "works": _works(manifests, binding)}
    return {**result, "error": True} if failed else result


def _works(manifests: Sequence[Manifest], binding: Binding) -> Value:
    made: dict[tuple[str, str], Value] = {}
    for manifest in manifests:
        if manifest.body is None:
            continue
        for name in manifest.clusters:
            # The Work of a second object with this name replaces that of the first.
            made[(name, manifest.identity.name)] = {
                "cluster": name,
                "conflictResolution": conflict_resolution(manifest.body, binding),
                "suspendDispatching": binding.suspends(name),
                "preserveResourcesOnDeletion": binding.preserve_resources_on_deletion or False,
                "manifest": _stripped(manifest.body),
            }
    return [made[key] for key in sorted(made)]


def _patched(binding: Binding, given: Mapping[str, Any]) -> Binding:
    """The binding with the scheduler's result, and with what the vector changes in it."""
    patch = given.get("bindingPatch", {}).get("spec", {})
    clusters = patch.get("clusters", given.get("scheduleResult"))
    tasks = tuple(
        GracefulEvictionTask(
            from_cluster=text(task.get("fromCluster")), purge_mode=text(task.get("purgeMode")), raw=task
        )
        for task in patch.get("gracefulEvictionTasks", ())
    )
    snapshots = tuple(
        BindingSnapshot(
            namespace=text(item.get("namespace")),
            name=text(item.get("name")),
            clusters=_targets(item["clusters"]),
        )
        for item in patch.get("requiredBy", ())
    )
    return replace(binding, clusters=_targets(clusters), graceful_eviction_tasks=tasks, required_by=snapshots)


def _targets(items: Sequence[Mapping[str, Any]] | None) -> tuple[TargetCluster, ...]:
    return tuple(TargetCluster(name=item["name"], replicas=item.get("replicas") or 0) for item in items or ())


def _expected(expect: Mapping[str, Any]) -> Value:
    if "rejected" in expect:
        return {"rejected": True}
    works = [
        {
            "cluster": work["cluster"],
            "conflictResolution": work["annotations"][CONFLICT],
            "suspendDispatching": work["suspendDispatching"],
            "preserveResourcesOnDeletion": work["preserveResourcesOnDeletion"],
            "manifest": _stripped(work["manifest"]),
        }
        for work in expect.get("works", ())
    ]
    if "bindingSpec" not in expect:
        return {"error": True}
    result: dict[str, Value] = {"bindingSpec": expect["bindingSpec"], "works": works}
    return {**result, "error": True} if "error" in expect else result


def _stripped(body: Object) -> Value:
    """The manifest without bookkeeping, 3.0 as 3."""
    metadata = dict(mapping(body.get("metadata")))
    for name in ("labels", "annotations"):
        kept = {
            key: value for key, value in mapping(metadata.get(name)).items() if not key.startswith(STRIPPED)
        }
        metadata.pop(name, None)
        if kept:
            metadata[name] = kept
    return _plain({**body, "metadata": metadata})


def _plain(value: Value) -> Value:
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in sequence(value)]
    return int(value) if isinstance(value, float) and value.is_integer() else value
