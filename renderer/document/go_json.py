"""JSON as Go's encoding/json writes it: compact, keys sorted, HTML characters escaped.

Source: Go encoding/json, Marshal.
"""

from __future__ import annotations

import json
import re
from typing import Final

from renderer.document.number import json_spelling
from renderer.document.values import Value

_HTML: Final = re.compile("[<>&\u2028\u2029]")
_WORDS: Final = {True: "true", False: "false", None: "null"}


def go_json(value: Value) -> str:
    """The JSON text of a value, on one line."""
    match value:
        case str():
            return go_json_string(value)
        case None | bool():
            return _WORDS[value]
        case int() | float():
            return json_spelling(value)
        case dict():
            return (
                "{" + ",".join(f"{go_json_string(key)}:{go_json(value[key])}" for key in sorted(value)) + "}"
            )
        case _:
            return "[" + ",".join(go_json(item) for item in value) + "]"


def go_json_string(text: str) -> str:
    """The JSON text of a string."""
    return escape_html(json.dumps(text, ensure_ascii=False))


def escape_html(text: str) -> str:
    """JSON text with the characters escaped that HTML or JavaScript would take for something else."""
    return _HTML.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
