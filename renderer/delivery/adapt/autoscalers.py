"""Who scales what on which clusters: the objects that own the replicas of others.

A VerticalPodAutoscaler is none of them: it writes to pods as they are admitted, not to workloads.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from renderer.delivery.adapt.world import World
from renderer.document.pointer import join
from renderer.document.values import Object, Value, dig, mapping, sequence, text
from renderer.match.fleet import Mask
from renderer.model.identity import Identity, group_of
from renderer.model.plan import Manifest, Rendering
from renderer.model.previous import Key

_HPA: Final = ("autoscaling", "HorizontalPodAutoscaler")
_KEDA: Final = ("keda.sh", "ScaledObject")
_CRD: Final = ("apiextensions.k8s.io", "CustomResourceDefinition")
_BOUNDS: Final = ("minReplicas", "maxReplicas")
_KEDA_BOUNDS: Final = ("minReplicaCount", "maxReplicaCount")
_PATH: Final = re.compile(r"(\.[A-Za-z_][A-Za-z0-9_-]*)+")


@dataclass(frozen=True, slots=True)
class Autoscaler:
    """An object that scales another on some clusters.

    `rests_at_zero` tells that it does nothing while there are 0 replicas, which somebody else must have
    written. Source: Kubernetes pkg/controller/podautoscaler/horizontal.go, ScalingDisabled.
    """

    identity: Identity
    body: Object = field(repr=False)
    mask: Mask

    @property
    def rests_at_zero(self) -> bool:
        """Whether it is an HPA; KEDA scales from 0 itself."""
        return self.identity.group == _HPA[0]

    @property
    def bounds(self) -> tuple[int, int]:
        """The fewest and the most replicas that it leaves, with its kind's defaults."""
        names, default = (_BOUNDS, (1, 1)) if self.rests_at_zero else (_KEDA_BOUNDS, (0, 100))
        stated = [dig(self.body, "spec", name) for name in names]
        least, most = (
            value if isinstance(value, int) else other for value, other in zip(stated, default, strict=True)
        )
        return least, most


def target_of(identity: Identity, body: Object) -> Key | None:
    """What an object scales; None where it is no autoscaler, or does not say.

    An HPA finds its target by the group that `apiVersion` states; KEDA's ScaledObject has defaults.
    """
    reference = mapping(dig(body, "spec", "scaleTargetRef"))
    name = text(reference.get("name"))
    match (identity.group, identity.kind):
        case ("autoscaling", "HorizontalPodAutoscaler"):
            group, kind = group_of(text(reference.get("apiVersion"))), text(reference.get("kind"))
        case ("keda.sh", "ScaledObject"):
            group = group_of(text(reference.get("apiVersion")) or "apps/v1")
            kind = text(reference.get("kind")) or "Deployment"
        case _:
            return None
    return (group, kind, identity.namespace, name) if kind and name else None


def autoscalers(world: World) -> Mapping[Key, Sequence[Autoscaler]]:
    """The autoscalers of each object that has any, in the order of their names."""
    found: dict[Key, list[Autoscaler]] = {}
    for rendering in world.renderings:
        for manifest in rendering.manifests if _may_scale(rendering) else ():
            body = manifest.body or {}
            target = target_of(manifest.identity, body)
            mask = _present(world, rendering, manifest) if target else 0
            if target and mask:
                found.setdefault(target, []).append(Autoscaler(manifest.identity, body, mask))
    return {target: sorted(items, key=lambda item: item.identity) for target, items in found.items()}


def _may_scale(rendering: Rendering) -> bool:
    """Whether its manifests are autoscalers: no override makes one of something else."""
    identity = rendering.template.identity
    return (identity.group, identity.kind) in (_HPA, _KEDA)


def _present(world: World, rendering: Rendering, manifest: Manifest) -> Mask:
    """The clusters that have it; where its file stays as published, only if there is one."""
    mask = world.mask(manifest.clusters)
    held = mask & world.staying(rendering)
    return mask & ~held | held & world.published.having(world.path_of(manifest.identity)) if held else mask


def replica_pointers(renderings: Iterable[Rendering]) -> Mapping[tuple[str, str], str]:
    """Where replicas stand, by apiVersion and kind, of what is defined by something that is rendered too."""
    found: dict[tuple[str, str], str] = {}
    for rendering in renderings:
        identity = rendering.template.identity
        if (identity.group, identity.kind) == _CRD:
            spec = mapping(rendering.template.body.get("spec"))
            group, kind = text(spec.get("group")), text(dig(spec, "names", "kind"))
            for version in map(mapping, sequence(spec.get("versions"))):
                path = _pointer(dig(version, "subresources", "scale", "specReplicasPath"))
                if path:
                    found[f"{group}/{text(version.get('name'))}", kind] = path
    return found


def _pointer(path: Value) -> str:
    """`.spec.replicas` as a JSON pointer; empty for any other form."""
    return join(path.split(".")[1:]) if isinstance(path, str) and _PATH.fullmatch(path) else ""
