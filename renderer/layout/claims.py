"""The memory of sticky claims as a file."""

from __future__ import annotations

from collections.abc import Mapping

from renderer.document.emit import emit
from renderer.document.values import Object, Value
from renderer.model.claim_memory import ClaimMemory, PolicyKey, SeenPolicy, SeenTemplate
from renderer.model.identity import Identity
from renderer.model.memory_keys import CLAIMS, KRENDER_API


def claim_files(memory: ClaimMemory | None) -> Mapping[str, bytes]:
    """Path -> content; nothing where claims are decided afresh."""
    if memory is None:
        return {}
    body: Object = {
        "apiVersion": KRENDER_API,
        "kind": "Claims",
        "policies": [
            _policy(key, seen) for key, seen in sorted(memory.policies.items(), key=lambda item: item[0])
        ],
        "templates": [
            _template(identity, seen)
            for identity, seen in sorted(memory.templates.items(), key=lambda item: item[0])
        ],
    }
    return {CLAIMS: emit(body).encode()}


def _policy(key: PolicyKey, seen: SeenPolicy) -> Object:
    result: dict[str, Value] = {**_named(key), "digest": seen.digest}
    if seen.priority:
        result["priority"] = seen.priority
    return result


def _template(identity: Identity, seen: SeenTemplate) -> Object:
    result: dict[str, Value] = {"apiVersion": identity.api_version, "kind": identity.kind}
    result |= _named((identity.namespace, identity.name))
    result["digest"] = seen.digest
    if seen.claimed_by is not None:
        result["claimedBy"] = _named(seen.claimed_by)
    return result


def _named(key: PolicyKey) -> dict[str, Value]:
    """Namespace and name; a ClusterPropagationPolicy, as anything cluster-scoped, has no namespace."""
    namespace, name = key
    return {"namespace": namespace, "name": name} if namespace else {"name": name}
