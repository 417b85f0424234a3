"""YAML for Git: readable, stable, and the same to every reader."""

from __future__ import annotations

import math
from decimal import Decimal

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from renderer.document.emit import emit
from renderer.document.read import read_single, read_stream
from renderer.document.scalars import KUBERNETES_SCALARS
from renderer.document.values import Value

CHARACTERS = "abyntf0o1e.:-+_,~ \n\t\r#'\"\\{}[]&*!|>%@`?=<é😀\x00\x85\xa0\u2028\ufeff\u200b"
WORDS = (  # noqa: SIM905  # a list of them would take a page
    r"yes no on off y n null true false .inf .nan nan inf 0x1 0o7 0777 0b1 1e3 1_000 1,000 12:30:45 1:30 = <<"
    r" --- ... e1 E0 -. -e1 word / --flag {{x}} 2001-01-01 T1:2:3Z % |- > !!str"
).split()
FRAGMENTS = [*WORDS, "- ", ": ", " #", "? ", "\n\n", " "]
texts = st.one_of(
    st.text(st.sampled_from(CHARACTERS), max_size=8),
    st.lists(st.sampled_from(FRAGMENTS), max_size=4).map("".join),
    st.text(max_size=12),
)


def ruamel(text: str) -> object:
    """What a reader of YAML 1.2 reads."""
    reader = YAML(typ="safe", pure=True)
    reader.version = (1, 2)
    return reader.load(text)


@example("e1")
@example("-e1")
@example("E0")
@example("-.")
@example("")
@given(texts)
def test_no_text_changes_its_type(text: str) -> None:
    value: Value = {text: text, "list": [text, [text], {text: [text]}], "map": {"key": {text: {"k": text}}}}
    written = emit(value)
    assert not set("\t\r\x85\u2028\u2029\ufeff") & set(written)
    assert read_single(written) == value
    assert yaml.load(written, yaml.SafeLoader) == value
    assert ruamel(written) == value


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=8,
)


def retyped(value: Value) -> Value:
    """The value with whole floats within int64 as integers, as Kubernetes holds them."""
    if isinstance(value, float):
        return int(Decimal(repr(value))) if value.is_integer() and abs(value) < 2**63 else value
    if isinstance(value, dict):
        return {key: retyped(child) for key, child in value.items()}
    return [retyped(child) for child in value] if isinstance(value, list) else value


def spelled(value: Value) -> str:
    """The value with the types of all its parts and the order of all its maps."""
    return repr(retyped(value))


@given(st.dictionaries(texts, json_values, min_size=1, max_size=4))
def test_values_come_back_as_they_were(value: dict[str, Value]) -> None:
    (document,) = read_stream(emit(value).encode(), "f.yaml")
    assert spelled(document.value) == spelled(value)


@given(json_values)
def test_emission_is_a_fixed_point(value: Value) -> None:
    written = emit(value)
    assert emit(read_single(written, scalars=KUBERNETES_SCALARS)) == written


