"""The names of other objects that a pod spec refers to.

Optional references count too. Source: Karmada pkg/util/helper/pod.go, pkg/util/lifted/visitpod.go.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from renderer.document.values import Object, Value, dig, mapping, sequence, text
from renderer.model.interpretation import Dependency

# Only the first source that a volume has is looked at, in this order.
_SECRET_SOURCES: Final = (
    ("azureFile", ("secretName",)),
    ("cephfs", ("secretRef", "name")),
    ("cinder", ("secretRef", "name")),
    ("flexVolume", ("secretRef", "name")),
    ("projected", ()),
    ("rbd", ("secretRef", "name")),
    ("secret", ("secretName",)),
    ("scaleIO", ("secretRef", "name")),
    ("iscsi", ("secretRef", "name")),
    ("storageos", ("secretRef", "name")),
    ("csi", ("nodePublishSecretRef", "name")),
)


def pod_dependencies(pod_spec: Value, namespace: str) -> tuple[Dependency, ...]:
    """ConfigMaps, Secrets, ServiceAccount and claims of a pod spec: each once, a kind in order of name."""
    spec = mapping(pod_spec)
    names = (
        ("ConfigMap", config_map_names(spec)),
        ("Secret", secret_names(spec)),
        ("ServiceAccount", _service_account_names(spec)),
        ("PersistentVolumeClaim", _claim_names(spec)),
    )
    return tuple(
        Dependency(api_version="v1", kind=kind, namespace=namespace, name=name)
        for kind, found in names
        for name in sorted(set(found))
        if name
    )


def config_map_names(spec: Object) -> Iterator[str]:
    """Names of ConfigMaps, in the order written; some may be empty."""
    for container in _containers(spec):
        yield from _environment_names(container, "configMapRef", "configMapKeyRef")
    for volume in sequence(spec.get("volumes")):
        if dig(volume, "projected") is not None:
            yield from (text(dig(source, "configMap", "name")) for source in _projected(volume))
        else:
            yield text(dig(volume, "configMap", "name"))


def secret_names(spec: Object) -> Iterator[str]:
    """Names of Secrets, in the order written; some may be empty."""
    yield from (text(dig(item, "name")) for item in sequence(spec.get("imagePullSecrets")))
    for container in _containers(spec):
        yield from _environment_names(container, "secretRef", "secretKeyRef")
    for volume in sequence(spec.get("volumes")):
        source = next((pair for pair in _SECRET_SOURCES if dig(volume, pair[0]) is not None), None)
        if source is None:
            continue
        kind, path = source
        if kind == "projected":
            yield from (text(dig(item, "secret", "name")) for item in _projected(volume))
        else:
            yield text(dig(volume, kind, *path))


def _service_account_names(spec: Object) -> Iterator[str]:
    name = text(spec.get("serviceAccountName"))
    if name != "default":
        yield name


def _claim_names(spec: Object) -> Iterator[str]:
    yield from (
        text(dig(volume, "persistentVolumeClaim", "claimName")) for volume in sequence(spec.get("volumes"))
    )


def _containers(spec: Object) -> Iterator[Value]:
    for field in ("initContainers", "containers", "ephemeralContainers"):
        yield from sequence(spec.get(field))


def _environment_names(container: Value, whole: str, single: str) -> Iterator[str]:
    yield from (text(dig(item, whole, "name")) for item in sequence(dig(container, "envFrom")))
    yield from (text(dig(item, "valueFrom", single, "name")) for item in sequence(dig(container, "env")))


def _projected(volume: Value) -> Iterator[Value]:
    yield from sequence(dig(volume, "projected", "sources"))
