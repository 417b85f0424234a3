"""What a script becomes: every token on its line, faults at theirs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from renderer.interpret.lua.machine import ScriptError
from renderer.interpret.lua.statements import translated
from renderer.interpret.lua.tokens import SyntaxFault, tokens

pytest.importorskip("lupa.lua54")
from tests.interpret.lua.build import machine

RECORDED = (Path(__file__).parent / "gopher_lua.jsonl").read_text(encoding="utf-8").split("\n")
PROGRAMS = [json.loads(line)["script"] for line in RECORDED[700::7] if line]


@given(st.sampled_from(PROGRAMS), st.data())
def test_an_error_keeps_its_line_wherever_lines_end(program: str, data: st.DataObject) -> None:
    """Each space of a program may be a line end, which moves nothing but the line."""
    try:
        lines = translated(program).count("\n")
    except SyntaxFault:
        return
    # The translation ends with a line of its own.
    assert lines >= max(token.line for token in tokens(program)) - 1
    broken = program + data.draw(st.sampled_from(["\n", "\n\n", "\r\n"])) + "\n= 1"
    with pytest.raises(SyntaxFault) as caught:
        translated(broken)
    assert caught.value.line == list(tokens(broken))[-3].line


LINES = """\
function F(obj)
  local t = {1,
    2}
  local a, b =
    1,
    function() return 5 end
  t[1], t.x = "a" ..
    "b", [[
long]]
  if a == 1 and
    b() ~= 7
  then
    for _, v in
      ipairs(t) do a = v
    end
  end
  -- a comment
  --[[ a
  longer one ]]
  HERE
end
"""


@pytest.mark.parametrize(
    "statement",
    [
        pytest.param('error("x")', id="error"),
        pytest.param("return string.rep()", id="call-that-is-returned"),
        pytest.param("return obj.nope.x", id="index"),
        pytest.param('local x = obj .. "x"', id="text"),
        pytest.param("local x = {} < {}", id="comparison"),
        pytest.param("local x = 1 + nil", id="arithmetic"),
        pytest.param("for i = 1, {} do end", id="loop"),
        pytest.param("t[nil] = 1", id="key"),
        pytest.param("string.match('x', '(')", id="pattern"),
        pytest.param("tostring(pcall())", id="function-of-a-library"),
        pytest.param("while true do end", id="limit"),
    ],
)
def test_errors_are_at_their_lines(statement: str) -> None:
    with pytest.raises(ScriptError) as caught:
        machine().run(LINES.replace("HERE", statement), "F", 1, {})
    assert caught.value.line == 20


@pytest.mark.parametrize(
    ("script", "line", "text"),
    [
        pytest.param("x = 'a\nb'", 1, "a string is not closed on its line", id="string"),
        pytest.param("\nx = [[a\nb", 2, "a long string is not closed", id="long-string"),
        pytest.param("--[==[ a\nb", 1, "a long comment is not closed", id="long-comment"),
        pytest.param("--[=x", 1, "a long comment does not begin with [[ or [=[", id="half-a-long-comment"),
        pytest.param("x = 0x", 1, "'0x' is no hexadecimal number", id="number"),
        pytest.param("x = 1\ny = @", 2, "unexpected '@'", id="character"),
        pytest.param("x =", 1, "unexpected end of script", id="end"),
        pytest.param("function f( end", 1, "unexpected 'end', a name is missing", id="name"),
        pytest.param("\nbreak", 2, "there is no loop to break", id="break"),
        pytest.param("return 1\nx = 2", 2, "unexpected 'x' after 'return'", id="return"),
        pytest.param("goto nowhere", 1, "there is no label 'nowhere' to go to", id="label"),
        pytest.param("::a::\n::a::", 2, "there are two labels 'a' in a block", id="labels"),
        pytest.param(
            "f().x.y", 1, "unexpected end of script: a statement is a call or an assignment", id="value"
        ),
        pytest.param("f() = 1", 1, "only a variable can be assigned to", id="target"),
        pytest.param(
            "function f() return ... end", 1, "'...' stands in a function that does not take it", id="more"
        ),
        pytest.param("for i = 1 do end", 1, "a loop from a number counts to another one", id="loop"),
        pytest.param("end", 1, "unexpected 'end'", id="stray"),
    ],
)
def test_faults(script: str, line: int, text: str) -> None:
    with pytest.raises(SyntaxFault) as caught:
        translated(script)
    assert caught.value.line == line
    assert caught.value.text.startswith(text)


@given(st.text(max_size=60))
def test_any_text_compiles_or_has_a_fault(text: str) -> None:
    line = 1
    try:
        assert translated(text)
    except SyntaxFault as fault:
        line = fault.line
    assert 1 <= line <= len(text) + 1
