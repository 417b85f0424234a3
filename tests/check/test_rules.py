"""Every rule has an example that breaks it, and a section in the docs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from renderer.check.rules import RULES, findings, findings_around
from renderer.document.problem import Problem, Severity
from renderer.model.tree import tree_of, walk
from renderer.pipeline import render
from renderer.schedule.previous import read_previous
from tests.check.engines import ENGINES
from tests.check.loops import LOOPS, OWN
from tests.check.scaling import SCALING
from tests.check.teams import TEAMS
from tests.check.traps import TRAPS
from tests.workspaces import FLEET, NAMESPACE, POLICY, SHOP, WEB, plan, workspace

DOCS = Path(__file__).parents[2] / "docs" / "rules.md"

DIGEST = "sha256:" + "a" * 64


def override(rule: str, kind: str = "OverridePolicy", name: str = "o") -> str:
    """An override policy over Deployments with one rule, given as the YAML of its overriders."""
    namespace = ", namespace: shop" if kind == "OverridePolicy" else ""
    return f"""\
apiVersion: policy.karmada.io/v1alpha1
kind: {kind}
metadata: {{name: {name}{namespace}}}
spec:
  resourceSelectors: [{{apiVersion: apps/v1, kind: Deployment}}]
  overrideRules:
  - overriders: {rule}
