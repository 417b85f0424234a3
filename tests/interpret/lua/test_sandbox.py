"""What a script can reach, and what is left of it afterwards: nothing."""

from __future__ import annotations

import pytest

from renderer.document.values import Object

pytest.importorskip("lupa.lua54")
from tests.interpret.lua.build import answer, fault, machine

ABSENT = """io debug coroutine python utf8 bit32 os.execute os.getenv os.clock os.exit
  string.pack table.unpack math.type package.path package.cpath package.searchers"""
REFUSED = """collectgarbage dofile getfenv getmetatable load loadfile loadstring module newproxy rawequal
  rawget rawset setfenv setmetatable string.dump string.gsub string.rep package.loadlib"""


@pytest.mark.parametrize("name", ABSENT.split())
def test_is_not_there(name: str) -> None:
    assert answer(f"return {name} == nil") is True


@pytest.mark.parametrize("name", REFUSED.split())
def test_raises_as_in_karmada(name: str) -> None:
    assert "not supported" in fault(f"{name}({{}}, {{}})")


def test_every_value_that_can_be_reached_is_lua_s_own() -> None:
    """No function of real Lua, no Python object: all that stands in the globals, and what it returns."""
    body = """
      local seen, found = {}, {}
      local function look(value, path)
        local kind = type(value)
        if kind == "userdata" or kind == "thread" then found[#found + 1] = path end
        if kind ~= "table" or seen[value] then return end
        seen[value] = true
        for k, v in pairs(value) do look(v, path .. "." .. tostring(k)) end
      end
      look(_G, "_G") look(require("kube"), "kube") look({("x"):gmatch("x")}, "gmatch")
      look({pcall(require("kube").resourceAdd, "x")}, "error")
      look({pcall(require("kube").accuratePodRequirements, {spec = 1})}, "error")
      return #found
    """
    assert answer(body) == 0


def test_environment_is_renamed_not_reached() -> None:
    assert answer("local _ENV = {} return type(print)") == "function"
    assert answer("return _ENV") is None


@pytest.mark.parametrize(
    ("change", "look"),
    [
        pytest.param("x = 1", "return x", id="global"),
        pytest.param('string.upper = function() return "patched" end', 'return ("a"):upper()', id="method"),
        pytest.param('package.loaded.kube = "patched"', 'return type(require("kube"))', id="module"),
        pytest.param("pairs = nil", "return type(pairs)", id="function"),
        pytest.param("math.random()", "return math.random()", id="random-numbers"),
        pytest.param("tostring({})", "return tostring({})", id="addresses"),
        pytest.param("obj.spec = nil", "return type(obj.spec)", id="object"),
    ],
)
def test_one_call_leaves_nothing_to_the_next(change: str, look: str) -> None:
    given: Object = {"spec": {}}
    before = answer(look, given)
    answer(change, given)
    assert answer(look, given) == before


def test_names_of_the_runtime_are_free_for_scripts() -> None:
    assert answer('local k_concat, k_step, k__x = 1, 2, 3 return k_concat .. "," .. k_step .. k__x') == "1,23"


def test_time_stands_still() -> None:
    assert answer('return os.date("%F %X") .. " " .. os.time()') == "2026-01-02 03:04:05 1767323045"


def test_what_the_script_returns_itself_comes_first() -> None:
    results = machine().run("function F() return 1 end return 7", "F", 2)
    assert [result.value for result in results] == [7, 1]


def test_a_python_error_of_ours_is_not_swallowed(monkeypatch: pytest.MonkeyPatch) -> None:
    from renderer.interpret.lua.machine import Machine
    from tests.interpret.lua.build import NOW, module

    def broken(*_: object) -> str:
        raise ZeroDivisionError

    monkeypatch.setattr("renderer.interpret.lua.host.number_text", broken)
    with pytest.raises(ZeroDivisionError):
        Machine(module(), now=NOW).run("function F() pcall(tostring, 0.5) end", "F", 1)
