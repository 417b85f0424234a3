"""Laws of the whole: what holds for every workspace, tried on random ones."""

from __future__ import annotations

import random
from collections.abc import Mapping

from hypothesis import given, settings
from hypothesis import strategies as st

from renderer.document.values import mapping, sequence, text
from renderer.model.cluster import Cluster
from renderer.model.decision import Scaling
from renderer.model.plan import Plan, Standing
from renderer.model.tree import Tree, walk
from renderer.pipeline import render
from renderer.schedule.previous import read_previous
from renderer.view.explain.answer import pages
from renderer.view.explain.facts import object_facts
from renderer.view.explain.page import plain
from renderer.view.explain.reading import Reading
from tests.workspaces import files_of, plan, workspace

REGIONS = ("eu", "us", "ap")
NAMES = ("a", "b", "c", "d", "e", "f")


def fleet(clusters: Mapping[str, tuple[str, bool, int]]) -> str:
    """An inventory: name -> region, whether it is tainted, and how many pods have room."""
    lines = ["apiVersion: krender.io/v1alpha1", "kind: ClusterInventory", "metadata: {name: fleet}", "spec:"]
    lines.append("  clusters:")
    for name, (region, tainted, pods) in clusters.items():
        facts = f", region: {region}, labels: {{region: {region}}}, capacity: {{pods: {pods}}}"
        taints = ", taints: [{key: closed, effect: NoSchedule}]" if tainted else ""
        lines.append(f"  - {{name: {name}{facts}{taints}}}")
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

DYNAMIC = """\
    replicaScheduling:
      replicaSchedulingType: Divided
      replicaDivisionPreference: Weighted
      weightPreference: {dynamicWeight: AvailableReplicas}
"""
AGGREGATED = """\
    replicaScheduling: {replicaSchedulingType: Divided, replicaDivisionPreference: Aggregated}
    spreadConstraints: [{spreadByField: cluster, minGroups: 1, maxGroups: 2}]
"""

clusters = st.dictionaries(
    st.sampled_from(NAMES),
    st.tuples(st.sampled_from(REGIONS), st.booleans(), st.integers(0, 9)),
    min_size=1,
    max_size=6,
)
workspaces = st.builds(
    lambda inventory, replicas, scheduling, excluded: {
        "fleet.yaml": fleet(inventory),
        "policy.yaml": policy(scheduling, excluded),
        **{f"{name}.yaml": deployment(name, count) for name, count in replicas.items()},
    },
    clusters,
    st.dictionaries(st.sampled_from(("web", "api", "db")), st.integers(0, 12), min_size=1, max_size=3),
    st.sampled_from((DUPLICATED, DIVIDED, WEIGHTED, DYNAMIC, AGGREGATED)),
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


@given(workspaces)
def test_no_cluster_gets_more_than_has_room_there_where_room_counts(files: dict[str, str]) -> None:
    result = plan(files)
    room = {cluster.name: pods(cluster) for cluster in result.workspace.clusters}
    for rendering in result.renderings:
        assert rendering.decision is not None
        divisions = [division for one in rendering.decision.attempts for division in one.stages().divisions]
        if any(division.scaling is not Scaling.NOT_DYNAMIC for division in divisions):
            for manifest in rendering.manifests:
                assert all(manifest.replicas <= room[name] for name in manifest.clusters)


def pods(cluster: Cluster) -> int:
    """How many pods have room on a cluster."""
    assert cluster.resource_summary is not None
    return dict(cluster.resource_summary.allocatable)["pods"].value


@settings(max_examples=30)
@given(workspaces, st.integers(1, 12), st.integers(1, 5))
def test_more_replicas_take_none_away_where_weights_are_fixed(
    files: dict[str, str], few: int, more: int
) -> None:
    for scheduling in (DIVIDED, WEIGHTED):
        common = {**files, "policy.yaml": policy(scheduling, "f")}
        before, after = (
            shares(plan({**common, "web.yaml": deployment("web", replicas)}), "web")
            for replicas in (few, few + more)
        )
        assert all(after.get(name, 0) >= replicas for name, replicas in before.items())


def shares(result: Plan, name: str) -> dict[str, int]:
    """Cluster -> replicas of a Deployment."""
    return {
        cluster: manifest.replicas
        for rendering in result.renderings
        if rendering.template.identity.name == name
        for manifest in rendering.manifests
        for cluster in manifest.clusters
    }


@settings(max_examples=50)
@given(workspaces, st.booleans())
def test_an_explanation_names_every_cluster_once(files: dict[str, str], again: bool) -> None:
    result = plan(files)
    if again:
        result = plan(files, read_previous(result.tree))
    known = [cluster.name for cluster in result.workspace.clusters]
    for rendering in result.renderings:
        assert rendering.binding is not None
        answers = list(map(mapping, sequence(object_facts(Reading(result), rendering)["clusters"])))
        assert [text(item["cluster"]) for item in answers] == known
        told = [text(item["cluster"]) for item in answers if item["gets"]]
        assert sorted(told) == sorted(target.name for target in rendering.binding.clusters)
        assert all(sequence(item["because"]) for item in answers)
        (page,) = pages({"objects": [object_facts(Reading(result), rendering)]})
        rows = plain(page).split("\n\n")[1].split("\n")[1:]
        named = [name for row in rows for name in row.split("  ")[0].split(", ")]
        assert sorted(named) == sorted(known)


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


@given(workspaces, workspaces, workspaces)
@settings(max_examples=40)
def test_what_was_made_before_makes_no_difference(
    files: dict[str, str], once: dict[str, str], since: dict[str, str]
) -> None:
    loaded = workspace(files)
    known = render(loaded, read_previous(plan(once).tree), "2020-01-01T00:00:00Z")
    previous = read_previous(plan(since).tree)
    again, anew = render(loaded, previous, known=known), render(loaded, previous)
    assert again.renderings == anew.renderings
    assert again.tree == anew.tree


@given(workspaces, st.sampled_from(("2020-01-01T00:00:00Z", "2030-01-01T00:00:00Z")))
def test_a_render_is_a_fixed_point(files: dict[str, str], later: str) -> None:
    first = plan(files)
    second = plan(files, read_previous(first.tree), later)
    assert files_of(second) == files_of(first)
