"""Where a value comes from: the template, a share, or the override that wrote it last."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from renderer.document.problem import InputError
from renderer.document.values import Object, Value, mapping, sequence, text
from renderer.model.binding import GracefulEvictionTask
from renderer.model.plan import Plan
from renderer.pipeline import render
from renderer.view.explain.answer import Question, answer
from renderer.view.explain.field_path import dot, nearest, parent, resolve
from renderer.view.explain.origin import Origins
from renderer.view.explain.reading import Reading
from tests.view.explained import DYNAMIC, FLEET, explained, override, patch, policy, published, shop, web
from tests.workspaces import plan, workspace

BODY: Value = {
    "metadata": {
        "labels": {"app.kubernetes.io/name": "web", "a": "b", "x~y": "z"},
        "annotations": {"weird[0].key": "v"},
    },
    "spec": {"containers": [{"image": "i"}], "a.b": {"c": 1}, "a": {"b": {"c": 2}}},
}


@pytest.mark.parametrize(
    ("path", "pointer"),
    [
        pytest.param("/spec/containers/0/image", "/spec/containers/0/image", id="pointer"),
        pytest.param(
            "/metadata/labels/app.kubernetes.io~1name",
            "/metadata/labels/app.kubernetes.io~1name",
            id="rfc-6901",
        ),
        pytest.param("spec.containers[0].image", "/spec/containers/0/image", id="dots-and-brackets"),
        pytest.param("spec.containers.0.image", "/spec/containers/0/image", id="an-index-as-a-name"),
        pytest.param(".spec.containers[0]", "/spec/containers/0", id="jsonpath-of-kubectl"),
        pytest.param("$.spec", "/spec", id="jsonpath"),
        pytest.param(
            'metadata.labels["app.kubernetes.io/name"]',
            "/metadata/labels/app.kubernetes.io~1name",
            id="quoted",
        ),
        pytest.param("metadata.labels['x~y']", "/metadata/labels/x~0y", id="single-quoted"),
        pytest.param(
            r"metadata.labels.app\.kubernetes\.io/name",
            "/metadata/labels/app.kubernetes.io~1name",
            id="escaped",
        ),
        pytest.param(
            "metadata.labels.app.kubernetes.io/name",
            "/metadata/labels/app.kubernetes.io~1name",
            id="dots-of-a-key",
        ),
        pytest.param(
            "metadata.annotations.weird\\[0].key",
            "/metadata/annotations/weird[0].key",
            id="brackets-of-a-key",
        ),
        pytest.param("spec.a.b.c", "/spec/a.b/c", id="the-longer-key-first"),
        pytest.param("spec.nothing.here", "/spec/nothing/here", id="absent"),
        pytest.param("$", "", id="the-root-of-jsonpath"),
        pytest.param("", "", id="the-whole-object"),
        pytest.param("/", "", id="a-slash-is-the-whole-object-too"),
    ],
)
def test_what_a_user_means(path: str, pointer: str) -> None:
    assert resolve(path, [BODY]) == pointer


def test_pointers_are_spelled_with_dots() -> None:
    assert dot("/metadata/labels/app.kubernetes.io~1name") == 'metadata.labels["app.kubernetes.io/name"]'
    assert dot("/spec/containers/0/image") == "spec.containers[0].image"


def test_near_fields() -> None:
    assert nearest("/spec/container/0/image", [BODY], dotted=True)[0] == "spec.containers[0].image"
    assert nearest("/spec/container/0/image", [BODY], dotted=False)[0] == "/spec/containers/0/image"
    assert parent("/spec/containers/7/image", [BODY]) == ("/spec/containers", ["0"])
    assert parent("/spec/containers/0/image/x", [BODY]) == ("/spec/containers/0/image", [])


def groups(made: Plan, field: str, subject: str = "deployment/web") -> list[Object]:
    (facts,) = sequence(answer(made, Question(subject=subject, field=field))["fields"])
    return [mapping(item) for item in sequence(mapping(facts)["answers"])]


def on(made: Plan, field: str, cluster: str = "a1", subject: str = "deployment/web") -> Object:
    return next(item for item in groups(made, field, subject) if cluster in sequence(item["clusters"]))


def kinds(found: Object) -> list[str]:
    return [text(mapping(event)["kind"]) for event in sequence(found.get("history"))]


def test_clusters_with_one_answer_are_one_group() -> None:
    found = groups(plan(shop("clusterAffinity: {labelSelector: {}}")), "spec.replicas")
    assert [item["clusters"] for item in found] == [["a1", "a2", "b1", "b2", "bare"], ["c1"]]


SHARES = """\
Deployment shop/web  /spec/replicas  (web.yaml:1:1)

a1: 2
  its share of the replicas: weight 8 of 30
  over 9, from the template  (web.yaml:5:3)

