"""What documents mean, and what is said about those that cannot be read."""

from __future__ import annotations

import re
import time
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from renderer.document.construct import Duplicates
from renderer.document.limits import DEFAULT_LIMITS, Limits
from renderer.document.problem import InputError
from renderer.document.read import read_single, read_stream
from renderer.document.values import Value


def values(text: str | bytes) -> list[Value]:
    """The values of all documents of a file."""
    data = text if isinstance(text, bytes) else text.encode()
    return [document.value for document in read_stream(data, "f.yaml")]


def problems(text: str | bytes, file: str = "f.yaml", limits: Limits = DEFAULT_LIMITS) -> list[str]:
    """`line:column what` of each problem of a file."""
    with pytest.raises(InputError) as caught:
        read_stream(text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass"), file, limits)
    for problem in caught.value.problems:
        assert problem.where.file == file
        assert problem.why
        assert problem.fix
    return [f"{p.where.line}:{p.where.column} {p.what}" for p in caught.value.problems]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("a: =\nb: [=, '!=', =~]\n", [{"a": "=", "b": ["=", "!=", "=~"]}], id="bare-equals-sign"),
        pytest.param("# c\n---\na: 1\n---\n# d\n---\n", [{"a": 1}], id="empty-documents-are-left-out"),
        pytest.param("", [], id="empty-file"),
        pytest.param("\ufeffa: 1\n---\n\ufeffb: 2\n", [{"a": 1}, {"b": 2}], id="byte-order-marks-in-front"),
        pytest.param("a: 1\r\nb: |\r\n  x\r\n  y\r\n", [{"a": 1, "b": "x\ny\n"}], id="crlf"),
        pytest.param("a: b\rc: d\r", [{"a": "b", "c": "d"}], id="lone-cr"),
        pytest.param("a: 1 #\tc\nb:\t2\n", [{"a": 1, "b": 2}], id="tabs-in-comments-and-between"),
        pytest.param("a: &x {k: 1}\nb: *x\n", [{"a": {"k": 1}, "b": {"k": 1}}], id="alias"),
        pytest.param("a: &x yes\n*x : 1\n", [{"a": True, "true": 1}], id="alias-as-key"),
        pytest.param("&k a: 1\nb: *k\n", [{"a": 1, "b": "a"}], id="anchored-key"),
        pytest.param(
            "b: &b {x: 1, y2: 2}\nc: {<<: *b, y2: 3}\n",
            [{"b": {"x": 1, "y2": 2}, "c": {"x": 1, "y2": 3}}],
            id="merge-overridden",
        ),
        pytest.param(
            "c: {<<: [{a: 1}, {a: 2, b: 2}]}\n", [{"c": {"a": 1, "b": 2}}], id="first-of-a-list-wins"
        ),
        pytest.param(
            "c: {<<: &m [{a: 1}, &n {b: 2}]}\nd: *m\ne: *n\n",
            [{"c": {"a": 1, "b": 2}, "d": [{"a": 1}, {"b": 2}], "e": {"b": 2}}],
            id="anchors-in-a-merge",
        ),
        pytest.param('"<<": 1\n', [{"<<": 1}], id="quoted-merge-is-a-key"),
        pytest.param("a: !!merge <<\n!!merge <<: {b: 1}\n", [{"a": "<<", "b": 1}], id="tagged-merge"),
        pytest.param(
            "a: !!set {x, 'y'}\nb: !!omap [z: 1]\n",
            [{"a": {"x": None, "y": None}, "b": [{"z": 1}]}],
            id="tags-of-collections-say-nothing",
        ),
        pytest.param(
            "a: !custom 5\nb: ! 5\nc: !!str 5\n", [{"a": "5", "b": "5", "c": "5"}], id="tagged-text"
        ),
        pytest.param("--- # c\na: |\n  ---\n", [{"a": "---\n"}], id="indented-dashes-in-a-block"),
        pytest.param(
            '{"a": "\\/\\ud83d\\ude00\\ud800", "b": 1.0}', [{"a": "/😀\ufffd", "b": 1.0}], id="json-escapes"
        ),
        pytest.param(
            '{"\\ud800": [{"a": "\\udc00", "n": 1}]}',
            [{"\ufffd": [{"a": "\ufffd", "n": 1}]}],
            id="half-pairs",
        ),
        pytest.param('{"a": 1}\n{"a": 2}\n\n', [{"a": 1}, {"a": 2}], id="json-values-in-a-row"),
        pytest.param("a: 1\n...\n# only a comment\n", [{"a": 1}], id="comment-after-the-end"),
        pytest.param("k: [a?, b]\n", None, id="question-mark-in-brackets"),
        pytest.param(
            "k: ['a?', {b: \"c?\"}]\nx: why?\n",
            [{"k": ["a?", {"b": "c?"}], "x": "why?"}],
            id="quoted-question-marks",
        ),
        pytest.param("[a,\n 'b?', {c: d}]\n", [["a", "b?", {"c": "d"}]], id="question-mark-after-all-quoted"),
        pytest.param(
            "a: '\n\ufeffb'\nc: [\ufeff]\n", [{"a": " \ufeffb", "c": ["\ufeff"]}], id="marks-that-are-text"
        ),
        pytest.param("!!int 0x10 : a\n", [{"16": "a"}], id="tagged-key"),
        pytest.param(
            "a: [x\\/y, '\\/', \"\\\\/\"]\n", [{"a": ["x\\/y", "\\/", "\\/"]}], id="slashes-that-are-fine"
        ),
        pytest.param('{"a": NaN}\n', [{"a": "NaN"}], id="nan-is-text-of-yaml"),
        pytest.param("a: \u2028 b\n", [{"a": "b"}], id="line-separator-breaks-a-line"),
        pytest.param("- 1\n", [[1]], id="a-list-is-a-document"),
    ],
)
def test_values(text: str, expected: list[Value] | None) -> None:
    if expected is None:
        assert problems(text)
    else:
        assert values(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            "a: 1\nb: 2\na: 3\n", ['3:1 key "a" is set twice in one map: on line 1 and here'], id="key"
        ),
        pytest.param(
            "x:\n  1: a\n  '1': b\n",
            ['3:3 key "1" is set twice in one map: on line 2 and here'],
            id="keys-equal-as-strings",
        ),
        pytest.param(
            "y: a\ntrue: b\n",
            ['2:1 key "true" is set twice in one map: on line 1 and here'],
            id="two-spellings-of-true",
        ),
        pytest.param(
            "x:\n  k: 1\n  <<: {k: 2}\n",
            ['3:7 key "k" is set twice in one map: on line 3 and here'],
            id="merge-after-the-key-it-repeats",
        ),
        pytest.param(
            "x:\n  <<: {k: 1}\n  k: 2\n  k: 3\n",
            ['4:3 key "k" is set twice in one map: on line 3 and here'],
            id="twice-after-a-merge",
        ),
        pytest.param(
            '{"a":\n{"k":1,\n "k":2}}', ['3:2 key "k" is set twice in one map: on line 2 and here'], id="json"
        ),
        pytest.param(
            "a: 1\na: 2\n---\nb: é\nb: 2\n---\nc: [\n",
            [
                '2:1 key "a" is set twice in one map: on line 1 and here',
                '5:1 key "b" is set twice in one map: on line 4 and here',
                "7:4 a value or a closing bracket is missing here",
            ],
            id="every-document-of-the-file",
        ),
        pytest.param("a: é: b\n", ['1:5 ": " stands inside a value'], id="colon-after-two-bytes"),
        pytest.param(
            "a: 1\r\nb: @x\r\n", ["2:4 an unquoted value cannot begin with @"], id="crlf-counts-once"
        ),
        pytest.param(
            "a: 1\u2028b: `x\n",
            ["1:9 an unquoted value cannot begin with `"],
            id="line-separator-is-not-an-editors-line",
        ),
        pytest.param("a:\n\tb: 1\n", ["2:1 a tab stands where indentation belongs"], id="tab"),
        pytest.param(
            "a: 1\n\t\nb: 2\n", ["2:1 a tab stands where indentation belongs"], id="tab-on-empty-line"
        ),
        pytest.param(
            "a: 'x\nb: 1\n", ["1:4 the quotes that open on line 1 are never closed"], id="open-quote"
        ),
        pytest.param("a: {b: 1\nc: 2\n", ["2:2 the bracket of line 1 is not closed here"], id="open-bracket"),
        pytest.param("a: 1\n b: 2\n", ['2:3 ": " stands inside a value'], id="indented-too-far"),
        pytest.param(
            "a:\n  - 1\n - 2\n", ["3:2 this line does not go on with the map of line 1"], id="list-dented"
        ),
        pytest.param("a: 1\nb\nc: 2\n", ['3:1 the key of line 2 is not followed by ": "'], id="no-colon"),
        pytest.param('a: "\\q"\n', ["1:5 a backslash in double quotes begins no known escape"], id="escape"),
        pytest.param('a: "\\/"\n', [r"1:4 the escape \/ stands in double quotes"], id="json-escape"),
        pytest.param('a: "\\ud83d"\n', [r"1:7 \u names half of a surrogate pair"], id="surrogate-escape"),
        pytest.param("a: *x\n", ["1:4 alias *x has no anchor"], id="alias-without-anchor"),
        pytest.param("a: * x\n", ["1:5 & or * is not followed by a name"], id="lone-star"),
        pytest.param(
            "a: &a [1, *a]\n", ["1:11 alias *a stands inside the value it names"], id="endless-alias"
        ),
        pytest.param(
            "a: {<<: 5}\n", ["1:9 the merge key << takes a map or a list of maps"], id="merge-of-scalar"
        ),
        pytest.param(
            "a: &l [{b: 1}]\nc: {<<: *l}\n",
            ["2:9 the merge key << takes a map or a list of maps"],
            id="merge-of-aliased-list",
        ),
        pytest.param(
            "a: {<<: [{b: 1}, c]}\n",
            ["1:18 the merge key << takes a map or a list of maps"],
            id="merge-of-list-with-text",
        ),
        pytest.param("a: .inf\n", ["1:4 inf is a number that JSON does not have"], id="infinity"),
        pytest.param("a: !!int x\n", ["1:4 'x' is not what its tag !!int says"], id="belied-tag"),
        pytest.param("a: !!binary '!'\n", ["1:4 !!binary value is not base64"], id="bad-base64"),
        pytest.param("a: !x!y z\n", ["1:4 the tag has a prefix that no directive defines"], id="tag-handle"),
        pytest.param("~: 1\n", ["1:1 a null key"], id="null-key"),
        pytest.param(
            "9223372036854775808: 1\n",
            ["1:1 the integer key 9223372036854775808 is above int64"],
            id="huge-key",
        ),
        pytest.param("? [a]\n: b\n", ["1:3 a list stands where a key should"], id="list-as-key"),
        pytest.param("a: {{ b }}\n", ["1:5 a map stands where a key should"], id="template-braces"),
        pytest.param(
            "a: &x {b: 1}\n*x : 1\n", ["2:1 a map stands where a key should"], id="aliased-map-as-key"
        ),
        pytest.param(
            "%YAML 1.2\n---\na: 1\n",
            ["1:1 the document begins with a directive (%)"],
            id="directives-are-cut-off",
        ),
        pytest.param(
            "a: 1\n...\nb: 2\n", ["2:1 the document has ended, but its text goes on"], id="text-after-end"
        ),
        pytest.param(
            "a: 1\r---\rb: 2\r",
            ["2:1 the document has ended, but its text goes on"],
            id="separator-behind-a-lone-cr",
        ),
        pytest.param(
            "a: 1\n---x\nb: 2\n", ['2:4 the line "---" goes on with "x"'], id="text-after-separator"
        ),
        pytest.param(
            "a: x\n---\n\ufeff\ufeffb: 2\n",
            ["3:1 a byte order mark (U+FEFF) stands inside the document"],
            id="two-marks",
        ),
        pytest.param(
            "# a\n\ufeffb: 2\n",
            ["2:1 a byte order mark (U+FEFF) stands inside the document"],
            id="mark-after-a-comment",
        ),
        pytest.param("a: \x07\n", ["1:4 a control character stands in the text"], id="bell"),
        pytest.param("é: \x00\n", ["1:4 a control character stands in the text"], id="nul"),
        pytest.param("a: \x7f\n", ["1:4 a control character stands in the text"], id="delete"),
        pytest.param(b"a: 1\nb: \xe9\n", ["2:4 the text is not UTF-8: byte 0xe9"], id="latin-1"),
        pytest.param("a: \ud800\n", ["1:4 the text is not UTF-8: byte 0xed"], id="encoded-surrogate"),
        pytest.param("a: é\n".encode("utf-16"), ["1:1 the text is UTF-16"], id="utf-16"),
        pytest.param('{"1e400": [1e400]}', ["1:12 a number is too large"], id="json-number-too-large"),
        pytest.param(
            "!!int 1: a\n'1': b\n",
            ['2:1 key "1" is set twice in one map: on line 1 and here'],
            id="tagged-twice",
        ),
        pytest.param(
            "&k a: 1\n*k : 2\n", ['2:1 key "a" is set twice in one map: on line 1 and here'], id="alias-twice"
        ),
        pytest.param(
            "? [a]\n: {x: 1, x: 2}\n", ["1:3 a list stands where a key should"], id="first-defect-only"
        ),
        pytest.param('{"a":1}{"b":2}\n{"c",}', ["2:5 JSON: Expecting ':' delimiter"], id="json-for-good"),
        pytest.param("[a?b]\n", ['1:2 an unquoted "?" stands between brackets'], id="question-mark"),
        pytest.param(
            "a: [\n  b, c?d]\n", ['2:6 an unquoted "?" stands between brackets'], id="question-mark-below"
        ),
    ],
)
def test_problems(text: str | bytes, expected: list[str]) -> None:
    assert problems(text) == expected


