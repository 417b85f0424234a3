"""Whatever the Applications come from, they are those that a plan lists."""

from __future__ import annotations

import pytest

from renderer.document.values import dig, mapping
from renderer.model.delivery_engine import Engine
from renderer.model.plan import Plan
from renderer.model.tree import walk
from renderer.schedule.previous import read_previous
from tests.crds import ORIGINALS, faults, originals
from tests.delivery.argocd.fleet import CLUSTERS, REST, files, fleet
from tests.delivery.argocd.hub import CASCADE, applications, given

TEAMS = "  tenants: [{name: shops, namespaces: [shop]}, {name: tools, namespaces: ['tool*']}]\n"

MODES = [
    pytest.param("generator: files", id="files"),
    pytest.param("generator: directories", id="directories"),
    pytest.param("generator: plugin", id="plugin"),
    pytest.param("generator: applications", id="applications"),
]
SETTINGS = [
    pytest.param("unit: cluster", "", id="one-a-cluster"),
    pytest.param("unit: namespace", "", id="one-a-namespace"),
    pytest.param("unit: namespace", TEAMS, id="teams"),
    pytest.param("unit: namespace, prefix: eu-", "  output: {path: fleets/eu}\n", id="below-a-path"),
]


def units_of(plan: Plan) -> list[str]:
    """The names of the units that a plan lists for Argo CD."""
    return [unit.name for unit in plan.units if unit.engine is Engine.ARGOCD]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("unit", "spec"), SETTINGS)
def test_applications_are_those_of_the_plan(mode: str, unit: str, spec: str) -> None:
    plan = fleet(f"{unit}, argocd: {{{mode}}}", spec)
    top = "fleets/eu/" if "output" in spec else ""
    found = applications(plan, top)
    assert sorted(found) == units_of(plan)
    for item in plan.units:
        if item.engine is not Engine.ARGOCD:
            continue
        body = found[item.name]
        pulls = item.cluster.sync_mode == "Pull"
        where = {"server": "https://kubernetes.default.svc"} if pulls else {"name": item.cluster.name}
        namespace = {"namespace": item.namespace} if item.namespace else {}
        assert dig(body, "spec", "source", "path") == item.path
        assert dig(body, "spec", "destination") == {**where, **namespace}
        assert dig(body, "spec", "syncPolicy", "automated", "enabled") is not item.cluster.paused
        assert dig(body, "metadata", "labels", "krender.io/wave") == str(item.cluster.wave)
        assert dig(body, "metadata", "namespace") == "argocd"


@pytest.mark.parametrize(("unit", "spec"), SETTINGS)
@pytest.mark.parametrize(
    "more", ["source: directory", "source: kustomize", "preserveResourcesOnDeletion: false"]
)
def test_every_way_gives_the_same_applications(unit: str, spec: str, more: str) -> None:
    top = "fleets/eu/" if "output" in spec else ""
    ways = [
        applications(fleet(f"{unit}, argocd: {{{more}, generator: {way}}}", spec), top)
        for way in ("files", "directories", "plugin", "applications")
    ]
    assert all(way == ways[0] for way in ways)


@pytest.mark.parametrize(
    "settings",
    [
        "unit: cluster",
        "argocd: {generator: applications}",
        "argocd: {generator: directories}",
        "argocd: {destination: server}",
        "argocd: {rollingSync: true, prune: false}",
    ],
)
def test_a_way_of_delivery_changes_no_manifest(settings: str) -> None:
    def manifests(plan: Plan) -> dict[str, bytes]:
        return {path: blob.data for path, blob in walk(plan.tree) if not path.startswith("delivery/")}

    assert manifests(fleet(settings)) == manifests(fleet())


def test_kustomize_adds_nothing_but_its_own_file() -> None:
    plain, listed = fleet(), fleet("argocd: {source: kustomize}")
    before, after = (
        {path: blob.data for path, blob in walk(plan.tree) if path.startswith("clusters/")}
        for plan in (plain, listed)
    )
    added = [path for path in after if path not in before]
    assert added == [f"clusters/{name}/kustomization.yaml" for name in ("east", "north", "south", "west")]
    assert {path: data for path, data in after.items() if path in before} == before


