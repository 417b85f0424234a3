"""What interpreting a resource template says about it."""

from __future__ import annotations

from dataclasses import dataclass

from renderer.document.values import Object, Value
from renderer.model.binding import Component, ReplicaRequirements
from renderer.model.selectors import LabelSelector


class InterpretError(Exception):
    """An object cannot be interpreted; the text says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dependency:
    """An object, or the objects with certain labels, that a template needs beside it."""

    api_version: str
    kind: str
    namespace: str = ""
    name: str = ""
    label_selector: LabelSelector | None = None

    def to_json(self) -> Object:
        """Karmada's DependentObjectReference, without what is empty."""
        reference: dict[str, Value] = {"apiVersion": self.api_version, "kind": self.kind}
        if self.namespace:
            reference["namespace"] = self.namespace
        if self.name:
            reference["name"] = self.name
        if self.label_selector is not None:
            reference["labelSelector"] = _selector_json(self.label_selector)
        return reference


@dataclass(frozen=True, slots=True, kw_only=True)
class Workload:
    """The desired replicas of an object and what each of them needs."""

    replicas: int
    requirements: ReplicaRequirements | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Interpretation:
    """All that the steps after this one need to know about a template.

    `workload` is None for a kind without a replica interpretation; `revisable` tells whether its replicas
    can be set. `error` is why replicas or components could not be read: then there is no binding.
    `dependencies_error` stops the distribution of dependencies alone.
    """

    workload: Workload | None = None
    components: tuple[Component, ...] = ()
    dependencies: tuple[Dependency, ...] = ()
    revisable: bool = False
    error: str = ""
    dependencies_error: str = ""


def _selector_json(selector: LabelSelector) -> Object:
    result: dict[str, Value] = {}
    if selector.match_labels:
        result["matchLabels"] = dict(selector.match_labels)
    if selector.match_expressions:
        result["matchExpressions"] = [
            {
                "key": item.key,
                "operator": item.operator,
                **({"values": list(item.values)} if item.values else {}),
            }
            for item in selector.match_expressions
        ]
    return result
