"""Kustomizations: what Flux applies where, as whom, and after what."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from renderer.delivery.flux.places import is_remote
from renderer.delivery.flux.sources import reference
from renderer.delivery.names import Names
from renderer.document.values import Object, Value
from renderer.model.cluster import Cluster
from renderer.model.delivery import Delivery, IgnoredField

API: Final = "kustomize.toolkit.fluxcd.io/v1"
CLUSTER: Final = "krender.io/cluster"
TENANT: Final = "krender.io/tenant"
WAVE: Final = "krender.io/wave"

_SPECIAL: Final = re.compile(r"[\\.+*?()|\[\]{}^$]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """What all Kustomizations in one API server share.

    `gates` leads from each wave to the Kustomization that is ready when the one before is.
    """

    delivery: Delivery
    names: Names
    waits: bool = False
    gates: Mapping[int, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One Kustomization: its name, the directory from the top of the branch, and what is its own.

    What `serves` other Kustomizations is pruned, and outlives its own, whatever is set for workloads.
    """

    name: str
    path: str
    cluster: Cluster | None = None
    tenant: str = ""
    account: str = ""
    serves: bool = False
    after: Sequence[str] = ()
    ignored: Sequence[IgnoredField] = ()


def kustomization(part: Part, scene: Scene) -> Object:
    """The object. It says what is pruned, and what stays when it goes, in so many words."""
    flux, cluster = scene.delivery.flux, part.cluster
    apart = flux.artifact_generator and cluster is not None
    spec: dict[str, Value] = {
        "interval": flux.interval,
        "retryInterval": flux.retry_interval,
        "timeout": flux.timeout,
        "path": f"./{part.path}",
        "prune": flux.prune or part.serves,
        "deletionPolicy": "Orphan" if part.serves else flux.deletion_policy,
    }
    if cluster and scene.waits:
        spec["wait"] = True
    if cluster and cluster.paused:
        spec["suspend"] = True
    spec["sourceRef"] = (
        {"kind": "ExternalArtifact", "name": part.name} if apart else reference(scene.delivery)
    )
    if cluster and is_remote(cluster):
        secret = flux.kube_config_secret.replace("{cluster}", cluster.slug)
        spec["kubeConfig"] = {"secretRef": {"name": secret}}
    if part.account:
        spec["serviceAccountName"] = part.account
    if part.after:
        spec["dependsOn"] = [{"name": name} for name in part.after]
    if part.ignored:
        spec["ignore"] = [_ignore(item) for item in part.ignored]
    return {"apiVersion": API, "kind": "Kustomization", "metadata": _metadata(part, scene), "spec": spec}


def _metadata(part: Part, scene: Scene) -> Object:
    labels: dict[str, Value] = {}
    if part.cluster:
        labels[CLUSTER] = part.cluster.slug
        if scene.gates:
            labels[WAVE] = str(part.cluster.wave)
    if part.tenant:
        labels[TENANT] = part.tenant
    return {
        "name": part.name,
        "namespace": scene.delivery.flux.namespace,
        **({"labels": labels} if labels else {}),
    }


def _ignore(item: IgnoredField) -> Object:
    """Fields of one object that Flux does not apply; it matches names as regular expressions."""
    stated = {"group": item.group, "kind": item.kind, "name": item.name, "namespace": item.namespace}
    target: Object = {key: _SPECIAL.sub(r"\\\g<0>", value) for key, value in stated.items() if value}
    return {"paths": [*item.pointers], "target": target}
