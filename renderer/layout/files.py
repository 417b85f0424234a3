"""One object as a file."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, TypeAlias

from renderer.document.emit import emit, scalar
from renderer.document.values import Object
from renderer.model.holes import END, MARK
from renderer.model.template import Template
from renderer.model.tree import Blob, Filled
from renderer.model.variants import Variant, Variants

_FIRST: Final = ("apiVersion", "kind", "metadata")
_HOLE: Final = re.compile(f"{MARK}([0-9]+){END}")

_Numbers: TypeAlias = tuple[int, ...]
_Values: TypeAlias = tuple[str, ...]


def manifest_file(body: Object, template: Template) -> Blob:
    """The object as YAML: apiVersion, kind and metadata first, then the keys in the template's order.

    What is encrypted with SOPS stays as it was read, byte for byte.
    """
    raw = template.document.raw if template.document else None
    if raw is not None and body is template.body:
        return Blob(raw)
    return Blob(_written(body).encode())


def _written(body: Object) -> str:
    first = {key: body[key] for key in _FIRST if key in body}
    return emit({**first, **{key: value for key, value in body.items() if key not in first}})


class Forms:
    """The files of manifests that differ in values only: what they have in common is written once."""

    def __init__(self) -> None:
        """Begin with none."""
        self._forms: dict[int, _Form] = {}
        self._values: dict[tuple[_Numbers, _Values], tuple[bytes, ...]] = {}

    def file(self, manifest: Variant, template: Template) -> Blob:
        """The file of one of them."""
        variants, values = manifest.variants, manifest.part.values
        known = self._forms.get(id(variants))
        if known is None:
            known = self._forms[id(variants)] = _form(variants)
        written = self._written(known.numbers, values)
        return Filled(known.texts, written) if all(written) else manifest_file(manifest.body, template)

    def _written(self, numbers: _Numbers, values: _Values) -> tuple[bytes, ...]:
        """The values as they stand in the text, in that order; empty for one that needs a block of lines."""
        key = (numbers, values)
        known = self._values.get(key)
        if known is None:
            known = self._values[key] = tuple(scalar(values[number]).encode() for number in numbers)
        return known


@dataclass(frozen=True, slots=True)
class _Form:
    variants: Variants  # kept here, so that its id stays its own
    texts: tuple[bytes, ...]
    numbers: _Numbers


def _form(variants: Variants) -> _Form:
    texts = _HOLE.split(_written(variants.body))  # text, number, text, number, …, text
    numbers = tuple(map(int, texts[1::2]))
    return _Form(variants, tuple(text.encode() for text in texts[::2]), numbers)
