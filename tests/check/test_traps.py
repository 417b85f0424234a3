"""Silent traps: each with an example that falls into it, and one close to it that does not."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from renderer.check.failures import failures
from renderer.check.rules import findings
from renderer.document.problem import Problem, Severity
from renderer.model.instant import EPOCH
from renderer.model.plan import Plan
from renderer.schedule.previous import read_previous
from tests.check.traps import (
    AGGREGATED,
    DYNAMIC,
    ROOMY,
    SETTINGS,
    TRAPS,
    cluster,
    scheduled,
    weighted,
)
from tests.workspaces import FLEET, POLICY, SHOP, WEB, plan

SPARED = "clusters that have it already are spared this filter"
EVERYWHERE = (
    "Deployment shop/web has 0 replicas and no requests, so it goes to all 2 clusters that may be used"
)


def told(files: Mapping[str, str], rule: str, now: str = EPOCH) -> list[str]:
    """What is told of a rule."""
    return [problem.what for problem in findings(plan({**SHOP, **files}, now=now)) if problem.rule == rule]


@pytest.mark.parametrize(
    ("policy", "what"),
    [
        pytest.param(POLICY, [], id="equal-weights"),
        pytest.param(weighted(("{}", 1)), [], id="a-weight-for-all"),
        pytest.param(
            weighted(("{clusterNames: [east]}", 2), ("{clusterNames: [north]}", 1)), [], id="one-each"
        ),
        pytest.param(
            weighted(("{clusterNames: [east]}", 2)),
            ["PropagationPolicy shop/web: north may be used and has no weight"],
            id="one-without",
        ),
        pytest.param(
            weighted(("{}", 1), ("{clusterNames: [west, east]}", 2)),
            ["PropagationPolicy shop/web: the weight 2 is for west, which cannot be used"],
            id="filtered-out-though-named",
        ),
        pytest.param(
            weighted(("{}", 1), ("{labelSelector: {matchLabels: {stage: test}}}", 2)),
            ["PropagationPolicy shop/web: the weight 2 is for west, which cannot be used"],
            id="filtered-out-all-that-a-label-selects",
        ),
        pytest.param(
            weighted(("{}", 1), ("{labelSelector: {matchExpressions: [{key: stage, operator: Exists}]}}", 2)),
            [],
            id="a-label-that-selects-some-that-pass",
        ),
        pytest.param(
            weighted(("{}", 1), ("{labelSelector: {matchLabels: {stage: moon}}}", 2)),
            ["PropagationPolicy shop/web: the weight 2 is for no cluster of the inventory"],
            id="a-label-that-nobody-has",
        ),
        pytest.param(
            weighted(("{clusterNames: [west]}", 1)),
            [
                "PropagationPolicy shop/web: no cluster that passes the filters has a weight: east, north",
                "PropagationPolicy shop/web: the weight 1 is for west, which cannot be used",
            ],
            id="nobody-has-one",
        ),
    ],
)
def test_weights_and_clusters(policy: str, what: list[str]) -> None:
    assert told({"policy.yaml": policy}, "KR211") == what


def test_one_policy_with_many_templates_is_told_once() -> None:
    files = {f"web-{number}.yaml": WEB.replace("name: web,", f"name: web-{number},") for number in range(20)}
    policy = weighted(("{clusterNames: [east]}", 1)).replace(", name: web}]", "}]")
    assert len(told({**files, "policy.yaml": policy}, "KR211")) == 1


def kept(fleet: str, scheduling: str = "") -> list[Problem]:
    """What is told of clusters that keep work after the fleet became another one."""
    policy = scheduled(scheduling) if scheduling else POLICY
    before = plan({**SHOP, "fleet.yaml": ROOMY, "policy.yaml": policy})
    after = plan({**SHOP, "fleet.yaml": fleet, "policy.yaml": policy}, read_previous(before.tree))
    return [problem for problem in findings(after) if problem.rule == "KR212"]


@pytest.mark.parametrize(
    ("change", "scheduling", "severity", "why"),
    [
        pytest.param(
            "name: east, taints: [{key: shut, effect: NoSchedule}]",
            "",
            Severity.NOTE,
            f"east: taint shut:NoSchedule is not tolerated; {SPARED}",
            id="a-taint",
        ),
        pytest.param(
            "name: east, apis: [v1/ConfigMap]",
            "",
            Severity.WARNING,
            f"east: Deployment is not served in apps/v1; {SPARED}",
            id="a-lost-api",
        ),
        pytest.param(
            "name: east, apis: [v1/ConfigMap]",
            "{replicaSchedulingType: Duplicated}",
            Severity.WARNING,
            f"east: Deployment is not served in apps/v1; {SPARED}",
            id="a-lost-api-duplicated",
        ),
        pytest.param(
            "labels: {stage: gone}, name: east",
            AGGREGATED,
            Severity.WARNING,
            "nothing makes Karmada schedule it again",
            id="a-lost-label",
        ),
    ],
)
def test_clusters_that_keep_work(change: str, scheduling: str, severity: Severity, why: str) -> None:
    first = ROOMY.replace("name: east", change, 1)
    fleet = first.replace("region: eu, labels: {stage: prod}", "region: eu") if "gone" in change else first
    (found,) = kept(fleet, scheduling)
    assert (found.severity, why in found.why) == (severity, True)
    assert found.what == "Deployment shop/web stays on east, though new work would not go there"


@pytest.mark.parametrize(
    ("change", "scheduling"),
    [
        pytest.param("name: east", "", id="nothing-changed"),
        pytest.param("name: west, taints: [{key: shut, effect: NoSchedule}]", "", id="not-a-target"),
        pytest.param(
            "labels: {stage: gone}, name: east", "{replicaSchedulingType: Duplicated}", id="duplicated-leaves"
        ),
    ],
)
def test_clusters_that_keep_nothing_wrongly(change: str, scheduling: str) -> None:
    first = ROOMY.replace(f"name: {change.rsplit('name: ')[1].split(',')[0]}", change, 1)
    fleet = first.replace("region: eu, labels: {stage: prod}", "region: eu") if "gone" in change else first
    assert kept(fleet, scheduling) == []


@pytest.mark.parametrize(
    ("fleet", "policy", "what"),
    [
        pytest.param(ROOMY, scheduled(DYNAMIC), [], id="known"),
        pytest.param(FLEET, POLICY, [], id="nobody-asks"),
        pytest.param(
            ROOMY.replace("pods: 9", "cpu: 4", 1),
            scheduled(DYNAMIC),
            ["PropagationPolicy shop/web: 1 of 2 clusters have no known number of pods: east"],
            id="no-pods",
        ),
        pytest.param(
            FLEET,
            scheduled(AGGREGATED),
            ["PropagationPolicy shop/web: 2 of 2 clusters have no known number of pods: east, north"],
            id="no-summary",
        ),
    ],
)
def test_unknown_capacity(fleet: str, policy: str, what: list[str]) -> None:
    assert told({"fleet.yaml": fleet, "policy.yaml": policy}, "KR213") == what


TAINT_NOT_READY = f"{SETTINGS}failover: {{taintNotReady: true}}\n"


@pytest.mark.parametrize(
    ("files", "what"),
    [
        pytest.param({"c.yaml": cluster("south", "True")}, [], id="ready"),
        pytest.param(
            {"c.yaml": cluster("south", "False")}, ["south gets work without being ready"], id="not"
        ),
        pytest.param(
            {"c.yaml": cluster("south", "Unknown") + "---\n" + cluster("sea", "False")},
            ["sea, south get work without being ready"],
            id="several-at-once",
        ),
        pytest.param(
            {
                "c.yaml": cluster(
                    "south", "False", ", taints: [{key: cluster.karmada.io/not-ready, effect: NoSchedule}]"
                )
            },
            [],
            id="tainted",
        ),
        pytest.param(
            {"c.yaml": cluster("south", "Unknown"), "krender.yaml": TAINT_NOT_READY}, [], id="tainted-here"
        ),
        pytest.param(
            {"c.yaml": cluster("south", "False").replace("stage: prod", "stage: test")}, [], id="without-work"
        ),
    ],
)
def test_clusters_that_are_not_ready(files: Mapping[str, str], what: list[str]) -> None:
    assert told(files, "KR214") == what


OBSERVED = ROOMY.replace("name: east,", 'name: east, observedAt: "2026-01-01T00:00:00Z",')


@pytest.mark.parametrize(
    ("now", "settings", "what"),
    [
        pytest.param("2026-01-02T00:00:00Z", "", [], id="as-old-as-may-be"),
        pytest.param("2026-01-02T00:00:01Z", "", ["the figures of east are up to 24 hours old"], id="older"),
        pytest.param(
            "2026-01-09T00:00:00Z", "", ["the figures of east are up to 8 days old"], id="much-older"
        ),
        pytest.param("2026-01-09T00:00:00Z", f"{SETTINGS}capacityMaxAgeSeconds: 0\n", [], id="never-told"),
        pytest.param(
            "2026-01-01T00:02:00Z",
            f"{SETTINGS}capacityMaxAgeSeconds: 60\n",
            ["the figures of east are up to 0 hours old"],
            id="a-minute",
        ),
        pytest.param("2020-01-01T00:00:00Z", "", [], id="a-clock-that-is-behind"),
    ],
)
def test_old_figures(now: str, settings: str, what: list[str]) -> None:
    files = {"fleet.yaml": OBSERVED, "policy.yaml": scheduled(DYNAMIC)}
    assert told({**files, **({"krender.yaml": settings} if settings else {})}, "KR215", now) == what


def test_old_figures_that_nobody_asks_for_are_no_finding() -> None:
    assert told({"fleet.yaml": OBSERVED}, "KR215", "2026-02-01T00:00:00Z") == []


REQUESTS = WEB.replace("image:", "resources: {requests: {cpu: 1}}, image:")
EMPTY = f"{SETTINGS}enableEmptyWorkloadPropagation: true\n"


@pytest.mark.parametrize(
    ("web", "policy", "settings", "what"),
    [
        pytest.param(WEB, POLICY, "", [], id="some-replicas"),
        pytest.param(
            WEB.replace("replicas: 4", "replicas: 0"),
            POLICY,
            "",
            [EVERYWHERE],
            id="everywhere",
        ),
        pytest.param(
            WEB.replace("replicas: 4", "replicas: 0"),
            scheduled("{replicaSchedulingType: Duplicated}"),
            "",
            [],
            id="duplicated-goes-everywhere-anyway",
        ),
        pytest.param(
            REQUESTS.replace("replicas: 4", "replicas: 0"),
            POLICY,
            "",
            ["Deployment shop/web has 0 replicas and requests, so it is removed from every cluster"],
            id="nowhere",
        ),
        pytest.param(
            REQUESTS.replace("replicas: 4", "replicas: 0"), POLICY, EMPTY, [], id="kept-by-a-setting"
        ),
        pytest.param(WEB.replace("  replicas: 4\n", ""), POLICY, "", [], id="absent-is-one"),
        pytest.param(
            REQUESTS.replace("replicas: 4", "replicas: 0"),
            POLICY.replace("stage: prod", "stage: gone"),
            "",
            [],
            id="nobody-fits-anyway",
        ),
    ],
)
def test_no_replicas(web: str, policy: str, settings: str, what: list[str]) -> None:
    files = {"web.yaml": web, "policy.yaml": policy}
    assert told({**files, **({"krender.yaml": settings} if settings else {})}, "KR216") == what


def spread(field: str, least: int, most: int, more: str = "") -> str:
    """Constraints below a placement."""
    constraint = f"{{spreadByField: {field}, minGroups: {least}, maxGroups: {most}}}"
    return f"    spreadConstraints: [{constraint}{more}]\n"


@pytest.mark.parametrize(
    ("scheduling", "constraints", "what"),
    [
        pytest.param(AGGREGATED, spread("cluster", 1, 2), [], id="met"),
        pytest.param(
            AGGREGATED,
            spread("cluster", 2, 2),
            ["Deployment shop/web runs in 1 cluster, and minGroups is 2"],
            id="fewer-clusters",
        ),
        pytest.param(
            AGGREGATED,
            spread("region", 2, 2, ", {spreadByField: cluster, minGroups: 1, maxGroups: 2}"),
            ["Deployment shop/web runs in 1 region, and minGroups is 2"],
            id="fewer-regions",
        ),
        pytest.param(DYNAMIC, spread("cluster", 2, 2), [], id="all-that-were-selected"),
    ],
)
def test_groups_that_get_replicas(scheduling: str, constraints: str, what: list[str]) -> None:
    files = {"fleet.yaml": ROOMY, "policy.yaml": scheduled(scheduling, constraints)}
    assert told(files, "KR217") == what


@pytest.mark.parametrize(
    ("scheduling", "count"),
    [
        pytest.param("{}", 1, id="empty"),
        pytest.param("{replicaDivisionPreference: Weighted}", 0, id="the-type-goes-without-saying"),
        pytest.param("{replicaSchedulingType: Duplicated}", 0, id="duplicated"),
    ],
)
def test_a_scheduling_that_says_nothing(scheduling: str, count: int) -> None:
    assert len(told({"policy.yaml": scheduled(scheduling)}, "KR218")) == count


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("default-scheduler", []),
        ("other", ["PropagationPolicy shop/web leaves Deployment shop/web to the scheduler other"]),
    ],
)
def test_schedulers(name: str, what: list[str]) -> None:
    policy = POLICY.replace("spec:", f"spec:\n  schedulerName: {name}")
    assert told({"policy.yaml": policy}, "KR219") == what


@pytest.mark.parametrize(
    ("field", "settings", "what"),
    [
        pytest.param("propagateDeps: true", "", [], id="deps-are-on"),
        pytest.param(
            "propagateDeps: true",
            "featureGates: {PropagateDeps: false}",
            ["PropagationPolicy shop/web: propagateDeps has no effect"],
            id="deps-are-off",
        ),
        pytest.param(
            "failover: {cluster: {purgeMode: Directly}}",
            "",
            ["PropagationPolicy shop/web: failover.cluster has no effect"],
            id="failover-is-off",
        ),
        pytest.param(
            "failover: {cluster: {purgeMode: Directly}}",
            "featureGates: {Failover: true}",
            ["PropagationPolicy shop/web: failover.cluster has no effect"],
            id="eviction-is-off",
        ),
        pytest.param(
            "failover: {cluster: {purgeMode: Directly}}",
            "featureGates: {Failover: true}\n  failover: {noExecuteEviction: true}",
            [],
            id="eviction-is-on",
        ),
        pytest.param(
            "propagateDeps: true\n  failover: {application: {decisionConditions: {tolerationSeconds: 9}}}",
            "",
            ["PropagationPolicy shop/web: failover.application has no effect"],
            id="nobody-knows-health",
        ),
    ],
)
def test_fields_that_need_a_gate(field: str, settings: str, what: list[str]) -> None:
    files = {"policy.yaml": POLICY.replace("spec:", f"spec:\n  {field}")}
    if settings:
        files["krender.yaml"] = SETTINGS.replace("spec:\n  ", f"spec:\n  {settings}\n")
    assert told(files, "KR209") == what


@pytest.mark.parametrize(
    ("settings", "count"),
    [("claims: afresh", 2), ("featureGates: {WorkloadAffinity: true}", 0)],
)
def test_workload_affinity_needs_its_gate(settings: str, count: int) -> None:
    groups = "affinity: {groupByLabelKey: app}, antiAffinity: {groupByLabelKey: tier}"
    more = f"    workloadAffinity: {{{groups}}}\n"
    files = {"policy.yaml": POLICY + more, "krender.yaml": f"{SETTINGS}{settings}\n"}
    assert len(told(files, "KR209")) == count


@pytest.mark.parametrize(
    ("selector", "count"),
    [
        pytest.param("labelSelector: {}", 1, id="empty"),
        pytest.param("labelSelector: {matchLabels: {app: web}}", 0, id="labels"),
        pytest.param("labelSelector: {}, name: web", 0, id="by-name"),
        pytest.param(
            "labelSelector: {}, name: other}, {apiVersion: apps/v1, kind: Deployment, labelSelector: {}",
            1,
            id="the-first-that-selects-it",
        ),
    ],
)
def test_what_makes_a_selector_closer(selector: str, count: int) -> None:
    files = {**TRAPS["KR108"]}
    files["all.yaml"] = files["all.yaml"].replace("labelSelector: {}", selector)
    assert len(told(files, "KR108")) == count


STRICT = [
    pytest.param("spread", "KR217", id="spread"),
    pytest.param("weights", "KR211", id="weights"),
    pytest.param("readiness", "KR214", id="readiness"),
    pytest.param("capacity", "KR213", id="unknown-capacity"),
    pytest.param("capacity", "KR215", id="old-capacity"),
]


def strictly(rule: str, switch: str) -> Plan:
    """The plan of an example in a workspace that is strict about something."""
    return plan({**TRAPS[rule], "krender.yaml": f"{SETTINGS}strict: {{{switch}: true}}\n"})


@pytest.mark.parametrize(("switch", "rule"), STRICT)
def test_what_a_workspace_is_strict_about_stops_it(switch: str, rule: str) -> None:
    result = strictly(rule, switch)
    refused = [problem for problem in failures(result) if problem.rule == rule]
    assert [problem.severity for problem in refused] == [Severity.ERROR]
    assert refused == [problem for problem in findings(result) if problem.rule == rule]


@pytest.mark.parametrize(("switch", "rule"), STRICT)
def test_what_it_is_not_strict_about_does_not(switch: str, rule: str) -> None:
    other = "digest" if switch != "digest" else "spread"
    assert failures(strictly(rule, other)) == ()
    assert failures(plan(TRAPS[rule])) == ()


def test_strictness_about_digests_and_unenforced_constraints() -> None:
    spread_policy = POLICY + "    spreadConstraints: [{spreadByField: cluster, maxGroups: 1}]\n"
    digest = "sha256:" + "a" * 64
    files = {
        **SHOP,
        "policy.yaml": spread_policy,
        "web.yaml": WEB.replace("web:1.2", f"web:1.2@{digest}"),
        "krender.yaml": f"{SETTINGS}strict: {{spread: true, digest: true}}\n",
        "o.yaml": """\
apiVersion: policy.karmada.io/v1alpha1
kind: OverridePolicy
metadata: {name: o, namespace: shop}
spec:
  overrideRules:
  - overriders: {imageOverrider: [{component: Registry, operator: replace, value: mirror.example}]}
""",
    }
    assert [problem.rule for problem in failures(plan(files))] == ["KR304", "KR203"]
