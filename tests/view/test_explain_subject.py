"""What KIND/NAME means, and what is told of clusters and policies."""

from __future__ import annotations

from dataclasses import replace

import pytest

from renderer.document.problem import InputError
from renderer.document.values import dig, mapping, sequence
from renderer.model.claim import Outcome
from renderer.pipeline import render
from renderer.view.explain.answer import Question, answer
from renderer.view.explain.policy import policy_facts
from renderer.view.explain.reading import Reading
from renderer.view.explain.subject import find, named_cluster
from tests.view.explained import DYNAMIC, FLEET, explained, override, patch, policy, published, shop, web
from tests.workspaces import plan, workspace

EVERYWHERE = """\
apiVersion: policy.karmada.io/v1alpha1
kind: ClusterPropagationPolicy
metadata: {name: web}
spec:
  resourceSelectors: [{apiVersion: apps/v1, kind: Deployment}]
  placement: {}
"""
CAPI = """\
apiVersion: cluster.x-k8s.io/v1beta1
kind: Cluster
metadata: {name: a1, namespace: shop}
---
apiVersion: cluster.x-k8s.io/v1beta1
kind: Cluster
metadata: {name: other, namespace: shop}
---
apiVersion: kyverno.io/v1
kind: Policy
metadata: {name: labels, namespace: shop}
"""
MANY = shop(
    everywhere=EVERYWHERE,
    o=override(patch("/spec/replicas", "replace", "1"), name="web"),
    capi=CAPI,
    same=web().replace("namespace: shop", "namespace: other"),
)


def found(subject: str, namespace: str = "") -> list[str]:
    """Everything that a subject means, as messages name it."""
    what = find(plan(MANY), subject, namespace)
    templates = [str(item.template.identity) for item in what.templates]
    return [*templates, *(f"cluster {item.name}" for item in what.clusters), *map(str, what.policies)]


@pytest.mark.parametrize(
    ("subject", "namespace", "expected"),
    [
        pytest.param("deployment/web", "shop", ["Deployment shop/web"], id="kind-and-namespace"),
        pytest.param(
            "deployment/web", "", ["Deployment other/web", "Deployment shop/web"], id="every-namespace"
        ),
        pytest.param("Deployments/web", "shop", ["Deployment shop/web"], id="plural-in-any-case"),
        pytest.param("deploy/web", "shop", ["Deployment shop/web"], id="short"),
        pytest.param("deployment.apps/web", "shop", ["Deployment shop/web"], id="with-its-group"),
        pytest.param("ns/shop", "", ["Namespace shop"], id="cluster-scoped"),
        pytest.param("ns/shop", "any", ["Namespace shop"], id="a-namespace-does-not-matter-there"),
        pytest.param("cluster/a1", "", ["cluster a1"], id="cluster-of-the-inventory"),
        pytest.param("clusters/a1", "", ["cluster a1"], id="clusters"),
        pytest.param("cluster.cluster.x-k8s.io/a1", "", ["Cluster shop/a1"], id="a-template-of-that-kind"),
        pytest.param("cluster/other", "", ["Cluster shop/other"], id="where-the-inventory-has-none"),
        pytest.param(
            "policy/web",
            "",
            ["ClusterPropagationPolicy web", "PropagationPolicy shop/web", "OverridePolicy shop/web"],
            id="policies-of-any-kind",
        ),
        pytest.param(
            "policies/web",
            "shop",
            ["PropagationPolicy shop/web", "OverridePolicy shop/web"],
            id="policies-of-a-namespace",
        ),
        pytest.param("propagationpolicy/web", "", ["PropagationPolicy shop/web"], id="one-kind"),
        pytest.param(
            "cpp/web", "shop", ["ClusterPropagationPolicy web"], id="cluster-wide-whatever-namespace"
        ),
        pytest.param("op/web", "", ["OverridePolicy shop/web"], id="short-kind-of-policy"),
        pytest.param(
            "overridepolicies.policy.karmada.io/web",
            "",
            ["OverridePolicy shop/web"],
            id="with-karmadas-group",
        ),
        pytest.param("policy/labels", "", ["Policy shop/labels"], id="a-template-called-policy"),
    ],
)
def test_what_a_subject_means(subject: str, namespace: str, expected: list[str]) -> None:
    assert sorted(found(subject, namespace)) == sorted(expected)


