"""A workload with an autoscaler, under one engine or another, and what becomes of its replicas."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from renderer.document.patch import ABSENT, Maybe
from renderer.document.pointer import PointerError, look_up
from renderer.document.read import read_stream
from renderer.model.adaptation import Adaptation
from renderer.model.plan import Manifest, Plan
from renderer.model.previous import NOTHING, Previous
from renderer.model.tree import Blob
from renderer.pipeline import render
from renderer.schedule.previous import read_previous
from tests.workspaces import FLEET, POLICY, SHOP, workspace

HPA: Final = """\
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web, namespace: shop}
spec: {maxReplicas: 9, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}}
"""
KEDA: Final = """\
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {name: web, namespace: shop}
spec: {scaleTargetRef: {name: web}, triggers: []}
"""
# Everything goes to every cluster of stage prod: east and north.
EVERYTHING: Final = (
    POLICY.replace("name: web, namespace: shop", "name: all, namespace: shop")
    .replace("[{apiVersion: apps/v1, kind: Deployment, name: web}]", "[{apiVersion: '*', kind: '*'}]")
    .replace(
        "{replicaSchedulingType: Divided, replicaDivisionPreference: Weighted}",
        "{replicaSchedulingType: Duplicated}",
    )
)
SELECTORS: Final = (
    "["
    + ", ".join(
        f"{{apiVersion: {version}, kind: {kind}}}"
        for version, kind in (
            ("apps/v1", "Deployment"),
            ("apps/v1", "StatefulSet"),
            ("autoscaling/v2", "HorizontalPodAutoscaler"),
            ("autoscaling/v1", "HorizontalPodAutoscaler"),
            ("keda.sh/v1alpha1", "ScaledObject"),
            ("v1", "ConfigMap"),
            ("v1", "Secret"),
            ("example.org/v1", "Shop"),
        )
    )
    + "]"
)
ALL: Final = EVERYTHING.replace("[{apiVersion: '*', kind: '*'}]", SELECTORS)
BASE: Final = {**SHOP, "policy.yaml": ALL, "fleet.yaml": FLEET}


def settings(engine: str = "argocd", **delivery: str) -> str:
    """A krender.yaml with these settings of delivery."""
    stated = "".join(f", {name}: {value}" for name, value in delivery.items())
    return (
        "apiVersion: krender.io/v1alpha1\nkind: Workspace\nmetadata: {name: w}\nspec:\n"
        f"  delivery: {{engine: {engine}, repoURL: 'https://git.example/fleet'{stated}}}\n"
    )


def made(files: Mapping[str, str], previous: Previous = NOTHING) -> Plan:
    """The plan of the shop with these files."""
    return render(workspace({**BASE, **files}), previous)


def history(*steps: Mapping[str, str]) -> list[Plan]:
    """The plans of the steps, each rendered on what the one before published."""
    plans: list[Plan] = []
    previous = NOTHING
    for files in steps:
        plans.append(made(files, previous))
        previous = read_previous(plans[-1].tree)
    return plans


def at(
    plan: Plan,
    pointer: str = "/spec/replicas",
    path: str = "shop/deployment.apps.web.yaml",
    cluster: str = "east",
) -> Maybe:
    """A value in a file of a cluster."""
    node = plan.tree.at(f"clusters/{cluster}/{path}")
    assert isinstance(node, Blob)
    try:
        return look_up(read_stream(node.data, "")[0].value, pointer)
    except PointerError:
        return ABSENT


def left_alone(plan: Plan, cluster: str = "east") -> tuple[str, ...]:
    """What the engine of a cluster leaves alone: `Kind name pointer`."""
    return tuple(
        f"{item.kind} {item.name} {pointer}"
        for unit in plan.units
        for item in unit.ignored
        for pointer in item.pointers
        if unit.cluster.name == cluster
    )


def adaptations(plan: Plan, kind: str = "Deployment", cluster: str = "east") -> tuple[Adaptation, ...]:
    """What was done to the objects of a kind on a cluster."""
    return tuple(item for manifest in manifests(plan, kind, cluster) for item in manifest.adapted)


def manifests(plan: Plan, kind: str, cluster: str) -> list[Manifest]:
    """What a cluster gets of a kind."""
    return [
        manifest
        for rendering in plan.renderings
        for manifest in rendering.manifests
        if manifest.identity.kind == kind and cluster in manifest.clusters
    ]
