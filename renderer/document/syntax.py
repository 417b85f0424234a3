"""What a YAML parser complains about, said so that its user knows what to type."""

from __future__ import annotations

from collections.abc import Callable

from yaml.error import MarkedYAMLError, YAMLError
from yaml.reader import ReaderError

from renderer.document.defects import Defect, bad_version, surrogate_escape, too_deep

_CANNOT_READ = "Kubernetes cannot read the document"
_QUOTE_IT = "put the text in quotes"
_TAB = ("a tab stands where indentation belongs", "YAML is indented with spaces only", "replace it by spaces")

# What libyaml says (the start of it) -> what we say: what, why, fix. {line} is the line of its context.
_COMPLAINTS: tuple[tuple[str, tuple[str, str, str]], ...] = (
    ("found a tab character", _TAB),
    (
        "mapping values are not allowed",
        (
            '": " stands inside a value',
            "it would begin a map in the middle of a line",
            f"{_QUOTE_IT}, or indent",
        ),
    ),
    (
        "did not find expected key",
        (
            "this line does not go on with the map of line {line}",
            _CANNOT_READ,
            "check indentation and quotes",
        ),
    ),
    (
        "did not find expected '-' indicator",
        ("this line does not go on with the list of line {line}", _CANNOT_READ, 'check indentation and "- "'),
    ),
    (
        "did not find expected ',' or",
        ("the bracket of line {line} is not closed here", _CANNOT_READ, "write , or close the bracket"),
    ),
    (
        "found unexpected end of stream",
        ("the quotes that open on line {line} are never closed", _CANNOT_READ, "close them"),
    ),
    (
        "found unexpected document indicator",
        (
            "--- or ... stands inside the quotes of line {line}",
            _CANNOT_READ,
            "close the quotes, or indent it",
        ),
    ),
    (
        "could not find expected ':'",
        ('the key of line {line} is not followed by ": "', _CANNOT_READ, 'write "key: value"'),
    ),
    (
        "found unknown escape character",
        (
            "a backslash in double quotes begins no known escape",
            _CANNOT_READ,
            r"use single quotes, or write \\",
        ),
    ),
    (
        "did not find expected alphabetic or numeric character",
        ("& or * is not followed by a name", "they mark anchors and aliases", _QUOTE_IT),
    ),
    (
        "did not find expected <document start>",
        ("the document has ended before this line", _CANNOT_READ, "check its indentation"),
    ),
    (
        "did not find expected node content",
        ("a value or a closing bracket is missing here", _CANNOT_READ, f"write it, or {_QUOTE_IT}"),
    ),
    (
        "block sequence entries are not allowed",
        (
            '"- " stands inside a value',
            "a list begins on a line of its own",
            f"{_QUOTE_IT}, or start a new line",
        ),
    ),
    (
        "found undefined tag handle",
        ("the tag has a prefix that no directive defines", _CANNOT_READ, f"remove the tag, or {_QUOTE_IT}"),
    ),
    (
        "control characters are not allowed",
        (
            "a control character stands in the text",
            "YAML forbids it",
            r"remove it, or write it as \xNN in double quotes",
        ),
    ),
)

_LIBYAML_DEPTH = 1000
_SPECIAL: dict[str, Callable[[int], Defect]] = {
    "found invalid Unicode character escape code": surrogate_escape,
    "found incompatible YAML document": bad_version,
    "exceeded maximum nesting depth": lambda index: too_deep(index, _LIBYAML_DEPTH),
}


def syntax_defect(error: YAMLError, text: str) -> Defect:
    """The parser's complaint about `text` as a defect."""
    if isinstance(error, ReaderError):
        # Its position counts bytes (libyaml) or characters (Python); the text is known to be UTF-8.
        octets = text.encode()[: error.position]
        index = len(octets.decode(errors="ignore")) if isinstance(error.character, int) else error.position
        return _defect(index, "control characters are not allowed", index, text)
    problem = str(getattr(error, "problem", None) or error)
    marked = error if isinstance(error, MarkedYAMLError) else MarkedYAMLError()
    index = marked.problem_mark.index if marked.problem_mark else 0
    return _defect(index, problem, marked.context_mark.index if marked.context_mark else index, text)


def _defect(index: int, problem: str, other: int, text: str) -> Defect:
    """The entry of the table that fits, else the parser's own words."""
    at = text[index : index + 1]
    if "cannot start any token" in problem:
        if at == "\t":
            return Defect(index, *_TAB)
        return Defect(index, f"an unquoted value cannot begin with {at}", f"YAML reserves {at}", _QUOTE_IT)
    special = _SPECIAL.get(problem)
    if special:
        return special(index)
    for start, (what, why, fix) in _COMPLAINTS:
        if problem.startswith(start):
            return Defect(_visible(text, index, other), what, why, fix, other=other)
    return Defect(index, problem, _CANNOT_READ, "check indentation and quotes here and just above")


def _visible(text: str, index: int, other: int) -> int:
    """Where to point: at the end of the text there is nothing to look at, so at what was never closed."""
    for place in (index, other):
        if text[place:].strip():
            return place
    return max(0, len(text.rstrip()) - 1)
