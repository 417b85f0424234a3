"""How a file is cut into documents."""

from __future__ import annotations

import pytest

from renderer.document.stream import BadSeparator, Piece, pieces


def cut(text: str) -> list[tuple[int, int, str]]:
    """Line, column and text of each piece; a bad separator's text behind an exclamation mark."""
    return [
        (piece.first_line, 1, f"!{piece.text}")
        if isinstance(piece, BadSeparator)
        else (piece.first_line, piece.first_column, piece.text)
        for piece in pieces(text, 10)
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("", [], id="empty-file"),
        pytest.param("a\n", [(1, 1, "a\n")], id="one-document"),
        pytest.param("a", [(1, 1, "a\n")], id="last-line-gets-its-newline"),
        pytest.param("---\n", [(1, 1, "---\n")], id="a-separator-alone-is-a-document"),
        pytest.param("a\n---\nb\n", [(1, 1, "a\n"), (3, 1, "b\n")], id="cut-at-separator"),
        pytest.param(
            "---\na\n--- # c\nb\n", [(1, 1, "---\na\n"), (4, 1, "b\n")], id="comment-after-separator"
        ),
        pytest.param("---\n---\nb\n", [(1, 1, "---\n"), (3, 1, "b\n")], id="empty-document-between"),
        pytest.param("a\n---\n", [(1, 1, "a\n")], id="nothing-after-the-last"),
        pytest.param("a: |\n x\n---\n y\n", [(1, 1, "a: |\n x\n"), (4, 1, " y\n")], id="inside-a-block-too"),
        pytest.param("a\n ---\nb\n", [(1, 1, "a\n ---\nb\n")], id="indented-does-not-cut"),
        pytest.param(
            "a\n--- b\nc\n", [(2, 1, "!b"), (1, 1, "a\n"), (3, 1, "c\n")], id="text-after-separator"
        ),
        pytest.param("----\na\n", [(1, 1, "!-"), (1, 1, "----\na\n")], id="four-dashes"),
        pytest.param("a\r\n---\r\nb\r\n", [(1, 1, "a\n"), (3, 1, "b\n")], id="crlf"),
        pytest.param("a\rb\n---\nc\n", [(1, 1, "a\rb\n"), (4, 1, "c\n")], id="lone-cr-is-a-line"),
        pytest.param('{"a":1}', [(1, 1, '{"a":1}')], id="json"),
        pytest.param(
            '\n {"a":1}\n{"b":2} [3]', [(2, 2, '{"a":1}'), (3, 1, '{"b":2}'), (3, 9, "[3]")], id="jsons"
        ),
        pytest.param(
            '{"a":1}\n---\n{"b":2}\n', [(1, 1, '{"a":1}'), (2, 1, '---\n{"b":2}\n')], id="json-then-yaml"
        ),
        pytest.param('{"a":1} # cc\n', [(1, 1, '{"a":1}'), (1, 9, "# cc\n")], id="comment-after-json"),
        pytest.param(
            "{a: 1}\n---\nb\n", [(1, 1, "{a: 1}\n"), (3, 1, "b\n")], id="brackets-that-are-not-json"
        ),
        pytest.param(
            '{"a":1}\n\n b: 1\n', [(1, 1, '{"a":1}'), (2, 1, "\n b: 1\n")], id="one-newline-is-eaten"
        ),
    ],
)
def test_cutting(text: str, expected: list[tuple[int, int, str]]) -> None:
    assert cut(text) == expected


@pytest.mark.parametrize(
    ("text", "index"),
    [
        pytest.param('{"a":1}{"b":2}{"c"', 4, id="two-values-make-it-json-for-good"),
        pytest.param('{"a":1}\n#c', 0, id="less-than-four-bytes-are-left"),
    ],
)
def test_a_stream_that_is_json_for_good(text: str, index: int) -> None:
    *_, last = pieces(text, 10)
    assert isinstance(last, Piece)
    assert last.is_json
    assert last.defect
    assert last.defect.index == index
