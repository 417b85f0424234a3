"""`spec.guards` of `krender.yaml` to settings; it conforms to the schema already."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from renderer.document.values import Object, Value, mapping, sequence, text
from renderer.model.guards import Budget, GuardSettings, Waiver


def guard_settings(stated: Object) -> GuardSettings:
    """The settings; what is not stated has its default."""
    defaults = GuardSettings()
    weights = stated.get("weights")
    return GuardSettings(
        deletions=_budget(stated.get("deletions"), defaults.deletions),
        emptied_clusters=_budget(stated.get("emptiedClusters"), defaults.emptied_clusters),
        lost_clusters=_budget(stated.get("lostClusters"), defaults.lost_clusters),
        moved_replicas=_budget(stated.get("movedReplicas"), defaults.moved_replicas),
        directory_bytes=_number(stated, "directoryBytes", defaults.directory_bytes),
        weights=tuple(_weights(defaults.weights, mapping(weights)).items()),
        waivers=tuple(_waiver(mapping(waiver)) for waiver in sequence(stated.get("waivers"))),
    )


def _budget(stated: Value, default: Budget) -> Budget:
    fields = mapping(stated)
    return Budget(
        free=_number(fields, "free", default.free),
        percent=_number(fields, "percent", default.percent),
        most=_number(fields, "most", default.most),
    )


def _number(fields: Object, name: str, default: int) -> int:
    value = fields.get(name)
    return value if isinstance(value, int) else default


def _weights(defaults: Iterable[tuple[str, int]], stated: Object) -> Mapping[str, int]:
    """The weights by kind: those of the kinds that are not named stay."""
    return {**dict(defaults), **{kind: _number(stated, kind, 1) for kind in stated}}


def _waiver(stated: Object) -> Waiver:
    return Waiver(
        guard=text(stated.get("guard")),
        objects=_texts(stated.get("objects")),
        clusters=_texts(stated.get("clusters")) or ("*",),
        reason=text(stated.get("reason")),
    )


def _texts(value: Value) -> tuple[str, ...]:
    return tuple(text(item) for item in sequence(value))
