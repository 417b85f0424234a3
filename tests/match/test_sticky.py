"""The history of claims: what a running control plane remembers."""

from __future__ import annotations

from dataclasses import replace

from renderer.match.sticky import ControlPlane
from renderer.model.policy import PropagationPolicy
from tests.match.build import labelled, policy, selector, template

WEB = template(labels={"app": "web"})
NAMED = selector("web", namespace="shop")


def owner(plane: ControlPlane) -> str | None:
    """The name of the policy that claims the template."""
    claimed = plane.objects[WEB.identity].claimed_by
    return claimed[1] if claimed else None


def bound(plane: ControlPlane) -> PropagationPolicy | None:
    """The policy the binding was built from."""
    return plane.objects[WEB.identity].bound


def test_a_claim_is_kept_when_a_better_policy_comes() -> None:
    plane, first = ControlPlane(), policy("first")
    plane.apply_policy(first)
    plane.apply_template(WEB)
    plane.apply_policy(policy("better", NAMED, priority=9))
    assert (owner(plane), bound(plane)) == ("first", first)


def test_a_template_that_waits_is_claimed_by_the_first_policy_that_selects_it() -> None:
    plane = ControlPlane()
    plane.apply_template(WEB)
    assert owner(plane) is None
    plane.apply_policy(policy("other", selector(kind="Job")))
    plane.apply_policy(policy("first"))
    assert owner(plane) == "first"


def test_a_relabelled_template_keeps_its_claim() -> None:
    plane = ControlPlane()
    plane.apply_policy(policy("by-label", selector(labels=labelled(app="web"))))
    plane.apply_template(WEB)
    plane.apply_template(template(labels={"app": "api"}))
    assert owner(plane) == "by-label"


def test_a_policy_that_no_longer_selects_releases_and_the_binding_stays() -> None:
    plane, first = ControlPlane(), policy("first")
    plane.apply_policy(first)
    plane.apply_template(WEB)
    plane.apply_policy(policy("first", selector("api")))
    assert (owner(plane), bound(plane)) == (None, first)


def test_deleting_a_policy_lets_the_next_one_claim() -> None:
    plane, second = ControlPlane(), policy("second", namespace="")
    plane.apply_policy(policy("first"))
    plane.apply_policy(second)
    plane.apply_template(WEB)
    plane.delete_policy(("shop", "first"))
    assert (owner(plane), bound(plane)) == ("second", second)
    plane.delete_policy(("shop", "never-was"))
    plane.delete_template(WEB.identity)
    assert not plane.objects


def test_an_unchanged_template_or_policy_changes_nothing() -> None:
    plane, first = ControlPlane(), policy("first")
    plane.apply_policy(first)
    plane.apply_template(WEB)
    plane.apply_template(WEB)
    plane.apply_policy(first)
    assert owner(plane) == "first"


def test_a_policy_waits_for_its_overrides() -> None:
    plane = ControlPlane()
    plane.apply_template(WEB)
    plane.apply_policy(policy("first", dependent_overrides=("mirror",)))
    assert owner(plane) is None
    plane.apply_template(template(labels={"app": "api"}))
    assert owner(plane) is None
    plane.apply_override(("shop", "mirror"))
    assert owner(plane) == "first"
    plane.delete_override(("shop", "mirror"))
    assert owner(plane) == "first"


def test_a_lazy_policy_claims_at_once_and_binds_when_the_template_changes() -> None:
    plane, lazy = ControlPlane(), policy("lazy", activation_preference="Lazy")
    plane.apply_template(WEB)
    plane.apply_policy(lazy)
    assert (owner(plane), bound(plane)) == ("lazy", None)
    plane.apply_template(replace(WEB, labels=(("app", "api"),)))
    assert bound(plane) == lazy


def test_preemption_needs_its_gate_and_a_higher_priority() -> None:
    for gate, priority, expected in ((True, 1, "taker"), (True, 0, "first"), (False, 1, "first")):
        plane = ControlPlane(preemption=gate)
        plane.apply_policy(policy("first"))
        plane.apply_template(WEB)
        plane.apply_policy(policy("taker", NAMED, priority=priority, preemption="Always"))
        assert owner(plane) == expected


def test_a_namespaced_policy_preempts_any_cluster_wide_one_and_never_the_other_way() -> None:
    plane = ControlPlane(preemption=True)
    plane.apply_policy(policy("wide", namespace="", priority=9))
    plane.apply_template(WEB)
    plane.apply_policy(policy("own", NAMED, preemption="Always"))
    plane.apply_policy(policy("wider", NAMED, namespace="", priority=99, preemption="Always"))
    assert owner(plane) == "own"


def test_a_cluster_wide_policy_preempts_only_where_its_selector_names_the_namespace() -> None:
    for chosen, expected in ((selector("web"), "wide"), (NAMED, "taker")):
        plane = ControlPlane(preemption=True)
        plane.apply_policy(policy("wide", namespace=""))
        plane.apply_template(WEB)
        plane.apply_policy(policy("taker", chosen, namespace="", priority=1, preemption="Always"))
        assert owner(plane) == expected


def test_a_policy_that_loses_priority_is_preempted_by_those_it_fell_below() -> None:
    plane = ControlPlane(preemption=True)
    plane.apply_policy(policy("first", priority=9))
    plane.apply_template(WEB)
    plane.apply_policy(policy("heir", NAMED, priority=5, preemption="Always"))
    plane.apply_policy(policy("lesser", NAMED, priority=3, preemption="Always"))
    assert owner(plane) == "first"
    plane.apply_policy(policy("first", priority=1))
    assert owner(plane) == "heir"


def test_a_claim_of_a_policy_that_is_gone_is_dropped_first() -> None:
    plane = ControlPlane()
    annotations = {
        "propagationpolicy.karmada.io/namespace": "shop",
        "propagationpolicy.karmada.io/name": "gone",
    }
    carrying = template(labels={"propagationpolicy.karmada.io/permanent-id": "x"}, annotations=annotations)
    plane.apply_policy(policy("first"))
    plane.apply_template(carrying)
    assert owner(plane) == "first"


def test_a_skipped_template_is_left_alone() -> None:
    plane = ControlPlane()
    plane.apply_policy(policy("all", namespace=""))
    hidden = template(namespace="kube-system")
    plane.apply_template(hidden)
    assert plane.objects[hidden.identity].claimed_by is None


def test_a_policy_does_not_preempt_what_nobody_owns() -> None:
    plane = ControlPlane(preemption=True)
    plane.apply_template(WEB)
    plane.apply_policy(
        policy("taker", selector("web"), NAMED, preemption="Always", dependent_overrides=("x",))
    )
    assert owner(plane) is None
    plane.apply_override(("shop", "x"))
    plane.apply_policy(policy("taker", selector("web"), NAMED, preemption="Always"))
    assert owner(plane) == "taker"


def test_a_template_that_its_policy_stopped_selecting_is_not_bound_anew() -> None:
    plane, by_label = ControlPlane(), policy("by-label", selector(labels=labelled(app="web")))
    plane.apply_policy(by_label)
    plane.apply_template(WEB)
    plane.apply_template(template(labels={"app": "api"}))
    plane.apply_override(("shop", "any"))
    assert (owner(plane), bound(plane)) == ("by-label", by_label)
