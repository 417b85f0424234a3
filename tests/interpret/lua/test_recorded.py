"""Scripts beside what gopher-lua v1.1.1, set up as Karmada sets it up, made of them.

The recordings hold expressions over all libraries, small programs, random programs, random mutations of
programs (do they compile?), and what Karmada's conversion makes of empty tables.
"""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from renderer.document.values import Value
from renderer.interpret.lua.machine import Result, ScriptError
from renderer.interpret.lua.repair import repaired
from renderer.load.lua_syntax import syntax_error
from renderer.model.interpretation import InterpretError

pytest.importorskip("lupa.lua54")
from tests.interpret.lua.build import machine

HERE = Path(__file__).parent


def recorded(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (HERE / name).read_text(encoding="utf-8").split("\n") if line]


def plain(result: Result) -> Value:
    """Type and value as they were recorded: numbers that JSON does not have in words."""
    value = result.value
    if isinstance(value, float) and value - value != 0:
        value = "NaN" if value != value else str(value)
    return [result.kind, value]


def outcome(case: dict[str, Any]) -> dict[str, Value]:
    given = [case["object"]] if "object" in case else []
    try:
        results = [plain(result) for result in machine().run(case["script"], "F", 3, *given)]
    except ScriptError:
        return {"fails": True}
    while results and results[-1] == ["nil", None]:
        results.pop()
    return {"returns": results}


def test_scripts_do_what_they_do_in_karmada() -> None:
    cases = recorded("gopher_lua.jsonl")
    assert len(cases) > 1000
    different = [
        (case["script"], case.get("returns"), got)
        for case in cases
        if as_json(got := outcome(case)) != as_json({key: normal(case[key]) for key in got if key in case})
    ]
    assert different == []


def as_json(value: Value) -> str:
    return json.dumps(value, sort_keys=True)


def normal(value: Value) -> Value:
    """Whole numbers as integers, as they come back."""
    if isinstance(value, list):
        return [normal(item) for item in value]
    if isinstance(value, dict):
        return {key: normal(item) for key, item in value.items()}
    whole = isinstance(value, float) and value.is_integer() and abs(value) < 2**63
    return int(value) if whole and isinstance(value, float) else value


def test_scripts_compile_where_karmada_compiles_them() -> None:
    cases = json.loads((HERE / "syntax.json").read_text(encoding="utf-8"))
    assert [script for script in cases["compile"] if syntax_error(script)] == []
    assert [script for script in cases["do not compile"] if not syntax_error(script)] == []


def test_empty_tables_become_what_karmada_makes_of_them() -> None:
    different = []
    for case in recorded("empty_tables.jsonl"):
        (returned,) = machine().run(case["script"], "F", 1, case["object"])
        got: dict[str, Value] = {"fails": True}
        with suppress(InterpretError):
            got = {"returns": repaired(returned.value, case["object"])}
        if got != {key: case[key] for key in got if key in case}:
            different.append((case, got))
    assert different == []