@pytest.mark.parametrize(
    ("subject", "what", "fix"),
    [
        pytest.param(
            "deployment/wbe", "no template deployment/wbe", "ask for deployment/web -n shop", id="template"
        ),
        pytest.param("cluster/a3", "no cluster cluster/a3", "ask for cluster/a2", id="cluster"),
        pytest.param("policy/weg", "no policy policy/weg", "ask for policy/web", id="policy"),
        pytest.param("x/y", "no template x/y", "krender explain KIND/NAME -n NAMESPACE", id="nothing-near"),
    ],
)
def test_an_unknown_subject(subject: str, what: str, fix: str) -> None:
    with pytest.raises(InputError) as caught:
        find(plan(MANY), subject)
    (problem,) = caught.value.problems
    assert str(problem.where) == "explain"
    assert what in problem.what
    assert problem.fix.startswith(fix)


def test_an_unknown_namespace_is_part_of_what_is_missing() -> None:
    with pytest.raises(InputError, match="no template deployment/web in namespace nowhere"):
        find(plan(MANY), "deployment/web", "nowhere")


def test_an_unknown_subject_of_a_broken_workspace_tells_that() -> None:
    broken = {**shop(), "x.yaml": "apiVersion: v1\nkind: ConfigMap\n"}
    with pytest.raises(InputError) as caught:
        find(render(workspace(broken, lenient=True)), "configmap/x")
    assert "1 errors keep others out, which krender check tells" in caught.value.problems[0].why


@pytest.mark.parametrize(
    ("fleet", "name", "why", "fix"),
    [
        pytest.param(FLEET, "a3", "it has 6 clusters", "ask for a2 or a1", id="near"),
        pytest.param(FLEET, "zzzzzzz", "it has 6 clusters", "name one of the inventory's clusters", id="far"),
        pytest.param(
            "", "a3", "it has no clusters at all", "name one of the inventory's clusters", id="none"
        ),
    ],
)
def test_an_unknown_cluster(fleet: str, name: str, why: str, fix: str) -> None:
    with pytest.raises(InputError) as caught:
        named_cluster(plan(shop(fleet=fleet)), name)
    (problem,) = caught.value.problems
    assert (problem.why, problem.fix) == (why, fix)


def test_a_cluster_that_is_not_there_is_no_empty_answer() -> None:
    with pytest.raises(InputError, match="the inventory has no cluster a3"):
        answer(plan(shop()), Question(subject="deployment/web", cluster="a3"))


@pytest.mark.parametrize(
    ("question", "what"),
    [
        pytest.param(Question(subject="cluster/a1", cluster="a1"), "--cluster cannot be asked", id="cluster"),
        pytest.param(Question(subject="policy/web", field=""), "--field cannot be asked", id="field"),
    ],
)
def test_only_templates_have_fields_and_clusters(question: Question, what: str) -> None:
    with pytest.raises(InputError, match=what):
        answer(plan(shop()), question)


GENUINE = """\
---
apiVersion: cluster.karmada.io/v1alpha1
kind: Cluster
metadata: {name: real, labels: {stage: test}, deletionTimestamp: "2026-01-01T00:00:00Z"}
spec: {syncMode: Pull, region: r, zones: [r1, r2], taints: [{key: k, value: v, effect: NoExecute}]}
status:
  kubernetesVersion: v1.30.1
  conditions:
  - {type: Ready, status: "False", reason: Down, message: gone, lastTransitionTime: "2026-01-01T00:00:00Z"}
  apiEnablements: [{groupVersion: v1, resources: [{name: pods, kind: Pod}]}]
  resourceSummary:
    allocatable: {cpu: "8", memory: 16Gi}
    allocated: {cpu: 500m}
"""

CLUSTER = """\
Cluster real  (fleet.yaml:17:1)
gets 1 of 2 templates, in clusters/real
being deleted since 2026-01-01T00:00:00Z

region r; zones r1, r2; syncMode Pull; kubernetesVersion v1.30.1
labels: stage=test
taints: k=v:NoExecute
condition Ready is False (Down: gone)
serves 1 kind
RESOURCE  ALLOCATABLE  ALLOCATED  ALLOCATING
cpu       8            500m
memory    16Gi

GETS            REPLICAS  WHY
Namespace shop  yes       namespaces: everywhere is set

DOES NOT GET         WHY
Deployment shop/web  the cluster is being deleted since 2026-01-01T00:00:00Z"""

SETTINGS = "apiVersion: krender.io/v1alpha1\nkind: Workspace\nspec: {namespaces: everywhere}\n"


def test_a_cluster_with_all_that_is_known() -> None:
    assert explained(plan(shop(fleet=FLEET + GENUINE, krender=SETTINGS)), "cluster/real") == CLUSTER


