"""Labels and annotations that a live Karmada writes on objects which are its own.

What users write to steer Karmada (`work.karmada.io/conflict-resolution`, `retain-replicas`, …) is not among
them. Source: Karmada pkg/apis/policy/v1alpha1/well_known_constants.go,
pkg/apis/work/v1alpha2/well_known_constants.go, pkg/util/constants.go.
"""

from __future__ import annotations

from typing import Final

from renderer.document.edit import placed, removed
from renderer.document.values import Object, dig

_PREFIXES: Final = (
    "propagationpolicy.karmada.io/",
    "clusterpropagationpolicy.karmada.io/",
    "resourcebinding.karmada.io/",
    "clusterresourcebinding.karmada.io/",
)
_KEYS: Final = frozenset(
    {
        "karmada.io/managed",
        "work.karmada.io/permanent-id",
        "work.karmada.io/name",
        "work.karmada.io/namespace",
        "resourcetemplate.karmada.io/uid",
        "resourcetemplate.karmada.io/generation",
        "resourcetemplate.karmada.io/managed-labels",
        "resourcetemplate.karmada.io/managed-annotations",
        "policy.karmada.io/applied-overrides",
        "policy.karmada.io/applied-cluster-overrides",
    }
)


def is_karmadas(_field: str, key: str) -> bool:
    """Whether a label or annotation is one that only Karmada itself writes."""
    return key in _KEYS or key.startswith(_PREFIXES)


def without_karmadas(body: Object) -> Object:
    """The object without them; a map that held nothing else is gone."""
    for field in ("labels", "annotations"):
        entries = dig(body, "metadata", field)
        if not isinstance(entries, dict):
            continue
        kept = {key: value for key, value in entries.items() if not is_karmadas(field, key)}
        if len(kept) < len(entries):
            body = placed(body, kept, "metadata", field) if kept else removed(body, "metadata", field)
    return body