def test_a_broken_json_file_is_told_in_words_of_json() -> None:
    assert problems('{"a": 1,, "b": 2}', "f.json") == [
        "1:9 JSON: Expecting property name enclosed in double quotes"
    ]


def test_json_behind_a_separator_is_told_in_words_of_yaml() -> None:
    text = '{"a": 1}\n---\n{"b": 1}\n---\n{"c": "\\/"}\n'
    assert problems(text, "f.json") == [r"5:7 the escape \/ stands in double quotes"]


def test_a_document_cut_out_of_a_block_says_so() -> None:
    with pytest.raises(InputError) as caught:
        read_stream(b"a: |\n  x\n---\n  y\nb: 1\n", "f.yaml")
    (problem,) = caught.value.problems
    assert problem.why.startswith("Kubernetes begins a new document at every line that starts with ---")
    assert problem.excerpt == "b: 1"


def test_excerpts_are_the_files_lines() -> None:
    with pytest.raises(InputError) as caught:
        read_stream("a: 1\r\n---\r\né: @x  \r\n".encode(), "f.yaml")
    assert [(str(p.where), p.excerpt) for p in caught.value.problems] == [("f.yaml:3:4", "é: @x")]


class TestSingle:
    """The reader of one document, for YAML embedded in fields."""

    def test_last_of_equal_keys_wins(self) -> None:
        assert read_single("a: 1\nb: 2\na: 3\n") == {"a": 3, "b": 2}

    def test_a_later_merge_overwrites(self) -> None:
        assert read_single("{y2: 3, <<: {y2: 1}}") == {"y2": 1}

    def test_strict_refuses_an_overridden_merge(self) -> None:
        with pytest.raises(InputError, match="set twice"):
            read_single("{<<: {a: 1}, a: 2}", duplicates=Duplicates.REFUSE)

    def test_only_the_first_document_counts(self) -> None:
        assert read_single("a: 1\n---\n@\n") == {"a": 1}

    def test_no_document_is_null(self) -> None:
        assert read_single("# c\n") is None

    def test_numbers_are_those_of_the_json(self) -> None:
        value = read_single("[1.0, 1e3, -0.0, 18446744073709551615, 1e21]")
        assert repr(value) == "[1, 1000, 0, 18446744073709551615, 1e+21]"

    def test_utf16_is_read(self) -> None:
        assert read_single("a: é\n".encode("utf-16")) == {"a": "é"}

    def test_every_text_has_a_stand_in_for_marks(self) -> None:
        private = "".join(map(chr, range(0xE000, 0xF8FF)))
        assert read_single(f"---\n\ufeffa: [1, ~, {private}]\n") == {"\ufeffa": [1, None, private]}

    def test_a_mark_inside_is_text(self) -> None:
        assert read_single('---\n\ufeffa: ["\ufeff"]\n') == {"\ufeffa": ["\ufeff"]}

    @pytest.mark.parametrize("version", ["1.0", "1.2"])
    def test_other_versions_are_refused(self, version: str) -> None:
        with pytest.raises(InputError, match="another version"):
            read_single(f"%YAML {version}\n---\na: 1\n")

    def test_half_a_character_is_refused(self) -> None:
        with pytest.raises(InputError, match="half a character"):
            read_single("a: \ud800")


