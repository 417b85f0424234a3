"""One object as a file."""

from __future__ import annotations

from typing import Final

from renderer.document.emit import emit
from renderer.document.values import Object
from renderer.model.tree import Blob

_FIRST: Final = ("apiVersion", "kind", "metadata")


def manifest_file(body: Object) -> Blob:
    """The object as YAML: apiVersion, kind and metadata first, then the keys in the template's order."""
    first = {key: body[key] for key in _FIRST if key in body}
    return Blob(emit({**first, **{key: value for key, value in body.items() if key not in first}}).encode())