"""


def image(component: str, operator: str, value: str) -> str:
    """An imageOverrider."""
    return f'{{imageOverrider: [{{component: {component}, operator: {operator}, value: "{value}"}}]}}'


def patch(path: str, operator: str, value: str) -> str:
    """A plaintext overrider."""
    return f"{{plaintext: [{{path: {path}, operator: {operator}, value: {value}}}]}}"


ROLE = "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: r}\nrules: []\n"

KEY = "apiVersion: v1\nkind: Secret\nmetadata: {name: key, namespace: shop}\n"
SERVICE = """\
apiVersion: v1
kind: Service
metadata: {name: web, namespace: shop}
spec: {selector: {app: web}, ports: [{port: 80}]}
"""

BREAKING = {
    "KR101": {**SHOP, "policy.yaml": POLICY.replace("apps/v1", "apps/v1beta1")},
    "KR102": {**SHOP, "late.yaml": POLICY.replace("{name: web, namespace", "{name: zzz, namespace")},
    "KR103": {**SHOP, "role.yaml": ROLE},
    "KR105": {**SHOP, "web2.yaml": WEB.replace("namespace: shop", "namespace: kube-system")},
    "KR201": {**SHOP, "fleet.yaml": FLEET.replace("stage: prod", "stage: gone")},
    "KR202": {**SHOP, "policy.yaml": POLICY.replace("{labelSelector", "{exclude: [weast], labelSelector")},
    "KR203": {
        **SHOP,
        "policy.yaml": POLICY + "    spreadConstraints: [{spreadByField: cluster, maxGroups: 1}]\n",
    },
    "KR106": {
        **SHOP,
        "policy.yaml": POLICY.replace("name: web}]", "name: web, labelSelector: {matchLabels: {app: api}}}]"),
    },
    "KR204": {
        **SHOP,
        "policy.yaml": POLICY.replace(
            "    replicaScheduling: {replicaSchedulingType: Divided, replicaDivisionPreference: Weighted}",
            "    spreadConstraints: [{spreadByField: cluster}]",
        ),
    },
    "KR205": {**SHOP, "policy.yaml": POLICY.replace("{labelSelector", "{clusterNames: [], labelSelector")},
    "KR206": {
        **SHOP,
        "fleet.yaml": FLEET.replace("region: eu,", "region: eu, capacity: {pods: '1'},"),
    },
    "KR207": {**SHOP, "policy.yaml": POLICY.replace("spec:", "spec:\n  suspension: {dispatching: true}")},
    "KR208": {
        **SHOP,
        "again.yaml": "apiVersion: apps.karmada.io/v1alpha1\nkind: WorkloadRebalancer\n"
        "metadata: {name: again}\nspec: {workloads: [{apiVersion: apps/v1, kind: Deployment, name: web}]}\n",
    },
    "KR209": {**SHOP, "policy.yaml": POLICY.replace("spec:", "spec:\n  activationPreference: Lazy")},
    "KR210": {
        **SHOP,
        "policy.yaml": POLICY.replace(
            "clusterAffinity: {labelSelector: {matchLabels: {stage: prod}}}",
            "clusterAffinities: [{affinityName: first, labelSelector: {matchLabels: {stage: none}}}, "
            "{affinityName: second, clusterNames: [east]}]",
        ),
    },
    "KR702": {
        **SHOP,
        "policy.yaml": POLICY.replace(
            "spec:", "spec:\n  propagateDeps: true\n  failover: {application: {decisionConditions: {}}}"
        ),
    },
    "KR301": {
        **SHOP,
        "o.yaml": override(image("Tag", "replace", "2")).replace(
            "  - overriders", "  - targetCluster: {clusterNames: [west]}\n    overriders"
        ),
    },
    "KR302": {**SHOP, "o.yaml": override(image("Tag", "replace", "1.2"))},
    "KR303": {
        **SHOP,
        "a.yaml": override(image("Tag", "replace", "2"), "ClusterOverridePolicy"),
        "b.yaml": override(image("Tag", "replace", "3")),
    },
    "KR304": {
        **SHOP,
        "web.yaml": WEB.replace("web:1.2", f"web:1.2@{DIGEST}"),
        "o.yaml": override(image("Registry", "replace", "mirror.example")),
    },
    "KR305": {**SHOP, "o.yaml": override(patch("/metadata/labels", "replace", "{x: y}"))},
    "KR306": {**SHOP, "o.yaml": override(image("Repository", "remove", ""))},
    "KR307": {
        **SHOP,
        "o.yaml": override("{argsOverrider: [{containerName: wbe, operator: add, value: [x]}]}"),
    },
    "KR308": {
        **SHOP,
        "agent.yaml": WEB.replace("image:", "args: [8080], image:").replace("Deployment", "DaemonSet"),
        "policy.yaml": POLICY.replace("kind: Deployment, name: web", "kind: DaemonSet"),
        "o.yaml": override(
            "{argsOverrider: [{containerName: web, operator: add, value: [x]}]}", "ClusterOverridePolicy"
        ).replace("kind: Deployment", "kind: DaemonSet"),
    },
    "KR309": {**SHOP, "o.yaml": override(patch("/spec/replicas", "replace", "7"))},
    "KR310": {**SHOP, "o.yaml": override(patch("/spec/template", "replace", "[]"))},
    "KR311": {**SHOP, "o.yaml": override(patch("/metadata/name", "replace", "web-2"))},
    "KR312": {
        **SHOP,
        "o.yaml": override(image("Tag", "replace", "2"))
        + "  overriders: {fieldOverrider: [{fieldPath: /a, json: [{subPath: /b, operator: remove}]}]}\n",
    },
    "KR401": {key: value for key, value in SHOP.items() if value != NAMESPACE},
    "KR402": {
        **SHOP,
        "crd.yaml": "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n"
        "metadata: {name: teas.shop.example}\n"
        "spec: {group: shop.example, scope: Namespaced, names: {kind: Tea, plural: teas}}\n",
        "tea.yaml": "apiVersion: shop.example/v1\nkind: Tea\nmetadata: {name: t, namespace: shop}\n",
        "policy.yaml": POLICY.replace("[{api", "[{apiVersion: shop.example/v1, kind: Tea}, {api"),
    },
    "KR403": {
        **SHOP,
        "policy.yaml": POLICY.replace("spec:", "spec:\n  propagateDeps: true"),
        "web.yaml": WEB.replace("image:", "envFrom: [{secretRef: {name: key}}], image:"),
    },
    "KR501": {
        **SHOP,
        "policy.yaml": POLICY.replace("[{api", "[{apiVersion: v1, kind: ConfigMap}, {api"),
        "port.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c, namespace: shop}\n"
        "data: {port: 80}\n",
    },
    "KR502": {**SHOP, "web.yaml": WEB.replace("replicas: 4", "replicas: 4\n  repliacs: 5")},
    "KR503": {**SHOP, "web2.yaml": WEB.replace("kind: Deployment", "kind: Deploymnet")},
    "KR505": {
        **SHOP,
        "policy.yaml": POLICY.replace("[{api", "[{apiVersion: v1, kind: ConfigMap}, {api"),
        "big.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c, namespace: shop}\n"
        f"data: {{a: {'x' * 2**18}}}\n",
    },
    "KR601": {**SHOP, "service.yaml": SERVICE},
    "KR602": {
        **SHOP,
        "web.yaml": WEB.replace("image:", "envFrom: [{secretRef: {name: key}}], image:"),
        "key.yaml": KEY,
    },
    "KR603": {
        **SHOP,
        "policy.yaml": POLICY.replace("spec:", "spec:\n  propagateDeps: true"),
        "web.yaml": WEB.replace("image:", "envFrom: [{secretRef: {name: key}}], image:"),
        "key.yaml": KEY,
        "more.yaml": WEB.replace("{name: web, namespace", "{name: api, namespace").replace(
            "image:", "envFrom: [{secretRef: {name: key}}], image:"
        ),
        "other.yaml": POLICY.replace(
            "spec:", "spec:\n  propagateDeps: true\n  conflictResolution: Overwrite"
        ).replace("name: web", "name: api"),
    },
    "KR504": {**SHOP, "web.yaml": WEB.replace("labels: {app: web}}\nspec", "annotations: {y: a}}\nspec")},
}

# What these tell of needs an earlier render; they have tests of their own.
WITH_A_PAST = ("KR104", "KR107", "KR212", "KR506", "KR701", "KR703", "KR822")

BREAKING |= TRAPS | LOOPS | TEAMS | SCALING | ENGINES


def test_a_clean_workspace_has_no_findings() -> None:
    assert findings(plan(SHOP)) == ()


@pytest.mark.parametrize("rule", BREAKING)
def test_the_example_breaks_its_rule(rule: str) -> None:
    rendered = plan(BREAKING[rule])
    told = (*findings(rendered), *findings_around(rendered, OWN))
    assert rule in [problem.rule for problem in told]


def test_an_orphan_is_told() -> None:
    first = plan(SHOP)
    orphaned = plan({**SHOP, "policy.yaml": "# gone\n"}, read_previous(first.tree))
    assert "KR104" in [problem.rule for problem in findings(orphaned)]
    assert orphaned.tree["clusters"] == first.tree["clusters"]


def test_every_rule_is_tried_and_documented() -> None:
    documented = re.findall(r"^### (KR[1-9]\d+) (.+)$", DOCS.read_text(encoding="utf-8"), re.MULTILINE)
    assert documented == [(rule.id, rule.title) for rule in RULES]
    assert {rule.id for rule in RULES} == {*BREAKING, *WITH_A_PAST}


def only(files: dict[str, str], rule: str) -> Problem:
    """The one finding of a rule."""
    (found,) = (problem for problem in findings(plan(files)) if problem.rule == rule)
    return found


def test_a_version_off_is_named() -> None:
    found = only(BREAKING["KR101"], "KR101")
    assert str(found.where) == "policy.yaml:5:24"
    assert found.fix == 'write "apps/v1"'
    assert found.severity is Severity.WARNING


def test_a_cluster_scoped_kind_needs_a_cluster_policy() -> None:
    policy = POLICY.replace(
        "apps/v1, kind: Deployment, name: web", "rbac.authorization.k8s.io/v1, kind: ClusterRole"
    )
    found = only({**SHOP, "role.yaml": ROLE, "p.yaml": policy.replace("name: web", "name: roles")}, "KR101")
    assert found.severity is Severity.ERROR
    assert found.fix == "make it a ClusterPropagationPolicy"


def test_a_misspelt_cluster_gets_a_suggestion() -> None:
    assert only(BREAKING["KR202"], "KR202").fix in ('write "west"', 'write "east"')


def test_the_sum_of_overridden_replicas_is_told() -> None:
    assert "14 in all instead of 4" in only(BREAKING["KR309"], "KR309").what


def test_lost_keys_are_listed() -> None:
    assert "app" in only(BREAKING["KR305"], "KR305").why


SPREAD = "    spreadConstraints: {}\n"
DUPLICATED = POLICY.replace(
    "    replicaScheduling: {replicaSchedulingType: Divided, replicaDivisionPreference: Weighted}\n", ""
)


@pytest.mark.parametrize(
    ("constraints", "rules"),
    [
        pytest.param("[{spreadByField: cluster, maxGroups: 1}]", [], id="by-cluster"),
        pytest.param("[{spreadByField: cluster}]", ["KR201", "KR204"], id="no-most"),
        pytest.param("[{minGroups: 1}]", ["KR201", "KR204"], id="cluster-is-the-default"),
        pytest.param(
            "[{spreadByField: region}, {spreadByField: cluster, maxGroups: 9}]",
            ["KR201", "KR204"],
            id="region",
        ),
        pytest.param("[{spreadByLabel: a/b, maxGroups: 2}]", ["KR201", "KR204"], id="label-alone"),
        pytest.param(
            "[{spreadByLabel: a/b, maxGroups: 2}, {spreadByField: cluster, maxGroups: 2}]",
            ["KR203"],
            id="label-beside-cluster",
        ),
    ],
)
def test_constraints_that_nothing_meets(constraints: str, rules: list[str]) -> None:
    found = findings(plan({**SHOP, "policy.yaml": DUPLICATED + SPREAD.format(constraints)}))
    assert sorted(problem.rule for problem in found) == rules


def test_static_weights_ignore_a_constraint_that_nothing_meets() -> None:
    found = findings(plan({**SHOP, "policy.yaml": POLICY + SPREAD.format("[{spreadByField: cluster}]")}))
    assert [problem.rule for problem in found] == ["KR203"]


@pytest.mark.parametrize(
    ("affinity", "told"),
    [
        pytest.param("{clusterNames: []}", True, id="empty"),
        pytest.param("{clusterNames: }", True, id="null"),
        pytest.param("{}", False, id="every-cluster-is-meant"),
        pytest.param("{clusterNames: [east], exclude: []}", False, id="nothing-excluded"),
    ],
)
def test_names_that_were_to_come(affinity: str, told: bool) -> None:
    policy = POLICY.replace("{labelSelector: {matchLabels: {stage: prod}}}", affinity)
    found = findings(plan({**SHOP, "policy.yaml": policy}))
    assert ("KR205" in [problem.rule for problem in found]) is told


def test_an_override_rule_for_no_names_is_told_too() -> None:
    policy = override(image("Tag", "replace", "2")).replace(
        "  - overriders", "  - targetCluster: {clusterNames: []}\n    overriders"
    )
    assert str(only({**SHOP, "o.yaml": policy}, "KR205").where) == "o.yaml:7:21"


def test_labels_that_agree_with_the_name_are_no_finding() -> None:
    policy = POLICY.replace("name: web}]", "name: web, labelSelector: {matchLabels: {app: web}}}]")
    assert findings(plan({**SHOP, "policy.yaml": policy})) == ()


@pytest.mark.parametrize(
    ("namespace", "why"),
    [
        ("kube-system", 'skippedPropagatingNamespaces has "kube-.*"'),
        ("karmada-system", "Karmada leaves it out always"),
        ("karmada-es-east", "Karmada leaves it out always"),
    ],
)
def test_what_keeps_a_template_from_travelling_is_named(namespace: str, why: str) -> None:
    found = only({**SHOP, "x.yaml": WEB.replace("namespace: shop", f"namespace: {namespace}")}, "KR105")
    assert namespace in found.what
    assert found.why == why


INITIALISED = WEB.replace(
    "      containers:",
    "      initContainers: [{name: fetch, image: registry.example/fetch}, {name: own, image: own}]\n"
    "      containers:",
)


@pytest.mark.parametrize(
    ("overrider", "passed_over"),
    [
        pytest.param(image("Registry", "replace", "mirror.example"), "fetch, own", id="replace"),
        pytest.param(image("Registry", "remove", ""), "fetch", id="remove-what-is-there"),
        pytest.param(image("Tag", "replace", "7"), "", id="a-tag-is-of-one-image"),
    ],
)
def test_init_containers_are_passed_over(overrider: str, passed_over: str) -> None:
    found = findings(plan({**SHOP, "web.yaml": INITIALISED, "o.yaml": override(overrider)}))
    told = [problem.why for problem in found if "init containers" in problem.why]
    assert told == (
        [f"imageOverrider looks at containers only, not at init containers: {passed_over} keep their images"]
        if passed_over
        else []
    )


ENVIRONMENT = WEB.replace("image:", "env: [{name: A, value: a}, {name: B, value: b}], image:")


@pytest.mark.parametrize(
    ("value", "lost"),
    [
        pytest.param("[{name: C, value: c}]", "A, B", id="all"),
        pytest.param("[{name: B, value: c}]", "A", id="some"),
        pytest.param("[{name: B, value: b}, {name: A, value: x}]", "", id="none"),
    ],
)
def test_entries_of_a_list_that_are_lost_are_named(value: str, lost: str) -> None:
    rule = patch("/spec/template/spec/containers/0/env", "add", value)
    found = findings(plan({**SHOP, "web.yaml": ENVIRONMENT, "o.yaml": override(rule)}))
    told = [problem.why for problem in found if problem.rule == "KR305"]
    assert told == ([f"the list is replaced whole, and these entries are lost: {lost}"] if lost else [])


@pytest.mark.parametrize(
    ("path", "value", "what"),
    [
        ("/spec/replicas", '"5"', 'spec.replicas must be a whole number, not "5"'),
        (
            "/spec/template/spec/containers/0/env",
            "{A: b}",
            "spec.template.spec.containers[0].env must be a list",
        ),
        (
            "/spec/template/spec/containers/0/evn",
            "[]",
            'there is no field "evn" in spec.template.spec.containers[0]',
        ),
    ],
)
def test_an_override_that_spoils_the_object_is_blamed(path: str, value: str, what: str) -> None:
    found = only({**SHOP, "o.yaml": override(patch(path, "add", value))}, "KR310")
    assert (found.where.file, found.where.line) == ("o.yaml", 7)
    assert what in found.what


def test_what_the_template_misses_already_is_not_an_overrides_fault() -> None:
    rule = override(patch("/data/port", "replace", "81")).replace(
        "apps/v1, kind: Deployment", "v1, kind: ConfigMap"
    )
    files = {**BREAKING["KR501"], "o.yaml": rule}
    assert [problem.rule for problem in findings(plan(files))] == ["KR501"]


def test_a_namespace_waits_for_what_lives_in_it() -> None:
    unplaced = {**SHOP, "fleet.yaml": FLEET.replace("stage: prod", "stage: gone")}
    assert [problem.rule for problem in findings(plan(unplaced))] == ["KR201"]


def test_an_empty_namespace_needs_a_cluster_policy() -> None:
    found = only({**SHOP, "n.yaml": NAMESPACE.replace("shop", "empty")}, "KR103")
    assert found.fix == "select it in a ClusterPropagationPolicy"


def test_a_secret_is_not_shown() -> None:
    secret = "apiVersion: v1\nkind: Secret\nmetadata: {name: s, namespace: shop}\ndata: {p: not-base-64!}\n"
    assert "not-base" not in only({**SHOP, "s.yaml": secret}, "KR501").what


@pytest.mark.parametrize(
    ("path", "value", "identity"),
    [
        ("/metadata/name", "web-2", "Deployment shop/web-2"),
        ("/metadata/namespace", "default", "Deployment default/web"),
        ("/kind", "StatefulSet", "StatefulSet shop/web"),
    ],
)
def test_an_override_that_makes_another_object(path: str, value: str, identity: str) -> None:
    found = only({**SHOP, "o.yaml": override(patch(path, "replace", value))}, "KR311")
    assert found.what == (
        f"OverridePolicy shop/o, rule 1: Deployment shop/web becomes {identity} on east, north"
    )


@pytest.mark.parametrize(
    ("api_version", "kind", "fix"),
    [
        ("apps/v1", "Deploymnet", "write kind: Deployment"),
        ("apps/v1", "deployment", "write kind: Deployment"),
        ("v1", "Deployment", "write apiVersion: apps/v1"),
        ("apps", "Deployment", "write apiVersion: apps/v1"),
        ("app/v1", "Deployment", "write apiVersion: apps/v1"),
        ("apps/v2", "Deployment", "write apiVersion: apps/v1"),
        ("apps/v1", "Widget", "correct kind or apiVersion"),
        ("rbac.authorization.k8s.io/v1", "Rolebinding", "write kind: RoleBinding"),
        ("autoscaling/v1", "HorizontalPodAutoscaler", ""),
        ("apps/v1beta1", "Deployment", "write apiVersion: apps/v1, and the fields that it has"),
        (
            "extensions/v1beta1",
            "Ingress",
            "write apiVersion: networking.k8s.io/v1, and the fields that it has",
        ),
        ("policy/v1beta1", "PodSecurityPolicy", "take it out"),
        ("networking.k8s.io/v1beta1", "ServiceCIDR", ""),
        ("shop.example/v1", "Deployment", ""),
        ("resource.k8s.io/v1", "ResourceClaim", ""),
        ("networking.k8s.io/v1", "Cheese", ""),
    ],
)
def test_kinds_that_are_none(api_version: str, kind: str, fix: str) -> None:
    text = WEB.replace("apps/v1", api_version).replace("kind: Deployment", f"kind: {kind}")
    found = findings(plan({**SHOP, "web2.yaml": text.replace("name: web,", "name: two,")}))
    assert [problem.fix for problem in found if problem.rule == "KR503"] == ([fix] if fix else [])


def test_a_version_that_a_cluster_still_has_is_one() -> None:
    old = FLEET.replace("name: east,", "name: east, apis: [kubernetes, apps/v1beta1/Deployment],")
    files = {**SHOP, "fleet.yaml": old, "web.yaml": WEB.replace("apps/v1", "apps/v1beta1")}
    assert "KR503" not in [problem.rule for problem in findings(plan(files))]


def test_a_kind_that_the_workspace_defines_is_one() -> None:
    definition = """\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: deploymnets.apps}
