"""What the scripts' `kube` library says of pod templates.

Source: Karmada pkg/resourceinterpreter/customized/declarative/luavm/kube.go.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from renderer.document.values import Object, Value, dig, mapping, text
from renderer.interpret.dependencies import verified
from renderer.interpret.references import pod_dependencies
from renderer.interpret.requirements import node_claim_of, replica_requirements, requirements
from renderer.interpret.shipped.values import at, items, optional, without_empty
from renderer.interpret.typed import int32, mistake
from renderer.model.binding import Component, ReplicaRequirements
from renderer.model.interpretation import Dependency, InterpretError
from renderer.model.quantity import ZERO, Quantity, parse_quantity

Names = Iterator[tuple[str, Value]]  # kind and name of a referenced object

_SECRET_SOURCES: Final = (
    ("azureFile", ("secretName",)),
    ("cephfs", ("secretRef", "name")),
    ("cinder", ("secretRef", "name")),
    ("flexVolume", ("secretRef", "name")),
    ("rbd", ("secretRef", "name")),
    ("scaleIO", ("secretRef", "name")),
    ("iscsi", ("secretRef", "name")),
    ("storageos", ("secretRef", "name")),
    ("csi", ("nodePublishSecretRef", "name")),
)


def pod_requirements(template: Value, *, priority_class: bool = False) -> ReplicaRequirements | None:
    """What a replica of a pod template needs (accuratePodRequirements). InterpretError if it is none."""
    spec = mapping(_pod_template(template)).get("spec")
    found = requirements(spec, priority_class=priority_class)
    # They come back from the script as text, so 100000000 bytes are read as 100M.
    return None if found is None else table_requirements(found.raw)


def template_dependencies(template: Value, body: Object) -> tuple[Dependency, ...]:
    """What a pod template in an object depends on (getPodDependencies)."""
    namespace = at(body, "metadata", "namespace")
    return dependencies_in(template, "default" if namespace is None else text(namespace))


def dependencies_in(template: Value, namespace: str) -> tuple[Dependency, ...]:
    """What a pod template depends on, all of it in a namespace. InterpretError if it is no template."""
    return pod_dependencies(mapping(_pod_template(template)).get("spec"), namespace)


def table_requirements(table: Object) -> ReplicaRequirements:
    """Requirements that a script puts together itself; empty parts are as good as absent."""
    return stated_requirements(mapping(without_empty(table)))


def stated_requirements(table: Value) -> ReplicaRequirements:
    """Requirements as Karmada's API states them. InterpretError where they are none."""
    fault = mistake("ReplicaRequirements", table)
    if fault:
        raise InterpretError(f"requirements: {fault}")
    cleaned = mapping(table)
    claim = cleaned.get("nodeClaim")
    parts = (dig(claim, "nodeSelector"), dig(claim, "tolerations"), dig(claim, "hardNodeAffinity"))
    return replica_requirements(
        None if claim is None else node_claim_of(*parts),
        tuple(sorted(_quantities(cleaned.get("resourceRequest")))),
        namespace=text(cleaned.get("namespace")),
        priority_class_name=text(cleaned.get("priorityClassName")),
    )


def component(name: Value, replicas: Value, needs: ReplicaRequirements | None) -> Component:
    """A component that a script returns. InterpretError where its name or its replicas are no such thing."""
    fault = mistake("ComponentEntry", {"name": name, "replicas": replicas})
    if fault:
        raise InterpretError(f"component: {fault}")
    return Component(name=text(name), replicas=int32(replicas), replica_requirements=needs)


def gathered(dependencies: Iterable[Dependency]) -> tuple[Dependency, ...]:
    """Dependencies each once and in order; InterpretError where one names nothing."""
    checked = verified(tuple(dependencies))
    return tuple(sorted(dict.fromkeys(checked), key=lambda item: (item.kind, item.namespace, item.name)))


def named(names: Names, body: Object) -> tuple[Dependency, ...]:
    """Dependencies on objects of the core API beside an object. InterpretError for a name that is no text."""
    namespace = at(body, "metadata", "namespace")
    found: list[Dependency] = []
    for kind, name in names:
        if name is not None and not isinstance(name, str):
            raise InterpretError(f"the name of a {kind} is not a string")
        found.append(Dependency(api_version="v1", kind=kind, namespace=text(namespace), name=text(name)))
    return gathered(found)


def references(spec: Value, *, named_by: str = "secretName") -> Names:
    """What a pod spec refers to outside its containers, empty names left out.

    Every source of a volume counts. `named_by` is what the name of a Secret volume is read from.
    """
    names = (
        ("ServiceAccount", optional(spec, "serviceAccountName")),
        *(("Secret", at(item, "name")) for item in items(optional(spec, "imagePullSecrets"))),
        *(name for volume in items(optional(spec, "volumes")) for name in _volume(volume, named_by)),
    )
    yield from (
        (kind, name)
        for kind, name in names
        if name not in (None, "") and (kind, name) != ("ServiceAccount", "default")
    )


def environment(spec: Value) -> Names:
    """What the containers and init containers of a pod spec take their environment from."""
    for field in ("containers", "initContainers"):
        for container in items(optional(spec, field)):
            yield from (item for item in container_environment(container) if item[1] not in (None, ""))


def container_environment(container: Value) -> Names:
    """What one container takes its environment from; a reference without a name has the name None."""
    for source in items(at(container, "envFrom")):
        for kind, field in (("ConfigMap", "configMapRef"), ("Secret", "secretRef")):
            if at(source, field) is not None:
                yield kind, at(source, field, "name")
    for variable in items(at(container, "env")):
        for kind, field in (("ConfigMap", "configMapKeyRef"), ("Secret", "secretKeyRef")):
            if optional(variable, "valueFrom", field) is not None:
                yield kind, at(variable, "valueFrom", field, "name")


def _volume(volume: Value, named_by: str) -> Names:
    yield "ConfigMap", optional(volume, "configMap", "name")
    yield "Secret", optional(volume, "secret", named_by)
    yield "PersistentVolumeClaim", optional(volume, "persistentVolumeClaim", "claimName")
    for source in items(optional(volume, "projected", "sources")):
        yield "ConfigMap", optional(source, "configMap", "name")
        yield "Secret", optional(source, "secret", "name")
    for kind, path in _SECRET_SOURCES:
        yield "Secret", optional(volume, kind, *path)


def _pod_template(template: Value) -> Value:
    if not isinstance(template, dict | list):
        raise InterpretError("there is no pod template")
    cleaned = without_empty(template)
    fault = mistake("PodTemplateSpec", cleaned if cleaned or isinstance(cleaned, dict) else {})
    if fault:
        raise InterpretError(f"the pod template does not fit: {fault}")
    return cleaned


def _quantities(request: Value) -> Iterator[tuple[str, Quantity]]:
    for name, value in mapping(request).items():
        yield name, parse_quantity(value) or ZERO
