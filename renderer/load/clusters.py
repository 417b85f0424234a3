"""A Cluster object's JSON to the model, as tolerantly as Karmada's scheduler reads it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from renderer.document.source import Document
from renderer.document.values import Object, Value, dig, mapping, sequence, text
from renderer.model.cluster import (
    Cluster,
    Condition,
    ResourceModel,
    ResourceModelRange,
    ResourceSummary,
    Taint,
)
from renderer.model.delivery_engine import Engine
from renderer.model.identity import annotations_of, labels_of
from renderer.model.quantity import Quantity, parse_quantity
from renderer.model.slug import is_portable, slug

CLUSTER_API = "cluster.karmada.io/v1alpha1"
CLUSTER_KIND = "Cluster"

# What krender knows of a cluster and Karmada does not, on a genuine Cluster object.
PAUSED = "krender.io/paused"
FROZEN = "krender.io/frozen"
PROTECTED = "krender.io/protected"
WAVE = "krender.io/wave"
ENGINE = "krender.io/engine"
OBSERVED_AT = "krender.io/observed-at"
SOURCE = "krender.io/source"
SLUG = "krender.io/slug"
PREVIOUS_NAME = "krender.io/previous-name"

_DIGITS = 10

Apis = tuple[tuple[str, tuple[str, ...]], ...]
Amounts = tuple[tuple[str, Quantity], ...]


def cluster_of(body: Object, document: Document | None = None, *, apis_known: bool = True) -> Cluster:
    """The cluster that an object describes; what cannot be read counts as absent.

    Nothing is validated and nothing defaulted: that is admission's part, which has `spec.zone` moved into
    `spec.zones` and resource models filled in. `apis_known` is False where nobody looked for its APIs.
    """
    spec, status = mapping(body.get("spec")), mapping(body.get("status"))
    name = text(dig(body, "metadata", "name"))
    cluster = Cluster(
        name=name,
        slug=slug(name),
        labels=tuple(labels_of(body).items()),
        provider=text(spec.get("provider")),
        region=text(spec.get("region")),
        zones=tuple(text(zone) for zone in sequence(spec.get("zones"))),
        taints=tuple(_taints(spec.get("taints"))),
        sync_mode=text(spec.get("syncMode")) or "Push",
        server=text(spec.get("apiEndpoint")),
        api_enablements=_apis(_Same(status.get("apiEnablements"))),
        apis_known=apis_known,
        resource_summary=_summary(status.get("resourceSummary")),
        resource_models=_models(_Same(spec.get("resourceModels"))),
        conditions=tuple(_conditions(status.get("conditions"))),
        deletion_timestamp=text(dig(body, "metadata", "deletionTimestamp")),
        kubernetes_version=text(status.get("kubernetesVersion")),
        body=body,
        document=document,
    )
    notes = annotations_of(body)
    return _noted(cluster, notes) if any(key.startswith("krender.io/") for key in notes) else cluster


def _noted(cluster: Cluster, notes: dict[str, str]) -> Cluster:
    stated = notes.get(SLUG, "")
    return replace(
        cluster,
        slug=stated if is_portable(stated) else cluster.slug,
        paused=notes.get(PAUSED) == "true",
        frozen=notes.get(FROZEN) == "true",
        protected=notes.get(PROTECTED) == "true",
        wave=wave_of(notes.get(WAVE, "")) or 0,
        engine=engine_of(notes.get(ENGINE, "")),
        previous_name=notes.get(PREVIOUS_NAME, ""),
        observed_at=notes.get(OBSERVED_AT, ""),
        observed_source=notes.get(SOURCE, ""),
    )


def wave_of(text: str) -> int | None:
    """The number that an annotation states, None where it states none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < _DIGITS else None


def engine_of(text: str) -> Engine | None:
    """The engine that an annotation names, None where it names none."""
    return Engine(text) if text in set(Engine) else None


def _taints(value: Value) -> Iterator[Taint]:
    for taint in map(mapping, sequence(value)):
        yield Taint(
            key=text(taint.get("key")),
            value=text(taint.get("value")),
            effect=text(taint.get("effect")),
            time_added=text(taint.get("timeAdded")),
        )


class _Same:
    """A value by which it is, not by what is in it: for asking once about what many clusters share."""

    def __init__(self, value: Value) -> None:
        self.value = value

    def __hash__(self) -> int:
        return id(self.value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.value is self.value


@lru_cache(maxsize=1024)
def _apis(same: _Same) -> Apis:
    return _shared(
        tuple(
            (
                text(enablement.get("groupVersion")),
                tuple(
                    text(mapping(resource).get("kind")) for resource in sequence(enablement.get("resources"))
                ),
            )
            for enablement in map(mapping, sequence(same.value))
        )
    )


@lru_cache(maxsize=1024)
def _shared(apis: Apis) -> Apis:
    """One tuple for equal ones: most clusters of a fleet serve the same."""
    return apis


def _summary(value: Value) -> ResourceSummary | None:
    if not isinstance(value, dict):
        return None
    return ResourceSummary(
        allocatable=_amounts(value.get("allocatable")),
        allocated=_amounts(value.get("allocated")),
        allocating=_amounts(value.get("allocating")),
        allocatable_modelings=tuple(
            (_whole(entry.get("grade")), _whole(entry.get("count")))
            for entry in map(mapping, sequence(value.get("allocatableModelings")))
        ),
    )


def _amounts(value: Value) -> Amounts:
    parsed = ((name, parse_quantity(amount)) for name, amount in mapping(value).items())
    return tuple((name, amount) for name, amount in parsed if amount is not None)


@lru_cache(maxsize=1024)
def _models(same: _Same) -> tuple[ResourceModel, ...]:
    return tuple(
        ResourceModel(grade=_whole(model.get("grade")), ranges=tuple(_ranges(model.get("ranges"))))
        for model in map(mapping, sequence(same.value))
    )


def _ranges(value: Value) -> Iterator[ResourceModelRange]:
    for entry in map(mapping, sequence(value)):
        low, high = parse_quantity(entry.get("min")), parse_quantity(entry.get("max"))
        if low is not None and high is not None:
            yield ResourceModelRange(name=text(entry.get("name")), min=low, max=high)


def _conditions(value: Value) -> Iterator[Condition]:
    for condition in map(mapping, sequence(value)):
        yield Condition(
            type=text(condition.get("type")),
            status=text(condition.get("status")),
            reason=text(condition.get("reason")),
            message=text(condition.get("message")),
            last_transition_time=text(condition.get("lastTransitionTime")),
        )


def _whole(value: Value) -> int:
    return value if isinstance(value, int) else 0