spec: {group: apps, scope: Namespaced, names: {kind: Deploymnet, plural: deploymnets}}
"""
    found = findings(plan({**BREAKING["KR503"], "crd.yaml": definition}))
    assert "KR503" not in [problem.rule for problem in found]


ROOM = FLEET.replace("region: eu,", "region: eu, capacity: {pods: '1', cpu: '1'},")


@pytest.mark.parametrize(
    ("placement", "told"),
    [
        pytest.param("{}", True, id="duplicated"),
        pytest.param("{replicaScheduling: {replicaSchedulingType: Divided}}", True, id="equal-weights"),
        pytest.param(
            "{replicaScheduling: {replicaSchedulingType: Divided, replicaDivisionPreference: Weighted, "
            "weightPreference: {staticWeightList: [{targetCluster: {clusterNames: [east]}, weight: 1}]}}}",
            True,
            id="static-weights",
        ),
        pytest.param(
            "{replicaScheduling: {replicaSchedulingType: Divided, replicaDivisionPreference: Aggregated}}",
            False,
            id="aggregated-looks",
        ),
        pytest.param("{clusterAffinity: {clusterNames: [north]}}", False, id="nothing-known-of-north"),
    ],
)
def test_room_that_nothing_looked_at(placement: str, told: bool) -> None:
    policy = f"{POLICY.split('  placement:')[0]}  placement: {placement}\n"
    found = findings(plan({**SHOP, "fleet.yaml": ROOM, "policy.yaml": policy}))
    notes = [problem for problem in found if problem.rule == "KR206"]
    assert len(notes) == told
    for note in notes:
        assert note.what == "Deployment shop/web is given to east, which has no room for it"
        assert "east has room for 1 by pods (1 allocatable)" in note.why


def test_what_runs_already_needs_no_more_room() -> None:
    files = {**SHOP, "fleet.yaml": ROOM}
    first = plan(files)
    assert "KR206" in [problem.rule for problem in findings(first)]
    again = plan(files, read_previous(first.tree))
    assert "KR206" not in [problem.rule for problem in findings(again)]


def test_many_clusters_without_room_are_one_finding() -> None:
    fleet = ROOM.replace("region: nord,", "region: nord, capacity: {pods: '0'},")
    found = only({**SHOP, "fleet.yaml": fleet}, "KR206")
    assert found.what == "Deployment shop/web is given to east, north, which have no room for it"


@pytest.mark.parametrize(
    ("workload", "fix"),
    [
        ("kind: Deployment, name: web", "add namespace: shop"),
        ("kind: Deployment, name: web, namespace: default", "write namespace: shop"),
        ("kind: Deployment, name: wbe, namespace: shop", "correct the name, or take it out"),
        ("kind: Deployment, name: web, namespace: shop", ""),
    ],
)
def test_what_a_rebalancer_means(workload: str, fix: str) -> None:
    again = BREAKING["KR208"]["again.yaml"].replace("kind: Deployment, name: web", workload)
    found = findings(plan({**SHOP, "again.yaml": again}))
    assert [problem.fix for problem in found if problem.rule == "KR208"] == ([fix] if fix else [])


def test_a_suspension_names_clusters_and_objects() -> None:
    found = only(BREAKING["KR207"], "KR207")
    assert found.what == "PropagationPolicy shop/web suspends dispatching: Deployment shop/web on east, north"
    assert found.where.line == 5


def test_a_suspension_of_a_cluster_that_nobody_has() -> None:
    policy = POLICY.replace("spec:", "spec:\n  suspension: {dispatchingOnClusters: {clusterNames: [weast]}}")
    assert str(only({**SHOP, "policy.yaml": policy}, "KR202").where) == "policy.yaml:5:55"


@pytest.mark.parametrize(
    ("line", "fix"),
    [
        ("repliacs: 5", 'write "replicas"'),
        ("containers: []", "move it to spec.template.spec.containers"),
        ("cheese: 5", "remove it, or move it to where it belongs"),
    ],
)
def test_a_field_in_the_wrong_place(line: str, fix: str) -> None:
    files = {**SHOP, "web.yaml": WEB.replace("replicas: 4", f"replicas: 4\n  {line}")}
    assert only(files, "KR502").fix == fix


def test_an_empty_old_form_beside_rules_is_what_karmada_writes_itself() -> None:
    policy = override(image("Tag", "replace", "2")) + "  overriders: {}\n"
    assert findings(plan({**SHOP, "o.yaml": policy})) == ()


def test_the_key_that_a_metadata_overrider_passes_over_is_named() -> None:
    rule = override("{labelsOverrider: [{operator: replace, value: {tier: x}}]}")
    (found,) = (problem for problem in findings(plan({**SHOP, "o.yaml": rule})) if problem.rule == "KR307")
    assert found.why == "the key tier is not there, and operators replace and remove pass over it"


def test_a_word_that_is_not_there_is_named() -> None:
    rule = override("{argsOverrider: [{containerName: web, operator: remove, value: [--log]}]}")
    web = WEB.replace("image:", "args: [--log=debug], image:")
    found = only({**SHOP, "web.yaml": web, "o.yaml": rule}, "KR307")
    assert found.why == "no element is --log: they are compared whole, and removed where they are equal"


DEFINED = """\
apiVersion: policy.karmada.io/v1alpha1
kind: ClusterPropagationPolicy
metadata: {name: definitions}
spec:
  resourceSelectors: [{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition}]
  placement: {clusterAffinity: {clusterNames: %s}}
