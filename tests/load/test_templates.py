"""Tests of objects and templates: identity, namespace, Lists, and what an API server would refuse."""

from __future__ import annotations

import pytest

from renderer.document.read import read_stream
from renderer.document.values import Value, dig
from renderer.load.objects import objects
from renderer.model.identity import Identity
from renderer.model.workspace import Workspace
from tests.load.workspaces import loaded, refused, warned

MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n"


def identities(workspace: Workspace) -> list[str]:
    """The templates, as messages name them, with their apiVersion."""
    return [f"{item.identity.api_version} {item.identity}" for item in workspace.templates]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(MAP, ["v1 ConfigMap default/a"], id="namespaced-without-namespace-is-in-default"),
        pytest.param(MAP + "  namespace: shop\n", ["v1 ConfigMap shop/a"], id="stated-namespace"),
        pytest.param(MAP + '  namespace: ""\n', ["v1 ConfigMap default/a"], id="empty-namespace-is-none"),
        pytest.param(MAP + "  namespace:\n", ["v1 ConfigMap default/a"], id="null-namespace-is-none"),
        pytest.param(
            "apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n",
            ["v1 Namespace shop"],
            id="cluster-scoped",
        ),
        pytest.param(
            "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: 'system:x'}\n",
            ["rbac.authorization.k8s.io/v1 ClusterRole system:x"],
            id="roles-may-have-colons",
        ),
        pytest.param(
            "apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}\n"
            "- {apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: Secret, metadata: {name: b}}]}\n",
            ["v1 ConfigMap default/a", "v1 Secret default/b"],
            id="lists-in-lists",
        ),
        pytest.param(
            "apiVersion: v1\nkind: ConfigMapList\nitems: [{metadata: {name: a}}]\n",
            ["v1 ConfigMap default/a"],
            id="items-of-a-typed-list-have-its-kind",
        ),
        pytest.param("apiVersion: v1\nkind: List\nitems: []\n", [], id="empty-list"),
        pytest.param("apiVersion: v1\nkind: List\n", [], id="list-without-items"),
        pytest.param("apiVersion: v1\nkind: PodList\nitems:\n", [], id="typed-list-with-null-items"),
        pytest.param(
            "apiVersion: e.example/v1\nkind: AllowList\nmetadata: {name: a, namespace: b}\n",
            ["e.example/v1 AllowList b/a"],
            id="a-kind-that-ends-in-list-without-items-is-an-object",
        ),
        pytest.param("", [], id="empty-file"),
        pytest.param("---\n# only comments\n---\n", [], id="comments"),
        pytest.param(
            "\ufeff" + MAP + "---\n", ["v1 ConfigMap default/a"], id="bom-and-a-separator-at-the-end"
        ),
        pytest.param(
            '{"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "b"}}\n',
            ["v1 Secret default/b"],
            id="json",
        ),
    ],
)
def test_templates_of_a_file(text: str, expected: list[str]) -> None:
    assert identities(loaded({"a.yaml": text})) == expected


def test_the_namespace_is_written_behind_the_name_and_nothing_else_changes() -> None:
    text = "kind: ConfigMap\napiVersion: v1\ndata: {k: v}\nmetadata: {labels: {x: z}, name: a, uid: u}\n"
    (template,) = loaded({"a.yaml": text}).templates
    assert list(template.body) == ["kind", "apiVersion", "data", "metadata"]
    metadata = dig(template.body, "metadata")
    assert isinstance(metadata, dict)
    assert list(metadata.items()) == [
        ("labels", {"x": "z"}),
        ("name", "a"),
        ("namespace", "default"),
        ("uid", "u"),
    ]
    assert template.labels == (("x", "z"),)


def test_a_body_that_is_in_its_namespace_is_shared_with_the_document() -> None:
    (template,) = loaded({"a.yaml": MAP + "  namespace: shop\n"}).templates
    assert template.document is not None
    assert template.body is template.document.value


def test_the_default_namespace_can_be_set() -> None:
    settings = "apiVersion: krender.io/v1alpha1\nkind: Workspace\nspec: {defaultNamespace: shop}\n"
    policy = (
        "apiVersion: policy.karmada.io/v1alpha1\nkind: PropagationPolicy\nmetadata: {name: p}\n"
        "spec: {resourceSelectors: [{apiVersion: v1, kind: ConfigMap}]}\n"
    )
    workspace = loaded({"a.yaml": MAP, "krender.yaml": settings, "p.yaml": policy})
    assert identities(workspace) == ["v1 ConfigMap shop/a"]
    assert [str(policy) for policy in workspace.propagation_policies] == ["PropagationPolicy shop/p"]


