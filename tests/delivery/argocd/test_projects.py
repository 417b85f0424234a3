"""A project permits what is rendered, and nothing more."""

from __future__ import annotations

import pytest

from renderer.delivery.argocd.globs import names, pattern
from renderer.delivery.argocd.grants import Grants
from renderer.delivery.argocd.project import granted_by, project
from renderer.document.values import Object, dig, mapping, text
from renderer.model.delivery_engine import Engine
from renderer.model.plan import Plan
from renderer.model.tree import Blob, placed
from renderer.schedule.previous import read_previous
from tests.delivery.argocd.fleet import CLUSTERS, REST, fleet
from tests.delivery.argocd.hub import applications, given
from tests.delivery.argocd.permitted import admits, permits, reads
from tests.delivery.fleets import REPO

TEAMS = "  tenants: [{name: shops, namespaces: [shop]}, {name: tools, namespaces: ['tool*']}]\n"
SERVERS = {"east": "https://east.example:6443", "north": "https://north.example:6443"}
SERVERS["south"] = "https://[2001:db8::1]:6443"
IN_CLUSTER = "https://kubernetes.default.svc"


def projects(plan: Plan, directory: str = "delivery/argocd/hub/") -> dict[str, Object]:
    """The projects of a directory, by name."""
    bodies = (body for body in given(plan, directory).values() if body["kind"] == "AppProject")
    return {text(dig(body, "metadata", "name")): body for body in bodies}


def may(body: Object, cluster: str, group: str, kind: str, namespace: str) -> bool:
    """Whether the hub's project permits it."""
    return permits(
        body, server=SERVERS.get(cluster, ""), name=cluster, group=group, kind=kind, namespace=namespace
    )


@pytest.mark.parametrize("destination", ["name", "server"])
@pytest.mark.parametrize("unit", ["cluster", "namespace"])
@pytest.mark.parametrize("spec", ["", TEAMS])
def test_every_application_and_every_object_is_permitted(destination: str, unit: str, spec: str) -> None:
    plan = fleet(f"unit: {unit}, argocd: {{destination: {destination}}}", spec)
    made = applications(plan)
    for item in plan.units:
        if item.engine is not Engine.ARGOCD:
            continue
        pulls, cluster = item.cluster.sync_mode == "Pull", item.cluster.name
        where = f"delivery/argocd/members/{cluster}/" if pulls else "delivery/argocd/hub/"
        body = projects(plan, where)[text(dig(made[item.name], "spec", "project"))]
        server, name = (IN_CLUSTER, "in-cluster") if pulls else (SERVERS[cluster], cluster)
        namespace = text(dig(made[item.name], "spec", "destination", "namespace"))
        assert admits(body, server=server, name=name, namespace=namespace)
        assert reads(body, REPO)
        for _, thing in item.contents.objects:
            assert permits(
                body,
                server=server,
                name=name,
                group=thing.group,
                kind=thing.kind,
                namespace=thing.namespace,
            )


@pytest.mark.parametrize(
    ("cluster", "group", "kind", "namespace", "permitted"),
    [
        pytest.param("east", "apps", "Deployment", "shop", True, id="what-is-rendered"),
        pytest.param("east", "", "Namespace", "", True, id="what-is-cluster-scoped"),
        pytest.param("east", "apps", "StatefulSet", "shop", False, id="one-more-kind"),
        pytest.param("east", "", "Deployment", "shop", False, id="the-kind-in-another-group"),
        pytest.param("east", "apps", "Deployment", "shop2", False, id="one-more-namespace"),
        pytest.param("east", "apps", "Deployment", "kube-system", False, id="the-cluster's-own-namespace"),
        pytest.param("south", "apps", "Deployment", "shop", False, id="a-namespace-of-other-clusters"),
        pytest.param("far", "apps", "Deployment", "shop", False, id="a-cluster-of-another-engine"),
        pytest.param("west", "apps", "Deployment", "shop", False, id="a-cluster-that-pulls"),
        pytest.param("elsewhere", "apps", "Deployment", "shop", False, id="one-more-cluster"),
        pytest.param(
            "east", "rbac.authorization.k8s.io", "ClusterRole", "", False, id="one-more-scoped-kind"
        ),
    ],
)
@pytest.mark.parametrize("destination", ["name", "server"])
def test_one_more_is_denied(
    cluster: str, group: str, kind: str, namespace: str, permitted: bool, destination: str
) -> None:
    (body,) = projects(fleet(f"argocd: {{destination: {destination}}}")).values()
    assert may(body, cluster, group, kind, namespace) is permitted


def test_another_repository_is_denied() -> None:
    (body,) = projects(fleet()).values()
    assert reads(body, REPO)
    assert not reads(body, "https://git.example/other.git")


def test_a_team_has_a_project_of_its_own() -> None:
    found = projects(fleet("unit: namespace", TEAMS))
    assert list(found) == ["krender", "shops", "tools"]
    assert may(found["shops"], "east", "apps", "Deployment", "shop")
    assert not may(found["shops"], "east", "", "ConfigMap", "shop")
    assert not may(found["shops"], "east", "", "Namespace", "")
    assert not may(found["tools"], "east", "", "ConfigMap", "shop")
    # What is left is what is nobody's: here namespaces alone, so nothing that lives in one.
    assert not any(may(found["krender"], "east", "", "ConfigMap", name) for name in ("shop", "tools", ""))


