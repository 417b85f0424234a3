"""Labels and annotations that a template has and that the manifests made of it have still."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from renderer.document.pointer import escape
from renderer.document.values import dig, mapping, text
from renderer.model.plan import Plan, Rendering
from renderer.model.variants import alike

FIELDS: Final = ("labels", "annotations")


@dataclass(frozen=True, slots=True)
class Mark:
    """An entry of `labels` or `annotations`."""

    field: str
    key: str
    value: str

    @property
    def pointer(self) -> str:
        """Where it stands in the object."""
        return f"/metadata/{self.field}/{escape(self.key)}"

    def __str__(self) -> str:
        """Give `the label KEY`."""
        return f"the {self.field.removesuffix('s')} {self.key}"


def written(plan: Plan) -> Iterator[Rendering]:
    """The templates of which something is written anew."""
    for rendering in plan.renderings:
        if rendering.manifests and not rendering.keeps_files:
            yield rendering


def marks(rendering: Rendering, wanted: Callable[[str, str], bool]) -> list[Mark]:
    """The entries that are `wanted` by field and key, in the order of the template.

    One that overrides remove on every cluster is not there.
    """
    bodies = [manifest.body for manifest in alike(rendering.manifests)] or [rendering.template.body]
    found: list[Mark] = []
    for field in FIELDS:
        for key, value in mapping(dig(rendering.template.body, "metadata", field)).items():
            if wanted(field, key) and any(dig(body, "metadata", field, key) is not None for body in bodies):
                found.append(Mark(field, key, text(value)))
    return found


def clusters_of(rendering: Rendering) -> tuple[str, ...]:
    """The clusters that get something of a template, by name."""
    manifests = alike(rendering.manifests)
    if len(manifests) == 1:
        return manifests[0].clusters
    return tuple(sorted({name for manifest in manifests for name in manifest.clusters}))
