"""Leave out what a server wrote, so that a manifest can be applied to another server.

By kind alone, whatever its group. Source: Karmada
pkg/resourceinterpreter/default/native/prune/prune.go.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from renderer.document.edit import found, placed, removed
from renderer.document.values import Object, Value, dig, mapping, sequence, text
from renderer.interpret.workloads import fits
from renderer.model.identity import string_map
from renderer.model.interpretation import InterpretError

_SERVER_METADATA: Final = (
    "creationTimestamp",
    "deletionTimestamp",
    "deletionGracePeriodSeconds",
    "generation",
    "managedFields",
    "resourceVersion",
    "selfLink",
    "uid",
    "ownerReferences",
    "finalizers",
)
_REVISIONS: Final = ("deployment.kubernetes.io/revision", "deployment.kubernetes.io/revision-history")
_UID_LABELS: Final = ("controller-uid", "batch.kubernetes.io/controller-uid")
_JOB_LABELS: Final = (*_UID_LABELS, "job-name", "batch.kubernetes.io/job-name")
_SELECTED_NODE: Final = "volume.kubernetes.io/selected-node"
_TOKEN_TYPE: Final = "kubernetes.io/service-account-token"  # noqa: S105 - a type of Secret, not a secret
_TOKEN_UID: Final = "kubernetes.io/service-account.uid"  # noqa: S105 - an annotation


def prune(body: Object) -> Object:
    """The object without the fields a server fills in. Raises InterpretError where it cannot be told."""
    metadata = body.get("metadata")
    if isinstance(metadata, dict):
        kept = {key: value for key, value in metadata.items() if key not in _SERVER_METADATA}
        body = body if len(kept) == len(metadata) else {**body, "metadata": kept}
    pruner = _PRUNERS.get(text(body.get("kind")))
    body = removed(body, "status")
    return pruner(body) if pruner else body


def _deployment(body: Object) -> Object:
    for annotation in _REVISIONS:
        body = removed(body, "metadata", "annotations", annotation)
    return body


def _job(body: Object) -> Object:
    fits(body, "Job")
    if dig(body, "spec", "manualSelector") is not True:
        body = _without_labels(body, _UID_LABELS, "spec", "selector", "matchLabels")
        body = _without_labels(body, _JOB_LABELS, "spec", "template", "metadata", "labels")
    # A Job that a member's TTL controller deletes would be created again.
    return removed(body, "spec", "ttlSecondsAfterFinished")


def _without_labels(body: Object, labels: tuple[str, ...], *path: str) -> Object:
    value, there = found(body, *path)  # the object fits its type, so there are maps on the way
    if not there:
        return body
    current = string_map(value)
    if current is None:
        raise InterpretError(f"{'.'.join(path)} is not a map of strings")
    kept = {key: item for key, item in current.items() if key not in labels}
    return body if len(kept) == len(current) else placed(body, kept, *path)


def _service(body: Object) -> Object:
    address = dig(body, "spec", "clusterIP")
    if not isinstance(address, str) or address == "None":
        return body
    return removed(removed(body, "spec", "clusterIP"), "spec", "clusterIPs")


def _secret(body: Object) -> Object:
    if body.get("type") != _TOKEN_TYPE:
        return body
    return {**removed(body, "metadata", "annotations", _TOKEN_UID), "data": None}


def _service_account(body: Object) -> Object:
    prefix = f"{text(dig(body, 'metadata', 'name'))}-token-"
    secrets = list(sequence(body.get("secrets")))
    index = 0
    # Karmada's loop steps past the entry that moves into the place of a removed one.
    while index < len(secrets):
        if _secret_name(secrets[index]).startswith(prefix):
            del secrets[index]
        index += 1
    return body if len(secrets) == len(sequence(body.get("secrets"))) else {**body, "secrets": secrets}


def _secret_name(entry: Value) -> str:
    name = mapping(entry).get("name")
    if not isinstance(name, str):
        raise InterpretError("secrets has an entry without a name")
    return name


def _claim(body: Object) -> Object:
    node = dig(body, "metadata", "annotations", _SELECTED_NODE)
    return removed(body, "metadata", "annotations", _SELECTED_NODE) if text(node) else body


_PRUNERS: Final[Mapping[str, Callable[[Object], Object]]] = {
    "Deployment": _deployment,
    "Job": _job,
    "Service": _service,
    "Secret": _secret,
    "ServiceAccount": _service_account,
    "PersistentVolumeClaim": _claim,
}
