"""Failover end to end: work moves, files stay as long as the eviction, nothing moves back by itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import pytest

from renderer.document.read import read_stream
from renderer.document.values import Object, dig, mapping
from renderer.model.plan import Plan
from renderer.model.previous import NOTHING
from renderer.pipeline import render
from renderer.schedule.previous import read_previous
from tests.workspaces import FLEET, NAMESPACE, WEB, files_of, workspace

FAILOVER: Final = """\
apiVersion: krender.io/v1alpha1
kind: Workspace
spec:
  featureGates: {Failover: true}
  failover: {noExecuteEviction: true, taintNotReady: true, allowNoExecuteTaintPolicies: true}
"""
DIVIDED: Final = (
    "{replicaSchedulingType: Divided, replicaDivisionPreference: Weighted, "
    "weightPreference: {staticWeightList: [{targetCluster: {}, weight: 1}]}}"
)
SECRET: Final = "apiVersion: v1\nkind: Secret\nmetadata: {name: s, namespace: shop}\n"


def fleet(east: str = "", **others: str) -> str:
    """Three clusters, with more said about some of them."""
    said = {"east": east, "north": "", "west": "", **others}
    lines = [f"  - {{name: {name}, labels: {{name: {name}}}{more}}}" for name, more in said.items()]
    return FLEET.split("  - ")[0] + "\n".join(lines) + "\n"


def policy(*, scheduling: str = DIVIDED, more: str = "", placement: str = "") -> str:
    """A PropagationPolicy that takes the Deployment, with what it needs, everywhere."""
    return f"""\
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata: {{name: web, namespace: shop}}
spec:
  resourceSelectors: [{{apiVersion: apps/v1, kind: Deployment, name: web}}]
  propagateDeps: true
  {more}
  placement:
    replicaScheduling: {scheduling}
    {placement}