@pytest.mark.parametrize(
    ("more", "source"),
    [
        pytest.param("", {"directory": {"recurse": True}}, id="directory"),
        # An empty `kustomize` is taken out by Argo CD's controller, and put back by whoever applied it.
        pytest.param(
            "argocd: {source: kustomize}", {"kustomize": {"ignoreMissingComponents": True}}, id="kustomize"
        ),
    ],
)
def test_how_a_directory_is_read_is_explicit(more: str, source: object) -> None:
    for body in applications(fleet(more)).values():
        stated = dict(mapping(dig(body, "spec", "source")))
        assert stated.pop("targetRevision") == "refs/heads/rendered"
        assert stated.pop("repoURL") == "https://git.example/fleet.git"
        assert str(stated.pop("path")).startswith("clusters/")
        assert stated == source
        annotations = dig(body, "metadata", "annotations")
        assert annotations == {"argocd.argoproj.io/manifest-generate-paths": "."}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("more", "options"),
    [
        pytest.param("", ["FailOnSharedResource=true"], id="by-default"),
        pytest.param(", failOnSharedResource: false", None, id="where-others-are-taken-over-from"),
    ],
)
def test_fields_are_left_alone_where_the_plan_has_a_reason(
    mode: str, more: str, options: list[str] | None
) -> None:
    scaler = (
        "apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: web, namespace: shop}\n"
        "spec: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}, maxReplicas: 9}\n"
    )
    rest = REST.replace("kind: Deployment}]", "kind: Deployment}, {apiVersion: autoscaling/v2, kind: X}]")
    rest = rest.replace("kind: X", "kind: HorizontalPodAutoscaler")
    settings = f"autoscaled: ignore, unit: namespace, argocd: {{{mode}{more}}}"
    found = applications(fleet(settings, rest=rest, scaler=scaler))
    respect = "RespectIgnoreDifferences=true"
    assert {name for name, body in found.items() if dig(body, "spec", "ignoreDifferences")} == {
        "east.shop",
        "north.shop",
        "west.shop",
    }
    assert dig(found["east.shop"], "spec", "syncPolicy", "syncOptions") == [*(options or []), respect]
    assert dig(found["east.tools"], "spec", "syncPolicy", "syncOptions") == options
    assert dig(found["east.shop"], "spec", "ignoreDifferences") == [
        {
            "group": "apps",
            "kind": "Deployment",
            "namespace": "shop",
            "name": "web",
            "jsonPointers": ["/spec/replicas"],
        }
    ]


def test_a_server_is_the_destination_where_that_is_asked_for() -> None:
    plan = fleet("argocd: {destination: server}")
    servers = {name: dig(body, "spec", "destination", "server") for name, body in applications(plan).items()}
    assert servers == {
        "east": "https://east.example:6443",
        "north": "https://north.example:6443",
        "south": "https://[2001:db8::1]:6443",
        "west": "https://kubernetes.default.svc",
    }


@pytest.mark.parametrize("mode", MODES)
def test_what_was_emptied_may_be_pruned_whole_and_nothing_else(mode: str) -> None:
    settings = f"unit: namespace, argocd: {{{mode}}}"
    first = fleet(settings)
    without = REST.replace("{apiVersion: v1, kind: ConfigMap}", "{apiVersion: v1, kind: Secret}")
    again = fleet(settings, "  orphans: prune\n", read_previous(first.tree), rest=without)
    allowed = {
        name
        for name, body in applications(again).items()
        if dig(body, "spec", "syncPolicy", "automated", "allowEmpty")
    }
    assert allowed == {"east.tools", "north.tools", "south.tools", "west.tools"}
    assert sorted(applications(again)) == units_of(again) == units_of(first)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("keep", [True, False])
def test_objects_outlive_their_application_unless_told_otherwise(mode: str, keep: bool) -> None:
    plan = fleet(f"argocd: {{{mode}, preserveResourcesOnDeletion: {str(keep).lower()}}}")
    finalizers = {str(dig(body, "metadata", "finalizers")) for body in applications(plan).values()}
    assert finalizers == ({"None"} if keep else {str([CASCADE])})


