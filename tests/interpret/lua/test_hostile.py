"""No script hangs, eats the memory, or gets out; and after it the next one runs as if nothing had been."""

from __future__ import annotations

import pytest

from renderer.interpret.lua.machine import Limits, ScriptError

pytest.importorskip("lupa.lua54")
from tests.interpret.lua.build import answer, fault, machine

SMALL = Limits(steps=300_000, memory=8 * 1024 * 1024)
STEPS, MEMORY = SMALL.reasons["steps"], SMALL.reasons["memory"]
LONG = 'local s = "a" for i = 1, 18 do s = s .. s end '  # 256 KiB
TEMPLATE = 'require("kube").accuratePodRequirements(t)'
MANY = "local t = {} for i = 1, 4000 do t[i] = i end "

ENDLESS = {
    "while": "while true do end",
    "repeat": "repeat until false",
    "goto": "::again:: goto again",
    "counting": "for i = 1, 1e308 do end",
    "tail-calls": "local function f() return f() end f()",
    "iterator": "for _ in function() return 1 end do end",
    "loop-in-pcall": "while true do pcall(function() while true do end end) end",
    "pcall-in-loop": "while true do pcall(error) end",
    "pcall-of-itself": "local function f() pcall(f) f() end f()",
    "handler-that-loops": 'xpcall(function() error("x") end, function() while true do end end)',
    "handler-that-fails": "while true do xpcall(error, error) end",
    "comparator-that-loops": "table.sort({1, 2, 3}, function() while true do end end)",
    "comparator-that-lies": MANY + "while true do table.sort(t, function() return true end) end",
    "sorting-for-ever": MANY + "while true do table.sort(t) end",
    "loader-that-loops": 'package.loaders[1] = function() while true do end end require("x")',
    "backtracking-pattern": 'string.find("aaaaaaaaaaaaaaaaaaaaaaaaaaaa", "a*a*a*a*a*a*a*a*b")',
    "pattern-over-a-long-text": LONG + 'string.find(s, "a-a-a-b")',
    "balance-over-a-long-text": 'local s = "(" for i = 1, 18 do s = s .. s end string.find(s, "%b()")',
    "back-reference": LONG + 'string.find(s, "(a*)%1b")',
    "long-pattern": LONG + 'string.find("x", s)',
    "all-matches": LONG + 'for w in s:gmatch(".") do end',
    "plain-search": LONG + 'while true do string.find(s, "b", 1, true) end',
    "long-texts-compared": LONG + 'local r = "a" for i = 1, 18 do r = r .. r end while s == r do end',
    "long-texts-ordered": LONG + 'local r = s .. "b" while s < r do end',
    "long-text-as-key": LONG + "local t = {[s] = 1} while t[s] do end",
    "long-text-reversed": LONG + "while true do s:reverse() end",
    "long-text-in-capitals": 'local s = "é" for i = 1, 16 do s = s .. s end while true do s:upper() end',
    "long-text-as-number": 'local s = "1" for i = 1, 18 do s = s .. s end while true do tonumber(s) end',
    "appending": 'local s = "" while true do s = s .. "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx" end',
    "joining": MANY + "while true do table.concat(t) end",
    "unpacking": MANY + "while true do unpack(t) end",
    "passing-on": MANY + "local function f(...) return f(...) end f(unpack(t))",
    "inserting-in-front": "local t = {} while true do table.insert(t, 1, 0) end",
    "removing-in-front": MANY + "while true do table.remove(t, 1) t[#t + 1] = 0 end",
    "sparse-list": "local t = {} t[60000000] = 1 while next(t) do end",
    "wide-format": 'while true do string.format("%1000000d", 1) end',
    "many-directives": 'local s = "%d" for i = 1, 16 do s = s .. s end while true do string.format(s) end',
    "dates": 'local s = "%c" for i = 1, 14 do s = s .. s end while true do os.date(s) end',
    "quantities": 'local kube = require("kube") while true do kube.resourceAdd("1Gi", "1G") end',
    "printing": 'while true do print("x") end',
}
GREEDY = {
    "tables-in-a-list": "local t = {} while true do t[#t + 1] = {} end",
    "tables-in-each-other": "local t = {} while true do t = {t} end",
    "closures": "local f while true do local g = f f = function() return g end end",
    "texts": LONG + "local t = {} while true do t[#t + 1] = s .. #t end",
}
REFUSED = {
    "doubling": ('local s = "aaaaaaaaaaaaaaaa" while true do s = s .. s end', "a text would be longer than"),
    "one-wide-format": ('string.format("%9999999d", 1)', "a text would be longer than"),
    "joined-long-texts": (LONG + "return table.concat({" + "s," * 20 + "})", "a text would be longer than"),
    "recursion": ("local function f() return 1 + f() end f()", "stack overflow"),
    "recursion-of-two": (
        "local f, g function f() return 1 + g() end function g() return 1 + f() end f()",
        "stack overflow",
    ),
    "too-many-values": ("local t = {} t[9000] = 1 return unpack(t)", "registry overflow"),
    "deep-result": (
        "local t = {} local x = t for i = 1, 300 do x.a = {} x = x.a end return t",
        "more than 200",
    ),
    "result-in-itself": ("local t = {} t.t = t return t", "in two places"),
    "deep-template": (
        "local t = {} local x = t for i = 1, 300 do x.spec = {} x = x.spec end " + TEMPLATE,
        "more than 200",
    ),
    "nested-captures": (
        'local p = "(" for i = 1, 10 do p = p .. p end string.find("x", p)',
        "too many captures",
    ),
    "no-coroutines": ("coroutine.wrap(function() end)", "index a nil value"),
    "no-rep": ('return ("x"):rep(1e9)', "not supported"),
    "text-beyond-a-million-bytes": (
        'local s = "a" for i = 1, 20 do s = s .. s end return s:upper()',
        "exceeds the maximum",
    ),
    "no-such-year": ('os.date("%c", 1e300)', "out of range"),
}