"""


@pytest.mark.parametrize(
    ("clusters", "what"),
    [
        ("[east, north]", ""),
        ("[east]", "Tea shop/t goes to north, and CustomResourceDefinition teas.shop.example does not"),
    ],
)
def test_a_kind_is_defined_where_its_objects_go(clusters: str, what: str) -> None:
    found = findings(plan({**BREAKING["KR402"], "d.yaml": DEFINED % clusters}))
    assert [problem.what for problem in found if problem.rule == "KR402"] == ([what] if what else [])


def test_a_cluster_that_serves_a_kind_needs_no_definition() -> None:
    fleet = FLEET.replace("region: eu,", "region: eu, apis: [shop.example/v1/Tea, apps/v1/Deployment],")
    found = only({**BREAKING["KR402"], "fleet.yaml": fleet}, "KR402")
    assert found.what.startswith("Tea shop/t goes to north,")


@pytest.mark.parametrize("name", ["kube-root-ca.crt", "there"])
def test_a_dependency_that_is_made_or_there_is_no_finding(name: str) -> None:
    web = WEB.replace("image:", f"envFrom: [{{configMapRef: {{name: {name}}}}}], image:")
    there = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: there, namespace: shop}\n"
    assert (
        findings(plan({**BREAKING["KR403"], "web.yaml": web, "c.yaml": there if name == "there" else ""}))
        == ()
    )


@pytest.mark.parametrize(
    ("key", "read"),
    [
        ("y", "true"),
        ("off", "false"),
        ("No", "false"),
        ("true", ""),
        ("True", ""),
        ('"true"', ""),
        ("'false'", ""),
        ("yesterday", ""),
    ],
)
def test_keys_that_are_read_as_something_else(key: str, read: str) -> None:
    text = f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: c, namespace: shop}}\ndata:\n  {key}: a\n"
    found = [item for item in findings(plan({**SHOP, "c.yaml": text})) if item.rule == "KR504"]
    assert [item.what for item in found] == (
        [f'ConfigMap shop/c: the key {key} is read as "{read}"'] if read else []
    )


def test_a_key_of_an_override_value_is_looked_at_too() -> None:
    rule = override(patch("/metadata/annotations", "add", "[{on: x}]"))
    assert only({**SHOP, "o.yaml": rule}, "KR504").where.line == 7


STICKY = "apiVersion: krender.io/v1alpha1\nkind: Workspace\nmetadata: {name: w}\nspec:\n  claims: sticky\n"


@pytest.mark.parametrize(
    ("field", "settings", "told"),
    [
        pytest.param("activationPreference: Lazy", "", True, id="lazy"),
        pytest.param("activationPreference: Lazy", STICKY, False, id="lazy-counts-where-claims-stick"),
        pytest.param("preemption: Always", "", True, id="preemption"),
        pytest.param("preemption: Always", STICKY, True, id="preemption-needs-its-gate"),
        pytest.param(
            "preemption: Always",
            f"{STICKY}  featureGates: {{PropagationPolicyPreemption: true}}\n",
            False,
            id="preemption-with-its-gate",
        ),
    ],
)
def test_fields_about_what_came_first(field: str, settings: str, told: bool) -> None:
    settings = settings or STICKY.replace("sticky", "afresh")
    files = {**SHOP, "policy.yaml": POLICY.replace("spec:", f"spec:\n  {field}"), "krender.yaml": settings}
    assert ("KR209" in [problem.rule for problem in findings(plan(files))]) is told


def test_the_loser_is_told_why_it_lost() -> None:
    found = only(BREAKING["KR102"], "KR102")
    assert found.what == "PropagationPolicy shop/zzz owns nothing of what it selects: Deployment shop/web"
    assert found.why == "it loses to PropagationPolicy shop/web because its name comes later"


def test_a_namespace_that_an_override_asks_for_is_told_there() -> None:
    files = {**SHOP, "o.yaml": override(patch("/metadata/namespace", "replace", "away"))}
    assert only(files, "KR401").where.file == "o.yaml"
    assert only(BREAKING["KR401"], "KR401").where.file == "web.yaml"


@pytest.mark.parametrize(
    ("size", "severity", "why"),
    [
        (2**18, Severity.NOTE, "client-side apply"),
        (2**20 + 1, Severity.ERROR, "an API server refuses it"),
    ],
)
def test_large_objects(size: int, severity: Severity, why: str) -> None:
    big = BREAKING["KR505"]["big.yaml"].replace("x" * 2**18, "x" * size)
    found = only({**BREAKING["KR505"], "big.yaml": big}, "KR505")
    assert (found.severity, why in found.why) == (severity, True)


def test_a_list_of_small_objects_is_not_large() -> None:
    item = "- {apiVersion: v1, kind: ConfigMap, metadata: {name: c%d, namespace: shop}, data: {a: %s}}\n"
    items = "".join(item % (number, "x" * 2**17) for number in range(3))
    files = {**BREAKING["KR505"], "big.yaml": f"apiVersion: v1\nkind: List\nitems:\n{items}"}
    assert "KR505" not in [problem.rule for problem in findings(plan(files))]


def test_many_misfits_are_counted() -> None:
    data = ", ".join(f"k{number}: {number}" for number in range(50))
    files = {**BREAKING["KR501"]}
    files["port.yaml"] = files["port.yaml"].replace("port: 80", data)
    told = [problem.what for problem in findings(plan(files)) if problem.rule == "KR501"]
    assert len(told) == 20
    assert sum("(and 30 more like it)" in what for what in told) == 1


def test_the_first_affinity_group_is_no_finding() -> None:
    files = {**BREAKING["KR210"]}
    files["policy.yaml"] = files["policy.yaml"].replace("stage: none", "stage: prod")
    assert findings(plan(files)) == ()


def test_what_is_removed_from_a_suspended_cluster_is_a_warning() -> None:
    suspended = POLICY.replace("spec:", "spec:\n  suspension: {dispatching: true}")
    first = plan(SHOP)
    fewer = {**SHOP, "policy.yaml": suspended, "web.yaml": WEB.replace("replicas: 4", "replicas: 1")}
    found = [item for item in findings(plan(fewer, read_previous(first.tree))) if item.rule == "KR207"]
    (warning,) = (item for item in found if item.severity is Severity.WARNING)
    assert warning.what == "Deployment shop/web is removed from north, where dispatching is suspended"
    assert len(found) == 2


JOB = """\
apiVersion: batch/v1
kind: Job
metadata: {name: web, namespace: shop}
spec:
  completions: 40
  parallelism: 4
  template: {spec: {restartPolicy: Never, containers: [{name: web, image: "registry.example/web:1"}]}}
