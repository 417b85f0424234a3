"""Tests of the inventory: both forms, admission, directories, and what is worth a warning."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from renderer.document.values import Object, Value, dig
from renderer.load.clusters import cluster_of
from renderer.load.workspace import load
from renderer.model.cluster import Cluster, Condition, ResourceSummary, Taint
from renderer.model.quantity import Quantity, parse_quantity
from tests.load.workspaces import files, lines, refused

HEAD = "apiVersion: cluster.karmada.io/v1alpha1\nkind: Cluster\nmetadata: {name: %s}\n"
STATUS = (
    "status:\n  apiEnablements: [{groupVersion: v1, resources: [{name: pods, kind: Pod}]}]\n"
    "  resourceSummary: {allocatable: {pods: 110}}\n"
)
SHORT = "apiVersion: krender.io/v1alpha1\nkind: ClusterInventory\nspec:\n  clusters:\n"


def quantity(text: str) -> Quantity:
    """A quantity that is one."""
    parsed = parse_quantity(text)
    assert parsed is not None
    return parsed


def clusters(text: str) -> tuple[Cluster, ...]:
    """The clusters of a workspace with this one file."""
    return load(files({"i.yaml": text})).clusters


def cluster(text: str) -> Cluster:
    """The only cluster of a workspace with this one file."""
    (only,) = clusters(text)
    return only


def warnings(text: str) -> list[str]:
    """The warnings about a workspace with this one file."""
    return lines(load(files({"i.yaml": text})).problems)


def whats(texts: Mapping[str, str]) -> list[str]:
    """Where and what is wrong with a workspace."""
    return [line.partition(" | ")[0] for line in refused({"zz-inventory.yaml": "", **texts})]


def genuine(spec: str = "", status: str = STATUS, name: str = "east") -> str:
    """A Cluster object with these lines in its spec."""
    return (
        HEAD % name
        + "spec:\n  syncMode: Push\n"
        + "".join(f"  {line}\n" for line in spec.splitlines())
        + status
    )


def test_a_cluster_is_read_as_it_is() -> None:
    body: Object = {
        "metadata": {"name": "m1", "labels": {"env": "prod"}, "deletionTimestamp": "2026-01-01T00:00:00Z"},
        "spec": {
            "syncMode": "Pull", "provider": "p", "region": "r", "zones": ["z1", "z2"], "zone": "z9",
            "apiEndpoint": "https://m1:6443", "taints": [{"key": "k", "value": "v", "effect": "NoSchedule"}],
            "resourceModels": [{"grade": 1, "ranges": [{"name": "cpu", "min": "1", "max": 2}]}],
        },
        "status": {
            "kubernetesVersion": "v1.33.0",
            "apiEnablements": [{"groupVersion": "apps/v1", "resources": [{"kind": "Deployment"}]}],
            "conditions": [{"type": "Ready", "status": "True", "reason": "R", "message": "m"}],
            "resourceSummary": {
                "allocatable": {"cpu": "4", "pods": 10, "bad": "x"}, "allocated": {"cpu": "500m"},
                "allocatableModelings": [{"grade": 1, "count": 3}],
            },
        },
    }  # fmt: skip
    read = cluster_of(body)
    assert read == Cluster(
        name="m1",
        slug="m1",
        labels=(("env", "prod"),),
        provider="p",
        region="r",
        zones=("z1", "z2"),
        taints=(Taint(key="k", value="v", effect="NoSchedule"),),
        sync_mode="Pull",
        server="https://m1:6443",
        api_enablements=(("apps/v1", ("Deployment",)),),
        resource_summary=ResourceSummary(
            allocatable=(("cpu", quantity("4")), ("pods", quantity("10"))),
            allocated=(("cpu", quantity("500m")),),
            allocatable_modelings=((1, 3),),
        ),
        resource_models=read.resource_models,
        conditions=(Condition(type="Ready", status="True", reason="R", message="m"),),
        deletion_timestamp="2026-01-01T00:00:00Z",
        kubernetes_version="v1.33.0",
    )
    assert [(model.grade, model.ranges[0].min) for model in read.resource_models] == [(1, quantity("1"))]


@pytest.mark.parametrize(
    "body",
    [
        pytest.param({}, id="nothing"),
        pytest.param({"metadata": None, "spec": [], "status": 1}, id="wrong-types"),
        pytest.param(
            {
                "metadata": {"name": 1, "labels": {"a": 1}},
                "spec": {
                    "zones": {"a": 1},
                    "taints": [None, 1],
                    "resourceModels": [{"grade": "x", "ranges": 1}],
                },
                "status": {
                    "apiEnablements": [1, {"resources": [None]}],
                    "resourceSummary": {"allocatable": []},
                },
            },
            id="wrong-types-below",
        ),
    ],
)
def test_what_cannot_be_read_counts_as_absent(body: Object) -> None:
    assert cluster_of(body).name == ""


def test_equal_apis_are_one_value() -> None:
    first, second = clusters(genuine(name="a") + "---\n" + genuine(name="b"))
    assert first.api_enablements is second.api_enablements
    assert first.resource_models is second.resource_models


def test_the_old_zone_becomes_zones() -> None:
    read = cluster(genuine("zone: z1"))
    assert read.zones == ("z1",)
    assert dig(read.body, "spec", "zones") == ["z1"]
    assert dig(read.body, "spec", "zone") is None


def test_a_cluster_without_models_has_karmadas_nine() -> None:
    models = cluster(genuine()).resource_models
    assert [model.grade for model in models] == list(range(9))
    assert [str(entry.min) for entry in models[2].ranges] == ["2", "16Gi"]
    assert [str(entry.max) for entry in models[8].ranges] == [str(2**63 - 1)] * 2


def test_without_the_gate_there_are_no_models() -> None:
    settings = (
        "apiVersion: krender.io/v1alpha1\nkind: Workspace\n"
        "spec: {featureGates: {CustomizedClusterResourceModeling: false}}\n"
    )
    workspace = load(files({"i.yaml": genuine(), "krender.yaml": settings}))
    assert workspace.clusters[0].resource_models == ()


MODELS = (
    "resourceModels:\n- {grade: %s, ranges: [{name: cpu, min: %s, max: %s}]}\n"
    "- {grade: %s, ranges: [{name: %s, min: %s, max: %s}]}"
)


def test_models_are_sorted_and_open_at_both_ends() -> None:
    models = cluster(genuine(MODELS % (4, "2", "3", 1, "cpu", "1", "2"))).resource_models
    assert [(model.grade, str(model.ranges[0].min)) for model in models] == [(1, "0"), (4, "2")]
    assert models[1].ranges[0].max.value == 2**63 - 1


@pytest.mark.parametrize(
    ("models", "what"),
    [
        pytest.param(
            MODELS % (1, "0", "2", 1, "cpu", "2", "4"), "grade 1 is there twice", id="one-grade-twice"
        ),
        pytest.param(
            MODELS % (1, "0", "2", 2, "memory", "2", "4"), "not about the same resources", id="resources"
        ),
        pytest.param(MODELS % (1, "0", "2", 2, "cpu", "3", "4"), "do not meet at grade 2", id="a-gap"),
        pytest.param(
            MODELS % (1, "0", "4Gi", 2, "cpu", "4096Mi", "8Gi"), "do not meet", id="one-amount-spelt-twice"
        ),
        pytest.param(
            MODELS % (1, "0", "0", 2, "cpu", "0", "4"), "the range of cpu of grade 1 is empty", id="empty"
        ),
        pytest.param(MODELS % (1, "0", "x", 2, "cpu", "0", "4"), "is no amount", id="no-amount"),
    ],
)
def test_models_that_karmada_refuses_are_told(models: str, what: str) -> None:
    (problem,) = refused({"i.yaml": genuine(models)})
    assert problem.startswith("i.yaml:6:3: Cluster east: ")
    assert what in problem


def test_amounts_that_karmada_holds_alike_meet() -> None:
    assert len(cluster(genuine(MODELS % (1, "0", "16Gi", 2, "cpu", "16384Mi", "32Gi"))).resource_models) == 2


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            HEAD % "east" + "spec: {}\n",
            ["i.yaml:4:1: Cluster east: spec.syncMode is missing"],
            id="no-sync-mode",
        ),
        pytest.param(
            genuine("regoin: a"),
            ['i.yaml:6:3: Cluster east has no field "regoin" in spec'],
            id="a-slip-in-a-field",
        ),
        pytest.param(
            genuine(name="Prod.EU"),
            [
                'i.yaml:3:12: Cluster Prod.EU: a Cluster cannot be called "Prod.EU"',
            ],
            id="a-name-karmada-does-not-take",
        ),
        pytest.param(
            genuine("zone: a\nzones: [b]"),
            ["i.yaml:6:3: Cluster east: zone and zones are both there"],
            id="zone-and-zones",
        ),
        pytest.param(
            genuine("region: eu west"),
            [
                'i.yaml:6:3: Cluster east: "eu west" cannot be a region',
            ],
            id="a-region-with-a-space",
        ),
        pytest.param(
            genuine("taints:\n- {key: a b, effect: NoExecute}\n- {key: c, effect: Never}"),
            [
                'i.yaml:8:14: Cluster east: spec.taints[1].effect cannot be "Never"',
            ],
            id="an-effect-there-is-not",
        ),
        pytest.param(
            genuine(
                "taints:\n- {key: a b, value: /, effect: NoExecute}\n- {key: c, effect: NoSchedule}\n"
                "- {key: c, effect: NoSchedule}"
            ),
            [
                'i.yaml:7:6: Cluster east: "a b" cannot be the key of a taint',
                'i.yaml:7:16: Cluster east: "/" cannot be the value of a taint',
                "i.yaml:9:5: Cluster east: the taint c:NoSchedule is there twice",
            ],
            id="bad-taints",
        ),
        pytest.param(
            genuine("secretRef: {name: a}\nimpersonatorSecretRef: {}\nproxyURL: ftp://x"),
            [
                "i.yaml:6:3: Cluster east: secretRef has no namespace",
                "i.yaml:7:3: Cluster east: impersonatorSecretRef has no name",
                "i.yaml:7:3: Cluster east: impersonatorSecretRef has no namespace",
                'i.yaml:8:3: Cluster east: "ftp://x" is no address of a proxy',
            ],
            id="bad-references",
        ),
        pytest.param(
            genuine("apiEndpoint: east.example:6443"),
            ['i.yaml:6:3: Cluster east: "east.example:6443" names no host'],
            id="an-address-without-scheme",
        ),
        pytest.param(
            genuine("apiEndpoint: https://me@east?a#b"),
            [
                'i.yaml:6:3: Cluster east: "https://me@east?a#b" has a fragment, which is not allowed',
                'i.yaml:6:3: Cluster east: "https://me@east?a#b" has a query, which is not allowed',
                'i.yaml:6:3: Cluster east: "https://me@east?a#b" has a user, which is not allowed',
            ],
            id="an-address-with-more",
        ),
        pytest.param(
            genuine("apiEndpoint: 'https://[::1'"),
            [
                'i.yaml:6:3: Cluster east: "https://[::1" is no address: Invalid IPv6 URL',
            ],
            id="no-address",
        ),
        pytest.param(
            genuine(status=STATUS.replace("110", "many")),
            [
                'i.yaml:8:35: Cluster east: "many" is no amount of pods',
            ],
            id="no-amount",
        ),
    ],
)
def test_what_karmada_refuses_is_told(text: str, expected: list[str]) -> None:
    assert whats({"i.yaml": text}) == expected


def test_labels_of_a_cluster_are_checked() -> None:
    text = genuine().replace("{name: east}", "{name: east, labels: {a/b/c: x, d: e f}}")
    assert [line.partition(" | ")[0] for line in refused({"i.yaml": text})] == [
        'i.yaml:3:33: Cluster east: "a/b/c" is no label key',
        'i.yaml:3:43: Cluster east: "e f" is no label value',
    ]


@pytest.mark.parametrize(
    ("text", "what"),
    [
        pytest.param(
            genuine(status=""),
            "i.yaml:1:1: warning: Cluster east: its status lists no API (apiEnablements)",
            id="no-apis",
        ),
        pytest.param(
            genuine(status=STATUS.replace("pods: 110", "cpu: 1")),
            "i.yaml:8:21: warning: Cluster east: its capacity says nothing of pods",
            id="no-pods",
        ),
        pytest.param(
            genuine("taints: [{key: a, effect: PreferNoSchedule}]"),
            "i.yaml:6:21: warning: Cluster east: the taint a has the effect PreferNoSchedule",
            id="prefer-no-schedule",
        ),
    ],
)
def test_what_karmada_takes_and_nobody_wants_is_a_warning(text: str, what: str) -> None:
    assert [line.partition(" | ")[0] for line in warnings(text)] == [what]


def test_a_warning_that_many_clusters_share_is_told_once() -> None:
    text = "---\n".join(genuine(status="", name=f"c{number}") for number in range(100))
    assert [line.partition(" | ")[0] for line in warnings(text)] == [
        "i.yaml:1:1: warning: Cluster c0: its status lists no API (apiEnablements) (and the same of 99 more)"
    ]


def test_a_genuine_cluster_may_carry_krenders_own_facts() -> None:
    notes = (
        "{krender.io/paused: 'true', krender.io/frozen: 'true', krender.io/protected: 'true', "
        "krender.io/wave: '3', krender.io/observed-at: '2026-01-01T00:00:00Z', "
        "krender.io/source: karmada, krender.io/slug: e1, krender.io/previous-name: old}"
    )
    read = cluster(genuine().replace("{name: east}", f"{{name: east, annotations: {notes}}}"))
    assert (read.paused, read.frozen, read.protected, read.wave) == (True, True, True, 3)
    assert (read.observed_at, read.observed_source, read.slug) == ("2026-01-01T00:00:00Z", "karmada", "e1")
    assert read.previous_name == "old"


@pytest.mark.parametrize(
    ("note", "value", "fix"),
    [
        pytest.param("engine", "argo", "write none, argocd, flux, or take it out", id="an-engine"),
        pytest.param("engine", "Flux", "write none, argocd, flux, or take it out", id="in-small-letters"),
        pytest.param("wave", "-1", 'write a whole number such as "1"', id="a-wave-counts"),
        pytest.param("wave", "1.5", 'write a whole number such as "1"', id="in-whole-numbers"),
        pytest.param("paused", "yes", 'write "true", or take it out', id="a-flag-is-true"),
        pytest.param("frozen", "True", 'write "true", or take it out', id="in-small-letters-too"),
        pytest.param("protected", "1", 'write "true", or take it out', id="and-no-number"),
        pytest.param(
            "slug", "../b", 'write a name of a directory such as "eu-1"', id="a-directory-stays-inside"
        ),
    ],
)
def test_an_annotation_of_krender_that_says_nothing_is_an_error(note: str, value: str, fix: str) -> None:
    text = genuine().replace("{name: east}", f"{{name: east, annotations: {{krender.io/{note}: '{value}'}}}}")
    (line,) = refused({"i.yaml": text.replace("name: east", "name: west")})
    where, _, told = line.partition(": ")
    assert where.startswith("i.yaml:3:")
    assert told.startswith(f'Cluster west: "{value}" is no value of the annotation krender.io/{note} | {fix}')


def test_the_short_form_gives_a_whole_cluster() -> None:
    read = cluster(
        SHORT.replace(
            "  clusters", "  defaults: {labels: {a: b, c: d}, region: r0, provider: edge}\n  clusters"
        )
        + "  - name: store/7\n    labels: {c: e}\n    region: r1\n    zones: [z]\n"
        "    taints: [{key: k, effect: NoSchedule}]\n    capacity: {cpu: 4, pods: 110}\n"
        "    apis: [apps/v1/Deployment, 'v1/Pod,Secret', e.io/v1/Policy]\n    kubernetesVersion: v1.33.0\n"
        "    server: https://7.example\n    syncMode: Pull\n    ready: false\n    paused: true\n"
        "    frozen: true\n    protected: true\n    wave: 2\n    observedAt: 2026-01-01T00:00:00Z\n"
        "    source: asset list\n    previousName: shop-7\n"
    )
    assert replace(read, body={}) == Cluster(
        name="store/7",
        slug="store-7",
        labels=(("a", "b"), ("c", "e")),
        provider="edge",
        region="r1",
        zones=("z",),
        taints=(
            Taint(key="k", effect="NoSchedule"),
            Taint(key="cluster.karmada.io/not-ready", effect="NoSchedule"),
        ),
        sync_mode="Pull",
        server="https://7.example",
        api_enablements=(("apps/v1", ("Deployment",)), ("e.io/v1", ("Policy",)), ("v1", ("Pod", "Secret"))),
        resource_summary=ResourceSummary(allocatable=(("cpu", quantity("4")), ("pods", quantity("110")))),
        conditions=(Condition(type="Ready", status="False"),),
        kubernetes_version="v1.33.0",
        paused=True,
        frozen=True,
        protected=True,
        wave=2,
        previous_name="shop-7",
        observed_at="2026-01-01T00:00:00Z",
        observed_source="asset list",
    )
    assert dig(read.body, "kind") == "Cluster"
    assert dig(read.body, "metadata", "labels") == {"a": "b", "c": "e"}
    assert dig(read.body, "spec", "region") == "r1"
    apis = dig(read.body, "status", "apiEnablements")
    expected: Value = {"groupVersion": "e.io/v1", "resources": [{"name": "policies", "kind": "Policy"}]}
    assert isinstance(apis, list)
    assert apis[1] == expected


def test_the_short_form_needs_no_more_than_names() -> None:
    first, second = clusters(SHORT + "  - name: b\n  - name: a\n")
    assert (first.name, second.name) == ("a", "b")
    assert first.apis_known is False
    assert first.resource_summary is None
    assert dig(first.body, "spec") == {"syncMode": "Push"}


@pytest.mark.parametrize(
    "apis",
    [
        pytest.param("kubernetes", id="as-text"),
        pytest.param("[kubernetes]", id="in-a-list"),
    ],
)
def test_the_preset_knows_plain_kubernetes(apis: str) -> None:
    read = cluster(SHORT + f"  - {{name: a, apis: {apis}}}\n")
    served = dict(read.api_enablements)
    assert read.apis_known
    assert "Deployment" in served["apps/v1"]
    assert "CronJob" in served["batch/v1"]
    assert "cert-manager.io/v1" not in served


def test_no_apis_at_all_is_a_statement() -> None:
    read = cluster(SHORT + "  - {name: a, apis: []}\n")
    assert read.apis_known
    assert read.api_enablements == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            SHORT + "  - {name: a, regoin: x}\n",
            ['i.yaml:5:15: ClusterInventory has no field "regoin" in spec.clusters[0]'],
            id="a-slip-in-a-field",
        ),
        pytest.param(
            SHORT + "  - {region: x}\n",
            ["i.yaml:5:5: ClusterInventory: spec.clusters[0].name is missing"],
            id="no-name",
        ),
        pytest.param(
            SHORT + '  - {name: " a"}\n',
            ["i.yaml:5:6: Cluster  a: its name has spaces around it or control characters"],
            id="spaces-around-a-name",
        ),
        pytest.param(
            SHORT + "  - {name: a, slug: A_b}\n",
            [
                'i.yaml:5:15: Cluster a: "A_b" cannot be the name of a directory everywhere',
            ],
            id="a-slug-that-is-none",
        ),
        pytest.param(
            SHORT + "  - {name: a, apis: [Deployment, apps/v1/deployments]}\n",
            [
                'i.yaml:5:22: Cluster a: "Deployment" names no API',
                'i.yaml:5:34: Cluster a: "apps/v1/deployments" names no API',
            ],
            id="no-apis",
        ),
        pytest.param(
            SHORT + "  - {name: a, capacity: {pods: lots}, zones: [/]}\n",
            [
                'i.yaml:5:26: Cluster a: "lots" is no amount of pods',
                'i.yaml:5:47: Cluster a: "/" cannot be a zone',
            ],
            id="no-amount-no-zone",
        ),
        pytest.param(
            SHORT.replace("  clusters", "  defaults: {region: a b}\n  clusters") + "  - {name: a}\n",
            [
                'i.yaml:4:14: spec.defaults: "a b" cannot be a region',
            ],
            id="defaults",
        ),
    ],
)
def test_what_is_wrong_with_the_short_form_is_told(text: str, expected: list[str]) -> None:
    assert whats({"i.yaml": text}) == expected


def test_two_clusters_of_one_name_are_told() -> None:
    text = genuine() + "---\n" + SHORT + "  - name: east\n"
    assert whats({"i.yaml": text}) == [
        "i.yaml:14:5: there are two clusters called east: the other is at i.yaml:1:1"
    ]


def test_two_clusters_of_one_directory_are_told() -> None:
    (problem,) = refused({"i.yaml": SHORT + "  - name: Prod.EU\n  - name: prod.eu\n"})
    what, _, fix = problem.partition(" | ")
    assert what == "i.yaml:6:5: Cluster prod.eu would share a directory (prod.eu) with Prod.EU at i.yaml:5:5"
    assert fix == 'give it a directory of its own: "slug: prod.eu-2"'
    read = clusters(SHORT + "  - name: Prod.EU\n  - {name: prod.eu, slug: prod.eu-2}\n")
    assert [(item.name, item.slug) for item in read] == [("Prod.EU", "prod.eu"), ("prod.eu", "prod.eu-2")]


def test_a_workspace_without_clusters_is_told() -> None:
    (warning,) = warnings("")
    assert warning.startswith(".: warning: the workspace has no clusters | add Cluster objects, or a Cluster")


@pytest.mark.parametrize(
    ("entries", "expected"),
    [
        pytest.param(
            "  - {name: a, previousName: b}\n  - {name: b}\n",
            "i.yaml:5:5: Cluster a says it was called b, which b has for a name",
            id="a-name-that-is-in-use",
        ),
        pytest.param(
            "  - {name: a, previousName: c}\n  - {name: b, previousName: c}\n",
            "i.yaml:6:5: Cluster b says it was called c, which a had for a name",
            id="one-name-for-two",
        ),
        pytest.param(
            "  - {name: a, previousName: a}\n",
            "i.yaml:5:5: Cluster a says it was called a, which a has for a name",
            id="its-own-name",
        ),
    ],
)
def test_a_cluster_has_a_previous_name_for_itself(entries: str, expected: str) -> None:
    assert whats({"i.yaml": SHORT + entries}) == [expected]