def test_a_member_permits_its_own_cluster_alone() -> None:
    (body,) = projects(fleet(), "delivery/argocd/members/west/").values()
    assert permits(
        body, server=IN_CLUSTER, name="in-cluster", group="apps", kind="Deployment", namespace="shop"
    )
    assert not may(body, "east", "apps", "Deployment", "shop")


def test_the_project_default_is_left_to_argo_cd() -> None:
    plan = fleet("argocd: {project: default}")
    assert projects(plan) == {}
    assert {dig(body, "spec", "project") for body in applications(plan).values()} == {"default"}


WITHOUT = REST.replace("{apiVersion: v1, kind: ConfigMap}", "{apiVersion: v1, kind: Secret}")


@pytest.mark.parametrize(
    ("first", "then"),
    [("name", "name"), ("server", "server"), ("name", "server"), ("server", "name")],
)
def test_what_is_gone_stays_permitted_so_that_it_is_pruned(first: str, then: str) -> None:
    before = fleet(f"argocd: {{destination: {first}}}")
    after = fleet(
        f"argocd: {{destination: {then}}}", "  orphans: prune\n", read_previous(before.tree), rest=WITHOUT
    )
    (body,) = projects(after).values()
    assert may(body, "south", "", "ConfigMap", "tools")
    assert not may(body, "far", "", "ConfigMap", "tools")
    assert "3 namespaces of clusters and 1 kinds" in text(dig(body, "spec", "description"))
    # Until that is let go; and whoever renders again without a change gets the same again.
    again = fleet(
        f"argocd: {{destination: {then}}}", "  orphans: prune\n", read_previous(after.tree), rest=WITHOUT
    )
    assert projects(again) == projects(after)
    done = fleet(
        f"argocd: {{destination: {then}}}",
        "  orphans: prune\n  released: prune\n",
        read_previous(after.tree),
        rest=WITHOUT,
    )
    (body,) = projects(done).values()
    assert not may(body, "south", "", "ConfigMap", "tools")
    assert dig(body, "spec", "description") == "Exactly what krender renders."


def test_a_member_keeps_what_it_may_have_to_prune() -> None:
    before = fleet()
    after = fleet("", "  orphans: prune\n", read_previous(before.tree), rest=WITHOUT)
    (body,) = projects(after, "delivery/argocd/members/west/").values()
    assert permits(body, server=IN_CLUSTER, name="", group="", kind="ConfigMap", namespace="tools")


@pytest.mark.parametrize("keep", [True, False])
def test_a_cluster_that_is_gone_stays_permitted_where_its_objects_go_with_it(keep: bool) -> None:
    settings = f"argocd: {{preserveResourcesOnDeletion: {str(keep).lower()}}}"
    left = "".join(line for line in CLUSTERS.splitlines(keepends=True) if "name: south" not in line)
    after = fleet(settings, previous=read_previous(fleet(settings).tree), clusters=left)
    (body,) = projects(after).values()
    assert may(body, "south", "", "ConfigMap", "tools") is not keep


def test_a_published_project_that_cannot_be_read_is_made_anew() -> None:
    path = "delivery/argocd/hub/appproject.krender.yaml"
    before = fleet()
    broken = placed(before.tree, path, Blob(b"a: [\n"))
    assert projects(fleet(previous=read_previous(broken))) == projects(before)


@pytest.mark.parametrize(
    "listed",
    [
        pytest.param(["eu-1"], id="one"),
        pytest.param(["eu-1", "eu-10", "eu-2"], id="names-that-begin-alike"),
        pytest.param(["https://[::1]:6443"], id="brackets"),
        pytest.param(["a,b", "{c}", "d*", "e\\f", "!g"], id="all-that-means-something"),
        pytest.param([""], id="nothing"),
    ],
)
def test_a_pattern_matches_its_names_alone(listed: list[str]) -> None:
    glob = pattern(listed)
    assert list(names(glob)) == listed
    body: Object = {"spec": {"destinations": [{"name": glob, "namespace": "n"}]}}
    for name in listed:
        assert admits(body, server="x", name=name, namespace="n") is bool(name)
        for other in (f"{name}0", name[:-1], name.replace("*", "x")):
            assert admits(body, server="x", name=other, namespace="n") is (other in listed and bool(other))


FLEET = 10_000


def test_the_project_of_ten_thousand_clusters_is_small_and_exact() -> None:
    odd, even = frozenset({"", "a", "b", "c", "d", "e"}), frozenset({"", "a", "b"})
    places = {f"store-{number:05}": odd if number % 2 else even for number in range(FLEET)}
    granted = Grants(destinations=places, kinds=frozenset({("", "ConfigMap")}))
    body = project("krender", "argocd", REPO, "name", granted, "")
    destinations = dig(body, "spec", "destinations")
    assert isinstance(destinations, list)
    assert len(destinations) == 200
    assert sum(len(str(item)) for item in destinations) < 300_000
    assert granted_by(mapping(dict(body)), "name") == granted
    for cluster, namespace, expected in [
        ("store-00001", "e", True),
        ("store-00002", "e", False),
        ("store-00002", "b", True),
        ("store-00002", "", True),
        ("store-0000", "a", False),
        ("store-10000", "a", False),
    ]:
        assert admits(body, server="s", name=cluster, namespace=namespace) is expected
