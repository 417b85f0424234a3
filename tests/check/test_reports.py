"""Findings that people's reports asked for: what they had to find out by themselves is told."""

from __future__ import annotations

import pytest

from renderer.check.rules import findings
from renderer.document.problem import Severity
from tests.check.traps import AGGREGATED, EQUAL, ROOMY, scheduled
from tests.workspaces import POLICY, SHOP, WEB, plan

SET_APART = """\
apiVersion: policy.karmada.io/v1alpha1
kind: OverridePolicy
metadata: {name: o, namespace: shop}
spec:
  overrideRules:
  - targetCluster: {clusterNames: [east]}
    overriders:
      plaintext:
      - {path: /spec/ordinals, operator: add, value: {start: 1}}
      - {path: /spec/replicas, operator: replace, value: 0}
"""
DUPLICATED = POLICY.replace("Divided, replicaDivisionPreference: Weighted}", "Duplicated}")


def job(spec: str) -> str:
    """A Job with these fields beside its template."""
    return f"""\
apiVersion: batch/v1
kind: Job
metadata: {{name: web, namespace: shop}}
spec:
  {spec}
  template: {{spec: {{restartPolicy: Never, containers: [{{name: web, image: "registry.example/web:1"}}]}}}}
"""


def of_kind(kind: str, api_version: str, policy: str = POLICY) -> str:
    """The policy for another kind."""
    return policy.replace("apps/v1", api_version).replace("Deployment", kind)


def stateful(start: int = 0) -> dict[str, str]:
    """A StatefulSet on two clusters; `east` begins to count there."""
    override = f"""\
apiVersion: policy.karmada.io/v1alpha1
kind: OverridePolicy
metadata: {{name: o, namespace: shop}}
spec:
  overrideRules:
  - targetCluster: {{clusterNames: [east]}}
    overriders: {{plaintext: [{{path: /spec/ordinals, operator: add, value: {{start: {start}}}}}]}}
"""
    return {
        **SHOP,
        "web.yaml": WEB.replace("Deployment", "StatefulSet"),
        "policy.yaml": of_kind("StatefulSet", "apps/v1"),
        **({"o.yaml": override} if start else {}),
    }


def jobs(spec: str, policy: str = POLICY) -> dict[str, str]:
    """A Job, and where it goes."""
    return {**SHOP, "web.yaml": job(spec), "policy.yaml": of_kind("Job", "batch/v1", policy)}


def told(files: dict[str, str], rule: str) -> list[tuple[Severity, str]]:
    """What is told of a rule."""
    return [(item.severity, item.what) for item in findings(plan(files)) if item.rule == rule]


ZEROS = "StatefulSet shop/web is divided, and each of its clusters has a web-0 of its own"
INDEXES = "Job shop/web is divided, and each of its clusters does the indexes from 0"
ALONE = "Job shop/web has no completions, and is a Job of its own on each cluster"
INDEXED = "completionMode: Indexed\n  parallelism: 4\n  completions: 4"


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        pytest.param(stateful(), [(Severity.NOTE, ZEROS)], id="ordinals-from-0"),
        pytest.param(stateful(1), [(Severity.NOTE, ZEROS)], id="ordinals-that-overlap"),
        pytest.param(stateful(2), [], id="ordinals-set-apart"),
        pytest.param({**stateful(), "o.yaml": SET_APART}, [], id="no-pods-at-all-on-one"),
        pytest.param(jobs(INDEXED), [(Severity.WARNING, INDEXES)], id="indexes-from-0"),
        pytest.param(jobs(INDEXED, DUPLICATED), [], id="the-whole-job-on-each-cluster"),
        pytest.param(jobs("parallelism: 4"), [(Severity.NOTE, ALONE)], id="a-queue"),
        pytest.param(jobs("parallelism: 1"), [], id="a-queue-on-one-cluster"),
        pytest.param(jobs("parallelism: 4\n  completions: 9"), [], id="completions-are-divided"),
    ],
)
def test_what_each_cluster_counts(files: dict[str, str], expected: list[tuple[Severity, str]]) -> None:
    assert told(files, "KR220") == expected


