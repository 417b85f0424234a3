"""Which rules apply to which object on which cluster, and in which order."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from renderer.document.values import Value, dig
from renderer.match.clusters import admits
from renderer.model.cluster import Cluster
from renderer.model.identity import identity_of, labels_of
from renderer.model.overrides import OverridePolicy
from renderer.model.placement import ClusterAffinity
from renderer.override.apply import apply_rules, override
from renderer.override.order import RuleIndex
from tests.override.build import cluster, on_each, overridden, policy, workload


def who(name: str) -> dict[str, Value]:
    """Overriders that set the label `who`."""
    return {"labelsOverrider": [{"operator": "add", "value": {"who": name}}]}


DEPLOYMENT: Value = {"apiVersion": "apps/v1", "kind": "Deployment"}
NAMED: Value = {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"}
LABELLED: Value = {
    "apiVersion": "apps/v1",
    "kind": "Deployment",
    "labelSelector": {"matchLabels": {"app": "web"}},
}


def order(*policies: OverridePolicy, labels: Value = None) -> list[str]:
    """The names of the policies in the order of application."""
    return [rule.name for rule in overridden(workload(labels=labels), *policies).rules]


def test_the_most_specific_comes_last() -> None:
    policies = (
        policy("a", who("a"), selectors=[NAMED]),
        policy("b", who("b"), selectors=[LABELLED]),
        policy("c", who("c"), selectors=[DEPLOYMENT]),
        policy("d", who("d")),
    )
    assert order(*policies, labels={"app": "web"}) == ["c", "d", "b", "a"]


def test_names_of_one_strength_go_by_bytes() -> None:
    assert order(policy("p9"), policy("p10"), policy("P")) == ["P", "p10", "p9"]


def test_cluster_policies_come_first_however_specific() -> None:
    policies = (policy("ns", who("ns")), policy("all", who("all"), namespace="", selectors=[NAMED]))
    assert order(*policies) == ["all", "ns"]


def test_policies_of_other_namespaces_and_kinds_do_not_apply() -> None:
    other: Value = {"apiVersion": "v1", "kind": "Service"}
    assert order(policy("a", namespace="other"), policy("b", selectors=[other])) == []


def test_a_cluster_scoped_object_has_no_namespaced_policies() -> None:
    assert overridden(workload(namespace=""), policy("a"), policy("b", namespace="")).rules[0].name == "b"


def test_rules_of_one_policy_keep_their_order_and_several_may_apply() -> None:
    rules: list[Value] = [
        {"targetCluster": {"clusterNames": ["east"]}, "overriders": who("1")},
        {"targetCluster": {"clusterNames": ["west"]}, "overriders": who("2")},
        {"overriders": who("3")},
    ]
    result = overridden(workload(), policy("p", rules=rules))
    assert [rule.index for rule in result.rules] == [0, 2]
    assert dig(result.body, "metadata", "labels", "who") == "3"


@pytest.mark.parametrize(
    ("target", "east", "west"),
    [
        pytest.param(None, True, True, id="no-target-is-every-cluster"),
        pytest.param({}, True, True, id="an-empty-target-too"),
        pytest.param({"clusterNames": ["east", "east"]}, True, False, id="by-name"),
        pytest.param({"exclude": ["east"]}, False, True, id="excluded"),
        pytest.param({"labelSelector": {"matchLabels": {"tier": "gold"}}}, True, False, id="by-label"),
        pytest.param(
            {"clusterNames": ["west"], "labelSelector": {"matchLabels": {"tier": "gold"}}},
            False,
            False,
            id="all-hold",
        ),
    ],
)
def test_targets(target: Value, east: bool, west: bool) -> None:
    rule: dict[str, Value] = {"overriders": who("x")}
    index = RuleIndex([policy("p", rules=[rule if target is None else {**rule, "targetCluster": target}])])
    made = on_each(index, workload(), cluster("east", labels={"tier": "gold"}), cluster("west"))
    assert [bool(result.rules) for result in made] == [east, west]


def test_namespaced_policies_see_what_cluster_policies_made() -> None:
    relabel: Value = {"operator": "add", "path": "/metadata/labels/app", "value": "other"}
    move: Value = {"operator": "replace", "path": "/metadata/namespace", "value": "moved"}
    result = overridden(
        workload(labels={"app": "web"}),
        policy("change", {"plaintext": [relabel, move]}, namespace=""),
        policy("old-place", who("old")),
        policy("old-label", who("label"), namespace="moved", selectors=[LABELLED]),
        policy("new-place", who("new"), namespace="moved"),
    )
    assert [rule.name for rule in result.rules] == ["change", "new-place"]


def test_clusters_with_the_same_rules_share_one_result() -> None:
    index = RuleIndex(
        [
            policy("a", who("a"), target={"clusterNames": ["east", "north"]}),
            policy("b", who("b"), namespace="", target={"clusterNames": ["south"]}),
        ]
    )
    names = ("east", "north", "south", "west")
    east, north, south, west = on_each(index, workload(), *map(cluster, names))
    assert east is north
    assert len({id(result) for result in (east, south, west)}) == 3


def test_what_cluster_policies_made_may_look_the_same_to_namespaced_ones() -> None:
    def replicas(count: int) -> dict[str, Value]:
        return {"plaintext": [{"operator": "replace", "path": "/spec/replicas", "value": count}]}

    index = RuleIndex(
        [
            policy("a", replicas(1), namespace="", target={"clusterNames": ["east"]}),
            policy("b", replicas(2), namespace="", target={"clusterNames": ["west"]}),
            policy("c", who("c")),
        ]
    )
    for result, count in zip(
        on_each(index, workload(), cluster("east"), cluster("west")), (1, 2), strict=True
    ):
        assert dig(result.body, "spec", "replicas") == count
        assert dig(result.body, "metadata", "labels", "who") == "c"


def test_without_rules_the_body_is_the_template() -> None:
    body = workload()
    assert overridden(body, policy("a", target={"clusterNames": ["west"]})).body is body


def test_a_failing_cluster_policy_leaves_nothing_for_namespaced_ones() -> None:
    bad: Value = {"operator": "remove", "path": "/spec/nope"}
    result = overridden(workload(), policy("bad", {"plaintext": [bad]}, namespace=""), policy("ns", who("x")))
    assert (result.body, result.rules) == (None, ())


def test_rules_are_equal_by_policy_and_place() -> None:
    one, other = (RuleIndex([policy("a", who("a"))]).rules[0] for _ in range(2))
    assert one == other
    assert hash(one) == hash(other)
    assert str(one) == "OverridePolicy shop/a, rule 1"
    assert one.rule.pointer == "/spec/overrideRules/0/overriders"


members = st.builds(
    cluster, st.sampled_from(["east", "west", "north"]), labels=st.sampled_from([{}, {"tier": "gold"}])
)
targets = st.sampled_from(
    [
        None,
        {"clusterNames": ["east"]},
        {"clusterNames": ["north", "gone", "east"], "labelSelector": {"matchLabels": {"tier": "gold"}}},
        {"exclude": ["west"]},
        {"labelSelector": {"matchLabels": {"tier": "gold"}}},
    ]
)
policies = st.lists(
    st.builds(
        lambda name, target, everywhere, selectors: policy(
            name, who(name), target=target, namespace="" if everywhere else "shop", selectors=selectors
        ),
        st.sampled_from("abcdef"),
        targets,
        st.booleans(),
        st.sampled_from([[], [DEPLOYMENT], [NAMED], [LABELLED]]),
    ),
    max_size=5,
    unique_by=lambda made: (made.namespace, made.name),
)


@settings(max_examples=50)
@given(policies, members)
def test_the_order_of_policies_does_not_matter(made: list[OverridePolicy], member: Cluster) -> None:
    body = workload(labels={"app": "web"})
    assert override(RuleIndex(made), body, member) == override(RuleIndex(made[::-1]), body, member)


@settings(max_examples=50)
@given(policies, st.lists(members, max_size=4, unique_by=lambda member: member.name))
def test_sharing_gives_what_each_cluster_would_get_alone(
    made: list[OverridePolicy], all_: list[Cluster]
) -> None:
    body = workload(labels={"app": "web"})
    together = on_each(RuleIndex(made), body, *all_)
    assert together == [override(RuleIndex(made), body, member) for member in all_]


@settings(max_examples=50)
@given(policies, members)
def test_rules_chosen_by_hand_give_the_same(made: list[OverridePolicy], member: Cluster) -> None:
    body = workload(labels={"app": "web"})
    index = RuleIndex(made)
    identity, labels = identity_of(body), labels_of(body)
    positions = (
        *index.cluster_rules(identity, labels).positions,
        *index.namespaced_rules(identity, labels).positions,
    )
    rules = [index.rules[position] for position in positions]
    chosen = [rule for rule in rules if admits(rule.rule.target_cluster or ClusterAffinity(), member)]
    assert apply_rules(body, chosen) == override(index, body, member)
