"""An Application or Kustomization would go, and take along what it applied to a cluster that stays.

That is so when it gets another name or another engine, or is made by somebody else. Its successor applies the
objects while they are being deleted, or finds them gone.
"""

from __future__ import annotations

from collections.abc import Iterator

from renderer.model.delivery_engine import Engine
from renderer.model.guards import CASCADING_UNITS
from renderer.publish.guards.situation import Situation
from renderer.publish.guards.stop import Stop, plural

_SAFE = {
    Engine.ARGOCD: "set delivery.argocd.preserveResourcesOnDeletion to true",
    Engine.FLUX: "set delivery.flux.deletionPolicy to Orphan",
}


def cascading_units(situation: Situation) -> Iterator[Stop]:
    """Look at those that go where the settings say that their objects go with them."""
    delivery = situation.plan.workspace.config.delivery
    for engine, safe in _SAFE.items():
        if not delivery.cascades(engine):
            continue
        going = []
        for unit in situation.lost_units:
            slug = situation.renamed.get(unit.slug, unit.slug)
            named = f"{engine.unit} {unit.name}"
            if unit.engine is engine and slug in situation.clusters:
                going += [named] if situation.unwaived(CASCADING_UNITS, named, [slug]) else []
        if going:
            yield Stop(
                guard=CASCADING_UNITS,
                what=f"{plural(len(going), engine.unit)} of clusters that stay would go, and their objects",
                why=f"{engine.product} deletes in the cluster what a deleted {engine.unit} had applied",
                objects=tuple(going),
                fix=f"{safe}, publish that and have it applied, and make this change in a publish after it",
            )
