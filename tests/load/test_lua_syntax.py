"""Scripts that Karmada's Lua takes and does not take."""

from __future__ import annotations

import pytest

from renderer.load.lua_syntax import error_line, syntax_error


@pytest.mark.parametrize(
    ("script", "fault"),
    [
        pytest.param("", "", id="empty"),
        pytest.param("function Retain(a, b) return a end", "", id="function"),
        pytest.param("x = = 1", "line 1: ", id="two-equals"),
        pytest.param("x = 'é'", "", id="text-beyond-ascii"),
        pytest.param("é = 1", "line 1: unexpected byte 195", id="name-beyond-ascii"),
        pytest.param("for i = 1, 3 do goto next ::next:: end", "", id="goto"),
        pytest.param("goto = 1", "line 1: ", id="goto-is-no-name"),
        pytest.param(";;", "", id="lone-semicolons"),
        pytest.param("f\n(x)", "", id="call-on-the-next-line"),
        pytest.param("while true do break x = 1 end", "line 1: ", id="break-comes-last"),
        pytest.param("x = 1 // 2", "line 1: ", id="no-integer-division"),
        pytest.param("x = 1\n\ny =", "line 3: ", id="line-is-named"),
    ],
)
def test_syntax(script: str, fault: str) -> None:
    found = syntax_error(script)
    assert found.startswith(fault)
    assert bool(found) == bool(fault)


def test_lines_are_read_back() -> None:
    assert [error_line(text) for text in ("line 3: x", "no line")] == [3, 0]