@pytest.mark.parametrize("body", ENDLESS.values(), ids=ENDLESS)
def test_what_goes_on_for_ever_is_stopped(body: str) -> None:
    assert fault(body, limits=SMALL) == STEPS
    assert answer("return 1", limits=SMALL) == 1


@pytest.mark.parametrize("body", GREEDY.values(), ids=GREEDY)
def test_what_holds_too_much_is_stopped(body: str) -> None:
    limits = Limits(memory=4 * 1024 * 1024)
    assert fault(body, limits=limits) == limits.reasons["memory"]
    assert answer("return 1", limits=limits) == 1


@pytest.mark.parametrize(("body", "text"), REFUSED.values(), ids=REFUSED)
def test_what_is_too_large_is_refused(body: str, text: str) -> None:
    assert text in fault(body)
    assert answer("return 1") == 1


@pytest.mark.parametrize(
    "script",
    [
        pytest.param("return " + "(" * 300 + "1" + ")" * 300, id="parentheses"),
        pytest.param("return " + "{" * 300 + "}" * 300, id="tables"),
        pytest.param("do " * 300 + "end " * 300, id="blocks"),
        pytest.param("return " + "function() return " * 150 + "1 " + "end " * 150, id="functions"),
        pytest.param("return " + "not " * 300 + "1", id="operators"),
        pytest.param("return 1" + "^1" * 300, id="powers"),
    ],
)
def test_what_is_deep_inside_each_other_is_refused(script: str) -> None:
    with pytest.raises(ScriptError, match="inside each other"):
        machine().run(script, "F", 1)


@pytest.mark.parametrize(
    ("body", "returned"),
    [
        pytest.param("return 1" + " + 1" * 3000, 3001, id="sum"),
        pytest.param("return #(" + "..".join(['"x"'] * 3000) + ")", 3000, id="text"),
        pytest.param("return #{" + "1," * 3000 + "}", 3000, id="table"),
        pytest.param("if nil then " + "elseif nil then " * 500 + "else return 1 end", 1, id="branches"),
    ],
)
def test_what_is_long_is_not(body: str, returned: int) -> None:
    assert answer(body) == returned


def test_an_error_of_a_limit_cannot_be_caught() -> None:
    assert fault("pcall(function() while true do end end) return 1", limits=SMALL) == STEPS
    assert fault('error("not enough memory", 0)') == Limits().reasons["memory"]


def test_a_limit_is_reached_at_the_same_step_every_time() -> None:
    """The longest loop that is still let through is the same for a machine that has run other things."""
    body = "local s = 0 for i = 1, {} do s = s + i end return s"

    def longest(limits: Limits) -> int:
        low, high = 1, 1_000_000
        while low < high:
            middle = (low + high + 1) // 2
            try:
                answer(body.replace("{}", str(middle)), limits=limits)
                low = middle
            except ScriptError:
                high = middle - 1
        return low

    first = longest(Limits(steps=20_000))
    fault(GREEDY["closures"], limits=Limits(steps=20_000))
    assert 10_000 < first == longest(Limits(steps=20_000))
