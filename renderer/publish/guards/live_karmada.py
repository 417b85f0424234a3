"""An object would be published that a live Karmada has for its own."""

from __future__ import annotations

from collections.abc import Iterator

from renderer.model.carried import clusters_of, marks, written
from renderer.model.guards import LIVE_KARMADA
from renderer.model.karmada_keys import is_karmadas
from renderer.publish.guards.situation import Situation
from renderer.publish.guards.stop import Stop, plural


def live_karmada(situation: Situation) -> Iterator[Stop]:
    """Look at every template that goes anywhere; the finding KR801 says the same before."""
    found: list[str] = []
    for rendering in written(situation.plan):
        named = str(rendering.template.identity)
        if marks(rendering, is_karmadas):
            slugs = [situation.slugs[name] for name in clusters_of(rendering)]
            clusters = situation.unwaived(LIVE_KARMADA, named, slugs)
            found += [situation.on(named, clusters)] if clusters else []
    if found:
        yield Stop(
            guard=LIVE_KARMADA,
            what=f"{plural(len(found), 'object')} would be published with the marks of a live Karmada",
            why="if it still propagates them, it and whoever applies the published ones undo each other",
            objects=tuple(found),
            fix="take them from that Karmada, then write takeOver: true in spec of krender.yaml",
        )
