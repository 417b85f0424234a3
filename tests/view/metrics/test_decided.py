"""What a plan decided is told in numbers: templates by state and reason, overrides by policy, facts."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from renderer.model.claim import Outcome
from renderer.model.plan import Plan, Standing
from renderer.schedule.previous import read_previous
from renderer.view.metrics.decided import decided
from renderer.view.metrics.openmetrics import openmetrics
from renderer.view.metrics.reasons import REASONS
from tests.view.metrics.reading import read, value
from tests.workspaces import FLEET, POLICY, SHOP, WEB, plan

SETTINGS = "apiVersion: krender.io/v1alpha1\nkind: Workspace\nspec: "
OVERRIDES = """\
apiVersion: policy.karmada.io/v1alpha1
kind: OverridePolicy
metadata: {name: o, namespace: shop, annotations: {krender.io/values: jinja2}}
spec:
  overrideRules:
  - overriders: {labelsOverrider: [{operator: add, value: {rendered: "yes"}}]}
  - targetCluster: {clusterNames: [north]}
    overriders: {annotationsOverrider: [{operator: add, value: {zone: "{{ cluster.spec.zne }}"}}]}
"""
IDLE = OVERRIDES.replace("name: o,", "name: idle,").replace(
    "spec:\n", "spec:\n  resourceSelectors: [{apiVersion: v1, kind: Secret}]\n"
)
CONFIG = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: shop}\n"
NEEDY = WEB.replace("{name: web, image", "{name: web, envFrom: [{configMapRef: {name: settings}}], image")
DYNAMIC = POLICY.replace(
    "replicaDivisionPreference: Weighted",
    "replicaDivisionPreference: Weighted, weightPreference: {dynamicWeight: AvailableReplicas}",
)


def text(result: Plan) -> str:
    """What is told of a plan."""
    return openmetrics(decided(result))


def named(result: Plan, name: str, label: str) -> Mapping[str, float]:
    """The numbers of one metric that are not 0, by one label."""
    return {
        dict(labels)[label]: number
        for (of, labels), number in read(text(result)).items()
        if of == name and number
    }


def test_templates_are_counted_by_state_and_no_state_is_missing() -> None:
    result = plan({**SHOP, "lonely.yaml": CONFIG})
    told = named(result, "krender_templates", "state")
    assert told == {"placed": 1, "namespace": 1, "nowhere": 1}
    assert all(value(text(result), "krender_templates", state=state.value) is not None for state in Standing)
    assert value(text(result), "krender_manifests") == 4  # two objects on two clusters
    assert value(text(result), "krender_clusters") == 3


def test_what_follows_another_and_what_nobody_claims_any_more_have_states_of_their_own() -> None:
    deps = POLICY.replace("spec:\n", "spec:\n  propagateDeps: true\n")
    first = plan({**SHOP, "web.yaml": NEEDY, "policy.yaml": deps, "config.yaml": CONFIG})
    assert named(first, "krender_templates", "state") == {"placed": 1, "namespace": 1, "follows": 1}
    later = plan({**SHOP, "web.yaml": NEEDY, "policy.yaml": ""}, read_previous(first.tree))
    assert named(later, "krender_templates", "state")["orphan"] == 1
    assert named(later, "krender_templates_unscheduled", "reason") == {}
    broken = plan(
        {**SHOP, "web.yaml": WEB.replace("replicas: 4", "replicas: four")}, read_previous(first.tree)
    )
    assert named(broken, "krender_templates", "state")["held"] == 1
    assert named(broken, "krender_templates_unscheduled", "reason") == {"undecided": 1}


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        pytest.param({"policy.yaml": ""}, "unmatched", id="no-policy"),
        pytest.param(
            {"policy.yaml": POLICY.replace("spec:\n", "spec:\n  dependentOverrides: [later]\n")},
            "blocked",
            id="an-override-that-does-not-exist",
        ),
        pytest.param(
            {"krender.yaml": f'{SETTINGS}{{skippedPropagatingNamespaces: ["shop"]}}\n'},
            "object_skipped",
            id="a-namespace-that-is-left-out",
        ),
        pytest.param(
            {"policy.yaml": POLICY.replace("stage: prod", "stage: none")}, "no_cluster_fit", id="no-cluster"
        ),
        pytest.param({"policy.yaml": DYNAMIC}, "unschedulable", id="no-room"),
        pytest.param(
            {"policy.yaml": POLICY.replace("spec:\n", "spec:\n  schedulerName: mine\n")},
            "not_admitted",
            id="another-scheduler",
        ),
        pytest.param(
            {"web.yaml": WEB.replace("replicas: 4", "replicas: four")}, "undecided", id="a-template-at-fault"
        ),
    ],
)
def test_what_is_not_placed_has_a_reason(files: Mapping[str, str], reason: str) -> None:
    result = plan({**SHOP, "namespace.yaml": "", **files})
    assert named(result, "krender_templates_unscheduled", "reason") == {reason: 1}


def test_a_dependency_of_what_goes_nowhere_is_told_as_such() -> None:
    nowhere = POLICY.replace("spec:\n", "spec:\n  propagateDeps: true\n").replace(
        "stage: prod", "stage: none"
    )
    result = plan({**SHOP, "web.yaml": NEEDY, "policy.yaml": nowhere, "config.yaml": CONFIG})
    told = named(result, "krender_templates_unscheduled", "reason")
    assert told["no_cluster_fit"] == 1
    assert sum(told.values()) == 3


def test_reasons_are_few_whatever_the_messages() -> None:
    assert len(REASONS) == len(set(REASONS)) < 20
    assert {outcome.name.lower() for outcome in Outcome if outcome is not Outcome.CLAIMED} <= set(REASONS)


def test_rules_of_a_policy_are_counted_where_they_apply_and_where_they_fail() -> None:
    result = plan({**SHOP, "o.yaml": OVERRIDES, "idle.yaml": IDLE})
    name, of = "krender_override_applications", {"policy_kind": "OverridePolicy", "policy_namespace": "shop"}
    # The first rule applies to the Deployment on both of its clusters, the second fails on one of them.
    assert value(text(result), name, policy="o", result="applied", **of) == 2
    assert value(text(result), name, policy="o", result="failed", **of) == 1
    assert value(text(result), name, policy="idle", result="applied", **of) == 0
    assert value(text(result), name, policy="idle", result="failed", **of) == 0


@pytest.mark.parametrize(
    ("observed", "seconds"),
    [
        pytest.param("2026-01-31T08:00:00Z", 1769846400, id="utc"),
        pytest.param("2026-01-31T09:00:00.25+01:00", 1769846400.25, id="another-zone-and-a-fraction"),
        pytest.param("1969-12-31T23:59:00Z", -60, id="before-1970"),
    ],
)
def test_the_age_of_facts_needs_no_clock(observed: str, seconds: float) -> None:
    fleet = FLEET.replace("{name: east,", f'{{name: east, observedAt: "{observed}",')
    told = text(plan({**SHOP, "fleet.yaml": fleet}))
    assert value(told, "krender_cluster_facts_timestamp_seconds", member_cluster="east") == seconds
    assert value(told, "krender_cluster_facts_timestamp_seconds", member_cluster="west") is None