@pytest.mark.parametrize(
    ("value", "annotations", "expected"),
    [
        pytest.param("{{ cluster.metadata.name }}", "", 1, id="an-expression"),
        pytest.param("{% if cluster.spec.region %}x{% endif %}", "", 1, id="a-statement"),
        pytest.param(
            "{{ cluster.metadata.name }}", ", annotations: {krender.io/values: jinja2}", 0, id="asked-for"
        ),
        pytest.param("{{ $labels.cluster }}", "", 0, id="another-template-over-a-cluster"),
        pytest.param("{{ .Values.name }}", "", 0, id="another-template"),
        pytest.param("$(cluster)", "", 0, id="no-braces"),
    ],
)
def test_an_expression_that_is_not_computed(value: str, annotations: str, expected: int) -> None:
    override = f"""\
apiVersion: policy.karmada.io/v1alpha1
kind: OverridePolicy
metadata: {{name: o, namespace: shop{annotations}}}
spec:
  overrideRules:
  - overriders: {{annotationsOverrider: [{{operator: add, value: {{on: "{value}"}}}}]}}
"""
    assert len(told({**SHOP, "o.yaml": override}, "KR314")) == expected


def selecting(kind: str, body: str) -> dict[str, str]:
    """An object of a kind, placed by a policy of its own."""
    scope = "" if kind == "PersistentVolume" else ", namespace: shop"
    policy = f"""\
apiVersion: policy.karmada.io/v1alpha1
kind: {"" if scope else "Cluster"}PropagationPolicy
metadata: {{name: other{scope}}}
spec: {{resourceSelectors: [{{apiVersion: v1, kind: {kind}}}], placement: {{}}}}
"""
    head = f"apiVersion: v1\nkind: {kind}\n"
    return {**SHOP, "other.yaml": policy, "x.yaml": head + body}


BOUND = "annotations: {pv.kubernetes.io/bind-completed: 'yes'}"
POD = "metadata: {name: x, namespace: shop}\nspec: {containers: [{name: c, image: i.example/c:1}], "


@pytest.mark.parametrize(
    ("kind", "body", "expected"),
    [
        pytest.param(
            "ServiceAccount",
            "metadata: {name: x, namespace: shop}\nsecrets: [{name: key}, {name: x-token-abcde}]\n",
            ["ServiceAccount shop/x: secrets names x-token-abcde, which a cluster made for itself"],
            id="a-token",
        ),
        pytest.param(
            "ServiceAccount",
            "metadata: {name: x, namespace: shop}\nsecrets: [{name: key}]\n",
            [],
            id="a-secret-of-its-own",
        ),
        pytest.param(
            "PersistentVolumeClaim",
            f"metadata: {{name: x, namespace: shop, {BOUND}}}\nspec: {{volumeName: v}}\n",
            ["PersistentVolumeClaim shop/x: it is bound to the volume v of the cluster that it comes from"],
            id="a-bound-claim",
        ),
        pytest.param(
            "PersistentVolumeClaim",
            "metadata: {name: x, namespace: shop}\nspec: {volumeName: disk}\n",
            [],
            id="a-claim-for-one-volume",
        ),
        pytest.param(
            "PersistentVolume",
            "metadata: {name: x}\nspec: {claimRef: {name: c, namespace: shop, uid: u}}\n",
            ["PersistentVolume x: it is bound to one claim of the cluster that it comes from"],
            id="a-bound-volume",
        ),
        pytest.param(
            "PersistentVolume",
            "metadata: {name: x}\nspec: {claimRef: {name: c, namespace: shop}}\n",
            [],
            id="a-volume-for-one-claim",
        ),
        pytest.param(
            "Pod",
            POD + "nodeName: node-1}\n",
            ["Pod shop/x: it is bound to the node node-1"],
            id="a-pod-on-a-node",
        ),
        pytest.param(
            "Pod",
            POD + "volumes: [{name: a, emptyDir: {}}, {name: kube-api-access-x7kqz, projected: {}}]}\n",
            ["Pod shop/x: the volume kube-api-access-x7kqz is what an API server adds to every pod"],
            id="what-an-api-server-mounts",
        ),
        pytest.param(
            "Pod",
            POD + "volumes: [{name: t, secret: {secretName: default-token-qv4ws}}]}\n",
            ["Pod shop/x: the volume t is what an API server adds to every pod"],
            id="what-an-older-one-mounts",
        ),
        pytest.param("Pod", POD + "volumes: [{name: t, emptyDir: {}}]}\n", [], id="a-pod-of-nowhere"),
    ],
)
def test_what_a_cluster_wrote(kind: str, body: str, expected: list[str]) -> None:
    assert [what for _, what in told(selecting(kind, body), "KR507")] == expected


