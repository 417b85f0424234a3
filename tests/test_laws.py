"""Laws of the whole: what holds for every workspace, tried on random ones."""

from __future__ import annotations

import random
from collections.abc import Mapping

from hypothesis import given
from hypothesis import strategies as st

from renderer.model.plan import Plan, Standing
from renderer.model.tree import Tree, walk
from renderer.schedule.previous import read_previous
from tests.workspaces import files_of, plan

REGIONS = ("eu", "us", "ap")
NAMES = ("a", "b", "c", "d", "e", "f")


def fleet(clusters: Mapping[str, tuple[str, bool]]) -> str:
    """An inventory: name -> region and whether it is tainted."""
    lines = ["apiVersion: krender.io/v1alpha1", "kind: ClusterInventory", "metadata: {name: fleet}", "spec:"]
    lines.append("  clusters:")
    for name, (region, tainted) in clusters.items():
        taints = ", taints: [{key: closed, effect: NoSchedule}]" if tainted else ""
        lines.append(f"  - {{name: {name}, region: {region}, labels: {{region: {region}}}{taints}}}")
    return "\n".join(lines) + "\n"


def deployment(name: str, replicas: int) -> str:
    """A Deployment in namespace shop."""
    return f"""\
apiVersion: apps/v1
kind: Deployment
metadata: {{name: {name}, namespace: shop}}
spec:
  replicas: {replicas}
  selector: {{matchLabels: {{app: {name}}}}}
  template:
    metadata: {{labels: {{app: {name}}}}}
    spec: {{containers: [{{name: {name}, image: "registry.example/{name}:1"}}]}}
"""


def policy(scheduling: str, excluded: str, selector: str = "") -> str:
    """A PropagationPolicy over the Deployments of the namespace."""
    affinity = f"{{exclude: [{excluded}]{selector}}}"
    return f"""\
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata: {{name: all, namespace: shop}}
spec:
  resourceSelectors: [{{apiVersion: apps/v1, kind: Deployment}}]
  placement:
    clusterAffinity: {affinity}
{scheduling}"""


def override(cluster: str) -> str:
    """A rule for one cluster."""
    return f"""\
apiVersion: policy.karmada.io/v1alpha1
kind: OverridePolicy
metadata: {{name: one, namespace: shop}}
spec:
  overrideRules:
  - targetCluster: {{clusterNames: [{cluster}]}}
    overriders: {{labelsOverrider: [{{operator: add, value: {{here: "yes"}}}}]}}
"""


DUPLICATED = ""
DIVIDED = "    replicaScheduling: {replicaSchedulingType: Divided, replicaDivisionPreference: Weighted}\n"
WEIGHTED = """\
    replicaScheduling:
      replicaSchedulingType: Divided
      replicaDivisionPreference: Weighted
      weightPreference:
        staticWeightList:
        - {targetCluster: {labelSelector: {matchLabels: {region: eu}}}, weight: 3}
        - {targetCluster: {}, weight: 1}
"""

clusters = st.dictionaries(
    st.sampled_from(NAMES), st.tuples(st.sampled_from(REGIONS), st.booleans()), min_size=1, max_size=6
)
workspaces = st.builds(
    lambda inventory, replicas, scheduling, excluded: {
        "fleet.yaml": fleet(inventory),
        "policy.yaml": policy(scheduling, excluded),
        **{f"{name}.yaml": deployment(name, count) for name, count in replicas.items()},
    },
    clusters,
    st.dictionaries(st.sampled_from(("web", "api", "db")), st.integers(0, 12), min_size=1, max_size=3),
    st.sampled_from((DUPLICATED, DIVIDED, WEIGHTED)),
    st.sampled_from(NAMES),
)


def bytes_by_cluster(result: Plan) -> dict[str, dict[str, bytes]]:
    """Cluster directory -> path -> bytes."""
    folder = result.tree["clusters"]
    assert isinstance(folder, Tree)
    return {
        name: {path: blob.data for path, blob in walk(directory)}
        for name, directory in folder.items()
        if isinstance(directory, Tree)
    }


@given(workspaces, st.integers())
def test_the_order_of_files_and_clusters_does_not_matter(files: dict[str, str], seed: int) -> None:
    shuffled = list(files.items())
    random.Random(seed).shuffle(shuffled)
    head, *entries = files["fleet.yaml"].split("  - ")
    random.Random(seed).shuffle(entries)
    other = {
        **dict(shuffled),
        "fleet.yaml": "  - ".join([head, *(entry.rstrip("\n") + "\n" for entry in entries)]),
    }
    assert plan(other).tree == plan(files).tree


@given(workspaces)
def test_a_rejected_cluster_gets_nothing(files: dict[str, str]) -> None:
    result = plan(files)
    for rendering in result.renderings:
        assert rendering.decision is not None
        rejected = rendering.decision.rejections()
        taken = {name for manifest in rendering.manifests for name in manifest.clusters}
        assert not taken & rejected.keys()
        assert all(reasons for reasons in rejected.values())


@given(workspaces)
def test_replicas_are_neither_lost_nor_invented(files: dict[str, str]) -> None:
    for rendering in plan(files).renderings:
        binding = rendering.binding
        assert binding is not None
        shares = [manifest.replicas for manifest in rendering.manifests for _ in manifest.clusters]
        if not shares or rendering.standing is not Standing.PLACED:
            continue
        if binding.is_divided and binding.is_workload:
            assert sum(shares) == binding.replicas
        elif binding.is_workload:
            assert set(shares) == {binding.replicas}


@given(workspaces, st.sampled_from(NAMES))
def test_an_override_aimed_at_one_cluster_leaves_the_others_alone(files: dict[str, str], target: str) -> None:
    before = bytes_by_cluster(plan(files))
    after = bytes_by_cluster(plan({**files, "override.yaml": override(target)}))
    assert before.keys() == after.keys()
    for name in before:
        if name != target:
            assert after[name] == before[name]
    for path, data in after.get(target, {}).items():
        assert path.endswith(".keep") or b'here: "yes"' in data


@given(workspaces, st.sampled_from(("2020-01-01T00:00:00Z", "2030-01-01T00:00:00Z")))
def test_a_render_is_a_fixed_point(files: dict[str, str], later: str) -> None:
    first = plan(files)
    second = plan(files, read_previous(first.tree), later)
    assert files_of(second) == files_of(first)
