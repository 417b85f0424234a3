"""Leave out clusters that lack the property a spread constraint groups by.

Source: Karmada pkg/scheduler/framework/plugins/spreadconstraint.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Final

from renderer.match.fleet import Fleet, Mask
from renderer.model.cluster import Cluster
from renderer.model.decision import Reasons
from renderer.schedule.question import Question

_WORDS: Final = {"provider": "provider", "region": "region", "zone": "zones"}


@dataclass(frozen=True, slots=True)
class SpreadConstraintFilter:
    """Reject a cluster without provider, region or zones where a constraint is by that.

    It does so even where the constraints are ignored otherwise, as with static weights.
    """

    name: str = "SpreadConstraint"
    spares_targets: bool = False

    def passing(self, question: Question, fleet: Fleet) -> Mask:
        fields = _fields(question)
        if not fields:
            return fleet.everything
        return fleet.where(_properties, fields, lambda cluster: not _lacking(fields, cluster))

    def reasons(self, question: Question, cluster: Cluster) -> Reasons:
        return tuple(
            f"has no {word}, and a spread constraint is by {field}"
            for field, word in _lacking(_fields(question), cluster)
        )

    def told(self, question: Question, cluster: Cluster) -> str:
        return f"cluster(s) did not have {_lacking(_fields(question), cluster)[0][1]} property"


def _fields(question: Question) -> tuple[str, ...]:
    """The properties that constraints ask for, each once, in the order written."""
    fields = (constraint.spread_by_field for constraint in question.placement.spread_constraints)
    return tuple(dict.fromkeys(field for field in fields if field in _WORDS))


def _lacking(fields: tuple[str, ...], cluster: Cluster) -> tuple[tuple[str, str], ...]:
    has = {"provider": cluster.provider, "region": cluster.region, "zone": cluster.zones}
    return tuple((field, _WORDS[field]) for field in fields if not has[field])


def _properties(cluster: Cluster) -> Hashable:
    return (bool(cluster.provider), bool(cluster.region), bool(cluster.zones))
