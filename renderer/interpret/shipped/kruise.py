"""OpenKruise: CloneSet, StatefulSet, UnitedDeployment, BroadcastJob, DaemonSet, AdvancedCronJob, SidecarSet.

Source: Karmada …/resourcecustomizations/apps.kruise.io.
"""

from __future__ import annotations

from functools import partial
from typing import Final

from renderer.document.edit import placed
from renderer.document.values import Object, Value
from renderer.interpret.operations import Kind, Operations
from renderer.interpret.shipped.pods import (
    container_environment,
    gathered,
    named,
    pod_requirements,
    template_dependencies,
)
from renderer.interpret.shipped.values import at, items, optional, replicas_of, returned
from renderer.model.interpretation import Dependency, InterpretError, Workload

_ALPHA: Final = "apps.kruise.io/v1alpha1"


def kruise_kinds(*, priority_class: bool) -> dict[Kind, Operations]:
    """The operations of all kinds."""
    scaled = Operations(
        replica=partial(_replicas, field="replicas", priority_class=priority_class),
        revise=partial(set_field, field="replicas"),
        dependencies=some_dependencies,
    )
    return {
        (_ALPHA, "CloneSet"): scaled,
        ("apps.kruise.io/v1beta1", "StatefulSet"): scaled,
        (_ALPHA, "UnitedDeployment"): scaled,
        (_ALPHA, "BroadcastJob"): Operations(
            replica=partial(_replicas, field="parallelism", default=1, priority_class=priority_class),
            revise=partial(set_field, field="parallelism"),
            dependencies=some_dependencies,
        ),
        (_ALPHA, "DaemonSet"): Operations(dependencies=_any_dependencies),
        (_ALPHA, "AdvancedCronJob"): Operations(dependencies=_cron_dependencies),
        (_ALPHA, "SidecarSet"): Operations(replica=_none, dependencies=_sidecar_dependencies),
    }


def set_field(body: Object, replicas: int, *, field: str) -> Object:
    """The object with a number in its spec, whether or not the field was there."""
    if not isinstance(at(body, "spec"), dict):
        raise InterpretError("spec is not a map")
    return placed(returned(body), replicas, "spec", field)


def some_dependencies(body: Object) -> tuple[Dependency, ...]:
    """The dependencies of spec.template. To have none is an error: the script returns nothing."""
    return _some(template_dependencies(at(body, "spec", "template"), body))


def _some(dependencies: tuple[Dependency, ...]) -> tuple[Dependency, ...]:
    if not dependencies:
        raise InterpretError("it depends on nothing, which Karmada's script for its kind cannot say")
    return gathered(dependencies)


def _replicas(body: Object, *, field: str, default: int | None = None, priority_class: bool) -> Workload:
    count = at(body, "spec", field)
    needs = pod_requirements(at(body, "spec", "template"), priority_class=priority_class)
    return Workload(replicas=replicas_of(default if count is None else count), requirements=needs)


def _none(_: Object) -> Workload:
    """A SidecarSet has no replicas of its own."""
    return Workload(replicas=0)


def _any_dependencies(body: Object) -> tuple[Dependency, ...]:
    return gathered(template_dependencies(at(body, "spec", "template"), body))


def _cron_dependencies(body: Object) -> tuple[Dependency, ...]:
    template: Value = {}
    for field in ("jobTemplate", "broadcastJobTemplate"):
        if at(body, "spec", "template", field) is not None:
            template = at(body, "spec", "template", field, "spec", "template")
    return _some(template_dependencies(template, body))


def _sidecar_dependencies(body: Object) -> tuple[Dependency, ...]:
    """Environment of the containers, and ConfigMaps and Secrets in volumes, named or not."""
    spec = optional(body, "spec")
    names = [name for part in items(optional(spec, "containers")) for name in container_environment(part)]
    for volume in items(optional(spec, "volumes")):
        sources = (volume, *items(optional(volume, "projected", "sources")))
        for place, source in enumerate(sources):
            if at(source, "configMap") is not None:
                names.append(("ConfigMap", at(source, "configMap", "name")))
            if at(source, "secret") is not None:
                names.append(("Secret", at(source, "secret", "name" if place else "secretName")))
    return named(iter(names), body)
