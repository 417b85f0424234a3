"""Accounts may do what Flux must do with what is rendered, and nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import pytest

from renderer.check.failures import failures
from renderer.document.values import Object, dig, text
from renderer.match.plurals import plural_of
from renderer.model.identity import identity_of
from renderer.model.plan import Plan
from renderer.model.tree import Blob, placed, walk
from renderer.pipeline import render
from renderer.schedule.previous import read_previous
from tests.delivery.flux.authorizer import Authorizer
from tests.delivery.flux.fleet import CLUSTERS, TEAMS, files, fleet
from tests.delivery.flux.flux import Applied, Flux
from tests.workspaces import plan, workspace

ALL = "unit: namespace, flux: {serviceAccounts: all}"
WHOLE = "flux: {serviceAccounts: all}"
SHOP, REST = "flux-system/krender-shop", "flux-system/krender"
VERBS = ("get", "create", "patch", "delete")


def on(cluster: str, of: Plan) -> list[Applied]:
    """What is applied to a cluster."""
    return [item for item in Flux(of).applied if item.cluster == cluster]


def authorizer(applied: Iterable[Applied]) -> Authorizer:
    """The rights in a cluster that come of what is applied with Flux's own."""
    return Authorizer(body for item in applied if not _account(item) for body in item.objects)


def _account(item: Applied) -> str:
    name = text(dig(item.body, "spec", "serviceAccountName"))
    return f"flux-system/{name}" if name else ""


@pytest.mark.parametrize("cluster", ["east", "south", "hub", "west"])
@pytest.mark.parametrize("settings", [ALL, WHOLE])
def test_each_account_may_apply_and_prune_what_it_applies(settings: str, cluster: str) -> None:
    applied = on(cluster, fleet(settings, TEAMS))
    rights, done = authorizer(applied), 0
    for item in applied:
        for body in item.objects if _account(item) else ():
            identity = identity_of(body)
            resource = f"{plural_of(identity.group, identity.kind, {})}.{identity.group}".rstrip(".")
            for verb in VERBS:
                assert rights.allows(_account(item), verb, resource, identity.namespace)
                done += 1
    assert done


@pytest.mark.parametrize(
    ("account", "verb", "resource", "namespace", "allowed"),
    [
        pytest.param(SHOP, "patch", "deployments.apps", "shop", True, id="what-is-rendered-may-be-applied"),
        pytest.param(SHOP, "delete", "deployments.apps", "shop", True, id="and-pruned"),
        pytest.param(SHOP, "get", "pods", "shop", True, id="its-pods-may-be-looked-at"),
        pytest.param(SHOP, "delete", "pods", "shop", False, id="and-not-be-touched"),
        pytest.param(SHOP, "create", "statefulsets.apps", "shop", False, id="one-more-kind-may-not"),
        pytest.param(SHOP, "create", "secrets", "shop", False, id="no-secret-either"),
        pytest.param(SHOP, "create", "deployments.apps", "tools", False, id="nor-one-more-namespace"),
        pytest.param(SHOP, "create", "deployments.apps", "", False, id="nor-all-of-them"),
        pytest.param(SHOP, "create", "namespaces", "", False, id="nor-what-is-in-no-namespace"),
        pytest.param(
            SHOP, "create", "rolebindings.rbac.authorization.k8s.io", "shop", False, id="nor-rights"
        ),
        pytest.param(SHOP, "deletecollection", "deployments.apps", "shop", False, id="nor-all-at-once"),
        pytest.param(SHOP, "impersonate", "serviceaccounts", "flux-system", False, id="nor-be-another"),
        pytest.param(REST, "create", "namespaces", "", True, id="the-rest-makes-namespaces"),
        pytest.param(REST, "create", "configmaps", "tools", True, id="and-what-is-nobodys"),
        pytest.param(REST, "create", "deployments.apps", "shop", False, id="and-nothing-of-a-team"),
        pytest.param(
            REST, "escalate", "roles.rbac.authorization.k8s.io", "tools", True, id="roles-it-applies"
        ),
        pytest.param(
            REST, "escalate", "roles.rbac.authorization.k8s.io", "shop", False, id="only-where-it-does"
        ),
    ],
)
def test_it_is_allowed_or_denied(
    account: str, verb: str, resource: str, namespace: str, *, allowed: bool
) -> None:
    rights = authorizer(on("east", fleet(ALL, TEAMS)))
    assert rights.allows(account, verb, resource, namespace) is allowed


def test_a_team_cannot_hand_out_rights_that_it_has_not() -> None:
    rights = authorizer(on("east", fleet(ALL, "  tenants:\n  - {name: ops, namespaces: [tools]}\n")))
    assert rights.allows("flux-system/krender-ops", "create", "roles.rbac.authorization.k8s.io", "tools")
    assert not rights.allows(
        "flux-system/krender-ops", "escalate", "roles.rbac.authorization.k8s.io", "tools"
    )


def test_with_teams_alone_the_rest_is_applied_by_flux_itself() -> None:
    accounts = {item.name: _account(item) for item in on("west", fleet("unit: namespace", TEAMS))}
    assert {name: account for name, account in accounts.items() if account} == {"west.shop": SHOP}