"""


BASE: Final = {
    "krender.yaml": FAILOVER,
    "fleet.yaml": fleet(),
    "namespace.yaml": NAMESPACE,
    "web.yaml": WEB.replace("replicas: 4", "replicas: 6").replace(
        "image:", "envFrom: [{secretRef: {name: s}}], image:"
    ),
    "secret.yaml": SECRET,
    "policy.yaml": policy(),
}
GONE: Final = {"fleet.yaml": fleet(", taints: [{key: gone, effect: NoExecute}]")}
Step = tuple[str, Mapping[str, str]]  # what time it is, and what else the workspace says


def history(*steps: Step, base: Mapping[str, str] = BASE) -> list[Plan]:
    """The plans of the steps of one day, each rendered on what the one before published."""
    plans: list[Plan] = []
    previous = NOTHING
    for time, files in steps:
        made = workspace({**base, **files})
        plan = render(made, previous, f"2026-01-01T{time}Z")
        previous = read_previous(plan.tree)
        assert files_of(render(made, previous, f"2026-01-01T{time}Z")) == files_of(plan)
        plans.append(plan)
    return plans


def binding(plan: Plan) -> Object:
    """The published binding of the Deployment."""
    text = files_of(plan)[".krender/bindings/shop/deployment.apps.web.yaml"]
    return mapping(read_stream(text.encode(), "")[0].value)


def replicas(plan: Plan) -> dict[str, int]:
    """Cluster -> replicas of the Deployment."""
    rendering = next(item for item in plan.renderings if item.template.identity.kind == "Deployment")
    assert rendering.binding is not None
    return {target.name: target.replicas for target in rendering.binding.clusters}


def files(plan: Plan, cluster: str) -> dict[str, str]:
    """Name -> text of the files of a cluster."""
    start = f"clusters/{cluster}/"
    return {path.rpartition("/")[2]: text for path, text in files_of(plan).items() if path.startswith(start)}


def test_work_moves_and_leaves_its_files_behind_for_ten_minutes() -> None:
    plans = history(
        ("08:00:00", {}),
        ("09:00:00", GONE),
        ("09:10:00", GONE),
        ("09:10:01", GONE),
        ("10:00:00", {}),
        ("11:00:00", {}),
    )
    before, evicted, waiting, over, healed, later = plans
    assert replicas(before) == {"east": 2, "north": 2, "west": 2}
    assert replicas(evicted) == {"north": 3, "west": 3}
    assert dig(binding(evicted), "spec", "gracefulEvictionTasks") == [
        {
            "fromCluster": "east",
            "purgeMode": "Gracefully",
            "replicas": 2,
            "reason": "TaintUntolerated",
            "producer": "TaintManager",
            "creationTimestamp": "2026-01-01T09:00:00Z",
        }
    ]
    # What the Deployment needs, and the Namespace they live in, stay with it.
    assert len(files(before, "east")) == 3
    assert files(evicted, "east") == files(before, "east") == files(waiting, "east")
    assert list(files(over, "east")) == [".keep"]
    assert dig(binding(over), "spec", "gracefulEvictionTasks") is None
    # A cluster that recovers moves nothing back by itself.
    assert replicas(healed) == replicas(later) == {"north": 3, "west": 3}


def test_directly_leaves_nothing_behind() -> None:
    directly = {"policy.yaml": policy(more="failover: {cluster: {purgeMode: Directly}}")}
    _, evicted = history(("08:00:00", directly), ("09:00:00", {**directly, **GONE}))
    assert replicas(evicted) == {"north": 3, "west": 3}
    assert list(files(evicted, "east")) == [".keep"]


def test_a_task_that_nobody_may_end_keeps_its_files() -> None:
    plans = history(("08:00:00", {}), ("09:00:00", GONE))
    tree = plans[1].tree
    body = binding(plans[1])
    assert body
    text = files_of(plans[1])[".krender/bindings/shop/deployment.apps.web.yaml"]
    never = text.replace("purgeMode: Gracefully", "purgeMode: Never\n    suppressDeletion: true")
    kept = _render_on(tree, never, "2027-01-01T00:00:00Z")
    assert files(kept, "east") == files(plans[0], "east")
    confirmed = never.replace("suppressDeletion: true", "suppressDeletion: false")
    assert list(files(_render_on(tree, confirmed, "2026-01-01T09:00:00Z"), "east")) == [".keep"]


def _render_on(tree: object, binding_text: str, now: str) -> Plan:
    from renderer.model.tree import Blob, Tree, placed

    assert isinstance(tree, Tree)
    path = ".krender/bindings/shop/deployment.apps.web.yaml"
    previous = read_previous(placed(tree, path, Blob(binding_text.encode())))
    return render(workspace({**BASE, **GONE}), previous, now)


def test_files_that_are_left_stay_as_published_though_the_template_changes() -> None:
    changed = {**GONE, "web.yaml": BASE["web.yaml"].replace("web:1.2", "web:1.3")}
    before, evicted, after = history(("08:00:00", {}), ("09:00:00", GONE), ("09:05:00", changed))
    assert files(after, "east") == files(evicted, "east") == files(before, "east")
    assert "web:1.3" in files(after, "north")["deployment.apps.web.yaml"]


def test_what_was_never_published_is_not_left_behind() -> None:
    tolerated = policy(placement="clusterTolerations: [{key: gone, operator: Exists, tolerationSeconds: 60}]")
    taint = ", taints: [{key: gone, effect: NoExecute, timeAdded: '2025-01-01T00:00:00Z'}]"
    (first,) = history(("08:00:00", {"policy.yaml": tolerated, "fleet.yaml": fleet(taint)}))
    assert replicas(first) == {"north": 3, "west": 3}
    assert list(files(first, "east")) == [".keep"]


TOLERATING: Final = {
    "policy.yaml": policy(
        placement="clusterTolerations: [{key: gone, operator: Exists, tolerationSeconds: 300}]"
    )
}


@pytest.mark.parametrize(
    ("times", "moved"),
    [
        pytest.param(["09:00:00", "09:04:59"], False, id="a-second-left"),
        pytest.param(["09:00:00", "09:05:00"], True, id="over"),
        pytest.param(["09:05:00"], False, id="the-time-runs-from-when-the-taint-was-seen-first"),
    ],
)
def test_toleration_seconds(times: Sequence[str], moved: bool) -> None:
    steps = [("08:00:00", TOLERATING), *((time, {**TOLERATING, **GONE}) for time in times)]
    assert (len(replicas(history(*steps)[-1])) == 2) is moved


def test_a_rebalancer_brings_work_home() -> None:
    rebalancer = """\
apiVersion: apps.karmada.io/v1alpha1
kind: WorkloadRebalancer
metadata: {name: home}
spec:
  workloads: [{apiVersion: apps/v1, kind: Deployment, name: web, namespace: shop}]
