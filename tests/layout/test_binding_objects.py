"""Published bindings are valid ResourceBindings and ClusterResourceBindings, by Karmada's own CRDs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeAlias

import jsonschema
import pytest
import yaml

from renderer.edge.files import read_workspace
from renderer.load.workspace import load
from renderer.model.instant import is_instant
from renderer.model.memory_keys import BINDINGS
from renderer.model.plan import Plan
from renderer.model.tree import Tree, walk
from renderer.pipeline import render
from renderer.schedule.previous import read_previous
from tests.workspaces import FLEET, SHOP, WEB, plan

Json: TypeAlias = Any
ROOT: Final = Path(__file__).parents[2]
CRDS: Final = ROOT.parent / "shared" / "crds" / "karmada-v1.19.0-rc.0"
EXAMPLES: Final = sorted(path.name for path in (ROOT / "policies").iterdir() if path.is_dir())
KEPT: Final = (
    "type",
    "enum",
    "required",
    "format",
    "pattern",
    "minimum",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
)
pytestmark = pytest.mark.skipif(
    not CRDS.is_dir(), reason="no ../shared/crds here: Karmada's CRDs are not part of the repository"
)

CONFIG: Final = """\
apiVersion: krender.io/v1alpha1
kind: Workspace
spec: {featureGates: {WorkloadAffinity: true, MultiplePodTemplatesScheduling: true}}
"""
POLICY: Final = """\
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata: {name: web, namespace: shop}
spec:
  resourceSelectors: [{apiVersion: apps/v1, kind: Deployment, name: web}]
  propagateDeps: true
  conflictResolution: Overwrite
  preserveResourcesOnDeletion: true
  schedulePriority: {priorityClassSource: KubePriorityClass, priorityClassName: system-node-critical}
  suspension: {dispatchingOnClusters: {clusterNames: [north]}}
  failover:
    cluster: {purgeMode: Directly}
    application:
      decisionConditions: {tolerationSeconds: 60}
      purgeMode: Never
  placement:
    clusterAffinities:
    - {affinityName: prod, labelSelector: {matchLabels: {stage: prod}}}
    - {affinityName: rest}
    clusterTolerations: [{key: old, operator: Exists, tolerationSeconds: 30}]
    workloadAffinity: {affinity: {groupByLabelKey: app}}
    replicaScheduling: {replicaSchedulingType: Divided, replicaDivisionPreference: Weighted}
