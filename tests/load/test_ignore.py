"""Tests of .krenderignore: the same answers as Git gives for .gitignore."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pathspec import GitIgnoreSpec

from renderer.load.ignore import ignored, parse_ignore


def is_ignored(text: str, path: str) -> bool:
    """Whether a top-level ignore file leaves out a path (a directory with "/" behind it)."""
    parsed, problems = parse_ignore(".krenderignore", text.encode())
    assert not problems
    return ignored(tuple(path.rstrip("/").split("/")), [parsed], is_directory=path.endswith("/"))


@pytest.mark.parametrize(
    ("text", "path", "expected"),
    [
        pytest.param("web.yaml", "a/b/web.yaml", True, id="a-name-counts-at-every-depth"),
        pytest.param("/web.yaml", "a/web.yaml", False, id="a-leading-slash-anchors"),
        pytest.param("a/web.yaml", "b/a/web.yaml", False, id="a-slash-inside-anchors"),
        pytest.param("out/", "out", False, id="a-trailing-slash-is-for-directories-only"),
        pytest.param("out/", "x/out/", True, id="a-directory-counts-at-every-depth"),
        pytest.param("*.yaml\n!web.yaml", "web.yaml", False, id="the-last-rule-wins"),
        pytest.param("!web.yaml\n*.yaml", "web.yaml", True, id="a-later-rule-takes-back-an-exception"),
        pytest.param("a*.yaml", "a/b.yaml", False, id="a-star-stays-in-its-directory"),
        pytest.param("a/**/b", "a/b", True, id="two-stars-may-be-no-directory"),
        pytest.param("a/**/b", "a/x/y/b", True, id="two-stars-may-be-many-directories"),
        pytest.param("a/**", "a/", False, id="everything-in-a-directory-is-not-the-directory"),
        pytest.param("a/**", "a/x/y", True, id="everything-in-a-directory"),
        pytest.param("**/b", "x/y/b", True, id="anywhere"),
        pytest.param("a**b", "axxb", True, id="two-stars-in-a-name-are-one"),
        pytest.param("?.yaml", "ab.yaml", False, id="a-question-mark-is-one-character"),
        pytest.param("[a-c].yaml", "b.yaml", True, id="a-range"),
        pytest.param("[!a-c].yaml", "b.yaml", False, id="a-negated-range"),
        pytest.param("[^a-c]?", "bx", False, id="a-negated-range-in-the-other-spelling"),
        pytest.param(r"\[a]\*", "[a]*", True, id="escaped-brackets-and-stars"),
        pytest.param("[]].yaml", "].yaml", True, id="a-bracket-first-in-brackets"),
        pytest.param(r"\!x", "!x", True, id="an-escaped-exclamation-mark"),
        pytest.param(r"\#x", "#x", True, id="an-escaped-hash"),
        pytest.param("# x", "# x", False, id="a-comment"),
        pytest.param("x   ", "x", True, id="spaces-at-the-end-do-not-count"),
        pytest.param("x\\ ", "x ", True, id="an-escaped-space-at-the-end-counts"),
        pytest.param("x\r\ny\r\n", "x", True, id="windows-line-ends"),
        pytest.param("X", "x", False, id="case-matters"),
        pytest.param("", "x", False, id="nothing-leaves-nothing-out"),
    ],
)
def test_rule(text: str, path: str, expected: bool) -> None:
    assert is_ignored(text, path) is expected


def test_a_deeper_file_decides() -> None:
    top, _ = parse_ignore(".krenderignore", b"*.yaml")
    deep, _ = parse_ignore("a/.krenderignore", b"!/keep.yaml")
    assert not ignored(("a", "keep.yaml"), [top, deep], is_directory=False)
    assert ignored(("a", "b", "keep.yaml"), [top, deep], is_directory=False)


@pytest.mark.parametrize(
    ("data", "line", "what"),
    [
        pytest.param(b"ok\nfoo\\", 2, "stands at the end", id="a-lone-backslash"),
        pytest.param(b"[abc", 1, '"[" has no "]"', id="an-open-bracket"),
        pytest.param(b"[[:digit:]]", 1, "characters and ranges only", id="a-named-class"),
        pytest.param(rb"[\]]", 1, "characters and ranges only", id="an-escape-in-brackets"),
        pytest.param(b"a\n!", 2, "nothing to match", id="an-exception-to-nothing"),
        pytest.param(b"/", 1, "nothing to match", id="a-slash-alone"),
        pytest.param(b"a\nb\xff", 2, "not UTF-8", id="not-utf8"),
    ],
)
def test_a_line_that_is_no_pattern_is_told(data: bytes, line: int, what: str) -> None:
    _, problems = parse_ignore("x/.krenderignore", data)
    assert [(problem.where.file, problem.where.line) for problem in problems] == [("x/.krenderignore", line)]
    assert what in problems[0].what


def test_a_hostile_pattern_takes_no_time() -> None:
    started = time.process_time()
    assert not is_ignored("*a" * 60 + "b", "a" * 250)
    assert not is_ignored("**/a/" * 30 + "b", "a/" * 100 + "c")
    assert time.process_time() - started < 1


SEGMENTS = st.sampled_from(["a", "b", "ab", "a*", "*b", "?", "**", "*", "[ab]", "[!a]b", "a?b", "a**"])
PATTERNS = st.builds(
    lambda bang, lead, parts, trail: bang + lead + "/".join(parts) + trail,
    st.sampled_from(["", "", "!"]),
    st.sampled_from(["", "/"]),
    st.lists(SEGMENTS, min_size=1, max_size=4),
    st.sampled_from(["", "", "/"]),
)
PATHS = st.lists(st.sampled_from(["a", "b", "ab", "aab", "ba"]), min_size=1, max_size=4).map("/".join)


@given(st.lists(PATTERNS, min_size=1, max_size=4), PATHS)
def test_a_single_path_is_judged_as_by_pathspec(patterns: list[str], path: str) -> None:
    parsed, problems = parse_ignore(".krenderignore", "\n".join(patterns).encode())
    assert not problems
    parts = tuple(path.split("/"))
    ours = any(
        ignored(parts[:depth], [parsed], is_directory=depth < len(parts))
        for depth in range(1, len(parts) + 1)
    )
    # Only rules without exceptions: pathspec takes things back in from below an ignored directory. And to
    # git `a/**/` is about directories only; pathspec takes it for `a/**`.
    if not any(pattern.startswith("!") or pattern.endswith("**/") for pattern in patterns):
        assert ours == GitIgnoreSpec.from_lines(patterns).match_file(path)


def test_a_table_of_rules_is_judged_as_by_git(tmp_path: Path) -> None:
    rules = ["/out", "*.tmp", "!keep.tmp", "dir/", "a/**/b", "c/**", "**/d", "e*/f", "[gh]?", "i\\ j", "k/l/"]
    paths = [
        "out", "x/out", "x.tmp", "y/keep.tmp", "dir", "dir/x", "z/dir/x", "a/b", "a/1/2/b", "a/c", "c", "c/d",
        "1/2/d", "e/f", "e1/f", "e/1/f", "g1", "x/h2", "g", "i j", "k/l", "k/l/m", "n/k/l/m",
    ]  # fmt: skip
    (tmp_path / ".gitignore").write_text("\n".join(rules))
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    asked = subprocess.run(
        ["git", "check-ignore", "--no-index", "--stdin"],
        cwd=tmp_path, input="\n".join(paths), capture_output=True, text=True, check=False,
    )  # fmt: skip
    theirs = asked.stdout.splitlines()
    parsed, _ = parse_ignore(".krenderignore", "\n".join(rules).encode())
    ours = [
        path
        for path in paths
        if any(
            ignored(tuple(path.split("/")[:depth]), [parsed], is_directory=depth <= path.count("/"))
            for depth in range(1, path.count("/") + 2)
        )
    ]
    assert ours == theirs