a2: 1
  its share of the replicas: weight 4 of 30
  over 9, from the template  (web.yaml:5:3)

b1: 7
  written by OverridePolicy shop/o, rule 1: plaintext replace  (o.yaml:7:68)
  over 5, its share of the replicas: weight 16 of 30; overrides make it 7
  over 9, from the template  (web.yaml:5:3)

b2: 1
  its share of the replicas: weight 2 of 30
  over 9, from the template  (web.yaml:5:3)

bare: gets nothing of it: fits, but has no free capacity
c1: gets nothing of it: TaintToleration: taint gpu=yes:NoSchedule is not tolerated"""


def test_shares_and_the_override_over_one() -> None:
    rule = f"targetCluster: {{clusterNames: [b1]}}, {patch('/spec/replicas', 'replace', '7')}"
    assert explained(plan(shop(o=override(rule))), field="spec.replicas") == SHARES.replace(
        "; overrides make it 7", ""
    )


REMOVED = """\
Deployment shop/web  /metadata/labels/app  (web.yaml:1:1)

a1: (absent)
  removed by OverridePolicy shop/o, rule 2: labelsOverrider remove  (o.yaml:8:37)
  over shop, written by OverridePolicy shop/o, rule 1: plaintext replace  /metadata/labels  (o.yaml:7:31)
  over web, from the template  (web.yaml:3:49)"""


def test_a_removed_value_is_answered_too() -> None:
    rules = (
        patch("/metadata/labels", "replace", "{app: shop}"),
        "overriders: {labelsOverrider: [{operator: remove, value: {app: shop}}]}",
    )
    made = plan(shop("clusterAffinity: {clusterNames: [a1]}", o=override(*rules)))
    assert explained(made, field="metadata.labels.app").partition("\n\na2")[0] == REMOVED


EVERYTHING = """\
apiVersion: policy.karmada.io/v1alpha1
kind: ClusterPropagationPolicy
metadata: {name: all}
spec:
  resourceSelectors: [{apiVersion: v1, kind: ConfigMap}, {apiVersion: v1, kind: ServiceAccount}]
  placement: {clusterAffinity: {clusterNames: [a1]}}
"""


@pytest.mark.parametrize(
    ("files", "subject", "field", "value", "origin"),
    [
        pytest.param({}, "deployment/web", "metadata.name", "web", ["template"], id="template"),
        pytest.param(
            {"conf": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: conf}\ndata: {a: b}\n"},
            "configmap/conf",
            "metadata.namespace",
            "default",
            ["namespace"],
            id="default-namespace",
        ),
        pytest.param(
            {"conf": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: conf}\ndata: {a: b}\n"},
            "configmap/conf",
            "metadata",
            {"name": "conf", "namespace": "default"},
            ["template", "namespace"],
            id="default-namespace-inside",
        ),
        pytest.param(
            {"conf": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: conf, uid: x}\ndata: {a: b}\n"},
            "configmap/conf",
            "metadata.uid",
            None,
            ["template", "pruned"],
            id="pruned",
        ),
        pytest.param(
            {
                "conf": "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: conf}\n"
                "secrets: [{name: conf-token-1}, {name: mine}]\n"
            },
            "serviceaccount/conf",
            "secrets[0].name",
            "mine",
            ["template"],
            id="behind-an-element-that-was-pruned",
        ),
    ],
)
def test_what_else_writes_values(
    files: Mapping[str, str], subject: str, field: str, value: Value, origin: list[str]
) -> None:
    found = on(plan(shop("", all=EVERYTHING, **files)), field, subject=subject)
    assert (found.get("value"), kinds(found)) == (value, origin)


def test_labels_are_read_all_or_nothing() -> None:
    odd = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: conf, labels: {app: web, odd: 1}}\n"
    made = render(workspace(shop("", conf=odd, all=EVERYTHING), lenient=True))
    found = on(made, "metadata.labels", subject="configmap/conf")
    assert (found["value"], kinds(found)) == ({}, ["template", "claim"])
    lost = on(made, "metadata.labels.app", subject="configmap/conf")
    assert ("value" in lost, kinds(lost)) == (False, ["template", "claim"])
    told = explained(made, "configmap/conf", field="metadata.labels.app")
    assert "emptied: labels and annotations count only where all of them are text\n  over web" in told


def test_a_field_that_only_some_clusters_have() -> None:
    adding = "overriders: {labelsOverrider: [{operator: add, value: {x: set}}]}"
    rule = f"targetCluster: {{clusterNames: [a1]}}, {adding}"
    made = plan(shop("", o=override(rule)))
    assert on(made, "metadata.labels.x")["value"] == "set"
    assert "history" not in on(made, "metadata.labels.x", "a2")
    assert "a2, b1, b2, bare: (absent)\n  nobody sets it there" in explained(made, field="metadata.labels.x")


def test_a_map_is_told_with_what_changed_inside() -> None:
    made = plan(shop(o=override(patch("/spec/template/metadata/labels/x", "add", "set"))))
    events = [mapping(event) for event in sequence(on(made, "/spec")["history"])]
    assert [(event["kind"], event.get("path"), event.get("value")) for event in events[1:]] == [
        ("replicas", "/spec/replicas", 2),
        ("override", "/spec/template/metadata/labels/x", "set"),
    ]
    told = explained(made, field="/spec", cluster="a1")
    assert "  changed inside: /spec/replicas is 2, its share of the replicas: weight 8 of 30\n" in told
    assert "/spec/template/metadata/labels/x: (absent) -> set" in told


def test_a_share_is_told_where_it_happens_to_be_the_templates_number() -> None:
    made = plan(shop("clusterAffinity: {clusterNames: [a1]}, " + DYNAMIC, 2))
    assert kinds(on(made, "spec.replicas")) == ["template", "replicas"]


def test_copies_have_the_templates_number() -> None:
    assert kinds(on(plan(shop("", 2)), "spec.replicas")) == ["template"]


JOB = """\
apiVersion: batch/v1
kind: Job
metadata: {name: count, namespace: shop}
spec:
  parallelism: 2
  completions: 5
  template: {spec: {restartPolicy: Never, containers: [{name: c, image: "x:1"}]}}
