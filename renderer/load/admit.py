"""A policy document through admission, with everything wrong told to the user.

krender is a strict client: an unknown field is an error, though a server would only prune it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from renderer.document.pointer import replace_at
from renderer.document.problem import Problem, Severity
from renderer.document.source import Document
from renderer.document.values import Object, Value, mapping, text
from renderer.interpret.lua.installed import INSTALL, lua_module
from renderer.load.admission import Admission, admission
from renderer.load.advice import advise
from renderer.load.conformity import check
from renderer.load.customization_rules import OPERATIONS, script_of, script_path
from renderer.load.field import ROOT, ErrorType, FieldError
from renderer.load.kinds import AdmittedKind, admitted_kind
from renderer.load.lua_syntax import error_line
from renderer.load.policies import VALUES_ANNOTATION, VALUES_JINJA2
from renderer.load.shape import schema_problems, unanswered, unknown_problems, value_at
from renderer.load.structural import normalise
from renderer.load.wording import REFUSED, missing_problem, show, told
from renderer.model.identity import annotations_of, identity_of


def admit(
    document: Document,
    *,
    namespace: str = "default",
    existing: Sequence[Object] = (),
    allow_no_execute: bool = False,
) -> tuple[Admission, tuple[Problem, ...]]:
    """Admit a document of one of the kinds of `kinds.py`.

    `namespace` is where an object goes that names none, `existing` the other customizations of the
    workspace; `allow_no_execute` is as in admission. Returns what a server would say, and the problems in the
    order of a report; an error among them means that the object is not to be used.
    """
    body = mapping(document.value)
    ask = partial(admission, namespace=namespace, existing=existing, allow_no_execute=allow_no_execute)
    outcome = ask(body)
    kind = admitted_kind(text(body.get("apiVersion")), text(body.get("kind")))
    if kind is None:
        return outcome, (
            told(document, "/kind", outcome.decode_error, why=REFUSED, fix="write a known kind"),
        )
    subject = str(identity_of(outcome.object or body)).strip()
    problems = (
        _undecodable(document, kind, outcome, subject)
        if outcome.decode_error
        else (
            *unknown_problems(outcome.unknown, outcome.schema_errors, kind.schema, document, subject),
            *_refusals(document, outcome, _all_denials(outcome, body, ask), subject),
            *_empty_fields(document, kind, outcome, subject),
            *_stray_namespace(document, kind, subject),
            *_unrun_scripts(document, kind, subject),
            *_values_annotation(document, outcome, subject),
        )
    )
    return outcome, tuple(sorted(problems, key=lambda problem: problem.sort_key))


def _undecodable(
    document: Document, kind: AdmittedKind, outcome: Admission, subject: str
) -> tuple[Problem, ...]:
    """Metadata that cannot be read: said as a schema would say it, where the schema knows."""
    value, _ = normalise(document.value, kind.schema)
    errors = tuple(error for error in check(value, kind.schema) if error.pointer.startswith("/metadata"))
    problems = schema_problems(errors, value, document, subject)
    what = f"{subject}: {outcome.decode_error}"
    return problems or (told(document, "/metadata", what, why=REFUSED, fix="correct the metadata"),)


def _refusals(
    document: Document, outcome: Admission, denials: Sequence[FieldError], subject: str
) -> tuple[Problem, ...]:
    """One problem for each place with an error; of several errors there, the schema's first."""
    metadata = tuple(error for error in outcome.schema_errors if error.pointer.startswith("/metadata"))
    of_schema = tuple(error for error in outcome.schema_errors if error not in metadata)
    # What a webhook filled in is not what stands there.
    problems = list(
        schema_problems(unanswered(of_schema, outcome.unknown), document.value, document, subject)
    )
    told_pointers = [error.pointer for error in of_schema]
    for error in (*metadata, *denials):
        # A rule that trips over something the schema has refused anyway would only repeat it.
        if error.pointer not in told_pointers:
            told_pointers.append(error.pointer)
            problems.append(_advised(document, error, outcome, subject))
    if not outcome.admitted and not told_pointers:
        reason = outcome.mutate_error or outcome.denied
        problems.append(told(document, "", f"{subject}: {reason}", why=REFUSED, fix="correct it"))
    return tuple(problems)


