"""Tests of loading a whole workspace: sorting, admission, duplicates, leniency, order, hostile input."""

from __future__ import annotations

import hashlib
import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from renderer.document.problem import InputError, Severity
from renderer.document.values import Value
from renderer.load.digest import digest
from renderer.load.kinds import ADMITTED_KINDS
from renderer.load.workspace import load
from renderer.model.scope import Scope
from tests.load.workspaces import INVENTORY, files, lines, loaded, refused

POLICY = "apiVersion: policy.karmada.io/v1alpha1\nkind: %s\nmetadata: {name: %s}\nspec: %s\n"
SELECTS = "{resourceSelectors: [{apiVersion: apps/v1, kind: Deployment}]}"
RULES = "{overrideRules: [{overriders: {}}]}"
WEB = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: 1}\n"
CUSTOM = (
    "apiVersion: config.karmada.io/v1alpha1\nkind: ResourceInterpreterCustomization\nmetadata: {name: %s}\n"
    "spec:\n  target: {apiVersion: e.io/v1, kind: Tenant}\n"
    "  customizations: {retention: {luaScript: 'function Retain(d, o) return d end'}}\n"
)
WHOLE = {
    "inventory/east.yaml": INVENTORY,
    "base/web.yaml": WEB,
    "base/crd.yaml": (
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n"
        "metadata: {name: tenants.e.io}\n"
        "spec: {group: e.io, scope: Cluster, names: {kind: Tenant, plural: tenants}}\n"
    ),
    "policies/all.yaml": "---\n".join(
        (
            POLICY % ("PropagationPolicy", "pp", SELECTS),
            POLICY % ("ClusterPropagationPolicy", "cpp", SELECTS),
            POLICY % ("OverridePolicy", "op", RULES),
            POLICY % ("ClusterOverridePolicy", "cop", RULES),
            POLICY % ("ClusterTaintPolicy", "ctp", "{taints: [{key: a, effect: NoSchedule}]}"),
        )
    ),
    "policies/more.yaml": (
        CUSTOM
        % "tenant"
        + "---\napiVersion: apps.karmada.io/v1alpha1\nkind: WorkloadRebalancer\nmetadata: {name: evening}\n"
        "spec: {workloads: [{apiVersion: apps/v1, kind: Deployment, name: web, namespace: default}]}\n"
    ),
    "krender.yaml": "apiVersion: krender.io/v1alpha1\nkind: Workspace\nmetadata: {name: fleet}\n",
    ".krenderignore": "drafts/\n",
    "drafts/broken.yaml": "[",
    "empty.yaml": "",
}


def test_everything_is_sorted_by_what_it_is() -> None:
    workspace = load(files(WHOLE))
    assert workspace.problems == ()
    assert workspace.config.name == "fleet"
    assert [cluster.name for cluster in workspace.clusters] == ["east"]
    assert [str(item.identity) for item in workspace.templates] == [
        "CustomResourceDefinition tenants.e.io",
        "Deployment default/web",
    ]
    assert [str(item) for item in workspace.propagation_policies] == [
        "ClusterPropagationPolicy cpp",
        "PropagationPolicy default/pp",
    ]
    assert [str(item) for item in workspace.override_policies] == [
        "ClusterOverridePolicy cop",
        "OverridePolicy default/op",
    ]
    assert [item.name for item in workspace.taint_policies] == ["ctp"]
    assert [item.name for item in workspace.customizations] == ["tenant"]
    assert [item.name for item in workspace.rebalancers] == ["evening"]
    assert dict(workspace.scopes) == {("e.io", "Tenant"): Scope.CLUSTER}
    assert workspace.refused == ()


@settings(max_examples=20)
@given(st.randoms())
def test_the_order_of_the_files_does_not_matter(chance: random.Random) -> None:
    shuffled = files(WHOLE)
    chance.shuffle(shuffled)
    assert load(shuffled) == load(files(WHOLE))


@settings(max_examples=10)
@given(st.randoms())
def test_the_order_of_the_files_does_not_matter_to_problems(chance: random.Random) -> None:
    broken = {
        **WHOLE,
        "base/two.yaml": WEB,
        "base/three.yaml": WEB.replace("web", "We_b"),
        "i.yaml": INVENTORY,
    }
    shuffled = files(broken)
    chance.shuffle(shuffled)
    with pytest.raises(InputError) as first:
        load(shuffled)
    with pytest.raises(InputError) as second:
        load(files(broken))
    assert first.value.problems == second.value.problems
    assert load(shuffled, lenient=True) == load(files(broken), lenient=True)


def test_the_digest_is_of_names_and_contents() -> None:
    whole = load(files(WHOLE))
    left_out = {path: text for path, text in WHOLE.items() if path != "drafts/broken.yaml"}
    assert load(files(left_out)).digest == whole.digest
    assert load(files({**WHOLE, "empty.yaml": "# \n"})).digest != whole.digest
    assert load(files({**WHOLE, "other.yaml": ""})).digest != whole.digest
    assert digest([]) == hashlib.sha256().hexdigest()
    assert digest(files({"a": "b", "c": ""})) != digest(files({"a": "", "bc": ""}))


