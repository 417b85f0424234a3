"""What makes an object the same object."""

from __future__ import annotations

from dataclasses import dataclass

from renderer.document.values import Object, dig, text


def group_of(api_version: str) -> str:
    """The API group of an apiVersion: `apps` of `apps/v1`, empty for the core group's `v1`."""
    group, slash, _ = api_version.rpartition("/")
    return group if slash else ""


@dataclass(frozen=True, slots=True, order=True)
class Identity:
    """apiVersion, kind, namespace (empty: cluster-scoped) and name of an object."""

    api_version: str
    kind: str
    namespace: str
    name: str

    @property
    def group(self) -> str:
        """The API group, empty for the core group."""
        return group_of(self.api_version)

    @property
    def key(self) -> tuple[str, str, str, str]:
        """Group, kind, namespace, name: two objects with one key are one object to a cluster."""
        return (self.group, self.kind, self.namespace, self.name)

    def __str__(self) -> str:
        """Give `Deployment shop/web`, as messages name an object."""
        return f"{self.kind} {self.namespace}/{self.name}" if self.namespace else f"{self.kind} {self.name}"


def identity_of(body: Object) -> Identity:
    """The identity an object states; absent or non-string parts are empty."""
    return Identity(
        text(body.get("apiVersion")),
        text(body.get("kind")),
        text(dig(body, "metadata", "namespace")),
        text(dig(body, "metadata", "name")),
    )


def string_map(value: object) -> dict[str, str] | None:
    """A map of strings to strings, or None where it is anything else.

    Karmada reads labels and annotations all or nothing: one value that is no string and there are none.
    Source: k8s.io/apimachinery unstructured.NestedStringMap.
    """
    if isinstance(value, dict) and all(isinstance(item, str) for item in value.values()):
        return value
    return None


def labels_of(body: Object) -> dict[str, str]:
    """metadata.labels, empty where absent or unreadable."""
    return string_map(dig(body, "metadata", "labels")) or {}


def annotations_of(body: Object) -> dict[str, str]:
    """metadata.annotations, empty where absent or unreadable."""
    return string_map(dig(body, "metadata", "annotations")) or {}