A1 = """\
Cluster a1  (fleet.yaml:6:5)
gets 2 of 2 templates, in clusters/a1
frozen: its files stay as last published

region a; syncMode Push
labels: stage=prod
condition Ready is True
RESOURCE  ALLOCATABLE  ALLOCATED  ALLOCATING
cpu       4
memory    8Gi
pods      20

GETS                 REPLICAS  WHY
Deployment shop/web  1         placed before, and no pass was due; overrides make it 1; \
the cluster is frozen: its file stays as last published
Namespace shop       yes       needed by Deployment web; the cluster is frozen: \
its file stays as last published

overrides that apply here
  OverridePolicy shop/o, rule 1  (o.yaml:7:6)
    Deployment shop/web: changes /spec/replicas
  OverridePolicy shop/o, rule 2  (o.yaml:8:6)
    Deployment shop/web: changes nothing"""


def test_a_cluster_with_overrides() -> None:
    files = shop(o=override(patch("/spec/replicas", "replace", "1"), patch("/spec/replicas", "replace", "1")))
    frozen = {**files, "fleet.yaml": FLEET.replace("{name: a1,", "{name: a1, frozen: true,")}
    assert explained(plan(frozen, published(files)), "cluster/a1") == A1


def test_a_cluster_on_which_a_rule_fails() -> None:
    made = plan(shop("", o=override(patch("/spec/no/x", "add", "1"))))
    assert (
        '    Deployment shop/web: failed: OverridePolicy shop/o, rule 1: plaintext 1 "/spec/no/x"'
        in explained(made, "cluster/a1")
    )


def test_when_a_cluster_was_observed() -> None:
    observed = FLEET.replace("{name: bare,", "{name: bare, observedAt: 2026-01-01T00:00:00Z,")
    assert "\nobserved at 2026-01-01T00:00:00Z" in explained(plan(shop(fleet=observed)), "cluster/bare")


def test_a_cluster_that_gets_nothing() -> None:
    told = explained(plan(shop(policy="")), "cluster/a1")
    assert "\ngets 0 of 2 templates, in clusters/a1\n" in told
    assert "\nGETS" not in told


PROPAGATION = """\
PropagationPolicy shop/web  (policy.yaml:1:1)
claims 1 template

apps/v1 Deployment web: selects Deployment shop/web  (policy.yaml:5:23)

CLAIMS               CLUSTERS  REPLICAS  WHY
Deployment shop/web  4         9         selects it by name"""

LOSING = """\
ClusterPropagationPolicy web  (everywhere.yaml:1:1)
claims 0 templates, and loses 1 to other policies; priority 3

apps/v1 Deployment: selects Deployment shop/web  (everywhere.yaml:6:23)

DOES NOT GET         TAKEN BY                    WHY
Deployment shop/web  PropagationPolicy shop/web  a PropagationPolicy comes before any \
ClusterPropagationPolicy"""


def test_policies_that_claim_and_that_lose() -> None:
    preferred = EVERYWHERE.replace("spec:\n", "spec:\n  priority: 3\n")
    made = plan(shop(policy=policy(DYNAMIC).replace("shop/web", "web"), everywhere=preferred))
    assert explained(made, "pp/web") == PROPAGATION.replace("Deployment web:", "Deployment shop/web:")
    assert explained(made, "cpp/web") == LOSING


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        pytest.param(
            shop(policy=policy(DYNAMIC, extra="  dependentOverrides: [nope]\n")),
            "DOES NOT GET         WHY\nDeployment shop/web  it waits for override policies: nope",
            id="waiting",
        ),
        pytest.param(
            shop("clusterAffinity: {clusterNames: [c1]}"),
            "Deployment shop/web  0         9         selects it by name; NoClusterFit: 0/6 clusters are",
            id="without-a-cluster",
        ),
        pytest.param(
            shop(web=web("many")),
            "selects it by name; error: it does not fit Deployment: spec.replicas is not a whole number",
            id="without-a-binding",
        ),
        pytest.param(
            shop(policy=policy("", selector="name: webs")),
            "claims 0 templates\n\n"
            "apps/v1 Deployment shop/webs: selects nothing  (policy.yaml:5:23)\n"
            '  near: Deployment shop/web: it selects the name "webs", and this is "web"',
            id="a-selector-that-misses",
        ),
        pytest.param(
            shop(
                web=web().replace(
                    "labels: {app: web}}\nspec",
                    "labels: {resourcetemplate.karmada.io/claimed-by: x}}\nspec",
                )
            ),
            "another controller owns it: label resourcetemplate.karmada.io/claimed-by is x",
            id="skipped",
        ),
    ],
)
def test_what_comes_of_a_policy(files: dict[str, str], expected: str) -> None:
    assert expected in explained(plan(files), "policy/web")