CRD = """\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: tenants.e.example}
spec: {group: e.example, scope: Cluster, names: {kind: Tenant, plural: tenants}}
"""
TENANT = "apiVersion: e.example/v1\nkind: Tenant\nmetadata: {name: a%s}\n"


def test_a_crd_of_the_workspace_gives_the_scope() -> None:
    workspace = loaded({"a.yaml": TENANT % "", "crd.yaml": CRD})
    assert workspace.templates[1].identity == Identity("e.example/v1", "Tenant", "", "a")
    assert not workspace.problems


def test_an_unknown_scope_is_told_once_for_a_kind() -> None:
    texts = {"a.yaml": TENANT % "" + "---\n" + TENANT % "b", "c.yaml": TENANT % "c, namespace: x"}
    (warning,) = warned(texts)
    what, _, fix = warning.partition(" | ")
    assert (
        what == "a.yaml:3:1: warning: Tenant a names no namespace, and nothing says whether a Tenant has one"
    )
    assert fix == 'write "namespace: default", or add the CustomResourceDefinition of Tenant to the workspace'


def test_a_namespace_on_a_cluster_scoped_object_is_dropped_and_told() -> None:
    text = "apiVersion: v1\nkind: Namespace\nmetadata: {name: a, namespace: b}\n"
    (template,) = loaded({"a.yaml": text}).templates
    assert template.identity.namespace == ""
    assert dig(template.body, "metadata") == {"name": "a"}
    assert warned({"a.yaml": text}) == [
        "a.yaml:3:21: warning: Namespace b/a has a namespace, which a Namespace cannot have | remove it"
    ]


