"""Guards over plans and trees: what each stops, what it lets pass, and what it says."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from textwrap import dedent

import pytest

from renderer.load.config import read_config
from renderer.model.guards import GUARDS as NAMES
from renderer.model.guards import GuardSettings
from renderer.model.tree import EMPTY_TREE, Tree, tree_of
from renderer.publish.guards.guards import GUARDS, guarded, stops
from renderer.publish.guards.situation import Situation
from renderer.publish.guards.stop import GuardError, Stop
from renderer.schedule.previous import read_previous
from tests.check.loops import labelled
from tests.workspaces import NAMESPACE, SHOP, plan

SETTINGS = "apiVersion: krender.io/v1alpha1\nkind: Workspace\nspec:\n  guards: "


def fleet(*entries: str) -> str:
    """An inventory of clusters, each as in `{name: a}`."""
    head = "apiVersion: krender.io/v1alpha1\nkind: ClusterInventory\nspec:\n"
    listed = "".join(f"  - {entry}\n" for entry in entries)
    return f"{head}  clusters:\n{listed}" if entries else f"{head}  clusters: []\n"


def everywhere(kind: str, namespace: str = "") -> str:
    """A policy that sends all objects of a kind to every cluster."""
    scope = f", namespace: {namespace}" if namespace else ""
    policy = "PropagationPolicy" if namespace else "ClusterPropagationPolicy"
    api, _, name = kind.rpartition("/")
    return (
        f"apiVersion: policy.karmada.io/v1alpha1\nkind: {policy}\n"
        f"metadata: {{name: all-{name.lower()}{scope}}}\n"
        f"spec:\n  resourceSelectors: [{{apiVersion: {api}, kind: {name}}}]\n  placement: {{}}\n"
    )


def config_maps(*names: str, annotations: str = "{}") -> str:
    """ConfigMaps of the namespace shop."""
    return "".join(
        f"---\napiVersion: v1\nkind: ConfigMap\n"
        f"metadata: {{name: {name}, namespace: shop, annotations: {annotations}}}\ndata: {{a: b}}\n"
        for name in names
    )


def base(number: int = 30, clusters: tuple[str, ...] = ("{name: a}", "{name: b}")) -> dict[str, str]:
    """A workspace with so many ConfigMaps on each of some clusters."""
    return {
        "fleet.yaml": fleet(*clusters),
        "maps.yaml": config_maps(*(f"m{index:03}" for index in range(number))),
        "policy.yaml": everywhere("v1/ConfigMap", "shop"),
    }


def change(before: Mapping[str, str], after: Mapping[str, str], *, names_only: bool = False) -> Situation:
    """The second workspace rendered on what the first one published."""
    published = plan(before).tree if before else EMPTY_TREE
    return situation(published, after, names_only=names_only)


def situation(published: Tree, after: Mapping[str, str], *, names_only: bool = False) -> Situation:
    """A workspace rendered on a published tree."""
    wanted = plan(after, read_previous(published))
    return Situation(before=published, after=wanted.tree, plan=wanted, names_only=names_only)


def told(
    before: Mapping[str, str], after: Mapping[str, str], *, names_only: bool = False
) -> tuple[Stop, ...]:
    """What the guards stop."""
    return stops(change(before, after, names_only=names_only))


def names(found: tuple[Stop, ...]) -> list[str]:
    """The guards that stop something."""
    return [stop.guard for stop in found]


def test_every_guard_is_listed_under_its_name() -> None:
    assert tuple(name for name, _ in GUARDS) == NAMES


def test_every_guard_is_documented_with_its_defaults() -> None:
    page = (Path(__file__).parents[2] / "docs/publishing.md").read_text(encoding="utf-8")
    listed = [
        line.split("`")[1]
        for line in page.split("\n")
        if line.startswith("| `") and "-" in line.split("`")[1]
    ]
    assert [name for name in listed if name in NAMES] == [name for name in NAMES if name != "deletions"]
    assert "| `deletions` |" in page
    snippet = next(text for text in page.split("\n\n") if "deletions: {free" in text)
    head = "apiVersion: krender.io/v1alpha1\nkind: Workspace\n"
    config, problems = read_config((head + dedent(snippet)).encode())
    assert (config.guards, problems) == (GuardSettings(), ())


@pytest.mark.parametrize("names_only", [False, True])
def test_the_first_publish_and_no_change_are_no_mass_change(*, names_only: bool) -> None:
    assert told({}, base(), names_only=names_only) == ()
    assert told(base(), base(), names_only=names_only) == ()
    assert told({}, SHOP, names_only=names_only) == ()


# Deletions


@pytest.mark.parametrize(
    ("published", "left", "guards"),
    [
        pytest.param(30, 25, "{}", id="ten-objects-are-always-allowed"),
        pytest.param(30, 24, "{}", id="a-fifth-is-allowed"),
        pytest.param(30, 10, "{deletions: {percent: 80}}", id="as-much-as-the-settings-say"),
        pytest.param(30, 10, "{deletions: {free: 40}}", id="as-many-as-are-free"),
        pytest.param(30, 10, "{weights: {ConfigMap: 0}}", id="of-a-kind-that-does-not-count"),
        pytest.param(
            30, 10, "{waivers: [{guard: deletions, objects: ['ConfigMap shop/m0*'], reason: r}]}", id="waived"
        ),
    ],
)
@pytest.mark.parametrize("names_only", [False, True])
def test_few_deletions_pass(published: int, left: int, guards: str, *, names_only: bool) -> None:
    after = {**base(left), "krender.yaml": SETTINGS + guards}
    assert told(base(published), after, names_only=names_only) == ()


@pytest.mark.parametrize("names_only", [False, True])
def test_many_deletions_are_stopped(*, names_only: bool) -> None:
    (stop,) = told(base(30), base(23), names_only=names_only)
    assert stop.guard == "deletions"
    assert stop.what == "14 objects would be deleted: 23 % of what is published"
    assert stop.objects == tuple(f"ConfigMap shop/m{index:03} on 2 clusters: a, b" for index in range(23, 30))
    assert stop.advice == (
        "delete less at once (20 % and 1000 pass); or let it pass with --allow deletions, or for good with "
        "spec.guards.deletions or a waiver in krender.yaml"
    )


def test_a_budget_of_percent_is_no_leave_for_any_number() -> None:
    guards = {"krender.yaml": SETTINGS + "{deletions: {percent: 100, most: 12}}"}
    assert names(told(base(30), {**base(23), **guards})) == ["deletions"]
    assert names(told(base(30), {**base(24), **guards})) == []


@pytest.mark.parametrize(
    ("kind", "weight"),
    [
        ("v1/Namespace", 10),
        ("apps/v1/StatefulSet", 10),
        ("v1/PersistentVolumeClaim", 10),
        ("apiextensions.k8s.io/v1/CustomResourceDefinition", 10),
        ("v1/ServiceAccount", 1),
    ],
)
def test_some_kinds_count_heavier(kind: str, weight: int) -> None:
    api, _, short = kind.rpartition("/")
    name = "things.example.com" if "Definition" in kind else "x"
    metadata = (
        f"{{name: {name}, namespace: shop}}"
        if short in ("StatefulSet", "PersistentVolumeClaim")
        else f"{{name: {name}}}"
    )
    spec = "spec: {group: example.com, scope: Cluster, names: {kind: Thing, plural: things}, versions: []}\n"
    thing = f"apiVersion: {api}\nkind: {short}\nmetadata: {metadata}\n"
    extra = {"thing.yaml": thing + (spec if "Definition" in kind else ""), "things.yaml": everywhere(kind)}
    found = told({**base(6), **extra}, {**base(6), "things.yaml": extra["things.yaml"]})
    assert names(found) == (["deletions"] if weight > 1 else [])
    if weight > 1:
        assert found[0].what.startswith(f"2 objects would be deleted, counted as 20 for {short}")


def test_an_object_in_another_file_is_not_deleted() -> None:
    before = base(1)
    published = plan(before).tree
    blob = published.at("clusters/a/shop/configmap.m000.yaml")
    assert blob is not None
    moved = tree_of({f"clusters/{name}/shop/configmap-m000-0123456789.yaml": blob for name in ("a", "b")})
    assert situation(moved, before).removed == ()


# Whole clusters


def test_a_cluster_that_left_the_inventory_is_told() -> None:
    (stop,) = told(base(3), base(3, ("{name: a}", "{name: c}")))
    assert stop.guard == "lost-clusters"
    assert stop.what == "the inventory no longer has 1 cluster of 2"
    assert stop.objects == ("Cluster b: 3 objects would be deleted",)
    assert stop.fix == 'put it back; if it is called c now, write "previousName: b" there'
    (stop,) = told(base(3), base(3, ("{name: a}",)))
    assert stop.fix == "put it back, or leave its removal to a commit of its own"


@pytest.mark.parametrize(
    "guards",
    [
        "{lostClusters: {free: 1}}",
        "{lostClusters: {percent: 50, most: 9}}",
        "{waivers: [{guard: lost-clusters, objects: [Cluster b], reason: sold}]}",
    ],
)
def test_clusters_may_leave_within_the_budget(guards: str) -> None:
    assert told(base(50), {**base(50, ("{name: a}",)), "krender.yaml": SETTINGS + guards}) == ()


def test_a_renamed_cluster_is_the_same_cluster() -> None:
    after = base(30, ("{name: a}", "{name: new, previousName: b}"))
    seen = change(base(30), after)
    assert seen.renamed == {"b": "new"}
    assert stops(seen) == ()
    lost = told(base(30), {**after, "maps.yaml": base(3)["maps.yaml"]})
    assert "ConfigMap shop/m003 on 2 clusters: a, new" in lost[0].objects
    again = change(after, after)
    assert again.renamed == {}


def test_a_cluster_with_a_directory_of_another_name_says_so() -> None:
    before = base(30, ("{name: a}", "{name: b, slug: bee}"))
    after = base(30, ("{name: a}", "{name: b, slug: wasp, previousName: bee}"))
    assert told(before, after) == ()


def test_an_empty_inventory_is_stopped_whatever_the_budgets() -> None:
    budgets = SETTINGS + "{lostClusters: {free: 99}, deletions: {free: 9999}, emptiedClusters: {free: 99}}"
    (stop,) = told(base(3), {**base(3, ()), "krender.yaml": budgets})
    assert (stop.guard, stop.what) == (
        "empty-inventory",
        "the inventory is empty, and 2 clusters are published",
    )


def test_clusters_that_lose_everything_are_told() -> None:
    before = base(1, ("{name: a}", "{name: b}", "{name: c}"))
    (stop,) = told(before, {**before, "maps.yaml": NAMESPACE})
    assert stop.guard == "emptied-clusters"
    assert stop.what == "3 clusters of 3 would lose all objects"
    assert stop.objects == ("Cluster a", "Cluster b", "Cluster c")
    free = {"krender.yaml": SETTINGS + "{emptiedClusters: {free: 3}}"}
    assert told(before, {**before, **free, "maps.yaml": NAMESPACE}) == ()


# Protected, frozen, paused


@pytest.mark.parametrize(
    "later", ["{name: b, protected: true}", "{name: b}"], ids=["still-protected", "as-it-was-published"]
)
def test_nothing_is_deleted_on_a_protected_cluster(later: str) -> None:
    before = base(3, ("{name: a}", "{name: b, protected: true}"))
    (stop,) = told(before, base(2, ("{name: a}", later)))
    assert stop.guard == "protected-clusters"
    assert stop.what == "1 object would be deleted on 1 protected cluster"
    assert stop.objects == ("ConfigMap shop/m002 on b",)
    assert stop.advice == (
        "let it pass with --allow protected-clusters, or for good with a waiver "
        "in spec.guards in krender.yaml"
    )


def test_a_protected_cluster_that_is_lost_is_still_protected() -> None:
    before = base(1, ("{name: a}", "{name: b, protected: true}"))
    assert names(told(before, base(1, ("{name: a}",)))) == ["lost-clusters", "protected-clusters"]
    renamed = base(1, ("{name: a}", "{name: c, previousName: b}"))
    assert told(before, renamed) == ()
    assert names(told(before, {**renamed, "maps.yaml": NAMESPACE})) == [
        "protected-clusters",
        "emptied-clusters",
    ]


def test_a_protected_object_stays() -> None:
    before = {**base(2), "more.yaml": config_maps("x", annotations="{krender.io/protected: 'true'}")}
    (stop,) = told(before, base(2))
    assert stop.guard == "protected-objects"
    assert stop.objects == ("ConfigMap shop/x on 2 clusters: a, b",)
    waiver = "{waivers: [{guard: protected-objects, objects: ['* shop/x'], clusters: [a], reason: r}]}"
    (stop,) = told(before, {**base(2), "krender.yaml": SETTINGS + waiver})
    assert stop.objects == ("ConfigMap shop/x on b",)
    unmarked = {**base(2), "more.yaml": config_maps("x", annotations="{krender.io/protected: 'no'}")}
    assert told(unmarked, base(2)) == ()


def test_a_frozen_cluster_keeps_its_files() -> None:
    clusters = ("{name: a}", "{name: b, frozen: true}")
    before = base(3, clusters)
    after = {**before, "maps.yaml": before["maps.yaml"].replace("a: b", "a: c")}
    seen = change(before, after)
    assert [item.clusters for item in seen.changes] == [("a",)]
    assert stops(seen) == ()
    broken = Situation(before=seen.before, after=plan(base(4)).tree, plan=seen.plan)
    assert names(stops(broken)) == ["frozen-clusters"]


def test_a_paused_cluster_gets_nothing_new() -> None:
    clusters = ("{name: a}", "{name: b, paused: true}")
    (stop,) = told(base(3), base(4, clusters))
    assert stop.guard == "paused-clusters"
    assert stop.objects == ("ConfigMap shop/m003 on b",)
    changed = base(3, clusters)
    assert told(base(3), {**changed, "maps.yaml": changed["maps.yaml"].replace("a: b", "a: c")}) == ()


# Replicas


WEIGHTED = """\
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata: {name: web, namespace: shop}
spec:
  resourceSelectors: [{apiVersion: apps/v1, kind: Deployment, name: web}]
  placement:
    replicaScheduling:
      replicaSchedulingType: Divided
      replicaDivisionPreference: Weighted
      weightPreference:
        staticWeightList:
        - {targetCluster: {clusterNames: [east]}, weight: EAST}
        - {targetCluster: {clusterNames: [north]}, weight: NORTH}
