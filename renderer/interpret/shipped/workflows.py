"""Argo Workflow, Kubeflow's jobs and Notebook, Volcano Job.

Source: Karmada …/resourcecustomizations/argoproj.io, kubeflow.org, batch.volcano.sh.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final, TypeAlias

from renderer.document.values import Object, Value, mapping
from renderer.interpret.operations import Kind, Operations
from renderer.interpret.shipped.kruise import set_field
from renderer.interpret.shipped.pods import (
    Names,
    component,
    gathered,
    named,
    pod_requirements,
    references,
    template_dependencies,
)
from renderer.interpret.shipped.values import at, counted, items, optional, replicas_of
from renderer.model.binding import Component, ReplicaRequirements
from renderer.model.interpretation import Dependency, Workload

Needs: TypeAlias = Callable[[Value], ReplicaRequirements | None]

_TENSORFLOW: Final = ("PS", "Worker", "Chief", "Master", "Evaluator")
_PYTORCH: Final = ("Master", "Worker")


def workflow_kinds(*, priority_class: bool) -> dict[Kind, Operations]:
    """The operations of all kinds."""
    needs = partial(pod_requirements, priority_class=priority_class)
    return {
        ("argoproj.io/v1alpha1", "Workflow"): Operations(
            replica=partial(_workflow_replicas, needs=needs),
            revise=partial(set_field, field="parallelism"),
            dependencies=_workflow_dependencies,
        ),
        ("kubeflow.org/v1", "Notebook"): Operations(replica=partial(_notebook_replicas, needs=needs)),
        ("kubeflow.org/v1", "PyTorchJob"): _training("pytorchReplicaSpecs", _PYTORCH, needs),
        ("kubeflow.org/v1", "TFJob"): _training("tfReplicaSpecs", _TENSORFLOW, needs),
        ("kubeflow.org/v2beta1", "MPIJob"): Operations(components=partial(_mpi_components, needs=needs)),
        ("batch.volcano.sh/v1alpha1", "Job"): Operations(components=partial(_tasks, needs=needs)),
    }


def _workflow_replicas(body: Object, *, needs: Needs) -> Workload:
    count = at(body, "spec", "parallelism")
    pod: Object = {name: at(body, "spec", name) for name in ("affinity", "nodeSelector", "tolerations")}
    return Workload(replicas=replicas_of(1 if count is None else count), requirements=needs({"spec": pod}))


def _workflow_dependencies(body: Object) -> tuple[Dependency, ...]:
    return named(_workflow_names(body), body)


def _workflow_names(body: Object) -> Names:
    """Those of its pods; a Secret volume counts by `name`, which it does not have."""
    spec = at(body, "spec")
    executor = optional(at(spec, "executor"), "serviceAccountName")
    if executor not in (None, ""):
        yield "ServiceAccount", executor
    for claim in items(at(spec, "volumeClaimTemplates")):
        if at(claim, "metadata", "name") not in (None, ""):
            yield "PersistentVolumeClaim", at(claim, "metadata", "name")
    yield from references(spec, named_by="name")


def _notebook_replicas(body: Object, *, needs: Needs) -> Workload:
    return Workload(replicas=1, requirements=needs(at(body, "spec", "template")))


def _training(field: str, types: tuple[str, ...], needs: Needs) -> Operations:
    """A job with a replica spec for each of several types."""

    def components(body: Object) -> tuple[Component, ...]:
        return tuple(
            _component(name.lower(), at(spec, "replicas"), 1, at(spec, "template"), needs)
            for name, spec in _typed(optional(body, "spec", field), types)
        )

    def dependencies(body: Object) -> tuple[Dependency, ...]:
        templates = (at(spec, "template") for _, spec in _typed(optional(body, "spec", field), types))
        found = [template_dependencies(template, body) for template in templates if template is not None]
        return gathered(item for part in found for item in part)

    return Operations(components=components, dependencies=dependencies)


def _typed(specs: Value, types: tuple[str, ...]) -> Iterator[tuple[str, Value]]:
    for name in types:
        spec = optional(specs, name)
        if spec is not None:
            yield name, spec


def _mpi_components(body: Object, *, needs: Needs) -> tuple[Component, ...]:
    """Every replica spec by its own name. Karmada's order is arbitrary; here it is that of the names."""
    specs = mapping(optional(body, "spec", "mpiReplicaSpecs"))
    return tuple(
        _component(
            name, at(spec, "replicas"), 0 if name.lower() == "worker" else 1, at(spec, "template"), needs
        )
        for name, spec in sorted(specs.items())
        if spec is not None and at(spec, "template") is not None
    )


def _tasks(body: Object, *, needs: Needs) -> tuple[Component, ...]:
    tasks = items(optional(body, "spec", "tasks"))
    return tuple(
        component(
            at(task, "name") or f"task-{place}",
            counted(at(task, "minAvailable"), 1),
            needs(at(task, "template")),
        )
        for place, task in enumerate(tasks)
    )


def _component(name: str, replicas: Value, default: int, template: Value, needs: Needs) -> Component:
    return component(name, counted(replicas, default), None if template is None else needs(template))