def _all_denials(
    outcome: Admission, body: Object, ask: Callable[[Object], Admission]
) -> tuple[FieldError, ...]:
    """What the validating webhook has against the object.

    It says nothing of an object that cannot be read; so that the user hears of everything in one run, it is
    then asked about the object without what has the wrong type.
    """
    wrong = tuple(error.pointer for error in outcome.schema_errors if error.type is ErrorType.TYPE_INVALID)
    if not wrong or outcome.denials:
        return outcome.denials
    rest: Value = body
    for pointer in wrong:
        rest = replace_at(rest, pointer, None)  # null, so that indexes stay
    denials = ask(mapping(rest)).denials
    return tuple(
        error
        for error in denials
        if not f"{error.pointer}/".startswith(tuple(f"{pointer}/" for pointer in wrong))
    )


def _advised(document: Document, error: FieldError, outcome: Admission, subject: str) -> Problem:
    shown = show(error.value if error.value is not None else value_at(outcome.object, error.pointer))
    words = advise(error, shown, text(outcome.object.get("kind")))
    problem = told(document, words.pointer, f"{subject}: {words.what}", why=words.why, fix=words.fix)
    return _in_script(document, error, problem)


def _in_script(document: Document, error: FieldError, problem: Problem) -> Problem:
    """The problem moved from a script's field to the line of the script that does not compile."""
    where = document.where_line(error.pointer, error_line(error.detail))
    if where == document.where_value(error.pointer):
        return problem
    return replace(problem, where=where, excerpt=document.excerpt(where))


def _empty_fields(
    document: Document, kind: AdmittedKind, outcome: Admission, subject: str
) -> tuple[Problem, ...]:
    """Required fields that the mutating webhook fills with nothing, so that the schema no longer minds."""
    value, _ = normalise(document.value, kind.schema)
    refused = tuple(error.pointer for error in outcome.schema_errors)
    return tuple(
        missing_problem(error, document, subject)
        for error in unanswered(tuple(check(value, kind.schema)), outcome.unknown)
        if error.type is ErrorType.REQUIRED
        and error.pointer.startswith("/spec/")
        and error.pointer not in refused
    )


def _stray_namespace(document: Document, kind: AdmittedKind, subject: str) -> tuple[Problem, ...]:
    given = value_at(document.value, "/metadata/namespace")
    if kind.namespaced or not given:
        return ()
    what = f"{subject} has a namespace, which its kind cannot have"
    why, fix = "an API server ignores it, so it reads as more than it does", "remove it"
    return (told(document, "/metadata/namespace", what, why=why, fix=fix, severity=Severity.WARNING),)


def _unrun_scripts(document: Document, kind: AdmittedKind, subject: str) -> tuple[Problem, ...]:
    body = mapping(document.value)
    first = next((rule for rule in OPERATIONS if script_of(body, rule)), "")
    if kind.kind != "ResourceInterpreterCustomization" or not first or lua_module() is not None:
        return ()
    what = f"{subject}: its Lua scripts cannot be run"
    why = "templates of its kind have no answer without them"
    return (told(document, script_path(first).pointer, what, why=why, fix=INSTALL, severity=Severity.NOTE),)


def _values_annotation(document: Document, outcome: Admission, subject: str) -> tuple[Problem, ...]:
    value = annotations_of(outcome.object).get(VALUES_ANNOTATION, VALUES_JINJA2)
    if value == VALUES_JINJA2:
        return ()
    what = f"{subject}: the annotation {VALUES_ANNOTATION} cannot be {show(value)}"
    why = "only Jinja2 expressions are known; the values would be taken literally"
    pointer = ROOT.child("metadata", "annotations", VALUES_ANNOTATION).pointer
    return (told(document, pointer, what, why=why, fix=f"write {VALUES_JINJA2}, or remove the annotation"),)
