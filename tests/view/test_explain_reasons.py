"""Why a template is, or is not, on a cluster: each kind of reason, word by word."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from renderer.document.values import dig, mapping, sequence
from renderer.match.near_miss import Difference, Disagreement
from renderer.model.binding import BindingSnapshot, GracefulEvictionTask
from renderer.model.plan import Plan
from renderer.view.explain.claiming import difference
from renderer.view.explain.reading import Reading
from tests.view.explained import (
    AGGREGATED,
    DYNAMIC,
    EQUAL,
    FLEET,
    because,
    override,
    patch,
    policy,
    published,
    shop,
    the_object,
    web,
    weights,
)
from tests.workspaces import NAMESPACE, plan

GPU = "- TaintToleration: taint gpu=yes:NoSchedule is not tolerated"
GOING = """\
---
apiVersion: cluster.karmada.io/v1alpha1
kind: Cluster
metadata: {name: going, deletionTimestamp: "2026-01-01T00:00:00Z"}
spec: {syncMode: Push}
"""
TERMS = (
    "clusterAffinities: [{affinityName: first, clusterNames: [c1]}, "
    "{affinityName: second, clusterNames: [b1]}]"
)
OVERFLOW = (
    "clusterAffinities: [{affinityName: first, clusterNames: [a2], overflowAffinities: "
    "[{affinityName: more, clusterNames: [b1]}, {affinityName: most, clusterNames: [a1]}]}]"
)


def settings(**spec: str) -> str:
    listed = "".join(f"  {key}: {value}\n" for key, value in spec.items())
    return f"apiVersion: krender.io/v1alpha1\nkind: Workspace\nspec:\n{listed}"


def spread(field: str, most: int, least: int = 1) -> str:
    return f"{{spreadByField: {field}, minGroups: {least}, maxGroups: {most}}}"


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        pytest.param(
            shop("clusterAffinity: {labelSelector: {matchLabels: {stage: prod}}}"),
            {
                "a1": "+ 9 on each cluster (Duplicated)",
                "c1": f'{GPU}; ClusterAffinity: label stage is "test", not "prod"',
            },
            id="affinity-and-every-other-reason",
        ),
        pytest.param(
            shop('clusterTolerations: [{key: gpu, operator: Equal, value: "no", effect: NoSchedule}]'),
            {"c1": f'{GPU}: clusterTolerations[0] is near, but its value is "no"'},
            id="the-toleration-that-nearly-matched",
        ),
        pytest.param(
            shop(fleet=FLEET.replace("{name: bare,", "{name: bare, apis: [v1/Pod],")),
            {"bare": "- APIEnablement: Deployment is not served in apps/v1"},
            id="api-not-enabled",
        ),
        pytest.param(
            shop(f"spreadConstraints: [{spread('region', 2)}, {spread('cluster', 2)}]"),
            {"bare": "- SpreadConstraint: has no region, and a spread constraint is by region"},
            id="spread-property-is-missing",
        ),
        pytest.param(
            shop(fleet=FLEET + GOING),
            {"going": "- the cluster is being deleted since 2026-01-01T00:00:00Z"},
            id="cluster-being-deleted",
        ),
        pytest.param(
            shop(weights(a1=9, a2=1), 2),
            {
                "a1": "+ weight 9 of 10",
                "a2": "- fits, but weight 1 of 10 wins none of 2 replicas",
                "b1": "- fits, but no entry of staticWeightList matches it, and others have a weight",
            },
            id="static-weights",
        ),
        pytest.param(
            shop(EQUAL, 2),
            {
                "a1": "+ an equal share among 5",
                "b1": "- fits, but an equal share among 5 wins none of 2 replicas",
            },
            id="equal-shares",
        ),
        pytest.param(
            shop(DYNAMIC, 2),
            {
                "b1": "+ weight 16 of 30",
                "b2": "- fits, but weight 2 of 30 wins none of 2 replicas",
                "bare": "- fits, but has no free capacity",
            },
            id="weights-by-capacity",
        ),
        pytest.param(
            shop(AGGREGATED),
            {"a1": "- fits, but 1 cluster before it can take all replicas (Aggregated)"},
            id="not-needed",
        ),
        pytest.param(shop(DYNAMIC, 0), {"a1": "- there are 0 replicas to run"}, id="no-replicas"),
        pytest.param(
            shop(f"{AGGREGATED}, spreadConstraints: [{spread('cluster', 1)}]"),
            {
                "a1": "- fits, but the spread constraint by cluster takes 1: "
                "it ranks 2 of 5 (score 0, room for 8)",
            },
            id="beyond-the-number-of-clusters",
        ),
        pytest.param(
            shop(f"spreadConstraints: [{spread('region', 1)}, {spread('cluster', 1)}]", 1),
            {
                "a1": "+ 1 on each cluster (Duplicated)",
                "a2": "- fits, and its region is chosen, but others there come first: "
                "it ranks 3 of 4 (score 0, room for 4)",
                "b1": "- fits, but its region b is not chosen: its score is 2000, those chosen are a (2000)",
            },
            id="region-not-chosen",
        ),
        pytest.param(
            shop(f"{OVERFLOW}, {DYNAMIC}"),
            {
                "a2": "+ weight 4 of 4",
                "b1": "+ overflow tier 1: weight 16 of 16",
                "a1": "- overflow tier 2 is not needed: the tiers before it have room for all replicas",
                "b2": "- ClusterAffinity: first: not among clusterNames; "
                "ClusterAffinity: more: not among clusterNames; "
                "ClusterAffinity: most: not among clusterNames",
            },
            id="overflow-tiers",
        ),
        pytest.param(
            shop(f"{TERMS}, {DYNAMIC}"),
            {"b1": "+ weight 16 of 16", "a1": "- ClusterAffinity: second: not among clusterNames"},
            id="the-term-in-force",
        ),
        pytest.param(
            shop(
                "clusterAffinities: [{affinityName: one, clusterNames: [c1]}, "
                "{affinityName: two, clusterNames: [zz]}]"
            ),
            {
                "a1": "- one: ClusterAffinity: one: not among clusterNames; "
                "two: ClusterAffinity: two: not among clusterNames",
                "c1": f"- one: {GPU[2:]}; two: {GPU[2:]}; two: ClusterAffinity: two: not among clusterNames",
            },
            id="every-term-failed",
        ),
        pytest.param(
            shop(DYNAMIC, 900),
            {"a1": "- fits, but the pass failed (Unschedulable)"},
            id="not-enough-capacity",
        ),
        pytest.param(
            shop(policy=policy(DYNAMIC, extra="  schedulerName: mine\n")),
            {"a1": '- another scheduler decides about it: schedulerName is "mine"'},
            id="another-scheduler",
        ),
        pytest.param(
            shop(policy=policy(DYNAMIC, extra="  dependentOverrides: [nope]\n")),
            {"a1": "- PropagationPolicy shop/web waits for override policies that do not exist: nope"},
            id="waits-for-overrides",
        ),
        pytest.param(shop(policy=""), {"a1": "- no policy selects it"}, id="not-claimed"),
        pytest.param(
            shop(web=web().replace("namespace: shop", "namespace: kube-system")),
            {
                "a1": "- nothing in namespace kube-system is propagated: "
                'skippedPropagatingNamespaces has "kube-.*"'
            },
            id="namespace-left-out",
        ),
        pytest.param(
            shop(web=web().replace("namespace: shop", "namespace: karmada-system")),
            {"a1": "- Karmada keeps the namespace karmada-system for itself: nothing in it is propagated"},
            id="namespace-of-karmada",
        ),
        pytest.param(
            shop(
                web=web().replace(
                    "labels: {app: web}}\nspec",
                    "labels: {resourcetemplate.karmada.io/claimed-by: other}}\nspec",
                )
            ),
            {"a1": "- another controller owns it: label resourcetemplate.karmada.io/claimed-by is other"},
            id="owned-elsewhere",
        ),
        pytest.param(
            shop(krender=settings(skippedPropagatingAPIs="[apps/v1/Deployment]")),
            {"a1": "- its API, apps/v1 Deployment, is never propagated"},
            id="api-left-out",
        ),
        pytest.param(
            shop(
                web=web().replace(
                    "labels: {app: web}}\nspec",
                    "labels: {propagationpolicy.karmada.io/permanent-id: x}, annotations: "
                    "{propagationpolicy.karmada.io/namespace: shop, "
                    "propagationpolicy.karmada.io/name: gone}}\nspec",
                )
            ),
            {"a1": "- it carries the claim of PropagationPolicy shop/gone, which does not exist"},
            id="stale-claim",
        ),
        pytest.param(
            shop(web=web("many")),
            {"a1": "- it does not fit Deployment: spec.replicas is not a whole number"},
            id="cannot-be-interpreted",
        ),
        pytest.param(
            shop(o=override(f"targetCluster: {{clusterNames: [a1]}}, {patch('/spec/no/x', 'add', '1')}")),
            {
                "a1": '- OverridePolicy shop/o, rule 1: plaintext 1 "/spec/no/x" cannot be applied to '
                'Deployment shop/web: there is no "no" in "/spec"; '
                "with --keep-going its file stays as last published, and there is none",
                "a2": "+ weight 4 of 30",
            },
            id="override-fails",
        ),
        pytest.param(
            shop(o=override(patch("/spec/replicas", "replace", "7"))),
            {"a1": "+ weight 8 of 30; overrides make it 7"},
            id="override-writes-replicas",
        ),
        pytest.param(
            shop(weights(a1=1), o=override(patch("/spec/template/metadata/labels/x", "add", "y"))),
            {"a1": "+ an equal share among 1"},
            id="override-writes-something-else",
        ),
    ],
)
def test_because(files: Mapping[str, str], expected: Mapping[str, str]) -> None:
    found = because(plan(files))
    assert {name: found[name] for name in expected} == expected


def test_what_every_api_server_makes_itself() -> None:
    made = (
        "apiVersion: v1\nkind: ConfigMap\n"
        "metadata: {name: extension-apiserver-authentication, namespace: kube-system}\n"
    )
    files = shop(made=made, krender=settings(skippedPropagatingNamespaces="[]"))
    found = because(plan(files), "configmap/extension-apiserver-authentication")
    assert found["a1"] == "- every API server makes this object itself, so it is never propagated"


@pytest.mark.parametrize(
    ("aspect", "told"),
    [
        (Difference.API_VERSION, "it selects W, and this is A"),
        (Difference.GROUP, "it selects W, and this is A"),
        (Difference.KIND_CASE, "it selects kind W, and this is A"),
        (Difference.NAMESPACE, "it selects in namespace W, and this is in A"),
        (Difference.CLUSTER_SCOPED, "it selects in namespace W only, and this is cluster-scoped"),
        (Difference.NAME, 'it selects the name "W", and this is "A"'),
        (Difference.LABELS, "the labels do not fit: A"),
        (Difference.INVALID_LABELS, "its label selector is invalid and matches nothing: A"),
    ],
)
def test_near_misses_in_words(aspect: Difference, told: str) -> None:
    assert difference(Disagreement(aspect=aspect, wanted="W", actual="A")) == told


def test_a_policy_that_is_gone_is_named_by_its_binding() -> None:
    reading = Reading(plan(shop()))
    assert reading.needing(BindingSnapshot(namespace="n", name="gone")) == "binding n/gone"
    assert reading.place(None) == ""


def again(before: Mapping[str, str], now: Mapping[str, str]) -> Plan:
    """The second render, with the memory of the first."""
    return plan(now, published(before))


@pytest.mark.parametrize(
    ("before", "now", "expected"),
    [
        pytest.param(
            shop(),
            shop(DYNAMIC, 12),
            {"a1": "+ keeps 2, wins 1 by weight 8 of 30", "a2": "+ keeps 1"},
            id="scale-up",
        ),
        pytest.param(
            shop(),
            shop(DYNAMIC, 5),
            {
                "a1": "+ ran 2 of 9, of which 5 remain",
                "bare": "- fits, but runs none, and the replicas became fewer",
            },
            id="scale-down",
        ),
        pytest.param(
            shop(DYNAMIC, 9),
            shop(DYNAMIC, 1),
            {"a1": "- fits, but it ran 2 of 9, of which 1 remain: none for it"},
            id="scaled-down-to-nothing",
        ),
        pytest.param(
            shop(AGGREGATED, 9),
            shop(DYNAMIC, 9),
            {
                "b1": "+ keeps its 9: the replicas did not change",
                "a1": "- fits, but runs none, and the replicas did not change",
            },
            id="another-strategy-moves-nothing",
        ),
        pytest.param(
            shop(),
            shop(),
            {
                "a1": "+ placed before, and no pass was due",
                "bare": "- fits, but no pass was due: the earlier placement stands, and it is not in it",
            },
            id="no-pass-was-due",
        ),
        pytest.param(
            shop("clusterAffinity: {labelSelector: {matchLabels: {stage: prod}}}, " + DYNAMIC),
            shop(
                "clusterAffinity: {labelSelector: {matchLabels: {stage: prod}}}, " + DYNAMIC,
                fleet=FLEET.replace(
                    "{name: a1, region: a, labels: {stage: prod}", "{name: a1, region: a, labels: {}"
                ),
            ),
            {
                "a1": "+ placed before, and no pass was due, "
                'though now ClusterAffinity: label stage is absent, not "prod"'
            },
            id="stays-where-it-would-not-go",
        ),
        pytest.param(
            shop(),
            shop(DYNAMIC, 900),
            {"a1": "+ placed before, and kept, as the pass failed (Unschedulable)"},
            id="failure-keeps-what-was",
        ),
        pytest.param(
            shop(),
            shop(
                policy=policy(DYNAMIC, extra="  suspension: {dispatchingOnClusters: {clusterNames: [a1]}}\n")
            ),
            {
                "a1": "+ placed before, and no pass was due; "
                "dispatching to it is suspended: its file stays as last published",
                "a2": "+ placed before, and no pass was due",
            },
            id="suspended",
        ),
        pytest.param(
            shop(policy=""),
            shop(policy=policy(DYNAMIC, extra="  suspension: {dispatching: true}\n")),
            {
                "a1": "- weight 8 of 30; dispatching to it is suspended: its file stays as last published, "
                "and there is none"
            },
            id="suspended-and-never-published",
        ),
        pytest.param(
            shop(),
            shop(fleet=FLEET.replace("{name: a1,", "{name: a1, frozen: true,")),
            {
                "a1": "+ placed before, and no pass was due; "
                "the cluster is frozen: its file stays as last published"
            },
            id="frozen",
        ),
        pytest.param(
            shop("clusterAffinity: {clusterNames: [a1]}"),
            shop(
                "clusterAffinity: {clusterNames: [b1]}",
                fleet=FLEET.replace("{name: a1,", "{name: a1, frozen: true,"),
            ),
            {
                "a1": "+ ClusterAffinity: not among clusterNames; "
                "the cluster is frozen: its file stays as last published"
            },
            id="frozen-and-no-target-any-more",
        ),
        pytest.param(
            shop(),
            shop(policy=""),
            {
                "a1": "+ no policy selects it; its file stays as last published",
                "c1": "- no policy selects it, and it was not there before",
            },
            id="orphan",
        ),
        pytest.param(
            shop(),
            shop(web=web("many")),
            {
                "a1": "+ Deployment shop/web cannot be rendered: spec.replicas is not a whole number; "
                "its file stays as last published",
                "c1": "- it does not fit Deployment: spec.replicas is not a whole number, "
                "and it was not there before",
            },
            id="held",
        ),
    ],
)
def test_because_with_a_memory(
    before: Mapping[str, str], now: Mapping[str, str], expected: Mapping[str, str]
) -> None:
    found = because(again(before, now))
    assert {name: found[name] for name in expected} == expected


def test_a_cluster_that_is_being_left() -> None:
    memory = published(shop(AGGREGATED))
    key = ("apps", "Deployment", "shop", "web")
    task = GracefulEvictionTask(from_cluster="a1")
    evicting = replace(memory.bindings[key], graceful_eviction_tasks=(task,))
    made = plan(shop(AGGREGATED, 10), replace(memory, bindings={key: evicting}))
    assert because(made)["a1"] == "- ClusterEviction: an eviction task names it"
    assert dig(the_object(made), "scheduling", "memory", "evictions") == ["a1"]


def test_workloads_that_stay_apart() -> None:
    placement = (
        "clusterAffinity: {clusterNames: [a1]}, workloadAffinity: {antiAffinity: {groupByLabelKey: app}}"
    )
    made = plan(
        shop(
            policy=policy(placement, selector="namespace: shop"),
            other=web().replace("name: web, namespace", "name: zzz, namespace"),
            krender=settings(featureGates="{WorkloadAffinity: true}"),
        )
    )
    assert because(made, "deployment/zzz")["a1"] == (
        "- WorkloadAntiAffinity: web-deployment of its anti-affinity group app=web is there"
    )


def test_two_templates_that_become_one_object() -> None:
    made = plan(
        shop(
            policy=policy("", selector="namespace: shop"),
            other=web().replace("name: web, namespace", "name: zzz, namespace"),
            o=override(patch("/metadata/name", "replace", "web")).replace(
                "kind: Deployment}", "kind: Deployment, name: zzz}"
            ),
        )
    )
    assert because(made, "deployment/zzz")["a1"] == "- Deployment shop/web is written to the same file"
    assert because(made)["a1"] == "+ 9 on each cluster (Duplicated)"


def test_two_templates_that_become_one_object_in_different_places() -> None:
    elsewhere = policy("clusterAffinity: {clusterNames: [b1]}", selector="name: zzz")
    made = plan(
        shop(
            "clusterAffinity: {clusterNames: [a1]}",
            other=web().replace("name: web, namespace", "name: zzz, namespace"),
            elsewhere=elsewhere.replace("{name: web, namespace", "{name: zzz, namespace"),
            o=override(patch("/metadata/name", "replace", "web")).replace(
                "kind: Deployment}", "kind: Deployment, name: zzz}"
            ),
        )
    )
    assert because(made, "deployment/zzz")["b1"] == "+ 9 on each cluster (Duplicated)"
    assert because(made)["a1"] == "+ 9 on each cluster (Duplicated)"


CONFIG = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: conf, namespace: shop}\ndata: {a: b}\n"


def test_what_follows_its_parent() -> None:
    using = web().replace("containers:", "volumes: [{name: c, configMap: {name: conf}}]\n      containers:")
    follows = policy("clusterAffinity: {clusterNames: [a1]}", extra="  propagateDeps: true\n")
    made = plan(shop(web=using, policy=follows, conf=CONFIG))
    found = because(made, "configmap/conf")
    assert found["a1"] == "+ needed by Deployment shop/web"
    assert found["a2"] == "- it follows Deployment shop/web, and none of that goes there"


@pytest.mark.parametrize(
    ("files", "cluster", "expected"),
    [
        pytest.param({}, "a1", "+ needed by Deployment web", id="needed"),
        pytest.param({}, "c1", "- no object that goes there lives in it", id="not-needed-there"),
        pytest.param(
            {"policy": ""},
            "a1",
            "- no policy selects it, and no object that goes anywhere lives in it",
            id="not-needed-anywhere",
        ),
        pytest.param(
            {"krender": settings(namespaces="never")},
            "a1",
            "- no policy selects it, and namespaces: never is set",
            id="never",
        ),
        pytest.param(
            {"krender": settings(namespaces="everywhere")},
            "c1",
            "+ namespaces: everywhere is set",
            id="everywhere",
        ),
        pytest.param(
            {
                "ns": NAMESPACE.replace(
                    "{name: shop}",
                    '{name: shop, labels: {namespace.karmada.io/skip-auto-propagation: "true"}}',
                )
            },
            "a1",
            "- no policy selects it, and its label namespace.karmada.io/skip-auto-propagation "
            "keeps it from following its objects",
            id="opted-out",
        ),
    ],
)
def test_namespaces(files: dict[str, str], cluster: str, expected: str) -> None:
    assert because(plan(shop(DYNAMIC, 9, **files)), "namespace/shop")[cluster] == expected


def test_completions_are_told_with_the_share() -> None:
    job = """\
apiVersion: batch/v1
kind: Job
metadata: {name: count, namespace: shop}
spec:
  parallelism: 2
  completions: 5
  template: {spec: {restartPolicy: Never, containers: [{name: c, image: "x:1"}]}}
"""
    selecting = policy(f"clusterAffinity: {{clusterNames: [a1, a2]}}, {EQUAL}").replace(
        "apps/v1, kind: Deployment, name: web", "batch/v1, kind: Job"
    )
    found = because(plan(shop(web=job, policy=selecting)), "job/count")
    assert found["a1"] == "+ an equal share among 2; 3 completions"


def test_one_cluster_alone_is_told_of() -> None:
    made = plan(shop(DYNAMIC, 12), published(shop()))
    facts = the_object(made, cluster="a2")
    scheduling = mapping(facts["scheduling"])
    (attempt,) = sequence(scheduling["attempts"])
    for listed in (facts["clusters"], dig(scheduling, "memory", "clusters"), mapping(attempt)["candidates"]):
        assert [mapping(item)["cluster"] for item in sequence(listed)] == ["a2"]
