"""The YAML that a document shows in fenced blocks."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[2]
_BLOCK = re.compile(r"^```yaml\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def objects_in(document: str) -> list[dict[str, Any]]:
    """Every object in the YAML blocks of a page of `docs/`, in order; parts of objects have no kind."""
    text = (ROOT / "docs" / document).read_text(encoding="utf-8")
    return [found for block in _BLOCK.findall(text) for found in yaml.safe_load_all(block)]


def of_kind(document: str, kind: str) -> dict[str, Any]:
    """The one object of that kind on the page."""
    (found,) = [item for item in objects_in(document) if item.get("kind") == kind]
    return found