@pytest.mark.parametrize(
    "settings", ["", "unit: namespace", "unit: namespace, flux: {serviceAccounts: none}"]
)
def test_without_teams_or_without_accounts_there_are_none(settings: str) -> None:
    teams = TEAMS if "none" in settings else ""
    tree = fleet(settings, teams).tree
    assert not [path for path, _ in walk(tree) if path.startswith("delivery/flux/rbac")]


def test_a_cluster_has_the_namespace_of_the_accounts_where_no_flux_lives() -> None:
    made = {
        cluster: [body for item in on(cluster, fleet(ALL)) for body in item.objects if _is_home(body)]
        for cluster in ("east", "hub", "west")
    }
    assert [bool(made[cluster]) for cluster in ("east", "hub", "west")] == [True, False, False]
    assert dig(made["east"][0], "metadata", "annotations") == {
        "kustomize.toolkit.fluxcd.io/prune": "disabled"
    }


def _is_home(body: Object) -> bool:
    return body.get("kind") == "Namespace" and dig(body, "metadata", "name") == "flux-system"


# Flux prunes as the account that it applied with: what is gone from Git must be allowed to go from there.


def test_a_kind_that_goes_may_be_pruned_and_not_be_made_again() -> None:
    before = fleet(ALL, TEAMS)
    less = {**files(ALL, TEAMS), "web.yaml": ""}
    after = plan(less, read_previous(before.tree))
    rights = authorizer(on("west", after))
    assert [rights.allows(SHOP, verb, "deployments.apps", "shop") for verb in VERBS] == [
        True,
        False,
        False,
        True,
    ]
    again = plan(less, read_previous(after.tree))
    assert again.tree == after.tree
    let_go = {**less, "krender.yaml": less["krender.yaml"] + "  released: prune\n"}
    done = authorizer(on("west", plan(let_go, read_previous(again.tree))))
    assert not done.allows(SHOP, "delete", "deployments.apps", "shop")


def test_a_kind_that_comes_back_may_be_made_again() -> None:
    before = fleet(ALL, TEAMS)
    between = plan({**files(ALL, TEAMS), "web.yaml": ""}, read_previous(before.tree))
    after = fleet(ALL, TEAMS, read_previous(between.tree))
    assert after.tree["delivery"] == before.tree["delivery"]


# A kind that is not of Kubernetes has the plural that somebody states.

WIDGET = """\
apiVersion: acme.example/v1
kind: Widget
metadata: {name: w, namespace: tools}
---
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata: {name: widgets, namespace: tools}
spec:
  resourceSelectors: [{apiVersion: acme.example/v1, kind: Widget}]
  placement: {clusterAffinity: {clusterNames: [east]}}
"""
CRD = """\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgetry.acme.example}
spec:
  group: acme.example
  scope: Namespaced
  names: {kind: Widget, plural: widgetry, singular: widget}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
"""


@pytest.mark.parametrize(
    ("settings", "more", "plural"),
    [
        pytest.param(ALL, {"crd.yaml": CRD}, "widgetry", id="by-its-definition"),
        pytest.param(
            "unit: namespace, flux: {serviceAccounts: all, resources: {Widget.acme.example: gadgets}}",
            {},
            "gadgets",
            id="by-a-setting",
        ),
    ],
)
def test_the_plural_of_a_kind_is_stated(settings: str, more: Mapping[str, str], plural: str) -> None:
    rights = authorizer(on("east", plan({**files(settings, widget=WIDGET), **more})))
    assert rights.allows(REST, "create", f"{plural}.acme.example", "tools")


def test_a_plural_that_nobody_states_is_asked_for_and_takes_nothing_away() -> None:
    before = fleet(ALL)
    wanted = workspace(files(ALL, widget=WIDGET))
    after = render(wanted, read_previous(before.tree))
    (problem,) = failures(after)
    assert str(problem.where) == "krender.yaml:4:3"
    assert problem.what == "the plural of Widget.acme.example, which east gets, is not known"
    assert problem.fix == (
        "add its CustomResourceDefinition to the workspace, or state it: "
        "delivery: {flux: {resources: {Widget.acme.example: widgets}}}"
    )
    assert after.tree.at("delivery/flux") == before.tree.at("delivery/flux")


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("a: [b", id="no-yaml"),
        pytest.param("kind: Role\nmetadata: {namespace: other}\n", id="without-rules"),
        pytest.param(
            "kind: Role\nrules: [{apiGroups: [''], resources: [x], verbs: ['*']}]\n", id="with-others"
        ),
    ],
)
def test_what_somebody_wrote_over_a_role_gives_no_rights(text: str) -> None:
    before = fleet(ALL, TEAMS)
    path = "delivery/flux/rbac/west/roles/krender-shop.yaml"
    spoilt = placed(before.tree, path, Blob(text.encode()))
    assert fleet(ALL, TEAMS, read_previous(spoilt)).tree == before.tree


def test_a_hub_that_reaches_nobody_is_not_made() -> None:
    clusters = CLUSTERS.replace("syncMode: Pull, ", "").replace("- {name:", "- {syncMode: Pull, name:")
    tree = plan({**files(), "clusters.yaml": clusters}).tree
    assert tree.at("delivery/flux/hub") is None
    assert tree.at("delivery/flux/members/east/source.yaml") is not None


def test_clusters_that_get_the_same_share_their_roles() -> None:
    tree = fleet(ALL, TEAMS).tree
    assert tree.at("delivery/flux/rbac/east") is tree.at("delivery/flux/rbac/north")
