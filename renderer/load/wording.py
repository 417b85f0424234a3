"""What is told to a user about a field: what, why, how to fix.

The texts are ours; the facts are in the FieldError.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

from renderer.document.problem import Problem, Severity
from renderer.document.source import Document
from renderer.document.values import Value, mapping
from renderer.load.conformity import json_type
from renderer.load.field import ErrorType, FieldError, Path
from renderer.load.schemas import Schema
from renderer.load.structural import UnknownField
from renderer.model.identity import identity_of

_QUANTITY = "([KMGTPE]i)|[numkMGTPE]"  # tells the pattern of quantities
_TYPE_WORDS = {
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "array": "a list",
    "object": "a map",
    "null": "empty",
}
REFUSED = "an API server refuses the object"


@dataclass(frozen=True, slots=True)
class Reader:
    """Who an object is written for: what it does to a wrong value, and to a field it does not know."""

    refuses: str
    drops: str


API_SERVER = Reader(REFUSED, "an API server drops a field it does not know, so it would have no effect")
KRENDER = Reader(
    "krender does not guess what is meant", "krender knows no such field, so it would have no effect"
)


def subject_of(document: Document) -> str:
    """How messages name the object: `PropagationPolicy web/frontend`."""
    return str(identity_of(mapping(document.value))).strip() or "the document"


def told(
    document: Document,
    pointer: str,
    what: str,
    *,
    why: str,
    fix: str,
    severity: Severity = Severity.ERROR,
) -> Problem:
    """A problem at a place of a document, with the line of the file it points at."""
    where = document.where(pointer)
    return Problem(
        where=where, what=what, why=why, fix=fix, severity=severity, excerpt=document.excerpt(where)
    )


def unknown_problem(
    unknown: UnknownField, root: Schema, document: Document, subject: str, reader: Reader
) -> Problem:
    """Problem for a field the schema does not have: a typing error, a wrong place, or nonsense."""
    name, near = str(unknown.path.token), meant_field(unknown)
    homes = () if near else tuple(_homes(name, root))
    known = unknown.schema.properties
    why = (known[near].without if near else "") or reader.drops
    if near:
        fix = f'write "{near}"'
    elif homes:
        fix = f"move it to {homes[0]}"
    elif "matchLabels" in known:
        fix = f"write it in matchLabels: {{{name}: …}}"
    else:
        fix = "remove it" + (f", or write one of: {', '.join(known)}" if known else "")
    what = f'{subject} has no field "{name}"{_within(unknown.path)}'
    return told(document, unknown.path.pointer, what, why=why, fix=fix)


def meant_field(unknown: UnknownField) -> str:
    """The name of the field that was probably meant by an unknown one; empty if none is like it."""
    return _near(str(unknown.path.token), unknown.schema.properties)


def _within(path: Path) -> str:
    parent = str(path.parent) if path.parent is not None else ""
    return f" in {parent}" if parent else ""


def _near(name: str, known: Iterable[str]) -> str:
    """The one of `known` that was meant: spelt much the same, or the only one that begins so."""
    folded = {candidate.lower(): candidate for candidate in known}
    matches = get_close_matches(name.lower(), folded, n=1, cutoff=0.7)
    if not matches and len(name) > 1:
        begin = [candidate for candidate in folded if candidate.startswith(name.lower())]
        matches = begin if len(begin) == 1 else []
    return folded[matches[0]] if matches else ""


def _homes(name: str, schema: Schema, path: Path | None = None) -> Iterable[str]:
    """The places of the schema that do have a field of this name, outermost first."""
    path = path or Path()
    if name in schema.properties:
        yield str(path.child(name))
    for key, child in schema.properties.items():
        if key != "metadata":
            yield from _homes(name, child, path.child(key))
    if schema.items is not None:
        yield from _homes(name, schema.items, path.key(""))


_QUOTED: Final = "write it in quotes: "


def schema_problem(
    error: FieldError, document: Document, subject: str, value: Value, reader: Reader
) -> Problem:
    """Problem for what a schema refuses; `value` is what stands there."""
    field = error.pointer.removeprefix("/").replace("/", ".") if error.field == "<nil>" else error.field
    what, fix = _what_and_fix(error, field, value)
    if fix.startswith(_QUOTED):
        fix = f'{_QUOTED}"{document.spelled(error.pointer) or str(value).lower()}"'
    sentence = f"{subject}: {what}" if field else f"{subject}{what}"
    return told(document, error.pointer, sentence, why=reader.refuses, fix=fix)


def missing_problem(error: FieldError, document: Document, subject: str) -> Problem:
    """Warning for a required field that Karmada fills with its empty value and then takes."""
    return told(
        document,
        error.pointer,
        f"{subject}: {error.field} is missing",
        why=error.without or "Karmada reads it as empty",
        fix=f'add "{error.field.rpartition(".")[2]}"',
        severity=Severity.WARNING,
    )


def _what_and_fix(error: FieldError, field: str, value: Value) -> tuple[str, str]:
    shown = show(value)
    match error.type:
        case ErrorType.REQUIRED:
            return f"{field} is missing", f'add "{field.rpartition(".")[2]}"'
        case ErrorType.NOT_SUPPORTED if value is None:
            listed = ", ".join(error.supported)
            return f"{field} is missing", f'add "{field.rpartition(".")[2]}": {listed}'
        case ErrorType.NOT_SUPPORTED:
            near = _near(value, error.supported) if isinstance(value, str) else ""
            listed = ", ".join(show(item) for item in error.supported)
            fix = f"write {show(near)}" if near else f"write {'one of ' * (len(error.supported) > 1)}{listed}"
            return f"{field} cannot be {shown}", fix
        case ErrorType.TYPE_INVALID:
            wanted = error.detail.partition("must be of type ")[2].partition(":")[0]
            return _wrong_type(field, wanted, value)
        case ErrorType.TOO_LONG:
            limit = error.detail.removeprefix("may not be more than ").removesuffix(" bytes")
            return f"{field} is longer than {limit} characters", f"shorten it to at most {limit} characters"
        case _ if _QUANTITY in error.detail:
            return f"{field} is {shown}, which is no quantity", "write a quantity such as 500m, 2 or 4Gi"
        case _:
            detail = error.detail.removeprefix(f"{error.field} in body ")
            what, fix = _plain(detail)
            if field.rpartition(".")[2] == "weight":
                fix += ", or take the entry out: clusters without a weight get nothing"
            return f"{field} is {shown}: {what}", fix


def _wrong_type(field: str, wanted: str, value: Value) -> tuple[str, str]:
    names = [{"int32": "integer", "int64": "integer"}.get(name, name) for name in wanted.split(",")]
    words = " or ".join(_TYPE_WORDS.get(name, name) for name in names)
    found = _TYPE_WORDS[json_type(value)] if not isinstance(value, bool | int | float | str) else show(value)
    fix = _wrapped(field, value) if "object" in names else ""
    return f"{field} must be {words}, not {found}", fix or _type_fix(names[0], value, words)


# field: the map that was meant where only what stands in it was written
_SHORTHANDS = (
    ("predicate", "path"),
    (r"clusters\[\d+\]", "name"),
    (r"targetCluster|clusterAffinity|(clusterAffinities|overflowAffinities)\[\d+\]", "clusterNames"),
    (r"replicaScheduling", "replicaSchedulingType"),
    (r"weightPreference", "dynamicWeight"),
    (r"spreadConstraints\[\d+\]", "spreadByField"),
    (r"metadata", "name"),
)


def _wrapped(field: str, value: Value) -> str:
    """The fix where a map has an obvious field for what was written in its place; empty where it has not."""
    for pattern, inner in _SHORTHANDS:
        if not re.fullmatch(rf"(.*\.)?({pattern})", field):
            continue
        if inner == "clusterNames" and isinstance(value, str | list):
            return f"write a map: {{{inner}: {show([value] if isinstance(value, str) else value)}}}"
        return f"write a map: {{{inner}: {show(value)}}}" if isinstance(value, str) else ""
    return ""


def _type_fix(wanted: str, value: Value, words: str) -> str:
    if "text" in words and isinstance(value, bool | int | float):
        return f"{_QUOTED}{show(str(value).lower() if isinstance(value, bool) else str(value))}"
    if wanted == "integer" and isinstance(value, str) and value.strip().removeprefix("-").isdigit():
        return f"write it without quotes: {value.strip()}"
    if wanted == "boolean" and isinstance(value, str) and value.lower() in ("true", "false", "yes", "no"):
        return f"write it without quotes: {'true' if value.lower() in ('true', 'yes') else 'false'}"
    if wanted == "array" and value is not None and not isinstance(value, list):
        return (
            'write a list: put "- " before it'
            if isinstance(value, dict)
            else f"write a list: [{show(value)}]"
        )
    return f"write {words}"


_PLAIN = (
    (r"should be greater than or equal to (.*)", "it must be at least {}", "write {} or more"),
    (r"should be less than or equal to (.*)", "it must be at most {}", "write {} or less"),
    (r"should be at least (.*) chars long", "it must have {} or more characters", "make it longer"),
    (r"should have at least (.*) items", "it must have {} or more elements", "add what is missing"),
    (r"must have at most (.*) items", "it must have {} or fewer elements", "remove what is too much"),
    (r"should match (.*)", "it does not match {}", "write something that matches {}"),
    (r"Checked value .* format int32 .*()", "it is out of range", f"write at most {2**31 - 1}"),
    (r"Checked value .*()", "it is out of range", "write a whole number"),
    (r"(.*)", "{}", "correct it"),
)


def _plain(detail: str) -> tuple[str, str]:
    """What is wrong with a value of the right type, and the fix."""
    what, fix, found = next(
        (what, fix, found)
        for pattern, what, fix in _PLAIN
        if (found := re.fullmatch(pattern, detail, re.DOTALL))
    )
    return what.format(found[1]), fix.format(found[1])


def show(value: Value) -> str:
    """A value as a short piece of YAML that can be typed."""
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 60 else text[:57] + "..."
