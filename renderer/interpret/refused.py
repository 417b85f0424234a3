"""What an API server refuses though each value is of its type: fields that do not go together.

Source: k8s.io/kubernetes pkg/apis/{core,apps,batch}/validation, v1.36.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from renderer.document.values import Object, Value, dig, mapping, sequence, text
from renderer.interpret.misfits import Misfit, struct_of
from renderer.interpret.required import missing

_TEMPLATE: Final = ("spec", "template", "spec")
# kind: where its pods are described. A bare Pod may be completed by what is injected.
_PODS: Final = {
    "CronJob": ("spec", "jobTemplate", *_TEMPLATE),
    "DaemonSet": _TEMPLATE,
    "Deployment": _TEMPLATE,
    "Job": _TEMPLATE,
    "ReplicaSet": _TEMPLATE,
    "StatefulSet": _TEMPLATE,
}
_KEYED: Final = {"ConfigMap": ("data", "binaryData"), "Secret": ("data", "stringData")}
_KEY: Final = re.compile(r"[-._a-zA-Z0-9]+")
_ENDING: Final = frozenset({"CronJob", "Job"})


def refused(body: Object) -> Iterator[Misfit]:
    """Required fields that are missing, and values that others forbid; none where the kind is not known."""
    struct = struct_of(body)
    if struct is None:
        return
    yield from missing(body)
    if struct.name == "Service":
        yield from _unnamed_ports(body)
    if struct.name in _KEYED:
        yield from _keys(body)
    path = _PODS.get(struct.name, ())
    pod = dig(body, *path) if path else None
    if isinstance(pod, dict) and pod:
        yield from _restarts(pod, path, ends=struct.name in _ENDING)
        if struct.name != "StatefulSet":  # its claims are volumes, too
            yield from _mounts(pod, path)


def _keys(body: Object) -> Iterator[Misfit]:
    """They are names of files."""
    for field in _KEYED[text(body.get("kind"))]:
        for key in mapping(body.get(field)):
            if not _KEY.fullmatch(key) or len(key) > 253 or key == "." or key.startswith(".."):
                yield Misfit((field, key), key, "a key of letters, digits, '-', '_' and '.'")


def _unnamed_ports(body: Object) -> Iterator[Misfit]:
    ports = sequence(dig(body, "spec", "ports"))
    for index, port in enumerate(ports if len(ports) > 1 else ()):
        if isinstance(port, dict) and not port.get("name"):
            yield Misfit(("spec", "ports", str(index), "name"), None, is_missing=True)


def _restarts(pod: Object, path: tuple[str, ...], *, ends: bool) -> Iterator[Misfit]:
    """Pods of a Job end, all others go on; what is not stated is Always."""
    stated, tokens = pod.get("restartPolicy"), (*path, "restartPolicy")
    if ends and stated is None:
        yield Misfit(tokens, None, is_missing=True)
    elif isinstance(stated, str) and stated not in (("Never", "OnFailure") if ends else ("Always",)):
        yield Misfit(tokens, stated, '"Never" or "OnFailure"' if ends else '"Always"')


def _mounts(pod: Object, path: tuple[str, ...]) -> Iterator[Misfit]:
    volumes = [_name(volume) for volume in sequence(pod.get("volumes"))]
    for field in ("initContainers", "containers"):
        for place, container in enumerate(sequence(pod.get(field))):
            for index, mount in enumerate(sequence(mapping(container).get("volumeMounts"))):
                name = _name(mount)
                if isinstance(name, str) and name not in volumes:
                    tokens = (*path, field, str(place), "volumeMounts", str(index), "name")
                    yield Misfit(tokens, name, "the name of a volume")


def _name(item: Value) -> Value:
    return mapping(item).get("name")