class TestLimits:
    """Input that means harm gets an answer, quickly."""

    @pytest.fixture(autouse=True)
    def _at_once(self) -> object:
        begin = time.process_time()
        yield
        assert time.process_time() - begin < 5

    @pytest.mark.parametrize("opening", ["[", "{a: ", "- ", '{"a":', "[{a: ", '[{"a":', "{a: ["])
    def test_depth(self, opening: str) -> None:
        (problem,) = problems(opening * 100_000)
        assert re.search("nested more than (200|1000) deep$", problem)  # libyaml may look 1000 ahead

    def test_depth_of_block_maps(self) -> None:
        text = "".join(f"{' ' * level}a:\n" for level in range(300))
        assert problems(text) == ["201:201 maps and lists are nested more than 200 deep"]

    def test_depth_of_merges(self) -> None:
        (problem,) = problems("<<: " + "{<<: " * 1000)
        assert problem.endswith("nested more than 200 deep")

    def test_the_limit_itself_is_fine(self) -> None:
        text = "1"
        for _ in range(200):
            text = f"[{text}]"
        assert values(text)
        assert problems(f"[{text}]") == ["1:201 maps and lists are nested more than 200 deep"]
        assert values('{"a":' * 200 + "1" + "}" * 200)
        assert problems('{"a":' * 201 + "1" + "}" * 201)[0].startswith("1:1001 ")

    def test_depth_beyond_what_json_can_be_read(self) -> None:
        limits = replace(DEFAULT_LIMITS, depth=1_000_000)
        assert problems('{"a":' * 100_000 + "1" + "}" * 100_000, limits=limits) == [
            "1:499996 maps and lists are nested more than 99999 deep"
        ]

    def test_billion_laughs(self) -> None:
        lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
        lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 10)]
        (problem,) = problems("\n".join(lines))
        assert "aliases make this document" in problem

    def test_aliases_in_moderation_are_fine(self) -> None:
        text = "a: &a {b: 1, c: [2, 3]}\nl:\n" + "- *a\n" * 5000
        assert len(read_stream(text.encode(), "f.yaml")[0].value["l"]) == 5000  # type: ignore[index,call-overload,arg-type]

    def test_size(self) -> None:
        limits = replace(DEFAULT_LIMITS, max_bytes=10)
        assert problems("a: 12345678\n", limits=limits) == ["0:0 the file has 12 bytes, the limit is 10"]

    def test_documents(self) -> None:
        limits = replace(DEFAULT_LIMITS, documents=3)
        assert problems("a: 1\n---\n" * 4, limits=limits) == ["7:1 the file has more than 3 documents"]

    def test_expanded_nodes(self) -> None:
        limits = replace(DEFAULT_LIMITS, expanded_nodes=20)
        assert problems("a: &a [1, 2, 3, 4]\nb: [*a, *a, *a]\n", limits=limits)

    @pytest.mark.parametrize(
        "text",
        [
            pytest.param("a: " + "1" * 1_000_000, id="digits"),
            pytest.param('{"a": ' + "1" * 1_000_000 + "}", id="json-digits"),
            pytest.param("a: 0." + "1" * 1_000_000, id="fraction"),
            pytest.param("a: " + "1_" * 500_000, id="underscores"),
            pytest.param("'" * 1_000_000, id="quotes"),
            pytest.param("a: " + ": " * 500_000, id="colons"),
            pytest.param("? " * 500_000, id="complex-keys"),
            pytest.param("!" * 1_000_000, id="tags"),
            pytest.param("&a " * 300_000, id="anchors"),
            pytest.param("a: {b: '?\n" * 100_000, id="questions"),
            pytest.param("\ufeff\n" * 100_000, id="marks"),
            pytest.param('{"a":1}\n' * 9_000, id="json-values"),
            pytest.param("a: |\n" + " \n" * 500_000, id="empty-lines"),
            pytest.param("{" * 1_000_000, id="braces"),
            pytest.param("]" * 1_000_000, id="closing-brackets"),
            pytest.param('{"a":"' + "\\ud800" * 100_000 + '"}', id="surrogates"),
        ],
    )
    def test_long_input(self, text: str) -> None:
        try:
            read_stream(text.encode(), "f.yaml")
        except InputError as error:
            assert error.problems  # noqa: PT017  # either answer will do, if it is one