"""
ROLES: Final = """\
apiVersion: policy.karmada.io/v1alpha1
kind: ClusterPropagationPolicy
metadata: {name: roles}
spec:
  resourceSelectors: [{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: "shop:read"}
rules: []
"""
REBALANCER: Final = """\
apiVersion: apps.karmada.io/v1alpha1
kind: WorkloadRebalancer
metadata: {name: again}
spec:
  workloads: [{apiVersion: apps/v1, kind: Deployment, name: web, namespace: shop}]
"""
SECRET: Final = "apiVersion: v1\nkind: Secret\nmetadata: {name: s, namespace: shop}\n"
RICH: Final = {
    **SHOP,
    "krender.yaml": CONFIG,
    "web.yaml": WEB.replace(
        "image:", "resources: {requests: {cpu: 100m}}, envFrom: [{secretRef: {name: s}}], image:"
    ),
    "policy.yaml": POLICY,
    "roles.yaml": ROLES,
    "again.yaml": REBALANCER,
    "secret.yaml": SECRET,
}


def test_everything_that_a_binding_may_hold_is_valid() -> None:
    result = plan(RICH, now="2026-01-01T00:00:00Z")
    kinds = sorted(body["kind"] for _, body in bindings(result))
    assert kinds == ["ClusterResourceBinding", "ResourceBinding", "ResourceBinding"]
    assert wrong(result) == []


def test_what_was_remembered_is_written_as_valid() -> None:
    first = plan(RICH, now="2026-01-01T00:00:00Z")
    without = {**RICH, "policy.yaml": "# gone\n"}
    assert wrong(plan(without, read_previous(first.tree))) == []


def test_where_no_cluster_fits_the_condition_is_valid() -> None:
    result = plan(
        {
            **RICH,
            "policy.yaml": POLICY.replace("stage: prod", "stage: gone").split("    - {affinityName: rest")[0],
        }
    )
    (status,) = [body["status"] for _, body in bindings(result) if body["spec"]["resource"]["name"] == "web"]
    assert [item["reason"] for item in status["conditions"]] == ["NoClusterFit"]
    assert wrong(result) == []


def test_a_binding_that_is_leaving_a_cluster_is_valid() -> None:
    config = CONFIG.replace("}}", ", Failover: true}, failover: {noExecuteEviction: true}}")
    files = {**RICH, "krender.yaml": config}
    before = plan(files, now="2026-01-01T00:00:00Z")
    tainted = FLEET.replace("name: east", "name: east, taints: [{key: gone, effect: NoExecute}]")
    after = plan({**files, "fleet.yaml": tainted}, read_previous(before.tree), "2026-01-01T01:00:00Z")
    (spec,) = [body["spec"] for _, body in bindings(after) if body["spec"]["resource"]["name"] == "web"]
    assert [task["purgeMode"] for task in spec["gracefulEvictionTasks"]] == ["Directly"]
    assert wrong(after) == []


@pytest.mark.parametrize("example", EXAMPLES)
def test_bindings_of_the_worked_examples_are_valid(example: str) -> None:
    result = render(load(read_workspace(ROOT / "policies" / example)), now="2026-01-01T00:00:00Z")
    assert list(bindings(result))
    assert wrong(result) == []


def bindings(result: Plan) -> Iterator[tuple[str, Json]]:
    """Path and content of each published binding, as another YAML reader sees it."""
    folder = result.tree.at(BINDINGS)
    assert isinstance(folder, Tree)
    for path, blob in walk(folder):
        yield path, yaml.load(blob.data, Loader=yaml.CSafeLoader)


def wrong(result: Plan) -> list[str]:
    """What a server with Karmada's CRDs would have against the bindings, unknown fields included."""
    return [
        f"{path}: {error.json_path}: {error.message}"
        for path, body in bindings(result)
        for error in validators()[body["kind"]].iter_errors(body)
    ]


@cache
def validators() -> Mapping[str, jsonschema.Draft202012Validator]:
    """A validator for each kind of binding."""
    checker = jsonschema.FormatChecker(formats=())
    checker.checks("date-time")(lambda value: not isinstance(value, str) or is_instant(value))
    found = {}
    for name in ("resourcebindings", "clusterresourcebindings"):
        text = (CRDS / f"work.karmada.io_{name}.yaml").read_text(encoding="utf-8")
        spec = yaml.load(text, Loader=yaml.CSafeLoader)["spec"]
        (version,) = [item for item in spec["versions"] if item["name"] == "v1alpha2"]
        schema = strict(version["schema"]["openAPIV3Schema"])
        schema["properties"]["metadata"] = {"type": "object", "required": ["name"]}
        found[spec["names"]["kind"]] = jsonschema.Draft202012Validator(schema, format_checker=checker)
    return found


def strict(node: Json) -> Json:
    """A structural schema as JSON Schema, in which what a server would prune is an error."""
    kept = {key: node[key] for key in KEPT if key in node}
    if node.get("x-kubernetes-int-or-string"):
        kept["type"] = ["integer", "string"]
    if "properties" in node:
        kept["properties"] = {name: strict(below) for name, below in node["properties"].items()}
        if not node.get("x-kubernetes-preserve-unknown-fields"):
            kept["additionalProperties"] = False
    if isinstance(node.get("additionalProperties"), dict):
        kept["additionalProperties"] = strict(node["additionalProperties"])
    if "items" in node:
        kept["items"] = strict(node["items"])
    return kept