"""
JOBS = {
    **SHOP,
    "web.yaml": JOB,
    "policy.yaml": POLICY.replace("apps/v1, kind: Deployment", "batch/v1, kind: Job"),
}


@pytest.mark.parametrize(
    ("line", "other", "told"),
    [
        pytest.param("completions: 40", "completions: 50", "spec.completions", id="completions"),
        pytest.param("web:1", "web:2", "spec.template", id="template"),
        pytest.param("spec:", "spec:\n  backoffLimit: 2", "", id="what-may-change"),
        pytest.param("completions", "completions", "", id="no-change"),
    ],
)
def test_what_can_never_change(line: str, other: str, told: str) -> None:
    first = plan(JOBS)
    changed = plan({**JOBS, "web.yaml": JOB.replace(line, other, 1)}, read_previous(first.tree))
    assert [item.what for item in findings(changed) if item.rule == "KR506"] == (
        [f"Job shop/web: {told} changes on east, north"] if told else []
    )


def test_a_job_that_is_divided_anew_changes_what_cannot() -> None:
    first = plan(JOBS)
    fleet = FLEET.replace("stage: test", "stage: prod").replace("region: we", "region: w")
    again = render(workspace({**JOBS, "fleet.yaml": fleet}), read_previous(first.tree), fresh=True)
    (found,) = (item for item in findings(again) if item.rule == "KR506")
    assert found.what == "Job shop/web: spec.completions changes on north", (
        "west has none, east keeps its own"
    )


def test_a_published_file_that_cannot_be_read_is_not_compared() -> None:
    first = plan(JOBS)
    path = "clusters/east/shop/job.batch.web.yaml"
    spoilt = read_previous(tree_of({**dict(walk(first.tree)), path: b"kind: ["}))
    changed = plan({**JOBS, "web.yaml": JOB.replace("40", "50")}, spoilt)
    assert [item.where.line for item in findings(changed) if item.rule == "KR506"] == [5]


SETTINGS = "apiVersion: krender.io/v1alpha1\nkind: Workspace\nmetadata: {name: w}\nspec:\n  "


@pytest.mark.parametrize(
    ("template", "told"),
    [
        pytest.param(
            "apiVersion: v1\nkind: ConfigMap\n"
            "metadata: {name: extension-apiserver-authentication, namespace: kube-system}\n",
            "take it out: every cluster makes its own",
            id="what-every-cluster-makes",
        ),
        pytest.param(
            "apiVersion: coordination.k8s.io/v1\nkind: Lease\nmetadata: {name: l, namespace: shop}\n",
            "",
            id="an-api-that-never-travels",
        ),
    ],
)
def test_what_never_travels(template: str, told: str) -> None:
    settings = f"{SETTINGS}skippedPropagatingNamespaces: []\n"
    found = only({**SHOP, "krender.yaml": settings, "x.yaml": template}, "KR105")
    assert found.fix == told


def test_a_zone_constraint_only_leaves_clusters_out() -> None:
    zoned = FLEET.replace("region:", "zones: [z], region:")
    policy = DUPLICATED + SPREAD.format("[{spreadByField: cluster, maxGroups: 2}, {spreadByField: zone}]")
    found = only({**SHOP, "fleet.yaml": zoned, "policy.yaml": policy}, "KR203")
    assert found.why.endswith("a constraint by zone only leaves out clusters without a zone")


def test_an_overflow_group_is_looked_at_too() -> None:
    policy = POLICY.replace(
        "clusterAffinity: {labelSelector: {matchLabels: {stage: prod}}}",
        "clusterAffinities: [{affinityName: first, clusterNames: [east], "
        "overflowAffinities: [{affinityName: more, clusterNames: [weast]}]}]",
    ).replace("Weighted}", "Aggregated}")
    assert only({**SHOP, "policy.yaml": policy}, "KR202").fix in ('write "west"', 'write "east"')


def test_a_suspension_that_takes_nothing_away_is_a_note() -> None:
    files = {**SHOP, "policy.yaml": POLICY.replace("spec:", "spec:\n  suspension: {dispatching: true}")}
    found = findings(plan(files, read_previous(plan(SHOP).tree)))
    assert [(item.rule, item.severity) for item in found] == [("KR207", Severity.NOTE)]


def test_metadata_of_the_wrong_type_is_told() -> None:
    web = WEB.replace("labels: {app: web}}\nspec", "labels: {app: web}, finalizers: x}\nspec")
    service = web.replace("apps/v1", "v1").replace("Deployment", "Service").split("spec:")[0]
    assert "metadata.finalizers must be a list" in only({**SHOP, "s.yaml": service}, "KR501").what
