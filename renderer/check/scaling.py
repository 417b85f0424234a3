"""Findings about what scales, and about what could not be adapted to who applies it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from renderer.check.finding import Rule, some
from renderer.delivery.adapt.autoscalers import Autoscaler, autoscalers, replica_pointers
from renderer.delivery.adapt.published import REPLICAS
from renderer.delivery.adapt.replicas import value_at
from renderer.delivery.adapt.world import World
from renderer.document.patch import ABSENT
from renderer.document.problem import Problem, Severity
from renderer.document.values import Object, Value, dig, mapping, sequence, text
from renderer.layout.paths import plain_path
from renderer.match.fleet import Mask
from renderer.model.carried import written
from renderer.model.delivery import Autoscaled
from renderer.model.identity import group_of
from renderer.model.plan import Plan, Rendering
from renderer.model.previous import Key
from renderer.model.variants import alike

TWO_WRITERS: Final = Rule(id="KR831", title="A file and an autoscaler both write replicas")
DIVIDED: Final = Rule(id="KR832", title="Divided replicas are scaled on each cluster by itself")
SEALED: Final = Rule(id="KR833", title="A sealed object is not adapted to its engine")
TWO_SCALERS: Final = Rule(id="KR834", title="Two autoscalers act on one resource")

RULES: Final = (TWO_WRITERS, DIVIDED, SEALED, TWO_SCALERS)

_Scaled = Mapping[Key, Sequence[Autoscaler]]


def scaling_findings(plan: Plan) -> Iterator[Problem]:
    """All findings of this family."""
    delivery = plan.workspace.config.delivery
    world = World(plan.renderings, plan.clusters, plan.previous, delivery, plain_path)
    scaled = autoscalers(world)
    pointers = replica_pointers(plan.renderings) if scaled else {}
    for rendering in written(plan):
        yield from _sealed(rendering)
        if any(manifest.identity.key in scaled for manifest in alike(rendering.manifests)):
            yield from _two_writers(rendering, world, scaled, pointers)
            yield from _divided(rendering, world, scaled)
    if scaled:
        yield from _two_scalers(world, scaled)


def _two_writers(
    rendering: Rendering, world: World, scaled: _Scaled, pointers: Mapping[tuple[str, str], str]
) -> Iterator[Problem]:
    """Replicas in files of clusters where nothing was adapted: without an engine, or because that is set."""
    kept = world.delivery.autoscaled is Autoscaled.KEEP
    others = ~0 if kept else ~sum(mask for _, mask in world.engines)
    found: dict[str, None] = {}
    who: Autoscaler | None = None
    for manifest in alike(rendering.manifests):
        identity = manifest.identity
        pointer = pointers.get((identity.api_version, identity.kind), REPLICAS)
        value = value_at(manifest.body, pointer)
        for scaler in scaled.get(identity.key, ()):
            names = world.names(world.mask(manifest.clusters) & scaler.mask & others)
            if names and value is not ABSENT and not (value == 0 and scaler.rests_at_zero):
                who = who or scaler
                found.update(dict.fromkeys(names))
    if who is not None:
        yield TWO_WRITERS.at(
            rendering.template.document,
            REPLICAS,
            what=f"{rendering.template.identity} has its replicas in a file, and {who.identity} scales it "
            f"on {some(sorted(found))}",
            why="each time the file is applied it puts them back, and the autoscaler undoes that",
            fix="take autoscaled: keep out of krender.yaml"
            if kept
            else "name the delivery.engine, and krender leaves them out; or take them out of the template",
        )


def _divided(rendering: Rendering, world: World, scaled: _Scaled) -> Iterator[Problem]:
    """A share is where scaling begins at most, on each cluster."""
    binding = rendering.binding
    if binding is None or not (binding.is_divided and binding.is_workload):
        return
    shares: dict[str, tuple[int, Autoscaler]] = {}
    for manifest in alike(rendering.manifests):
        for scaler in scaled.get(manifest.identity.key, ()):
            for name in world.names(world.mask(manifest.clusters) & scaler.mask):
                shares.setdefault(name, (manifest.replicas, scaler))
    if len(shares) < 2:
        return
    outside = [name for name, (share, scaler) in sorted(shares.items()) if not _fits(share, scaler)]
    least, most = (sum(scaler.bounds[end] for _, scaler in shares.values()) for end in (0, 1))
    scaler = next(iter(shares.values()))[1]
    some_outside = f", and the share of {some(outside)} is outside its bounds" if outside else ""
    yield DIVIDED.at(
        rendering.template.document,
        REPLICAS,
        what=f"{rendering.template.identity}: {binding.replicas} replicas are divided among "
        f"{len(shares)} clusters, each of which {scaler.identity} scales by itself{some_outside}",
        why=f"altogether it has {least} to {most} replicas then, whatever is divided",
        fix="divide minReplicas and maxReplicas by an override for each cluster, or duplicate the workload",
        severity=Severity.WARNING if outside else Severity.NOTE,
    )


def _fits(share: int, scaler: Autoscaler) -> bool:
    least, most = scaler.bounds
    return least <= share <= most


def _sealed(rendering: Rendering) -> Iterator[Problem]:
    withheld = {
        item.path: item.reason
        for manifest in alike(rendering.manifests)
        for item in manifest.adapted
        if item.withheld
    }
    for path, reason in list(withheld.items())[:1]:
        yield SEALED.at(
            rendering.template.document,
            what=f"{rendering.template.identity} is encrypted with SOPS, so {path} stays as it is: {reason}",
            why="the seal is over all of the file; changed, it could not be decrypted any more",
            fix="write the field in the file, and encrypt it again",
        )


def _two_scalers(world: World, scaled: _Scaled) -> Iterator[Problem]:
    """A VerticalPodAutoscaler and a HorizontalPodAutoscaler, where the same resource moves both."""
    for rendering in world.renderings:
        identity = rendering.template.identity
        if (identity.group, identity.kind) != ("autoscaling.k8s.io", "VerticalPodAutoscaler"):
            continue
        spec = mapping(rendering.template.body.get("spec"))
        vertical = _sized(spec)
        reference = mapping(spec.get("targetRef"))
        group = group_of(text(reference.get("apiVersion")))
        target = (group, text(reference.get("kind")), identity.namespace, text(reference.get("name")))
        there: Mask = 0
        for manifest in alike(rendering.manifests):
            there |= world.mask(manifest.clusters)
        for scaler in scaled.get(target, ()):
            common = [name for name in _measured(scaler) if name in vertical]
            names = world.names(scaler.mask & there)
            if common and names:
                yield TWO_SCALERS.at(
                    rendering.template.document,
                    "/spec/targetRef",
                    what=f"{identity} and {scaler.identity} both act on {' and '.join(common)} of "
                    f"{target[1]} {target[2]}/{target[3]} on {some(names)}",
                    why="larger pods of the one are fewer of the other, and fewer are larger again",
                    fix='set updateMode: "Off", or controlledResources to what the other does not look at, '
                    "or scale by another metric",
                )


def _sized(spec: Object) -> Sequence[str]:
    """The resources of pods that a VerticalPodAutoscaler sets."""
    if dig(spec, "updatePolicy", "updateMode") == "Off":
        return ()
    policies = [mapping(item) for item in sequence(dig(spec, "resourcePolicy", "containerPolicies"))]
    every = next((item for item in policies if item.get("containerName") == "*"), {})
    if every.get("mode") == "Off":
        return ()
    stated = every.get("controlledResources")
    return ("cpu", "memory") if stated is None else [text(item) for item in sequence(stated)]


def _measured(scaler: Autoscaler) -> Sequence[str]:
    """The resources of pods by which an HPA scales, in proportion to what they request."""
    spec = mapping(scaler.body.get("spec"))
    if not scaler.rests_at_zero:
        return [text(item.get("type")) for item in map(mapping, sequence(spec.get("triggers")))]
    if "metrics" not in spec:
        return ("cpu",)  # the default of both versions
    return [
        name
        for metric in map(mapping, sequence(spec.get("metrics")))
        for name in (_of_metric(metric.get("resource")), _of_metric(metric.get("containerResource")))
        if name
    ]


def _of_metric(source: Value) -> str:
    return text(dig(source, "name")) if dig(source, "target", "type") == "Utilization" else ""
