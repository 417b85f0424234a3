"""Whether a Lua script compiles as Karmada's interpreter would compile it.

Needs lupa, which comes with the optional extra for Lua.
Source: Karmada pkg/webhook/resourceinterpretercustomization/helper.go, github.com/yuin/gopher-lua.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from typing import Protocol

_GOTO = re.compile(r"\bgoto\b|::")
_OF_LATER_LUA = re.compile(r"ambiguous syntax|near ';'")
_CHUNK = re.compile(r'^\[string "[^"]*"\]:(\d+): ')
_LINE = re.compile(r"\bline (\d+):")


class _Runtime(Protocol):
    def compile(self, code: str) -> object: ...


@cache
def _runtime(module: str) -> tuple[_Runtime, type[Exception]] | None:
    try:
        lupa = import_module(f"lupa.{module}")
    except ImportError:
        return None
    # A fault quotes single bytes of the script, so it may be no UTF-8; the script is.
    runtime = lupa.LuaRuntime(
        encoding="latin-1", source_encoding="utf-8", register_eval=False, register_builtins=False
    )
    return runtime, lupa.LuaSyntaxError


def can_compile() -> bool:
    """Whether there is a Lua here to ask."""
    return _runtime("lua51") is not None


def syntax_error(script: str) -> str:
    """Why the script does not compile; empty where it does, or where there is no Lua to ask.

    Karmada's Lua is 5.1 with three things of 5.2: the keyword goto, lone semicolons, and a call whose
    parentheses stand on the next line.
    """
    if _GOTO.search(script):
        return _compile(script, "lua52")
    fault = _compile(script, "lua51")
    return _compile(script, "lua52") if _OF_LATER_LUA.search(fault) else fault


def _compile(script: str, module: str) -> str:
    loaded = _runtime(module)
    if loaded is None:
        return ""
    runtime, error = loaded
    try:
        runtime.compile(script)
    except error as fault:
        return _CHUNK.sub(r"line \1: ", str(fault).removeprefix("error loading code: "))
    return ""


def error_line(fault: str) -> int:
    """The line of the script that a fault names, counted from 1; 0 where it names none."""
    found = _LINE.search(fault)
    return int(found.group(1)) if found else 0