def test_waves_follow_each_other_and_the_last_step_takes_the_rest() -> None:
    plan = fleet("argocd: {rollingSync: true}", clusters=CLUSTERS.replace(", paused: true", ""))
    (body,) = [body for body in given(plan).values() if body["kind"] == "ApplicationSet"]
    awake = {"key": "krender.io/paused", "operator": "In", "values": ["false"]}
    steps = [
        [{"key": "krender.io/wave", "operator": "In", "values": ["0"]}, awake],
        [{"key": "krender.io/wave", "operator": "In", "values": ["1"]}, awake],
        [{"key": "krender.io/wave", "operator": "NotIn", "values": ["0", "1"]}, awake],
    ]
    assert dig(body, "spec", "strategy") == {
        "type": "RollingSync",
        "rollingSync": {"steps": [{"matchExpressions": step} for step in steps]},
    }


def test_a_wave_whose_clusters_are_all_paused_is_no_step() -> None:
    plan = fleet("argocd: {rollingSync: true}")
    (body,) = [body for body in given(plan).values() if body["kind"] == "ApplicationSet"]
    steps = dig(body, "spec", "strategy", "rollingSync", "steps")
    assert isinstance(steps, list)
    assert [dig(step["matchExpressions"][0], "values") for step in steps] == [["0"], ["0"]]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("unit", "spec"), SETTINGS)
def test_every_object_is_what_its_crd_describes(mode: str, unit: str, spec: str) -> None:
    plan = fleet(f"{unit}, argocd: {{{mode}, rollingSync: true, source: kustomize}}", spec)
    made = applications(plan, "fleets/eu/" if "output" in spec else "").values()
    for body in (*given(plan).values(), *given(plan, "delivery/argocd/members/").values(), *made):
        assert faults(body) == ()


@pytest.mark.skipif(not ORIGINALS.is_dir(), reason="the original CRDs are not here")
@pytest.mark.parametrize("mode", MODES)
def test_every_object_is_what_the_original_crd_describes(mode: str) -> None:
    schemas = originals(ORIGINALS / "argocd-v3.5.1")
    plan = fleet(f"unit: namespace, argocd: {{{mode}, rollingSync: true}}", TEAMS)
    for body in (*given(plan).values(), *given(plan, "delivery/argocd/members/").values()):
        assert faults(body, schemas) == ()


def test_rendering_again_from_what_was_published_changes_nothing() -> None:
    first = fleet("unit: namespace", TEAMS)
    again = fleet("unit: namespace", TEAMS, read_previous(first.tree))
    assert dict(walk(again.tree)) == dict(walk(first.tree))


@pytest.mark.parametrize(
    ("change", "left"),
    [
        pytest.param(("Pull", "Push"), {"members/west/.keep"}, id="a-member-is-handed-to-the-hub"),
        pytest.param(("syncMode: Pull", "engine: flux"), {"members/west/.keep"}, id="or-to-another-engine"),
        pytest.param(
            ("server:", "syncMode: Pull, server:"), {"hub/.keep"}, id="everything-is-handed-to-the-members"
        ),
    ],
)
def test_whoever_applied_something_prunes_its_applications(change: tuple[str, str], left: set[str]) -> None:
    before = fleet()
    after = fleet(previous=read_previous(before.tree), clusters=CLUSTERS.replace(*change))
    kept = {path.removeprefix("delivery/argocd/") for path, _ in walk(after.tree) if path.endswith("/.keep")}
    assert kept & {"hub/.keep", "members/west/.keep"} == left
    assert sorted(applications(after)) == units_of(after)
    again = fleet(previous=read_previous(after.tree), clusters=CLUSTERS.replace(*change))
    assert dict(walk(again.tree)) == dict(walk(after.tree))


@pytest.mark.parametrize("engine", ["none", "flux"])
def test_without_argo_cd_its_applications_go(engine: str) -> None:
    before = fleet()
    settings = files()["krender.yaml"].replace("engine: argocd", f"engine: {engine}")
    after = fleet(previous=read_previous(before.tree), krender=settings)
    assert applications(after) == {}
    kept = [path for path, _ in walk(after.tree) if path.startswith("delivery/argocd/")]
    assert kept == ["delivery/argocd/hub/.keep", "delivery/argocd/members/west/.keep"]