"""
    plans = history(
        ("08:00:00", {}), ("09:00:00", GONE), ("10:00:00", {}), ("11:00:00", {"home.yaml": rebalancer})
    )
    assert replicas(plans[2]) == {"north": 3, "west": 3}
    assert replicas(plans[3]) == {"east": 2, "north": 2, "west": 2}


def test_affinity_falls_back_and_stays() -> None:
    groups = policy(
        scheduling="{replicaSchedulingType: Duplicated}",
        placement=(
            "clusterAffinities: [{affinityName: home, clusterNames: [east]}, "
            "{affinityName: spare, clusterNames: [west]}]"
        ),
    )
    chosen = {"policy.yaml": groups}
    plans = history(
        ("08:00:00", chosen), ("09:00:00", {**chosen, **GONE}), ("12:00:00", chosen), ("13:00:00", chosen)
    )
    assert [list(replicas(plan)) for plan in plans] == [["east"], ["west"], ["west"], ["west"]]
    assert dig(binding(plans[3]), "status", "schedulerObservingAffinityName") == "spare"


def test_where_nothing_else_fits_the_work_is_nowhere_until_the_task_ends() -> None:
    only = {"policy.yaml": policy(placement="clusterAffinity: {clusterNames: [east]}")}
    before, evicted, over, healed = history(
        ("08:00:00", only), ("09:00:00", {**only, **GONE}), ("10:00:00", {**only, **GONE}), ("11:00:00", only)
    )
    assert replicas(evicted) == replicas(over) == {}
    assert files(evicted, "east") == files(before, "east")
    assert list(files(over, "east")) == [".keep"]
    assert replicas(healed) == {"east": 6}


TAINT_POLICY: Final = """\
apiVersion: policy.karmada.io/v1alpha1
kind: ClusterTaintPolicy
metadata: {name: unready}
spec:
  addOnConditions: [{conditionType: Ready, operator: NotIn, statusValues: ["True"]}]
  removeOnConditions: [{conditionType: Ready, operator: In, statusValues: ["True"]}]
  taints: [{key: unready, effect: NoExecute}]
"""
UNREADY: Final = {"ctp.yaml": TAINT_POLICY, "fleet.yaml": fleet(", ready: false")}


def test_a_taint_policy_evicts() -> None:
    quiet = {"ctp.yaml": TAINT_POLICY}
    plans = history(("08:00:00", quiet), ("09:00:00", UNREADY), ("10:00:00", UNREADY), ("11:00:00", quiet))
    assert [sorted(replicas(plan)) for plan in plans] == [
        ["east", "north", "west"],
        ["north", "west"],
        ["north", "west"],
        ["north", "west"],
    ]
    assert [str(item.taint) for item in plans[2].taints] == ["unready:NoExecute"]
    assert plans[2].taints[0].taint.time_added == "2026-01-01T09:00:00Z"
    assert 'timeAdded: "2026-01-01T09:00:00Z"' in files_of(plans[2])[".krender/taints.yaml"]
    assert ".krender/taints.yaml" not in files_of(plans[3])


def test_nothing_moves_unless_asked() -> None:
    base = {key: text for key, text in BASE.items() if key != "krender.yaml"}
    plans = history(("08:00:00", {}), ("09:00:00", {**GONE}), ("10:00:00", {**GONE}), base=base)
    assert [replicas(plan) for plan in plans] == [{"east": 2, "north": 2, "west": 2}] * 3


def test_a_frozen_cluster_that_is_left_keeps_its_bytes_for_ever() -> None:
    frozen = {"fleet.yaml": fleet(", frozen: true, taints: [{key: gone, effect: NoExecute}]")}
    before, evicted, over = history(("08:00:00", {}), ("09:00:00", frozen), ("12:00:00", frozen))
    assert replicas(over) == {"north": 3, "west": 3}
    assert files(evicted, "east") == files(over, "east") == files(before, "east")


def test_an_orphan_that_was_leaving_keeps_both_places() -> None:
    orphaned = {**GONE, "policy.yaml": "# gone\n"}
    before, evicted, orphan, later = history(
        ("08:00:00", {}), ("09:00:00", GONE), ("09:05:00", orphaned), ("12:00:00", orphaned)
    )
    name = "deployment.apps.web.yaml"
    for plan in (orphan, later):
        assert files(plan, "east")[name] == files(before, "east")[name]
        assert files(plan, "north")[name] == files(evicted, "north")[name]


def test_a_new_object_of_the_same_name_comes_before_the_one_that_is_leaving() -> None:
    override = """\
apiVersion: policy.karmada.io/v1alpha1
kind: OverridePolicy
metadata: {name: named, namespace: shop}
spec:
  resourceSelectors: [{apiVersion: apps/v1, kind: Deployment, name: other}]
  overrideRules:
  - overriders: {plaintext: [{path: /metadata/name, operator: replace, value: web}]}
"""
    other = {
        **GONE,
        "other.yaml": WEB.replace("name: web, namespace", "name: other, namespace"),
        "named.yaml": override,
        "elsewhere.yaml": policy(scheduling="{replicaSchedulingType: Duplicated}")
        .replace("name: web", "name: other")
        .replace(
            "    \n",
            "    clusterAffinity: {clusterNames: [east]}\n"
            "    clusterTolerations: [{key: gone, operator: Exists}]\n",
        ),
    }
    _, evicted, taken = history(("08:00:00", {}), ("09:00:00", GONE), ("09:05:00", other))
    assert "replicas: 2" in files(evicted, "east")["deployment.apps.web.yaml"]
    assert "replicas: 4" in files(taken, "east")["deployment.apps.web.yaml"]
    assert taken.problems == ()
