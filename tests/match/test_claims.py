"""Claims: one policy owns a template, and the others know why they do not."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from renderer.match.claims import (
    CLUSTER_POLICY_ID,
    CLUSTER_POLICY_NAME,
    POLICY_ID,
    POLICY_NAME,
    POLICY_NAMESPACE,
    claim,
)
from renderer.model.claim import Defeat, Outcome
from renderer.model.policy import PropagationPolicy
from renderer.model.template import Template
from tests.match.build import labelled, policy, selector, template

WEB = template(labels={"app": "web"})
BY_NAME = selector("web")
BY_LABEL = selector(labels=labelled(app="web"))


@pytest.mark.parametrize(
    ("policies", "owner", "losses"),
    [
        pytest.param((), None, (), id="nobody"),
        pytest.param((policy("p", namespace="other"),), None, (), id="policies-stay-in-their-namespace"),
        pytest.param((policy("p", deleting=True),), None, (), id="a-policy-being-deleted-selects-nothing"),
        pytest.param(
            (policy("low"), policy("high", priority=1)),
            "high",
            (("low", Defeat.LOWER_PRIORITY),),
            id="priority-first",
        ),
        pytest.param(
            (policy("all"), policy("label", BY_LABEL), policy("name", BY_NAME)),
            "name",
            (("label", Defeat.WEAKER_SELECTOR), ("all", Defeat.WEAKER_SELECTOR)),
            id="then-the-stronger-selector",
        ),
        pytest.param(
            (policy("p9"), policy("p10")), "p10", (("p9", Defeat.LATER_NAME),), id="then-the-name-as-bytes"
        ),
        pytest.param(
            (policy("cluster", namespace="", priority=99), policy("own", priority=-1)),
            "own",
            (("cluster", Defeat.NAMESPACED_FIRST),),
            id="a-namespaced-policy-before-any-cluster-wide-one",
        ),
    ],
)
def test_claim(
    policies: tuple[PropagationPolicy, ...], owner: str | None, losses: tuple[tuple[str, Defeat], ...]
) -> None:
    for order in permutations(policies):
        (decided,) = claim([WEB], order)
        assert (decided.policy.name if decided.policy else None) == owner
        assert tuple((loss.policy.name, loss.reason) for loss in decided.losses) == losses


def test_a_cluster_scoped_template_is_claimed_by_cluster_wide_policies_alone() -> None:
    role = template(api_version="rbac.authorization.k8s.io/v1", kind="ClusterRole", namespace="")
    of_kind = selector(api_version="rbac.authorization.k8s.io/v1", kind="ClusterRole")
    wide, narrow = policy("wide", of_kind, namespace=""), policy("narrow", of_kind)
    assert [item.policy for item in claim([role], [narrow, wide])] == [wide]
    assert claim([role], [narrow])[0].outcome is Outcome.UNMATCHED


@pytest.mark.parametrize(
    ("overrides", "outcome"),
    [
        pytest.param((), Outcome.BLOCKED, id="missing"),
        pytest.param((("shop", "mirror"),), Outcome.CLAIMED, id="there"),
        pytest.param((("", "mirror"), ("other", "mirror")), Outcome.BLOCKED, id="only-its-own-namespace"),
    ],
)
def test_a_missing_dependent_override_blocks_without_a_second_choice(
    overrides: tuple[tuple[str, str], ...], outcome: Outcome
) -> None:
    chosen = policy("chosen", BY_NAME, dependent_overrides=("mirror",))
    (decided,) = claim([WEB], [chosen, policy("other")], overrides)
    assert decided.outcome is outcome
    assert decided.chosen is chosen
    assert decided.policy is (chosen if outcome is Outcome.CLAIMED else None)
    assert decided.missing_overrides == (("mirror",) if outcome is Outcome.BLOCKED else ())


def test_a_cluster_wide_policy_waits_for_cluster_wide_overrides() -> None:
    chosen = policy("chosen", namespace="", dependent_overrides=("mirror",))
    assert claim([WEB], [chosen], [("", "mirror")])[0].outcome is Outcome.CLAIMED


def test_a_skipped_template_is_claimed_by_nobody() -> None:
    decided = claim([template(namespace="kube-system")], [policy("p", namespace="kube-system")])
    assert [item.outcome for item in decided] == [Outcome.OBJECT_SKIPPED]


def carrying(policy_name: str) -> Template:
    """A template that carries the complete claim of a policy of its namespace."""
    annotations = {POLICY_NAMESPACE: "shop", POLICY_NAME: policy_name}
    return template(labels={POLICY_ID: "x"}, annotations=annotations)


@pytest.mark.parametrize(
    ("subject", "outcome", "owner"),
    [
        pytest.param(carrying("weak"), Outcome.CLAIMED, "weak", id="obeyed-though-another-is-better"),
        pytest.param(carrying("gone"), Outcome.STALE, None, id="its-policy-does-not-exist"),
        pytest.param(carrying("other-kind"), Outcome.STALE, None, id="its-policy-selects-something-else"),
        pytest.param(carrying("waiting"), Outcome.BLOCKED, None, id="its-policy-waits-for-an-override"),
        pytest.param(
            template(labels={CLUSTER_POLICY_ID: "x"}, annotations={CLUSTER_POLICY_NAME: "wide"}),
            Outcome.CLAIMED,
            "wide",
            id="of-a-cluster-wide-policy",
        ),
        pytest.param(
            template(annotations={POLICY_NAMESPACE: "shop", POLICY_NAME: "weak"}),
            Outcome.CLAIMED,
            "strong",
            id="an-incomplete-claim-is-none",
        ),
    ],
)
def test_a_claim_that_the_template_carries(subject: Template, outcome: Outcome, owner: str | None) -> None:
    policies = (
        policy("strong", BY_NAME, priority=5),
        policy("weak"),
        policy("waiting", dependent_overrides=("gone",)),
        policy("other-kind", selector(kind="Job")),
        policy("wide", namespace=""),
    )
    (decided,) = claim([subject], policies)
    assert decided.outcome is outcome
    assert (decided.policy.name if decided.policy else None) == owner
    if owner == "weak":
        assert {loss.reason for loss in decided.losses} == {Defeat.CLAIMED_BEFORE}


POLICIES = st.lists(
    st.builds(
        policy,
        st.sampled_from("abcde"),
        st.sampled_from([selector(), BY_LABEL, BY_NAME, selector("gone")]),
        namespace=st.sampled_from(["shop", "other", ""]),
        priority=st.integers(-2, 2),
    ),
    max_size=6,
    unique_by=lambda item: (item.namespace, item.name),
)


@given(POLICIES, st.randoms(use_true_random=False))
def test_the_order_of_policies_does_not_matter(policies: list[PropagationPolicy], random: object) -> None:
    shuffled = list(policies)
    random.shuffle(shuffled)  # type: ignore[attr-defined] # hypothesis gives a random.Random
    assert claim([WEB], shuffled) == claim([WEB], policies)


@given(POLICIES)
def test_every_policy_that_selects_a_template_owns_it_or_knows_why_not(
    policies: list[PropagationPolicy],
) -> None:
    (decided,) = claim([WEB], policies)
    alone = [item for item in policies if claim([WEB], [item])[0].policy]
    known = [loss.policy for loss in decided.losses] + ([decided.policy] if decided.policy else [])
    assert sorted(map(str, alone)) == sorted(map(str, known))