@given(st.binary(max_size=60))
def test_bytes_are_read_or_refused(data: bytes) -> None:
    try:
        read_stream(data, "f.yaml")
    except InputError as error:
        assert all(problem.where.file == "f.yaml" for problem in error.problems)  # noqa: PT017


@given(
    st.lists(
        st.sampled_from([*"ab1:-?[]{},&*!|>'\"%#~ \n\t\\/", "---\n", "<<: ", "\ufeff", "é"]),
        max_size=30,
    )
)
def test_text_is_read_or_refused(parts: list[str]) -> None:
    text = "".join(parts)
    try:
        documents = read_stream(text.encode(), "f.yaml")
    except InputError as error:
        lines = text.count("\n") + 1
        assert all(1 <= problem.where.line <= lines + 1 for problem in error.problems)  # noqa: PT017
        return
    for document in documents:
        assert document.where().line <= text.count("\n") + 1


@pytest.fixture
def _without_libyaml(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("yaml.__with_libyaml__", False)


@pytest.mark.usefixtures("_without_libyaml")
def test_without_libyaml_the_same_is_read() -> None:
    assert values("a: yes\nb: [1e3, 0777]\nc: |\n  x\n") == [{"a": True, "b": [1000, 511], "c": "x\n"}]
    assert problems("a: 1\na: 2\n---\nb: \x07\n---\nc: [é\n") == [
        '2:1 key "a" is set twice in one map: on line 1 and here',
        "4:4 a control character stands in the text",
        "7:1 expected ',' or ']', but got '<stream end>'",
    ]
    assert problems('a: "\\ud83d"\n') == [r"1:4 \u names half of a surrogate pair"]
