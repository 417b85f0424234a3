"""Ray: RayCluster, RayJob, RayService.

Source: Karmada …/resourcecustomizations/ray.io.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from math import floor
from typing import Final, TypeAlias

from renderer.document.edit import placed
from renderer.document.values import Object, Value, dig
from renderer.interpret.operations import Kind, Operations
from renderer.interpret.requirements import replica_requirements
from renderer.interpret.shipped.pods import (
    component,
    environment,
    named,
    pod_requirements,
    references,
)
from renderer.interpret.shipped.values import at, items, optional, replicas_of, returned
from renderer.model.binding import Component, ReplicaRequirements
from renderer.model.interpretation import Dependency, InterpretError, Workload

Needs: TypeAlias = Callable[[Value], ReplicaRequirements | None]

_V1: Final = "ray.io/v1"
_CLUSTER: Final = ("spec",)
_JOB: Final = ("spec", "rayClusterSpec")
_SERVICE: Final = ("spec", "rayClusterConfig")


def ray_kinds(*, priority_class: bool) -> dict[Kind, Operations]:
    """The operations of all kinds."""
    needs = partial(pod_requirements, priority_class=priority_class)
    return {
        (_V1, "RayCluster"): Operations(components=partial(_components, path=_CLUSTER, needs=needs)),
        (_V1, "RayJob"): Operations(
            components=partial(_components, path=_JOB, needs=needs),
            dependencies=partial(_dependencies, path=_JOB, others=(("spec", "submitterPodTemplate"),)),
        ),
        (_V1, "RayService"): Operations(
            replica=partial(_service_replicas, needs=needs),
            revise=_service_revised,
            dependencies=partial(_dependencies, path=_SERVICE),
        ),
    }


def _components(body: Object, *, path: tuple[str, ...], needs: Needs) -> tuple[Component, ...]:
    cluster = optional(body, *path)
    head = optional(cluster, "headGroupSpec", "template")
    made = [] if head is None else [component("ray-head", 1, needs(head))]
    for place, group in enumerate(items(optional(cluster, "workerGroupSpecs")), start=1):
        template, count = at(group, "template"), at(group, "replicas")
        made.append(
            component(
                at(group, "groupName") or f"worker-{place}",
                0 if count is None else count,
                None if template is None else needs(template),
            )
        )
    return tuple(made)


def _dependencies(
    body: Object, *, path: tuple[str, ...], others: tuple[tuple[str, ...], ...] = ()
) -> tuple[Dependency, ...]:
    cluster = optional(body, *path)
    templates = (
        optional(cluster, "headGroupSpec", "template"),
        *(at(group, "template") for group in items(optional(cluster, "workerGroupSpecs"))),
        *(optional(body, *other) for other in others),
    )
    specs = [optional(template, "spec") for template in templates]
    names = (
        (kind, name) for spec in specs for part in (references, environment) for kind, name in part(spec)
    )
    return named(names, body)


def _service_replicas(body: Object, *, needs: Needs) -> Workload:
    """The head and all workers; of cpu and memory what the most demanding of them needs."""
    cluster = optional(body, *_SERVICE)
    head = optional(cluster, "headGroupSpec", "template")
    if head is None:
        return Workload(replicas=0)
    total, wanted = 1.0, needs(head)
    all_needs = [wanted]
    for group in items(optional(cluster, "workerGroupSpecs")):
        total += _count(group)
        if at(group, "template") is not None:
            all_needs.append(needs(at(group, "template")))
    return Workload(replicas=replicas_of(total), requirements=_greatest(wanted, all_needs))


def _greatest(
    head: ReplicaRequirements | None, all_needs: list[ReplicaRequirements | None]
) -> ReplicaRequirements | None:
    if head is None:
        return None
    request = dict(head.resource_request)
    for name in ("cpu", "memory"):
        amounts = [dict(needs.resource_request).get(name) for needs in all_needs if needs is not None]
        found = [amount for amount in amounts if amount is not None]
        if found:
            request[name] = max(found, key=lambda amount: amount.amount)
    made = replica_requirements(
        head.node_claim, tuple(sorted(request.items())), priority_class_name=head.priority_class_name
    )
    return replace(made, namespace=head.namespace)


def _service_revised(body: Object, replicas: int) -> Object:
    """All but the head's replica go to the worker groups, in proportion to what they have."""
    body = returned(body)
    groups = list(items(optional(body, *_SERVICE, "workerGroupSpecs")))
    if not groups:
        return body
    shares = _shares(max(0, replicas - 1), [_count(group) for group in groups])
    revised = [_with_replicas(group, share) for group, share in zip(groups, shares, strict=True)]
    return placed(body, revised, *_SERVICE, "workerGroupSpecs")


def _shares(workers: int, counts: list[float]) -> Iterator[int]:
    """The workers of each group; the last one takes what is left."""
    total, left = sum(counts), workers
    for place, count in enumerate(counts[:-1], start=1):
        if total:
            share = floor(workers * (count / total) + 0.5)
        else:
            share = workers // len(counts) + (1 if place <= workers % len(counts) else 0)
        left -= share
        yield share
    yield left


def _count(group: Value) -> float:
    count = dig(group, "replicas")
    if count is None:
        return 0
    if isinstance(count, bool) or not isinstance(count, int | float):
        raise InterpretError("the replicas of a worker group are not a number")
    return float(count)


def _with_replicas(group: Value, replicas: int) -> Value:
    if not isinstance(group, dict):
        raise InterpretError("a worker group is not a map")
    return {**group, "replicas": replicas}