def test_two_templates_that_share_a_binding() -> None:
    knative = "apiVersion: serving.example/v1\nkind: Deployment\nmetadata: {name: web, namespace: shop}\n"
    policy = POLICY.replace("name: web}]", "name: web}, {apiVersion: serving.example/v1, kind: Deployment}]")
    files = {**SHOP, "policy.yaml": policy, "k.yaml": knative}
    both = "Deployment shop/web of serving.example/v1 and Deployment shop/web of apps/v1"
    assert told(files, "KR109") == [(Severity.NOTE, f"{both} share the binding web-deployment")]


STATIC = "staticWeightList: [{targetCluster: {}, weight: 2}]"


def preferring(scheduling: str, preference: str) -> str:
    """The policy with a replicaScheduling that has this weightPreference."""
    return scheduled(f"{scheduling[:-1]}, weightPreference: {{{preference}}}}}")


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        pytest.param(preferring(EQUAL, STATIC), "", id="weights-that-count"),
        pytest.param(preferring(EQUAL, "dynamicWeight: AvailableReplicas"), "", id="a-weight-that-counts"),
        pytest.param(
            preferring(EQUAL, f"dynamicWeight: AvailableReplicas, {STATIC}"), "staticWeightList", id="both"
        ),
        pytest.param(preferring(AGGREGATED, STATIC), "weightPreference", id="aggregated"),
        pytest.param(
            preferring("{replicaSchedulingType: Duplicated}", STATIC), "weightPreference", id="duplicated"
        ),
        pytest.param(preferring("{replicaSchedulingType: Duplicated}", ""), "", id="none"),
    ],
)
def test_weights_that_are_not_looked_at(policy: str, expected: str) -> None:
    what = f"PropagationPolicy shop/web: {expected} is not looked at"
    assert told({**SHOP, "policy.yaml": policy}, "KR221") == ([(Severity.WARNING, what)] if expected else [])


def rollout(scripts: str, policy: str = POLICY) -> dict[str, str]:
    """A kind of somebody's, with the scripts that interpret it."""
    customization = f"""\
apiVersion: config.karmada.io/v1alpha1
kind: ResourceInterpreterCustomization
metadata: {{name: rollout}}
spec:
  target: {{apiVersion: shop.example/v1, kind: Rollout}}
  customizations:
{scripts}"""
    return {
        **SHOP,
        "web.yaml": WEB.replace("apps/v1", "shop.example/v1").replace("Deployment", "Rollout"),
        "policy.yaml": of_kind("Rollout", "shop.example/v1", policy).replace("apps/v1", "shop.example/v1"),
        **({"lua.yaml": customization} if scripts else {}),
    }


READ = "    replicaResource: {luaScript: 'function GetReplicas(obj) return obj.spec.replicas, nil end'}\n"
SET = "    replicaRevision: {luaScript: 'function ReviseReplica(o, n) o.spec.replicas = n return o end'}\n"
WHOLE = "Rollout shop/web is not divided: each of its 2 clusters gets all 4 replicas"


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        pytest.param(rollout(""), [(Severity.WARNING, WHOLE)], id="a-kind-nobody-knows"),
        pytest.param(rollout("", DUPLICATED), [], id="duplicated-is-meant"),
        pytest.param(rollout(READ), [(Severity.WARNING, WHOLE)], id="read-and-not-set"),
        pytest.param(rollout(READ + SET), [], id="read-and-set"),
        pytest.param(
            {
                key: text.replace("replicas: 4", "size: 4").replace("spec.replicas", "spec.size")
                for key, text in rollout(READ).items()
            },
            [(Severity.WARNING, WHOLE)],
            id="replicas-by-another-name",
        ),
    ],
)
def test_what_is_not_divided(files: dict[str, str], expected: list[tuple[Severity, str]]) -> None:
    assert told(files, "KR222") == expected


@pytest.mark.parametrize(
    ("selector", "kind", "why", "fix"),
    [
        pytest.param(
            'apiVersion: "*", kind: "*"',
            "Cluster",
            "selectors know no wildcards; so it places nothing",
            "write one selector for each kind, and leave namespace or name out for all",
            id="wildcards",
        ),
        pytest.param(
            "apiVersion: apps/v1, kind: Deployment, namespace: team",
            "Cluster",
            "it is in namespace shop, and the policy selects in team; so it places nothing",
            "write namespace: shop, or leave namespace out",
            id="another-namespace-in-a-cluster-policy",
        ),
    ],
)
def test_a_selector_that_selects_nothing(selector: str, kind: str, why: str, fix: str) -> None:
    policy = POLICY.replace("kind: PropagationPolicy", f"kind: {kind}PropagationPolicy")
    policy = policy.replace(", namespace: shop}", "}").replace(
        "apiVersion: apps/v1, kind: Deployment, name: web", selector
    )
    (found,) = (item for item in findings(plan({**SHOP, "policy.yaml": policy})) if item.rule == "KR101")
    assert (found.why, found.fix) == (why, fix)


