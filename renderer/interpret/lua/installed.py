"""Whether there is a Lua to run scripts on: it comes with krender's extra `lua`."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import Final

INSTALL: Final = "pip install 'krender[lua]'"


def lua_module() -> ModuleType | None:
    """The Lua that scripts run on; None where it is not installed."""
    try:
        return import_module("lupa.lua54")
    except ImportError:
        return None
