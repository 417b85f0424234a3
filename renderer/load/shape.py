"""A document against its schema: the value an API server would go on with, and all that is wrong.

Loading is strict: a field the server would drop is a problem, because it would silently do nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from renderer.document.pointer import PointerError, look_up
from renderer.document.problem import Problem
from renderer.document.source import Document
from renderer.document.values import Value
from renderer.load.conformity import check
from renderer.load.field import ROOT, ErrorType, FieldError
from renderer.load.schemas import Schema
from renderer.load.settle import Unsettled, settled
from renderer.load.structural import UnknownField, normalise
from renderer.load.wording import (
    API_SERVER,
    Reader,
    meant_field,
    schema_problem,
    subject_of,
    unknown_problem,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shaped:
    """The outcome for one document.

    `value` has no unknown fields, no meaningless nulls, and its defaults; where it conforms it shares
    all unchanged parts with the document's. `unknown_fields` are paths such as `spec.overrideRules[0].x`.
    `errors` is empty exactly where the value conforms to the schema; `problems` tells unknown fields and
    errors to the user.
    """

    value: Value
    unknown_fields: tuple[str, ...] = ()
    errors: tuple[FieldError, ...] = ()
    problems: tuple[Problem, ...] = ()


def shape(document: Document, schema: Schema, reader: Reader = API_SERVER) -> Shaped:
    """Prune, default and check a document against a schema.

    Takes any JSON value; nothing is raised. A field inside something of the wrong type is not told twice.
    `reader` is who the object is written for, as problems tell it.
    """
    quick = settled(document.value, schema)
    if not isinstance(quick, Unsettled):
        return Shaped(value=quick)
    value, unknown = normalise(document.value, schema)
    errors = tuple(check(value, schema))
    if not unknown and not errors:  # it had nulls to drop, and no more
        return Shaped(value=value)
    subject = subject_of(document)
    problems = (
        *unknown_problems(unknown, errors, schema, document, subject, reader),
        *schema_problems(unanswered(errors, unknown), value, document, subject, reader),
    )
    return Shaped(
        value=value,
        unknown_fields=tuple(str(item.path) for item in unknown),
        errors=errors,
        problems=tuple(sorted(problems, key=lambda problem: problem.sort_key)),
    )


def unknown_problems(
    unknown: Sequence[UnknownField],
    errors: Sequence[FieldError],
    schema: Schema,
    document: Document,
    subject: str,
    reader: Reader = API_SERVER,
) -> tuple[Problem, ...]:
    """A problem for each unknown field, but for those inside something that is wrong as a whole."""
    wrong = tuple(f"{error.pointer}/" for error in errors if error.type is ErrorType.TYPE_INVALID)
    return tuple(
        unknown_problem(item, schema, document, subject, reader)
        for item in unknown
        if not item.path.pointer.startswith(wrong)
    )


def unanswered(errors: Sequence[FieldError], unknown: Sequence[UnknownField]) -> tuple[FieldError, ...]:
    """The errors but those of a field that is there under a misspelt name, which has a problem already."""
    meant = tuple(
        (item.path.parent or ROOT).child(name).pointer for item in unknown if (name := meant_field(item))
    )
    return tuple(error for error in errors if error.pointer not in meant)


def schema_problems(
    errors: Sequence[FieldError],
    value: Value,
    document: Document,
    subject: str,
    reader: Reader = API_SERVER,
) -> tuple[Problem, ...]:
    """A problem for each place of the value that has an error: its first one there, types before all."""
    first: dict[str, FieldError] = {}
    for error in sorted(errors, key=lambda error: error.type is not ErrorType.TYPE_INVALID):
        first.setdefault(error.pointer, error)
    return tuple(
        schema_problem(error, document, subject, value_at(value, pointer), reader)
        for pointer, error in first.items()
    )


def value_at(value: Value, pointer: str) -> Value:
    """The value an RFC 6901 pointer names, None where there is none."""
    try:
        return look_up(value, pointer)
    except PointerError:
        return None