def obj(metadata: str, kind: str = "ConfigMap", api_version: str = "v1") -> str:
    """An object with this metadata in flow style on line 3."""
    return f"apiVersion: {api_version}\nkind: {kind}\nmetadata: {metadata}\n"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        pytest.param(
            "kind: ConfigMap\nmetadata: {name: a}\n",
            'a.yaml:1:1: the object has no apiVersion | add "apiVersion: v1"',
            id="no-apiversion",
        ),
        pytest.param(
            "kind: Widget\nmetadata: {name: a}\n",
            'a.yaml:1:1: the object has no apiVersion | add "apiVersion"; if it is no Kubernetes object, '
            "name the file in .krenderignore",
            id="no-apiversion-of-a-kind-that-is-not-known",
        ),
        pytest.param(
            "apiVersion: v1\nKind: ConfigMap\nmetadata: {name: a}\n",
            'a.yaml:2:1: the object has no kind | write "kind", not "Kind"',
            id="kind-in-capitals",
        ),
        pytest.param(
            "apiVerson: v1\nkind: ConfigMap\nmetadata: {name: a}\n",
            'a.yaml:1:1: the object has no apiVersion | write "apiVersion", not "apiVerson"',
            id="apiversion-misspelt",
        ),
        pytest.param(
            "apiVersion: v1\nname: values of a chart\n",
            'a.yaml:1:1: the object has no kind | add "kind"; if it is no Kubernetes object, '
            "name the file in .krenderignore",
            id="no-kind",
        ),
        pytest.param(
            "apiVersion: v1\nkind: 7\n",
            "a.yaml:2:1: the object's kind is 7, not a text | write kind as text, in quotes if need be",
            id="kind-is-a-number",
        ),
        pytest.param(
            "apiVersion: 1.0\nkind: ConfigMap\n",
            "a.yaml:1:1: the object's apiVersion is 1, not a text | "
            "write apiVersion as text, in quotes if need be",
            id="apiversion-is-a-number",
        ),
        pytest.param(
            "apiVersion: a/b/c\nkind: ConfigMap\n",
            'a.yaml:1:1: the object\'s apiVersion "a/b/c" is neither version nor group/version | '
            "write for example apps/v1",
            id="apiversion-with-two-slashes",
        ),
        pytest.param(
            "- a\n",
            "a.yaml:1:1: the document is a list, not an object | write apiVersion and kind; "
            "if it is no Kubernetes object, name the file in .krenderignore",
            id="a-list",
        ),
        pytest.param(
            "apiVersion: v1\nkind: List\nitems:\n- 1\n",
            "a.yaml:4:3: the document is 1, not an object | write apiVersion and kind; "
            "if it is no Kubernetes object, name the file in .krenderignore",
            id="an-item-that-is-no-object",
        ),
        pytest.param(
            "apiVersion: v1\nkind: ConfigMap\n",
            'a.yaml:1:1: the ConfigMap has no name | add "name" under metadata',
            id="no-metadata",
        ),
        pytest.param(
            "apiVersion: v1\nkind: ConfigMap\nmetadata: x\n",
            "a.yaml:3:1: the ConfigMap has metadata that is no map | write metadata: and below it name:",
            id="metadata-is-text",
        ),
        pytest.param(
            obj("{labels: {a: b}}"),
            'a.yaml:3:1: the ConfigMap has no name | add "name" under metadata',
            id="no-name",
        ),
        pytest.param(
            obj('{name: ""}'),
            'a.yaml:3:12: the ConfigMap has no name | add "name" under metadata',
            id="empty-name",
        ),
        pytest.param(
            obj("{generateName: a-}"),
            'a.yaml:3:12: the ConfigMap has generateName but no name | write "name" in its place',
            id="generate-name",
        ),
        pytest.param(
            obj("{name: 123}"),
            'a.yaml:3:12: the ConfigMap has the name 123, which is not a text | write it in quotes: "123"',
            id="name-is-a-number",
        ),
        pytest.param(
            obj("{name: on}"),
            "a.yaml:3:12: the ConfigMap has the name true, which is not a text | "
            "write it in quotes: plain yes, no, on, off, y and n are not text in YAML",
            id="name-is-a-boolean",
        ),
        pytest.param(
            obj("{name: [a]}"),
            'a.yaml:3:12: the ConfigMap has the name ["a"], which is not a text | write text',
            id="name-is-a-list",
        ),
        pytest.param(
            obj("{name: My_App}"),
            'a.yaml:3:12: the ConfigMap cannot be called "My_App" | '
            "write at most 253 lower-case letters, digits, '-' and '.', with a letter or digit at both ends",
            id="name-is-malformed",
        ),
        pytest.param(
            obj("{name: a/b}", "Role", "rbac.authorization.k8s.io/v1"),
            'a.yaml:3:12: the Role cannot be called "a/b" | '
            'write a name that is not "." or "..", without "/" and "%"',
            id="name-with-a-slash",
        ),
        pytest.param(
            obj("{name: a, namespace: 7}"),
            'a.yaml:3:21: ConfigMap a has the namespace 7, which is not a text | write it in quotes: "7"',
            id="namespace-is-a-number",
        ),
        pytest.param(
            obj("{name: a, namespace: a.b}"),
            'a.yaml:3:21: ConfigMap a.b/a: a namespace cannot be called "a.b" | '
            "write at most 63 lower-case letters, digits and '-', with a letter or digit at both ends",
            id="namespace-with-a-dot",
        ),
        pytest.param(
            obj("{name: a, labels: {x: 1}}"),
            'a.yaml:3:30: ConfigMap a: the label "x" is 1, not text | write it in quotes: "1"',
            id="label-is-a-number",
        ),
        pytest.param(
            obj("{name: a, labels: {x: 1.10}}"),
            'a.yaml:3:30: ConfigMap a: the label "x" is 1.1, not text | write it in quotes: "1.10"',
            id="label-is-a-version",
        ),
        pytest.param(
            obj("{name: a, annotations: {x: yes}}"),
            'a.yaml:3:35: ConfigMap a: the annotation "x" is true, not text | '
            "write it in quotes: plain yes, no, on, off, y and n are not text in YAML",
            id="annotation-is-a-boolean",
        ),
        pytest.param(
            obj("{name: a, labels: {x: a b}}"),
            'a.yaml:3:30: ConfigMap a: the label "x" cannot be "a b" | write at most 63 letters, digits, '
            "'-', '_' or '.', with a letter or digit at both ends",
            id="label-with-a-space",
        ),
        pytest.param(
            obj("{name: a, labels: {x/y/z: a}}"),
            'a.yaml:3:30: ConfigMap a: the label "x/y/z" has a key that Kubernetes does not take | '
            "write a name, or a DNS name, a slash and a name",
            id="label-key-with-two-slashes",
        ),
        pytest.param(
            obj("{name: a, labels: [x]}"),
            "a.yaml:3:21: ConfigMap a: metadata.labels is no map | write key: value",
            id="labels-are-a-list",
        ),
        pytest.param(
            "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [a.yaml]\n",
            "a.yaml:1:1: a Kustomization is an instruction for kustomize, not a Kubernetes object | "
            "put what kustomize builds into the workspace, and name this file in .krenderignore",
            id="kustomization",
        ),
        pytest.param(
            obj("{name: a}", "PropogationPolicy", "policy.karmada.io/v1alpha1"),
            'a.yaml:2:1: PropogationPolicy a: there is no kind "PropogationPolicy" in '
            "policy.karmada.io/v1alpha1 | write kind: PropagationPolicy",
            id="a-slip-in-a-policy-kind",
        ),
        pytest.param(
            obj("{name: a}", "Cluster", "cluster.karmada.io/v1beta1"),
            'a.yaml:1:1: Cluster a: there is no kind "Cluster" in cluster.karmada.io/v1beta1 | '
            "write apiVersion: cluster.karmada.io/v1alpha1",
            id="another-version-of-cluster",
        ),
        pytest.param(
            obj("{name: a}", "Workspace", "krender.io/v1alpha1"),
            "a.yaml:1:1: a Workspace stands in a.yaml | move it to krender.yaml at the top of the workspace",
            id="settings-in-another-file",
        ),
    ],
)
def test_what_is_no_template_is_told(text: str, problem: str) -> None:
    assert refused({"a.yaml": text}) == [problem]


