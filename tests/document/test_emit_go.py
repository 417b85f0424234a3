"""YAML as Kubernetes' library writes it: a row for each rule; the recorded vectors hold more."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from renderer.document.emit_go import _Writer, emit_go, emit_go_json
from renderer.document.problem import InputError
from renderer.document.read import read_single
from renderer.document.values import Value

WORDS = "word " * 25


@pytest.mark.parametrize(
    ("value", "text"),
    [
        pytest.param({"b": 1, "a": {"d": [], "c": {}}}, "a:\n  c: {}\n  d: []\nb: 1\n", id="sorted-maps"),
        pytest.param(
            {"l": [1, [2, [3]], {"a": 1, "b": [4]}]},
            "l:\n- 1\n- - 2\n  - - 3\n- a: 1\n  b:\n  - 4\n",
            id="lists",
        ),
        pytest.param(
            [None, True, -1, 1.5, 1e7, 1.0, 2**64 - 1, 2**64],
            "- null\n- true\n- -1\n- 1.5\n- 1e+07\n- 1\n- 18446744073709551615\n- 1.8446744073709552e+19\n",
            id="scalars",
        ),
        pytest.param("", '""\n', id="empty-text"),
        pytest.param("a\nb", "|-\n  a\n  b\n", id="text-alone"),
        pytest.param(
            ["yes", "1", "~", "2024-01-01", "1:30", "x"],
            '- "yes"\n- "1"\n- "~"\n- "2024-01-01"\n- "1:30"\n- x\n',
            id="text-that-means-something",
        ),
        pytest.param(
            ["- x", "a: b", "a #b", "#a", "a:", "---", " a", "'"],
            "- '- x'\n- 'a: b'\n- 'a #b'\n- '#a'\n- 'a:'\n- '---'\n- ' a'\n- ''''\n",
            id="single-quotes",
        ),
        pytest.param(
            ["\t", "a\r", "\x00", "\u0085", "😀", "\ufeff x", "a\u00a0b"],
            '- "\\t"\n- "a\\r"\n- "\\0"\n- \' \'\n- "\\U0001F600"\n- "\\uFEFF\\x20\\x78"\n- a\u00a0b\n',
            id="escapes",
        ),
        pytest.param(
            ["a\n", "a\n\n", " a\n", "\na", "a \nb", "a\n b", "a\nb "],
            '- |\n  a\n- |+\n  a\n\n- |2\n   a\n- |2-\n\n  a\n- "a \\nb"\n- |-\n  a\n   b\n- "a\\nb "\n',
            id="literals",
        ),
        pytest.param(
            {"k": WORDS.strip()}, f"k: {'word ' * 15}word\n  {'word ' * 8}word\n", id="folded-plain"
        ),
        pytest.param(
            {"k": "# " + WORDS}, f"k: '# {'word ' * 15}word\n  {'word ' * 9}'\n", id="folded-single"
        ),
        pytest.param(
            {"k": "\t" + WORDS}, f'k: "\\t{"word " * 15}word\n  {"word " * 9}"\n', id="folded-double"
        ),
        pytest.param({"k": "x" * 85 + "  y z"}, f"k: {'x' * 85}  y\n  z\n", id="no-fold-at-two-spaces"),
        pytest.param(
            {"k": "\t" + "x" * 85 + "  y"}, f'k: "\\t{"x" * 85}\n  \\ y"\n', id="fold-before-escaped-space"
        ),
        pytest.param(
            {"a\nb": [1, 2], "k" * 129: {"c": 1}},
            f"? |-\n  a\n  b\n: - 1\n  - 2\n? {'k' * 129}\n: c: 1\n",
            id="complex-keys",
        ),
        pytest.param({WORDS: 1}, f"'{WORDS}': 1\n", id="simple-keys-are-not-folded"),
        pytest.param(["a\u2028b"], "- 'a\u2028  b'\n", id="line-separator"),
    ],
)
def test_emit_go(value: Value, text: str) -> None:
    assert emit_go(value) == text


@pytest.mark.parametrize(
    ("json", "text"),
    [
        ("1e3", "1000\n"),
        ("1.0", "1\n"),
        ("-0", "0\n"),
        ("-0.0", "-0\n"),
        ("1e1000", "1e1000\n"),
        ("0.1e1", "1\n"),
    ],
)
def test_numbers_count_as_spelled(json: str, text: str) -> None:
    assert emit_go_json(json) == text


@pytest.mark.parametrize("text", ['"\\/"', '"\\ud83d\\ude00"', '"\x7f"'])
def test_json_that_is_no_yaml(text: str) -> None:
    with pytest.raises(InputError):
        emit_go_json(text)


def test_text_that_json_does_not_escape() -> None:
    with pytest.raises(InputError):
        emit_go({"a": "\x7f"})
    assert emit_go("a\u0085b") == "a b\n"


def test_other_types() -> None:
    with pytest.raises(TypeError):
        _Writer().document({1, 2})  # type: ignore[arg-type]


plain = st.text(st.sampled_from("ab1:- #\n\t'\"é😀\u00a0&*{"), max_size=90)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | plain,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(plain, inner, max_size=3),
    max_leaves=12,
)


@given(json_values)
def test_what_is_written_reads_back(value: Value) -> None:
    assert read_single(emit_go(value)) == value