@pytest.mark.parametrize(
    ("expression", "fault"),
    [
        pytest.param("{key: stage, operator: In, values: []}", "In needs a value for stage", id="no-values"),
        pytest.param("{key: stage, operator: Is, values: [a]}", '"Is" is not an operator', id="operator"),
        pytest.param("{key: stage, operator: Exists}", "", id="valid"),
    ],
)
def test_selectors_of_clusters(expression: str, fault: str) -> None:
    selector = f"{{labelSelector: {{matchExpressions: [{expression}]}}}}"
    override = f"""\
apiVersion: policy.karmada.io/v1alpha1
kind: OverridePolicy
metadata: {{name: o, namespace: shop}}
spec:
  overrideRules:
  - targetCluster: {selector}
    overriders: {{labelsOverrider: [{{operator: add, value: {{a: b}}}}]}}
"""
    what = f"OverridePolicy shop/o: a label selector of clusters is invalid: {fault}"
    assert told({**SHOP, "o.yaml": override}, "KR223") == ([(Severity.WARNING, what)] if fault else [])


@pytest.mark.parametrize(
    ("groups", "expected"),
    [
        pytest.param("{affinityName: b, clusterNames: [west]}", [], id="a-cluster"),
        pytest.param("{affinityName: b, clusterNames: [wset]}", ["b"], id="a-name-that-nobody-has"),
        pytest.param(
            "{affinityName: b, clusterNames: [west], overflowAffinities: "
            "[{affinityName: c, labelSelector: {matchLabels: {stage: none}}}]}",
            ["c"],
            id="overflow",
        ),
    ],
)
def test_groups_without_clusters(groups: str, expected: list[str]) -> None:
    policy = scheduled(AGGREGATED).replace(
        "clusterAffinity: {labelSelector: {matchLabels: {stage: prod}}}",
        f"clusterAffinities: [{{affinityName: a, clusterNames: [east]}}, {groups}]",
    )
    what = "PropagationPolicy shop/web: no cluster of the inventory is in the affinity group {}"
    assert told({**SHOP, "fleet.yaml": ROOMY, "policy.yaml": policy}, "KR224") == [
        (Severity.WARNING, what.format(name)) for name in expected
    ]


LOST = "OverridePolicy shop/o, rule 1: Deployment shop/web does not select its own pods any more"


@pytest.mark.parametrize(
    ("path", "value", "expected"),
    [
        pytest.param(
            "/spec/template/metadata/labels",
            "{x: v}",
            [f'{LOST} on east, north: label app is absent, not "web"'],
            id="labels-replaced",
        ),
        pytest.param("/spec/template/metadata/labels/x", "v", [], id="a-label-more"),
        pytest.param("/spec/replicas", "2", [], id="something-else"),
    ],
)
def test_a_workload_and_its_pods(path: str, value: str, expected: list[str]) -> None:
    override = f"""\
apiVersion: policy.karmada.io/v1alpha1
kind: OverridePolicy
metadata: {{name: o, namespace: shop}}
spec:
  overrideRules:
  - overriders: {{plaintext: [{{path: {path}, operator: add, value: {value}}}]}}
"""
    found = told({**SHOP, "o.yaml": override}, "KR509")
    assert found == [(Severity.ERROR, what) for what in expected]


@pytest.mark.parametrize(
    ("operation", "count"),
    [
        pytest.param("{path: /spec/replicas, operator: replace}", 1, id="no-value"),
        pytest.param("{path: /spec/replicas, operator: add, value: 2}", 0, id="a-value"),
        pytest.param("{path: /spec/paused, operator: add, value: false}", 0, id="a-value-that-is-false"),
        pytest.param("{path: /spec/replicas, operator: remove}", 0, id="nothing-to-write"),
    ],
)
def test_an_override_without_a_value(operation: str, count: int) -> None:
    override = f"""\
apiVersion: policy.karmada.io/v1alpha1
kind: OverridePolicy
metadata: {{name: o, namespace: shop}}
spec:
  overrideRules:
  - overriders: {{plaintext: [{operation}]}}
"""
    assert len(told({**SHOP, "o.yaml": override}, "KR315")) == count