def test_all_problems_of_all_files_are_told_at_once() -> None:
    problems = refused(
        {
            "a.yaml": "a: [\n---\nb: 1\nb: 2\n",
            "b.yaml.j2": "{{ values.x }}",
            "c.yaml": POLICY % ("PropagationPolicy", "p", SELECTS.replace("kind", "knd")),
            "d.yaml": WEB + "---\n" + WEB,
            "e.yaml": "apiVersion: cluster.karmada.io/v1alpha1\nkind: Cluster\nmetadata: {name: A}\n"
            "spec: {syncMode: Push}\n",
            "f.yaml": b"\xff",
            "krender.yaml": "apiVersion: krender.io/v1alpha1\nkind: Workspace\nspec: {clams: sticky}\n",
            "x/.krenderignore": "[\n",
        }
    )
    assert sorted({line.partition(":")[0] for line in problems}) == [
        "a.yaml",
        "b.yaml.j2",
        "c.yaml",
        "d.yaml",
        "e.yaml",
        "f.yaml",
        "krender.yaml",
        "x/.krenderignore",
    ]
    assert sum(line.startswith("a.yaml") for line in problems) == 2


def test_a_lenient_load_leaves_out_what_is_refused() -> None:
    texts = {
        "a.yaml": WEB,
        "p.yaml": "---\n".join(
            (
                POLICY % ("PropagationPolicy", "good", SELECTS),
                POLICY % ("PropagationPolicy", "unknown", SELECTS.replace("{res", "{prority: 1, res")),
                POLICY
                % ("PropagationPolicy", "schema", SELECTS.replace("{res", "{conflictResolution: Never, res")),
                POLICY
                % (
                    "ClusterPropagationPolicy",
                    "webhook",
                    SELECTS.replace("{res", "{preemption: Always, res"),
                ),
                POLICY.replace("{name: %s}", "{name: %s, labels: 1}") % ("OverridePolicy", "decode", RULES),
                POLICY % ("OverridePolicy", "mutate", "{overrideRules: 1}"),
            )
        ),
        "c.yaml": "apiVersion: cluster.karmada.io/v1alpha1\nkind: Cluster\nmetadata: {name: A}\n"
        "spec: {syncMode: Push}\n",
        "bad.yaml": "[",
    }
    workspace = loaded(texts, lenient=True)
    assert [policy.name for policy in workspace.propagation_policies] == ["good", "unknown"]
    assert [(item.identity.name, item.reason) for item in workspace.refused] == [
        ("A", "webhook"),
        ("webhook", "webhook"),
        ("decode", "decode"),
        ("mutate", "mutate"),
        ("schema", "schema"),
    ]
    assert {problem.severity for problem in workspace.problems} >= {Severity.ERROR}
    assert [cluster.name for cluster in workspace.clusters] == ["east"]
    with pytest.raises(InputError):
        loaded(texts)


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(".krender/bindings/default/deployment.web.yaml", id="at-the-top"),
        pytest.param("out/.krender/owned.json", id="below"),
    ],
)
def test_krenders_own_output_is_not_rendered(path: str) -> None:
    for lenient in (False, True):
        with pytest.raises(InputError) as caught:
            loaded({path: "", "a.yaml": WEB}, lenient=lenient)
        assert [problem.what for problem in caught.value.problems] == [
            "this is a tree that krender has written: it has a directory .krender"
        ]


def test_ignore_files_count_without_a_disk_too() -> None:
    texts = {
        ".krenderignore": "/gen\n*.tmp.yaml\n",
        "gen/a.yaml": "[",
        "b/gen/c.yaml": WEB,
        "b/d.tmp.yaml": "[",
        "b/.krenderignore": "!e.tmp.yaml\n",
        "b/e.tmp.yaml": WEB.replace("web", "kept"),
    }
    assert [item.identity.name for item in loaded(texts).templates] == ["kept", "web"]


@pytest.mark.parametrize(
    ("kind", "spec", "subject"),
    [
        pytest.param("PropagationPolicy", SELECTS, "PropagationPolicy default/p", id="namespaced"),
        pytest.param("ClusterOverridePolicy", RULES, "ClusterOverridePolicy p", id="cluster-scoped"),
    ],
)
def test_two_policies_of_one_identity_are_told(kind: str, spec: str, subject: str) -> None:
    (problem,) = refused({"a.yaml": POLICY % (kind, "p", spec), "b.yaml": POLICY % (kind, "p", spec)})
    place = f"b.yaml:3:12: {subject} is there twice: the other is at a.yaml:3:12"
    assert problem == f"{place} | remove one of them, or rename it"