@pytest.mark.parametrize(
    ("other", "place"),
    [
        pytest.param(
            MAP, "b.yaml:4:3: ConfigMap default/a is there twice: the other is at a.yaml:4:3", id="equal"
        ),
        pytest.param(
            MAP + "  namespace: default\n",
            "b.yaml:4:3: ConfigMap default/a is there twice: the other is at a.yaml:4:3",
            id="one-with-the-default-written-out",
        ),
    ],
)
def test_two_templates_with_one_identity_are_told(other: str, place: str) -> None:
    assert refused({"a.yaml": MAP, "b.yaml": other}) == [f"{place} | remove one of them, or rename it"]


def test_two_versions_of_one_object_are_one_identity() -> None:
    first = obj("{name: a}", "Deployment", "apps/v1")
    second = obj("{name: a}", "Deployment", "apps/v1beta1")
    (problem,) = refused({"a.yaml": first, "b.yaml": second})
    place = "b.yaml:3:12: Deployment default/a is there twice: the other is at a.yaml:3:12 as apps/v1"
    assert problem == f"{place} | remove one of them, or rename it"
    other_group = obj("{name: a}", "Deployment", "extensions/v1beta1")
    assert len(loaded({"a.yaml": first, "b.yaml": other_group}).templates) == 2


@pytest.mark.parametrize(
    ("api_version", "kind"),
    [
        pytest.param("work.karmada.io/v1alpha2", "ResourceBinding", id="binding"),
        pytest.param("work.karmada.io/v1alpha1", "Work", id="work"),
        pytest.param("autoscaling.karmada.io/v1alpha1", "FederatedHPA", id="federated-hpa"),
        pytest.param("config.karmada.io/v1alpha1", "ResourceInterpreterWebhookConfiguration", id="webhook"),
    ],
)
def test_karmadas_own_objects_are_not_propagated_and_told(api_version: str, kind: str) -> None:
    (warning,) = warned({"a.yaml": obj("{name: a}", kind, api_version)})
    assert warning.startswith(f"a.yaml:1:1: warning: {kind} a is not propagated")


def test_a_null_label_is_a_warning() -> None:
    assert warned({"a.yaml": obj("{name: a, labels: {x: }}")}) == [
        'a.yaml:3:30: warning: ConfigMap a: the label "x" is null | write ""'
    ]


def test_lists_know_where_their_items_stand() -> None:
    text = "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: 5}\n"
    assert refused({"a.yaml": text})[0].startswith("a.yaml:6:14: ")


def test_bodies_of_documents_are_left_as_they_are() -> None:
    body: Value = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}}
    (template,) = loaded({"a.yaml": MAP}).templates
    assert template.document is not None
    assert template.document.value == body


@pytest.mark.parametrize(
    ("file", "what"),
    [
        ("kustomization.yaml", "a kustomization is an instruction for kustomize, not a Kubernetes object"),
        (
            "deep/kustomization.yml",
            "a kustomization is an instruction for kustomize, not a Kubernetes object",
        ),
        ("chart/Chart.yaml", "a Helm chart is no Kubernetes object"),
        ("values.yaml", "the object has no kind"),
    ],
)
def test_files_of_other_tools_are_known_by_their_names(file: str, what: str) -> None:
    (problem,) = objects(read_stream(b"apiVersion: v2\nname: x\n", file))[1]
    assert problem.what == what
    assert ".krenderignore" in problem.fix


def test_a_line_of_dashes_in_a_text_is_named_as_what_cuts_it() -> None:
    text = b"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  x: |\n---\n  rest\n"
    (problem,) = objects(read_stream(text, "a.yaml"))[1]
    assert problem.why.startswith("a line that begins with --- ends a document, also inside a text")