"""


def test_completions_are_a_share_too() -> None:
    equal = "replicaScheduling: {replicaSchedulingType: Divided, replicaDivisionPreference: Weighted}"
    selecting = policy(f"clusterAffinity: {{clusterNames: [a1, a2]}}, {equal}").replace(
        "apps/v1, kind: Deployment, name: web", "batch/v1, kind: Job"
    )
    made = plan(shop(web=JOB, policy=selecting))
    assert kinds(on(made, "spec.completions", subject="job/count")) == ["template", "completions"]
    assert kinds(on(made, "spec.parallelism", subject="job/count")) == ["template", "replicas"]
    told = explained(made, "job/count", field="spec.completions", cluster="a1")
    assert "  its share of the completions: divided in proportion to the replicas\n  over 5, from" in told
    inside = [mapping(event) for event in sequence(on(made, "spec", subject="job/count")["history"])]
    assert [(event["kind"], event.get("path")) for event in inside[1:]] == [
        ("replicas", "/spec/parallelism"),
        ("completions", "/spec/completions"),
    ]


def test_a_file_that_is_held_back_is_asked_itself() -> None:
    suspended = policy(DYNAMIC, extra="  suspension: {dispatching: true}\n")
    made = plan(shop(policy=suspended, web=web(9).replace("web:1.2", "web:9.9")), published(shop()))
    found = on(made, "spec.template.spec.containers[0].image")
    assert (found["value"], kinds(found)) == ("registry.example/team/web:1.2", ["published"])
    assert "heldBack" in on(made, "metadata.labels")
    absent = on(plan(shop(policy=suspended), published(shop())), "metadata.labels.app")
    assert absent["value"] == "web"


def test_a_field_that_a_held_file_lacks() -> None:
    suspended = policy("", extra="  suspension: {dispatchingOnClusters: {clusterNames: [a1]}}\n")
    newer = web(9).replace("{app: web}}\nspec", "{app: web, new: x}}\nspec")
    made = plan(shop(policy=suspended, web=newer), published(shop("")))
    assert on(made, "metadata.labels.new", "a2")["value"] == "x"
    assert {key: on(made, "metadata.labels.new")[key] for key in ("gets", "heldBack")} == {
        "gets": True,
        "heldBack": "suspended",
    }


def test_a_map_that_overrides_made_and_emptied_again() -> None:
    rules = (
        "overriders: {labelsOverrider: [{operator: add, value: {x: set}}]}",
        "overriders: {labelsOverrider: [{operator: remove, value: {x: set}}]}",
    )
    conf = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: conf, namespace: shop}\n"
    made = plan(shop("", conf=conf, all=EVERYTHING, o=override(*rules, kind="ConfigMap", api="v1")))
    assert kinds(on(made, "metadata.labels", subject="cm/conf")) == ["override", "override", "pruned"]


def test_a_manifest_that_could_not_be_made_has_no_history() -> None:
    made = plan(shop(""))
    rendering = next(item for item in made.renderings if item.manifests)
    origins = Origins(Reading(made), rendering)
    assert origins.chain(replace(rendering.manifests[0], body=None), "/spec") == []


def test_labels_that_a_failover_brings() -> None:
    settings = (
        "apiVersion: krender.io/v1alpha1\nkind: Workspace\n"
        "spec: {featureGates: {StatefulFailoverInjection: true}}\n"
    )
    files = shop("clusterAffinity: {clusterNames: [a1]}", krender=settings)
    memory = published(files)
    key = ("apps", "Deployment", "shop", "web")
    raw: Object = {"fromCluster": "gone", "preservedLabelState": {"kept": "yes", "app": "before"}}
    task = GracefulEvictionTask(from_cluster="gone", purge_mode="Directly", raw=raw)
    bound = replace(memory.bindings[key], graceful_eviction_tasks=(task,))
    made = plan(files, replace(memory, bindings={key: bound}))
    assert kinds(on(made, "metadata.labels.kept")) == ["failover"]
    assert kinds(on(made, "metadata.labels")) == ["template", "failover"]
    assert kinds(on(made, "metadata.labels.app")) == ["template", "failover"]
    assert kinds(on(made, "metadata.name")) == ["template"]


@pytest.mark.parametrize(
    ("field", "why", "fix"),
    [
        pytest.param(
            "spec.replica",
            "spec has: replicas, selector, template",
            "ask for spec.replicas or spec.template or spec.selector",
            id="misspelt",
        ),
        pytest.param(
            "/zzz/yyy",
            "the object has: apiVersion, kind, metadata, spec",
            "name the field as /spec/replicas or spec.replicas",
            id="nothing-near",
        ),
        pytest.param(
            "/spec/replicas/zzzzzzzzzzzzzzz",
            "/spec/replicas has nothing below it",
            "ask for /spec/replicas",
            id="below-a-scalar",
        ),
    ],
)
def test_a_field_that_never_was(field: str, why: str, fix: str) -> None:
    with pytest.raises(InputError) as caught:
        groups(plan(shop()), field)
    (problem,) = caught.value.problems
    assert problem.what == f"Deployment shop/web has no field {field} on any cluster, and never had"
    assert (problem.why, problem.fix) == (why, fix)


def test_a_field_of_what_goes_nowhere_is_no_error() -> None:
    assert [item["gets"] for item in groups(plan(shop(policy="")), "spec.nonsense")] == [False]


SECRET = """\
apiVersion: v1
kind: Secret
metadata:
  name: token
  namespace: shop
  annotations: {kubectl.kubernetes.io/last-applied-configuration: "hunter2"}
