"""A document against its schema: the value an API server would go on with, and all that is wrong.

Loading is strict: a field the server would drop is a problem, because it would silently do nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

from renderer.document.problem import Problem
from renderer.document.source import Document
from renderer.document.values import Value
from renderer.load.conformity import check
from renderer.load.field import FieldError
from renderer.load.schemas import Schema
from renderer.load.structural import normalise
from renderer.load.wording import schema_problem, unknown_problem


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


def shape(document: Document, schema: Schema) -> Shaped:
    """Prune, default and check a document against a schema.

    Takes any JSON value; nothing is raised. A field inside something of the wrong type is not told twice.
    """
    value, unknown = normalise(document.value, schema)
    errors = tuple(check(value, schema))
    if not unknown and not errors:
        return Shaped(value=value)
    wrong = tuple(error.pointer for error in errors)
    problems = [
        unknown_problem(item, schema, document)
        for item in unknown
        if not any(item.path.pointer.startswith(pointer + "/") for pointer in wrong)
    ]
    told: dict[str, FieldError] = {}
    for error in errors:
        told.setdefault(error.pointer, error)
    problems += [schema_problem(error, document, value_at(value, error.pointer)) for error in told.values()]
    return Shaped(
        value=value,
        unknown_fields=tuple(str(item.path) for item in unknown),
        errors=errors,
        problems=tuple(sorted(problems, key=lambda problem: problem.sort_key)),
    )


def value_at(value: Value, pointer: str) -> Value:
    """The value an RFC 6901 pointer names, None where there is none."""
    for token in pointer.split("/")[1:]:
        name = token.replace("~1", "/").replace("~0", "~")
        if isinstance(value, dict):
            value = value.get(name)
        elif isinstance(value, list) and name.isdigit() and int(name) < len(value):
            value = value[int(name)]
        else:
            return None
    return value
