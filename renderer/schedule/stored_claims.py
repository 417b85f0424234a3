"""The memory of sticky claims, read back from the published tree."""

from __future__ import annotations

from typing import Final

from renderer.document.values import Object, mapping, sequence, text
from renderer.model.claim_memory import ClaimMemory, PolicyKey, SeenPolicy, SeenTemplate
from renderer.model.identity import Identity
from renderer.model.memory_keys import CLAIMS
from renderer.model.tree import Tree
from renderer.schedule.stored_file import read_one
from renderer.schedule.stored_shape import TEXT, WHOLE, Fields, Items, one_of

_POLICY: Final = Fields({"namespace": TEXT, "name": TEXT}, needed=("name",))
_SHAPE: Final = Fields(
    {
        "kind": one_of("Claims"),
        "policies": Items(
            Fields(
                {"namespace": TEXT, "name": TEXT, "digest": TEXT, "priority": WHOLE},
                needed=("name", "digest"),
            )
        ),
        "templates": Items(
            Fields(
                {
                    "apiVersion": TEXT,
                    "kind": TEXT,
                    "namespace": TEXT,
                    "name": TEXT,
                    "digest": TEXT,
                    "claimedBy": _POLICY,
                },
                needed=("apiVersion", "kind", "name", "digest"),
            )
        ),
    },
    needed=("kind",),
)


def read_claims(tree: Tree) -> ClaimMemory | None:
    """What was remembered; None where claims were decided afresh. Raises InputError for nonsense."""
    document = read_one(tree, CLAIMS, _SHAPE)
    if document is None:
        return None
    body = mapping(document.value)
    policies = map(mapping, sequence(body.get("policies")))
    templates = map(mapping, sequence(body.get("templates")))
    return ClaimMemory(
        policies={_key(item): _policy(item) for item in policies},
        templates={_identity(item): _template(item) for item in templates},
    )


def _key(item: Object) -> PolicyKey:
    return (text(item.get("namespace")), text(item.get("name")))


def _policy(item: Object) -> SeenPolicy:
    priority = item.get("priority")
    return SeenPolicy(digest=text(item.get("digest")), priority=priority if isinstance(priority, int) else 0)


def _identity(item: Object) -> Identity:
    return Identity(*(text(item.get(key)) for key in ("apiVersion", "kind", "namespace", "name")))


def _template(item: Object) -> SeenTemplate:
    claimed_by = item.get("claimedBy")
    return SeenTemplate(
        digest=text(item.get("digest")),
        claimed_by=_key(claimed_by) if isinstance(claimed_by, dict) else None,
    )