RULES = """\
OverridePolicy shop/o  (o.yaml:1:1)
4 rules, 2 of them never applied

apps/v1 Deployment shop/*: selects Deployment shop/web  (o.yaml:5:23)

OverridePolicy shop/o, rule 1  (o.yaml:7:43)
  targets a1
  fails (OverridePolicy shop/o, rule 1: plaintext 1 "/spec/no/x" cannot be applied to Deployment shop/web: \
there is no "no" in "/spec") for Deployment shop/web on a1

OverridePolicy shop/o, rule 2  (o.yaml:8:43)
  targets no cluster
  never applied: targetCluster admits no cluster: 6 × not among clusterNames

OverridePolicy shop/o, rule 3  (o.yaml:9:43)
  targets c1
  never applied: nothing that the policy selects goes to the clusters that the rule targets

OverridePolicy shop/o, rule 4  (o.yaml:10:6)
  targets all 6 clusters
  changes Deployment shop/web on a2, b1, b2, bare"""


def test_an_override_policy_rule_by_rule() -> None:
    rules = [
        f"targetCluster: {{clusterNames: [a1]}}, {patch('/spec/no/x', 'add', '1')}",
        f"targetCluster: {{clusterNames: [zz]}}, {patch('/spec/replicas', 'replace', '1')}",
        f"targetCluster: {{clusterNames: [c1]}}, {patch('/spec/replicas', 'replace', '1')}",
        patch("/spec/replicas", "replace", "1"),
    ]
    assert explained(plan(shop("", o=override(*rules))), "policy/o") == RULES


def test_an_override_policy_that_selects_nothing() -> None:
    made = plan(shop("", o=override(patch("/spec/replicas", "replace", "9"), kind="StatefulSet")))
    assert "never applied: the policy selects no template" in explained(made, "policy/o")


def test_an_override_policy_without_selectors() -> None:
    all_of_them = override(patch("/spec/replicas", "replace", "9")).replace(
        "  resourceSelectors: [{apiVersion: apps/v1, kind: Deployment}]\n", ""
    )
    told = explained(plan(shop("", o=all_of_them)), "policy/o")
    assert (
        "\n1 rule, each of them applied to something\n\nno selectors: every template of its namespace\n"
        in told
    )
    assert "applies without change to Deployment shop/web on a1, a2, b1, b2, bare" in told


def test_a_policy_that_is_being_deleted() -> None:
    made = plan(shop())
    (one,) = made.workspace.propagation_policies
    going = replace(one, deleting=True)
    loose = replace(
        made.renderings[0], claim=replace(made.renderings[0].claim, outcome=Outcome.UNMATCHED, chosen=None)
    )
    reading = Reading(replace(made, renderings=(loose,)))
    assert policy_facts(reading, going)["without"] == [
        {
            "object": {"apiVersion": "apps/v1", "kind": "Deployment", "namespace": "shop", "name": "web"},
            "because": "the policy is being deleted, and claims nothing any more",
        }
    ]


def test_a_refused_policy_is_told_so() -> None:
    refused = shop(policy=policy("clusterAffinity: {}, clusterAffinities: [{affinityName: one}]"))
    made = render(workspace(refused, lenient=True))
    told = explained(made, "policy/web")
    assert told.startswith("PropagationPolicy shop/web  (policy.yaml:1:1)\n\nrefused, so it does not exist: ")
    assert told.endswith("krender check tells where and how to mend it")


def test_a_document_has_one_kind_of_answers() -> None:
    made = plan(MANY)
    for subject, key in (("deploy/web", "objects"), ("cluster/a1", "clusters"), ("policy/web", "policies")):
        assert set(answer(made, Question(subject=subject))) == {"subject", "now", key}
    assert set(answer(made, Question(subject="deploy/web", field=""))) == {"subject", "now", "fields"}


def test_many_objects_are_cut_in_the_text_only() -> None:
    maps = "---\n".join(
        f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: c{number:03}, namespace: shop}}\n"
        for number in range(250)
    )
    selecting = policy("").replace("apps/v1, kind: Deployment, name: web", "v1, kind: ConfigMap")
    made = plan(shop(policy=selecting, maps=maps))
    assert "and 50 more: --format json tells all" in explained(made, "policy/web")
    assert "and 51 more: --format json tells all" in explained(made, "cluster/a1")
    (facts,) = sequence(answer(made, Question(subject="cluster/a1"))["clusters"])
    assert dig(mapping(facts), "counts") == {"templates": 252, "gets": 251}
