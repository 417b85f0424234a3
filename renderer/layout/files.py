"""One object as a file."""

from __future__ import annotations

from typing import Final

from renderer.document.emit import emit
from renderer.document.values import Object
from renderer.model.template import Template
from renderer.model.tree import Blob

_FIRST: Final = ("apiVersion", "kind", "metadata")


def manifest_file(body: Object, template: Template) -> Blob:
    """The object as YAML: apiVersion, kind and metadata first, then the keys in the template's order.

    What is encrypted with SOPS stays as it was read, byte for byte.
    """
    raw = template.document.raw if template.document else None
    if raw is not None and body is template.body:
        return Blob(raw)
    first = {key: body[key] for key in _FIRST if key in body}
    return Blob(emit({**first, **{key: value for key, value in body.items() if key not in first}}).encode())