stringData: {password: hunter2}
"""


def test_nothing_of_a_secret_is_shown() -> None:
    claiming = policy("").replace("apps/v1, kind: Deployment, name: web", "v1, kind: Secret")
    rules = (
        patch("/stringData/password", "replace", "hunter3"),
        patch("/stringData", "replace", "{other: hunter4}"),
        patch("//stringData/x", "add", "hunter5"),
        "overriders: {fieldOverrider: [{fieldPath: /stringData/other, json: []}]}",
    )
    made = plan(shop(web=SECRET, policy=claiming, o=override(*rules[:3], kind="Secret", api="v1")))
    told = [explained(made, "secret/token")]
    told += [
        explained(made, "secret/token", field=field)
        for field in ("", "/stringData", "/stringData/other", "/stringData/password", "/metadata/annotations")
    ]
    for text_of in told:
        assert "hunter" not in text_of
    assert '{"password": "(redacted)"} -> {"other": "(redacted)"}' in told[0]


def test_nothing_of_a_published_secret_is_shown() -> None:
    claiming = policy("").replace("apps/v1, kind: Deployment, name: web", "v1, kind: Secret")
    held = policy("", extra="  suspension: {dispatching: true}\n").replace(
        "apps/v1, kind: Deployment, name: web", "v1, kind: Secret"
    )
    made = plan(shop(web=SECRET, policy=held), published(shop(web=SECRET, policy=claiming)))
    assert "hunter" not in explained(made, "secret/token", field="stringData.password")
    assert on(made, "stringData.password", subject="secret/token")["value"] == "(redacted)"


def test_many_answers_are_cut_in_the_text_only() -> None:
    listed = "".join(
        f"  - {{name: n{number:03}, labels: {{in: {'yes' if number < 50 else f'v{number}'}}}}}\n".replace(
            "in: yes", 'in: "yes"'
        )
        for number in range(100)
    )
    fleet = FLEET.partition("  - {name: a1")[0] + listed
    adding = 'overriders: {labelsOverrider: [{operator: add, value: {at: "{{ cluster.metadata.name }}"}}]}'
    named = override(adding).replace(
        "namespace: shop}", "namespace: shop, annotations: {krender.io/values: jinja2}}"
    )
    made = plan(shop('clusterAffinity: {labelSelector: {matchLabels: {in: "yes"}}}', fleet=fleet, o=named))
    assert len(groups(made, "metadata.labels.at")) == 100
    told = explained(made, field="metadata.labels.at")
    assert "\n\nother values on 10 clusters more: --cluster NAME tells one, --format json all\n\n" in told
    assert told.endswith("\nit is not on 10 clusters more: --cluster NAME tells one, --format json all")
