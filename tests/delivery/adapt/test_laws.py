"""What holds of adaptations whatever the workspace is."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from renderer.delivery.adapt.step import adapt
from renderer.document.patch import ABSENT
from renderer.document.problem import InputError
from renderer.layout.paths import plain_path
from renderer.model.delivery import Autoscaled, HandedOver
from renderer.model.memory_keys import LEFT_ALONE
from renderer.model.places import CLUSTERS
from renderer.model.previous import NOTHING
from renderer.model.tree import Blob, placed
from renderer.pipeline import render
from renderer.schedule.previous import read_previous
from tests.delivery.adapt.scaled import ALL, BASE, HPA, KEDA, at, history, left_alone, made, settings
from tests.workspaces import FLEET, WEB, workspace

ENGINES = ("argocd", "flux", "none")
engines = st.sampled_from(ENGINES)
scaling = st.sampled_from([HPA, KEDA, "# nobody scales\n"])
deliveries = st.fixed_dictionaries(
    {
        "autoscaled": st.sampled_from([*Autoscaled]),
        "handedOver": st.sampled_from([*HandedOver]),
        "unit": st.sampled_from(["cluster", "namespace"]),
    }
)
states = st.builds(
    lambda autoscaler, engine, east, delivery, replicas: {
        "scaler.yaml": autoscaler,
        "krender.yaml": settings(engine, **delivery),
        "fleet.yaml": FLEET.replace("{name: east,", f"{{name: east, engine: {east},"),
        "web.yaml": WEB.replace("  replicas: 4\n", replicas),
    },
    scaling,
    engines,
    engines,
    deliveries,
    st.sampled_from(["  replicas: 4\n", "  replicas: 7\n", ""]),
)


@given(st.lists(states, max_size=3), states)
def test_two_publishes_reach_a_fixed_point_from_anywhere(
    before: list[Mapping[str, str]], now: Mapping[str, str]
) -> None:
    plans = history(*before, now, now, now)
    assert plans[-1].tree == plans[-2].tree


@given(states)
def test_what_no_engine_applies_is_what_karmada_makes(state: Mapping[str, str]) -> None:
    none = {**state, "krender.yaml": settings("none", autoscaled="drop"), "fleet.yaml": FLEET}
    plan = made(none)
    same = adapt(plan.renderings, plan.clusters, NOTHING, plan.workspace.config, plain_path)
    assert same.renderings is plan.renderings
    assert not any(manifest.adapted for rendering in plan.renderings for manifest in rendering.manifests)


@given(states, st.sampled_from(["Push", "Pull"]), st.sampled_from(["files", "directories", "applications"]))
def test_how_engines_are_given_their_work_changes_no_workload(
    state: Mapping[str, str], mode: str, generator: str
) -> None:
    fleet = state["fleet.yaml"].replace("{name: north,", f"{{name: north, syncMode: {mode},")
    stated = state["krender.yaml"].replace("engine:", f"argocd: {{generator: {generator}}}, engine:", 1)
    other = {**state, "fleet.yaml": fleet, "krender.yaml": stated}
    assert made(other).tree.child(CLUSTERS) == made(state).tree.child(CLUSTERS)


@given(states, st.sampled_from([HPA, KEDA]))
def test_an_autoscaler_on_one_cluster_changes_no_other(state: Mapping[str, str], autoscaler: str) -> None:
    to_east = ALL.replace("name: all", "name: scalers").replace(
        "labelSelector: {matchLabels: {stage: prod}}", "clusterNames: [east]"
    )
    kinds = (
        "{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler}",
        "{apiVersion: keda.sh/v1alpha1, kind: ScaledObject}",
    )
    others = ALL
    for kind in kinds:
        others = others.replace(f"{kind}, ", "")
    selectors = ALL[ALL.index("resourceSelectors: [") : ALL.index("]\n") + 1]
    scalers = to_east.replace(selectors, f"resourceSelectors: [{', '.join(kinds)}]")
    files = {**state, "policy.yaml": others, "scalers.yaml": scalers}
    with_it = made({**files, "scaler.yaml": autoscaler})
    without = made({**files, "scaler.yaml": "# nobody scales\n"})
    assert with_it.tree.at("clusters/north") == without.tree.at("clusters/north")
    assert left_alone(with_it, "north") == ()


@given(states, states)
def test_manifests_of_an_earlier_plan_make_no_difference(
    one: Mapping[str, str], other: Mapping[str, str]
) -> None:
    first = made(one)
    work = workspace({**BASE, **other})
    memory = read_previous(first.tree)
    earlier = render(work, NOTHING)
    assert render(work, memory, known=earlier).tree == render(work, memory).tree


def test_a_renamed_cluster_is_still_known_to_be_left_alone() -> None:
    drop = settings("flux", handedOver="drop")
    renamed = FLEET.replace("{name: east,", "{name: orient, previousName: east,")
    _, _, plan = history(
        {"krender.yaml": drop},
        {"krender.yaml": drop, "hpa.yaml": HPA},
        {"krender.yaml": drop, "hpa.yaml": HPA, "fleet.yaml": renamed},
    )
    assert at(plan, cluster="orient") is ABSENT


def test_a_record_that_says_nothing_is_refused() -> None:
    tree = placed(made({}).tree, LEFT_ALONE, Blob(b"kind: LeftAlone\nfiles: [{paths: [a]}]\n"))
    with pytest.raises(InputError, match="/files/0/clusters is missing"):
        read_previous(tree)
