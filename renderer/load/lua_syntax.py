"""Whether a Lua script compiles as Karmada's interpreter would compile it.

Source: Karmada pkg/webhook/resourceinterpretercustomization/helper.go, github.com/yuin/gopher-lua.
"""

from __future__ import annotations

import re

_LINE = re.compile(r"\bline (\d+):")


def syntax_error(script: str) -> str:
    """Why the script does not compile; empty where it does."""
    if not script:
        return ""
    # Most workspaces have no scripts, and should not wait for what reads them to be imported.
    from renderer.interpret.lua.statements import translated
    from renderer.interpret.lua.tokens import SyntaxFault

    try:
        translated(script)
    except SyntaxFault as fault:
        return str(fault)
    return ""


def error_line(fault: str) -> int:
    """The line of the script that a fault names, counted from 1; 0 where it names none."""
    found = _LINE.search(fault)
    return int(found.group(1)) if found else 0
