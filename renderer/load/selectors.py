"""JSON to selectors and cluster affinities, as policies, bindings and taint policies write them.

The functions take whatever stands there: a part of another type reads as absent.
"""

from __future__ import annotations

from renderer.document.values import Object, Value, mapping, sequence, text
from renderer.model.placement import ClusterAffinity
from renderer.model.selectors import FieldSelector, LabelSelector, Requirement, ResourceSelector


def texts(value: Value) -> tuple[str, ...]:
    """A list of strings."""
    return tuple(text(item) for item in sequence(value))


def text_pairs(value: Value) -> tuple[tuple[str, str], ...]:
    """A map of strings, as pairs in the order written."""
    return tuple((key, text(item)) for key, item in mapping(value).items())


def requirements_of(value: Value) -> tuple[Requirement, ...]:
    """The matchExpressions of a label selector or field selector."""
    return tuple(
        Requirement(
            key=text(item.get("key")), operator=text(item.get("operator")), values=texts(item.get("values"))
        )
        for item in map(mapping, sequence(value))
    )


def label_selector_of(value: Value) -> LabelSelector | None:
    """A label selector; None where it is absent, which is not the same as empty."""
    if not isinstance(value, dict):
        return None
    return LabelSelector(
        match_labels=text_pairs(value.get("matchLabels")),
        match_expressions=requirements_of(value.get("matchExpressions")),
    )


def field_selector_of(value: Value) -> FieldSelector | None:
    """A field selector; None where it is absent."""
    if not isinstance(value, dict):
        return None
    return FieldSelector(match_expressions=requirements_of(value.get("matchExpressions")))


def resource_selectors_of(value: Value) -> tuple[ResourceSelector, ...]:
    """The resource selectors of a policy."""
    return tuple(
        ResourceSelector(
            api_version=text(item.get("apiVersion")),
            kind=text(item.get("kind")),
            namespace=text(item.get("namespace")),
            name=text(item.get("name")),
            label_selector=label_selector_of(item.get("labelSelector")),
        )
        for item in map(mapping, sequence(value))
    )


def affinity_of(value: Object) -> ClusterAffinity:
    """A cluster affinity that is present."""
    return ClusterAffinity(
        label_selector=label_selector_of(value.get("labelSelector")),
        field_selector=field_selector_of(value.get("fieldSelector")),
        cluster_names=texts(value.get("clusterNames")),
        exclude=texts(value.get("exclude")),
    )


def optional_affinity_of(value: Value) -> ClusterAffinity | None:
    """A cluster affinity; None where it is absent, which admits every cluster as an empty one does."""
    return affinity_of(value) if isinstance(value, dict) else None