"""


def weighted(east: int, north: int, replicas: int = 40) -> dict[str, str]:
    """The shop with so many replicas in these proportions."""
    policy = WEIGHTED.replace("EAST", str(east)).replace("NORTH", str(north))
    web = SHOP["web.yaml"].replace("replicas: 4", f"replicas: {replicas}")
    return {**SHOP, "web.yaml": web, "policy.yaml": policy}


def test_many_replicas_that_move_are_told() -> None:
    (stop,) = told(weighted(3, 1), weighted(1, 3))
    assert stop.guard == "moved-replicas"
    assert stop.what == "20 replicas of 40 would move to other clusters in one run"
    assert stop.objects == ("Deployment shop/web: 20 from east to north",)


@pytest.mark.parametrize(
    "after",
    [
        pytest.param(weighted(5, 3), id="few"),
        pytest.param(weighted(3, 1, replicas=400), id="scaling-up"),
        pytest.param(weighted(3, 1, replicas=4), id="scaling-down"),
        pytest.param(
            {**weighted(1, 3), "krender.yaml": SETTINGS + "{movedReplicas: {percent: 50}}"},
            id="within-budget",
        ),
        pytest.param(
            {
                **weighted(1, 3),
                "krender.yaml": SETTINGS
                + "{waivers: [{guard: moved-replicas, objects: ['Deployment shop/web'], reason: r}]}",
            },
            id="waived",
        ),
    ],
)
def test_other_changes_of_replicas_pass(after: Mapping[str, str]) -> None:
    assert told(weighted(3, 1), after) == ()


# Secrets


SECRETS = everywhere("v1/Secret", "shop")
SOPS = """\
apiVersion: v1
kind: Secret
metadata: {name: db, namespace: shop}
data: {password: "ENC[AES256_GCM,data:q8s=,iv:a,tag:b,type:str]"EXTRA}
sops: {mac: "ENC[AES256_GCM,data:x,type:str]", version: 3.9.0}
"""


APPLIED = "kubectl.kubernetes.io/last-applied-configuration"
COPIED = SOPS.replace("EXTRA", "").replace("shop}", f"shop, annotations: {{{APPLIED}: '%s'}}}}")


def secret(body: str) -> dict[str, str]:
    """A workspace with one Secret."""
    head = "apiVersion: v1\nkind: Secret\nmetadata: {name: db, namespace: shop}\n"
    return {**base(1), "secret.yaml": body if "kind" in body else head + body, "secrets.yaml": SECRETS}


@pytest.mark.parametrize(
    ("body", "keys"),
    [
        pytest.param("data: {password: aHVudGVyMg==, user: YQ==}\n", "password, user", id="data"),
        pytest.param("stringData: {password: hunter2}\n", "password", id="string-data"),
        pytest.param(SOPS.replace("EXTRA", ", user: YQ=="), "user", id="what-sops-left-readable"),
        pytest.param(
            "data: {password: 'ENC[AES256_GCM,data:q8s=]'}\n", "password", id="encryption-without-a-seal"
        ),
        pytest.param(COPIED % '{"data":{"password":"aHVudGVyMg=="}}', APPLIED, id="a-copy-that-sops-left"),
    ],
)
def test_a_secret_in_plain_text_is_told(body: str, keys: str) -> None:
    (stop,) = told({}, secret(body))
    assert stop.guard == "plaintext-secrets"
    assert stop.objects == (f"Secret shop/db ({keys}) on 2 clusters: a, b",)
    assert "hunter2" not in str(stop)
    assert told(secret(body), secret(body)) == ()


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("type: Opaque\n", id="empty"),
        pytest.param("type: kubernetes.io/service-account-token\ndata: {token: YQ==}\n", id="pruned"),
        pytest.param(SOPS.replace("EXTRA", ""), id="sops"),
        pytest.param(COPIED % '{"data":{"password":""}}', id="a-copy-without-values"),
        pytest.param(COPIED % "{", id="no-copy"),
        pytest.param(
            "apiVersion: bitnami.com/v1alpha1\nkind: SealedSecret\nmetadata: {name: db, namespace: shop}\n"
            "spec: {encryptedData: {password: AgB}}\n",
            id="sealed",
        ),
    ],
)
def test_other_secrets_pass(body: str) -> None:
    assert told({}, secret(body)) == ()


def test_a_secret_may_be_waived_with_a_reason() -> None:
    waiver = "{waivers: [{guard: plaintext-secrets, objects: [Secret shop/db], reason: a public key}]}"
    assert told({}, {**secret("data: {ca: YQ==}\n"), "krender.yaml": SETTINGS + waiver}) == ()


# A live Karmada


MANAGED = {**SHOP, "web.yaml": labelled("labels", "propagationpolicy.karmada.io/permanent-id", "7b3c")}


def test_what_a_live_karmada_manages_is_not_published() -> None:
    (stop,) = told({}, MANAGED)
    assert stop.guard == "live-karmada"
    assert stop.objects == ("Deployment shop/web on 2 clusters: east, north",)


@pytest.mark.parametrize(
    "settings",
    [
        pytest.param("  takeOver: true\n", id="taken-over"),
        pytest.param(
            "  guards: {waivers: [{guard: live-karmada, objects: [Deployment *], reason: it is gone}]}\n",
            id="waived",
        ),
    ],
)
def test_what_is_taken_over_is_published(settings: str) -> None:
    assert told({}, {**MANAGED, "krender.yaml": SETTINGS.replace("  guards: ", settings)}) == ()


# Argo CD


def test_a_directory_near_argo_cds_limit_is_told() -> None:
    small = {**base(3), "krender.yaml": SETTINGS + "{directoryBytes: 300}"}
    (stop,) = told({}, small)
    assert stop.guard == "directory-size"
    assert stop.objects[0].startswith("Cluster a: ")
    waiver = "{directoryBytes: 300, waivers: [{guard: directory-size, objects: ['Cluster *'], reason: Flux}]}"
    assert told({}, {**base(3), "krender.yaml": SETTINGS + waiver}) == ()


def test_files_that_argo_cd_would_take_for_its_own_are_told() -> None:
    seen = change({}, base(1))
    files = {
        "clusters/a/shop/my-Chart.yaml": b"",
        "clusters/a/.argocd-source-web.yaml": b"",
        "delivery/Chart.yaml": b"",
    }
    named = Situation(before=EMPTY_TREE, after=tree_of(files), plan=seen.plan)
    (stop,) = stops(named)
    assert stop.guard == "reserved-names"
    assert stop.objects == tuple(sorted(files))


# Together


def test_all_that_stops_a_run_is_told_at_once() -> None:
    before = base(30, ("{name: a, protected: true}", "{name: b}"))
    seen = change(before, base(10, ("{name: a}",)))
    with pytest.raises(GuardError) as caught:
        guarded(seen)
    text = str(caught.value)
    assert text.endswith("stopped by lost-clusters, protected-clusters, deletions; nothing was written")
    assert "    and 10 more\n" in text
    assert len(caught.value.objects) == 41
    with pytest.raises(GuardError, match="stopped by deletions"):
        guarded(seen, ["lost-clusters", "protected-clusters"])
    guarded(seen, ["lost-clusters", "protected-clusters", "deletions"])