@pytest.mark.parametrize(
    ("value", "text"),
    [
        pytest.param({"b": 1, "a": {"d": [], "c": {}}}, "b: 1\na:\n  d: []\n  c: {}\n", id="order-is-kept"),
        pytest.param(
            {"l": [1, [2, [3]], {"a": 1, "b": [4]}, {}, []]},
            "l:\n- 1\n- - 2\n  - - 3\n- a: 1\n  b:\n  - 4\n- {}\n- []\n",
            id="lists-under-their-key",
        ),
        pytest.param(
            [None, True, False, -1, 1.5, 1000.0, -0.0, 1e-7, 1e22, 2.0**63, 2**63],
            "- null\n- true\n- false\n- -1\n- 1.5\n- 1000\n- 0\n- 1.0e-07\n- 1.0e+22\n"
            "- 9.223372036854776e+18\n- 9223372036854775808\n",
            id="numbers-all-readers-know",
        ),
        pytest.param(
            [
                "word",
                "a b",
                "x:y",
                "--flag=1",
                "a#b",
                "/path",
                "it's",
                "a, b",
                "1.2.3",
                "é",
                "😀",
                "{{x",
                "v1",
            ],
            "- word\n- a b\n- x:y\n- --flag=1\n- a#b\n- /path\n- it's\n- a, b\n- 1.2.3\n- é\n- 😀\n- '{{x'\n"
            "- v1\n",
            id="plain-where-safe",
        ),
        pytest.param(
            ["yes", "Y", "1", "0o17", "0777", "1e3", "1_0", "1,0", "1:30", ".inf", "~", "=", "<<", "", "e1"],
            '- "yes"\n- "Y"\n- "1"\n- "0o17"\n- "0777"\n- "1e3"\n- "1_0"\n- "1,0"\n- "1:30"\n- ".inf"\n'
            '- "~"\n- "="\n- "<<"\n- ""\n- "e1"\n',
            id="double-quotes-for-meaning",
        ),
        pytest.param(
            ["2024-01-01", "2024-1-1 10:00", "2024-01-01T00:00:00Z", "2024-01-01x"],
            '- "2024-01-01"\n- "2024-1-1 10:00"\n- "2024-01-01T00:00:00Z"\n- 2024-01-01x\n',
            id="dates",
        ),
        pytest.param(
            ["- x", "a: b", "a #b", "#a", "a:", "---", " a", "a ", "'", "-", "?x", ":x"],
            "- '- x'\n- 'a: b'\n- 'a #b'\n- '#a'\n- 'a:'\n- '---'\n- ' a'\n- 'a '\n- ''''\n- \"-\"\n- '?x'\n"
            "- ':x'\n",
            id="single-quotes-for-syntax",
        ),
        pytest.param(
            ["\t", "a\r\nb", "\x00", "\x85\u2028\ufeff", "\ud800", "\U000e0001", '"\\\n\t'],
            '- "\\t"\n- "a\\r\\nb"\n- "\\u0000"\n- "\\u0085\\u2028\\ufeff"\n- "\\ud800"\n- "\\U000e0001"\n'
            '- "\\"\\\\\\n\\t"\n',
            id="escapes",
        ),
        pytest.param(
            {"k": "a\n\n b\n", "l": ["a\nb", "a\n\n\n"]},
            "k: |\n  a\n\n   b\nl:\n- |-\n  a\n  b\n- |+\n  a\n\n\n",
            id="literals",
        ),
        pytest.param(
            [" a\nb", "\na", "a\nb\tc", "a\n  ", "\n"],
            '- " a\\nb"\n- "\\na"\n- "a\\nb\\tc"\n- "a\\n  "\n- "\\n"\n',
            id="no-literals-with-traps",
        ),
        pytest.param(
            {"y": 1, "on": 2, "1": 3, "a b": 4, "a\nb": 5, "": 6, "x/y.z-1": 7},
            '"y": 1\n"on": 2\n"1": 3\na b: 4\n"a\\nb": 5\n"": 6\nx/y.z-1: 7\n',
            id="keys-by-the-same-rules",
        ),
        pytest.param(
            {"k" * 1001: [{"k" * 1001: {"a": 1}}]},
            f"? {'k' * 1001}\n:\n- ? {'k' * 1001}\n  :\n    a: 1\n",
            id="long-keys",
        ),
        pytest.param("a\nb\n", "|\n  a\n  b\n", id="text-alone"),
        pytest.param([], "[]\n", id="nothing"),
        pytest.param("word " * 60, f"'{'word ' * 60}'\n", id="no-folding"),
    ],
)
def test_emit(value: Value, text: str) -> None:
    assert emit(value) == text


@pytest.mark.parametrize("number", [math.inf, -math.inf, math.nan])
def test_numbers_that_json_does_not_have(number: float) -> None:
    with pytest.raises(ValueError, match="not a JSON number"):
        emit([number])


def test_other_types() -> None:
    with pytest.raises(TypeError):
        emit({"a": {1, 2}})  # type: ignore[dict-item]
    with pytest.raises(TypeError):
        emit({"a": b"x"})


def test_memos_start_over() -> None:
    for number in range(70_000):
        emit(f"text-{number}")
    assert emit(["yes", "x"]) == '- "yes"\n- x\n'
