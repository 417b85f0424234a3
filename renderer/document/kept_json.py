"""JSON that krender kept for itself, read back: it may have been cut, edited or made by another version."""

from __future__ import annotations

import json

from renderer.document.values import Object


def kept_json(data: bytes, kept_format: str) -> Object:
    """The document, which states its own `format`. Raises ValueError where it is another, or none."""
    try:
        document = json.loads(data)
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error
    if not isinstance(document, dict) or document.get("format") != kept_format:
        raise ValueError(f"it is not of the format {kept_format}")
    return document
