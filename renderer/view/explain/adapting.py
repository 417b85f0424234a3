"""What was done to manifests because of the engine that applies them, as facts and as it is read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from renderer.document.patch import ABSENT
from renderer.document.values import Object, Value, mapping, sequence, text
from renderer.model.adaptation import Adaptation
from renderer.model.plan import Manifest, Rendering
from renderer.view.explain.changes import change
from renderer.view.explain.overriding import is_hidden
from renderer.view.explain.page import Line, Tone, names
from renderer.view.explain.reading import Reading, is_among
from renderer.view.redaction import redacted


def adaptation_facts(reading: Reading, rendering: Rendering, cluster: str = "") -> Iterator[Object]:
    """Each distinct way in which manifests were adapted, with the clusters that have it."""
    for manifest in rendering.manifests:
        if manifest.adapted and (not cluster or is_among(cluster, manifest.clusters)):
            yield {
                "clusters": [cluster] if cluster else list(manifest.clusters),
                "fields": [_field(reading, rendering, manifest, item) for item in manifest.adapted],
            }


def _field(reading: Reading, rendering: Rendering, manifest: Manifest, item: Adaptation) -> Object:
    facts: dict[str, Value] = {"by": item.by, "path": item.path, **shown_values(rendering, manifest, item)}
    facts |= {"changed": item.changed, "ignored": item.ignored, "withheld": item.withheld}
    source = reason_place(reading, item)
    return {**facts, "because": item.reason, **({"source": source} if source else {})}


def shown_values(rendering: Rendering, manifest: Manifest, item: Adaptation) -> dict[str, Value]:
    """The values before and after, where there are any and they may be shown."""
    found: dict[str, Value] = {}
    for name, value in (("before", item.before), ("after", item.after)):
        shown = redacted(value, item.path, secret=is_hidden(rendering, manifest))
        if shown is not ABSENT:
            found[name] = shown
    return found


def reason_place(reading: Reading, item: Adaptation) -> str:
    """Where the object stands that is the reason; empty where there is none, or an override renamed it."""
    found = (
        rendering.template.document
        for rendering in reading.plan.renderings
        if rendering.template.identity == item.because
    )
    return reading.place(next(found, None)) if item.because else ""


def adaptation_block(facts: Object) -> Iterator[Line]:
    """Field by field, each way once with the clusters that have it."""
    found: dict[tuple[str, str, str], list[str]] = {}  # what, why, source
    for outcome in map(mapping, sequence(facts.get("adapted"))):
        for field in map(mapping, sequence(outcome.get("fields"))):
            key = (_did(field), text(field.get("because")), text(field.get("source")))
            found.setdefault(key, []).extend(map(text, sequence(outcome.get("clusters"))))
    if found:
        yield Line(_TITLE)
    for (did, because, source), clusters in found.items():
        yield Line(f"{did}  on {names(sorted(clusters))}", indent=2)
        yield Line(because, indent=4, source=source, tone=Tone.QUIET)


_TITLE: Final = "adapted to who applies it"


def _did(field: Object) -> str:
    path = text(field.get("path"))
    if field.get("withheld"):
        return f"{path}  not touched, for SOPS has sealed it"
    alone = ", left alone" if field.get("ignored") else ""
    return f"{path}  {change(field)}{alone}"