PLACED = """\
apiVersion: policy.karmada.io/v1alpha1
kind: ClusterPropagationPolicy
metadata: {name: ns}
spec:
  resourceSelectors: [{apiVersion: v1, kind: Namespace}]
  placement: {clusterAffinity: {clusterNames: [east]}}
"""
SETTINGS = (
    "apiVersion: krender.io/v1alpha1\nkind: Workspace\nmetadata: {name: w}\nspec: {namespaces: never}\n"
)
SKIPPED = SHOP["namespace.yaml"].replace(
    "{name: shop}", "{name: shop, labels: {namespace.karmada.io/skip-auto-propagation: 'true'}}"
)


@pytest.mark.parametrize(
    ("files", "fix"),
    [
        pytest.param(
            {"ns.yaml": PLACED},
            "have ClusterPropagationPolicy ns place the Namespace there too, or leave it to no policy",
            id="a-policy-places-it-elsewhere",
        ),
        pytest.param(
            {"namespace.yaml": SKIPPED},
            "take the label namespace.karmada.io/skip-auto-propagation off the Namespace, "
            "or select it in a ClusterPropagationPolicy",
            id="it-stays-behind-by-its-label",
        ),
        pytest.param(
            {"krender.yaml": SETTINGS},
            "select the Namespace in a ClusterPropagationPolicy, or set namespaces: needed in krender.yaml",
            id="namespaces-never-travel",
        ),
        pytest.param(
            {"namespace.yaml": ""},
            "add a Namespace shop to the workspace: it goes where it is needed",
            id="there-is-none",
        ),
    ],
)
def test_a_namespace_that_nothing_creates(files: dict[str, str], fix: str) -> None:
    found = findings(plan({**SHOP, **files}))
    assert [item.fix for item in found if item.rule == "KR401"] == [fix]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        pytest.param("eas", "a name that nobody has admits no cluster and excludes none", id="a-slip"),
        pytest.param("ea*", "clusters are named whole: a pattern is a name that no cluster has", id="a-star"),
        pytest.param(
            "[a-z]ast", "clusters are named whole: a pattern is a name that no cluster has", id="set"
        ),
    ],
)
def test_names_of_clusters_are_no_patterns(name: str, expected: str) -> None:
    policy = POLICY.replace("{labelSelector", f'{{exclude: ["{name}"], labelSelector')
    found = [item for item in findings(plan({**SHOP, "policy.yaml": policy})) if item.rule == "KR202"]
    assert [(item.why, item.fix.startswith("write")) for item in found] == [(expected, name == "eas")]


SELECTED = "  selector: {matchLabels: {app: web}}\n"
SUPPLIED = """\
apiVersion: policy.karmada.io/v1alpha1
kind: OverridePolicy
metadata: {name: o, namespace: shop}
spec:
  overrideRules:
  - targetCluster: {clusterNames: [CLUSTERS]}
    overriders:
      plaintext: [{path: /spec/selector, operator: OPERATOR, value: {matchLabels: {app: web}}}]
"""


@pytest.mark.parametrize(
    ("web", "operator", "clusters", "expected"),
    [
        pytest.param(WEB, "", "", [], id="whole"),
        pytest.param(WEB.replace(SELECTED, ""), "", "", ["KR501"], id="refused"),
        pytest.param(WEB.replace(SELECTED, ""), "add", "east, north", [], id="overrides-supply-it"),
        pytest.param(WEB.replace(SELECTED, ""), "add", "east", ["KR501"], id="not-everywhere"),
        pytest.param(WEB, "remove", "east", ["KR310"], id="an-override-takes-it"),
    ],
)
def test_a_required_field_is_missing(web: str, operator: str, clusters: str, expected: list[str]) -> None:
    assert SELECTED in WEB
    override = SUPPLIED.replace("CLUSTERS", clusters).replace("OPERATOR", operator)
    files = {**SHOP, "web.yaml": web, **({"o.yaml": override} if operator else {})}
    found = [item for item in findings(plan(files)) if item.rule in ("KR501", "KR310")]
    assert [item.rule for item in found] == expected
    assert all(item.what.endswith("spec.selector is missing") for item in found)
