"""Byte order marks that stand between tokens: libyaml skips them, go-yaml takes them for text."""

from __future__ import annotations

import re
from typing import Final

from renderer.document.defects import stray_bom
from renderer.document.events import first_document
from renderer.document.values import Value

BOM: Final = "\ufeff"
_AT_LINE_START = re.compile("[\n\r\x85\u2028\u2029]\ufeff")
_PRIVATE_USE = range(0xE000, 0xF900)


def refuse_marks(text: str) -> None:
    """Raise Defect for a mark between the tokens of a text (whose own first mark is cut off)."""
    if text.startswith(BOM):
        raise stray_bom(0)
    marks = [match.end() - 1 for match in _AT_LINE_START.finditer(text)][::-1]  # the next one last
    for event in first_document(text) if marks else ():
        while marks and event.start_mark and event.end_mark and marks[-1] < event.end_mark.index:
            mark = marks.pop()
            if mark < event.start_mark.index:
                raise stray_bom(mark)


def stand_in_for(text: str) -> str:
    """A character to put in place of the marks, so that libyaml takes them for text; "" if it does anyway."""
    if not _AT_LINE_START.search(text):
        return ""
    return next((chr(code) for code in _PRIVATE_USE if chr(code) not in text), "")


def with_marks(value: Value, stand_in: str) -> Value:
    """The value with its marks put back."""
    if isinstance(value, str):
        return value.replace(stand_in, BOM)
    if isinstance(value, dict):
        return {key.replace(stand_in, BOM): with_marks(child, stand_in) for key, child in value.items()}
    if isinstance(value, list):
        return [with_marks(child, stand_in) for child in value]
    return value
