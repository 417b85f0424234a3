"""Machines, and scripts of one function."""

from __future__ import annotations

from functools import cache
from types import ModuleType

from renderer.document.values import Value
from renderer.interpret.lua.installed import lua_module
from renderer.interpret.lua.machine import Limits, Machine, ScriptError

NOW = "2026-01-02T03:04:05Z"


def module() -> ModuleType:
    """The Lua that these tests need."""
    found = lua_module()
    assert found is not None
    return found


@cache
def machine(limits: Limits = Limits()) -> Machine:  # noqa: B008 - frozen
    """A machine that is started once."""
    return Machine(module(), now=NOW, limits=limits)


def answer(body: str, *given: Value, limits: Limits = Limits()) -> Value:  # noqa: B008 - frozen
    """What a function with this body returns first; its argument is called `obj`."""
    return machine(limits).run(f"function F(obj) {body} end", "F", 1, *given)[0].value


def fault(body: str, *given: Value, limits: Limits = Limits()) -> str:  # noqa: B008 - frozen
    """Why a function with this body fails."""
    try:
        returned = answer(body, *given, limits=limits)
    except ScriptError as error:
        return error.text
    raise AssertionError(f"it returns {returned!r}")