def test_policies_of_one_name_in_two_namespaces_are_two() -> None:
    other = (POLICY % ("PropagationPolicy", "p", SELECTS)).replace("{name: p}", "{name: p, namespace: b}")
    workspace = loaded({"a.yaml": POLICY % ("PropagationPolicy", "p", SELECTS), "b.yaml": other})
    assert [str(policy) for policy in workspace.propagation_policies] == [
        "PropagationPolicy b/p",
        "PropagationPolicy default/p",
    ]


def test_a_customization_that_repeats_another_is_told() -> None:
    (problem,) = refused({"a.yaml": CUSTOM % "b", "b.yaml": CUSTOM % "a"})
    assert problem.startswith("a.yaml:6:")
    assert "a answers the same question" in problem


def test_a_quota_is_checked_but_not_enforced() -> None:
    quota = POLICY % ("FederatedResourceQuota", "q", "{overall: {cpu: %s}}")
    (warning,) = lines(loaded({"a.yaml": quota % 1}).problems)
    assert warning.startswith("a.yaml:1:1: warning: FederatedResourceQuota q is not propagated")
    assert any("cpu" in line for line in refused({"a.yaml": quota % "many"}))


def test_documents_know_their_files() -> None:
    workspace = load(files(WHOLE))
    assert workspace.templates[1].document is not None
    assert str(workspace.templates[1].document.where("/spec/replicas")) == "base/web.yaml:4:8"
    override = workspace.override_policies[0]
    assert override.document is not None
    assert override.document.where(override.rules[0].pointer).file == "policies/all.yaml"


KEYS = st.sampled_from(
    [
        "apiVersion",
        "kind",
        "metadata",
        "name",
        "namespace",
        "labels",
        "annotations",
        "spec",
        "status",
        "items",
        "clusters",
        "defaults",
        "region",
        "zone",
        "zones",
        "taints",
        "capacity",
        "apis",
        "key",
        "effect",
        "group",
        "names",
        "scope",
        "overrideRules",
        "overriders",
        "plaintext",
        "placement",
        "resourceSelectors",
        "clusterAffinity",
        "clusterTolerations",
        "targetCluster",
        "labelSelector",
        "fieldSelector",
        "workloads",
        "target",
        "customizations",
        "retention",
        "luaScript",
        "values",
        "limits",
        "output",
        "resourceModels",
        "grade",
        "ranges",
        "min",
        "max",
        "apiEnablements",
        "conditions",
        "resourceSummary",
        "allocatable",
        "pods",
        "generateName",
        "a/b/c",
        "_",
    ]
)
KINDS = st.sampled_from(
    [
        *(("v1", kind) for kind in ("ConfigMap", "List", "PodList", "Namespace")),
        *(("krender.io/v1alpha1", kind) for kind in ("ClusterInventory", "Workspace")),
        *((kind.api_version, kind.kind) for kind in ADMITTED_KINDS),
        ("cluster.karmada.io/v1alpha1", "Cluster"),
        ("apiextensions.k8s.io/v1", "CustomResourceDefinition"),
        ("e.io/v1", "Tenant"),
        ("", ""),
    ]
)
WORDS = ["a", "east", "Cluster", "NoSchedule", "10Gi", "v1", "apps/v1", "kubernetes", "/a", "Divided"]
SCALARS: st.SearchStrategy[Value] = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 3),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=3),
    st.sampled_from(WORDS),
)
ANYTHING: st.SearchStrategy[Value] = st.recursive(
    SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(KEYS, inner, max_size=4)),
    max_leaves=12,
)


@given(st.lists(st.tuples(KINDS, ANYTHING, ANYTHING, ANYTHING), max_size=3))
def test_no_object_however_wrong_gives_a_traceback(
    objects: list[tuple[tuple[str, str], Value, Value, Value]],
) -> None:
    texts = {}
    for number, ((api_version, kind), metadata, spec, items) in enumerate(objects):
        body = {"apiVersion": api_version, "kind": kind, "metadata": metadata, "spec": spec, "items": items}
        texts[f"{number}.json"] = json.dumps(body)
        texts["krender.yaml"] = json.dumps({"apiVersion": api_version, "kind": "Workspace", "spec": spec})
    workspace = load(files(texts), lenient=True)
    assert len(lines(workspace.problems)) == len(workspace.problems)
    if any(problem.severity is Severity.ERROR for problem in workspace.problems):
        with pytest.raises(InputError) as caught:
            load(files(texts))
        assert caught.value.problems == workspace.problems
    else:
        assert load(files(texts)) == workspace


NAMES = st.sampled_from(["a.yaml", "krender.yaml", "b.json", "c.yaml.j2", ".krenderignore"])


@given(st.dictionaries(NAMES, st.binary(max_size=60)))
def test_no_bytes_give_a_traceback(contents: dict[str, bytes]) -> None:
    loaded(contents, lenient=True)
