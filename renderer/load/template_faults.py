"""What an API server has against the metadata of an object that is to be created.

Source: k8s.io/apimachinery pkg/api/validation.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from renderer.document.pointer import escape
from renderer.document.problem import Problem, Severity
from renderer.document.source import Document
from renderer.document.values import Object, Value, text
from renderer.load.names import dns_label, dns_subdomain, label_key, label_value
from renderer.load.wording import REFUSED, show, subject_of, told
from renderer.match.scope import scope_of
from renderer.model.identity import group_of
from renderer.model.scope import Scope

# Their names end up in a path, and may be anything that can: `system:node-reader`.
_ANY_NAME: Final = frozenset({"rbac.authorization.k8s.io"})
_LABEL_FIX: Final = "write at most 63 lower-case letters, digits and '-', with a letter or digit at both ends"
_SUBDOMAIN_FIX: Final = (
    "write at most 253 lower-case letters, digits, '-' and '.', with a letter or digit at both ends"
)
_KEY_FIX: Final = "write a name, or a DNS name, a slash and a name"
_VALUE_FIX: Final = "write at most 63 letters, digits, '-', '_' or '.', with a letter or digit at both ends"


def name_problem(document: Document, body: Object, metadata: Object) -> Problem | None:
    """An object without a name, or with one that nothing can be called."""
    kind = text(body.get("kind"))
    raw = body.get("metadata")
    name = metadata.get("name")
    if raw is not None and not isinstance(raw, dict):
        what, why = f"the {kind} has metadata that is no map", "its name and labels cannot be read"
        return told(document, "/metadata", what, why=why, fix="write metadata: and below it name:")
    if name is None or name == "":
        return _nameless(document, kind, metadata)
    if not isinstance(name, str):
        what = f"the {kind} has the name {show(name)}, which is not a text"
        return told(
            document, "/metadata/name", what, why=REFUSED, fix=_in_quotes(document, "/metadata/name", name)
        )
    fix = _name_fix(text(body.get("apiVersion")), kind, name)
    if not fix:
        return None
    what = f"the {kind} cannot be called {show(name)}"
    return told(document, "/metadata/name", what, why=REFUSED, fix=fix)


def namespace_problem(document: Document, metadata: Object) -> Problem | None:
    """A namespace that is none."""
    namespace = metadata.get("namespace")
    if namespace is None or namespace == "":
        return None
    if not isinstance(namespace, str):
        what = f"{subject_of(document)} has the namespace {show(namespace)}, which is not a text"
        return told(
            document,
            "/metadata/namespace",
            what,
            why=REFUSED,
            fix=_in_quotes(document, "/metadata/namespace", namespace),
        )
    if not dns_label(namespace):
        return None
    what = f"{subject_of(document)}: a namespace cannot be called {show(namespace)}"
    return told(document, "/metadata/namespace", what, why=REFUSED, fix=_LABEL_FIX)


def metadata_problems(document: Document, metadata: Object) -> Iterator[Problem]:
    """Labels and annotations that are no text, or that Kubernetes does not take."""
    for field in ("labels", "annotations"):
        entries = metadata.get(field)
        if isinstance(entries, dict):
            for key, value in entries.items():
                problem = _entry_problem(document, field, key, value)
                if problem is not None:
                    yield problem
        elif entries is not None:
            what = f"{subject_of(document)}: metadata.{field} is no map"
            yield told(document, f"/metadata/{field}", what, why=REFUSED, fix="write key: value")


def _entry_problem(document: Document, field: str, key: str, value: Value) -> Problem | None:
    if value is None:
        why = "it counts as empty text, or the whole map as absent, by who reads it"
        return _entry(document, field, key, f"is {show(value)}", why, 'write ""', Severity.WARNING)
    if not isinstance(value, str):
        why = "an API server refuses it, and Karmada would see no label or annotation at all"
        fix = _in_quotes(document, f"/metadata/{field}/{escape(key)}", value)
        return _entry(document, field, key, f"is {show(value)}, not text", why, fix)
    if label_key(key.lower() if field == "annotations" else key):
        return _entry(document, field, key, "has a key that Kubernetes does not take", REFUSED, _KEY_FIX)
    if field == "labels" and label_value(value):
        return _entry(document, field, key, f"cannot be {show(value)}", REFUSED, _VALUE_FIX)
    return None


def _entry(
    document: Document,
    field: str,
    key: str,
    what: str,
    why: str,
    fix: str,
    severity: Severity = Severity.ERROR,
) -> Problem:
    subject = f"{subject_of(document)}: the {field.removesuffix('s')} {show(key)} {what}"
    return told(document, f"/metadata/{field}/{escape(key)}", subject, why=why, fix=fix, severity=severity)


def _nameless(document: Document, kind: str, metadata: Object) -> Problem:
    if metadata.get("generateName"):
        return told(
            document,
            "/metadata/generateName",
            f"the {kind} has generateName but no name",
            why="every render would have to make up another object, and no cluster would keep one",
            fix='write "name" in its place',
        )
    pointer = "/metadata/name" if "name" in metadata else "/metadata"
    why = "without a name it is nothing a policy could select or a cluster could keep"
    return told(document, pointer, f"the {kind} has no name", why=why, fix='add "name" under metadata')


def _name_fix(api_version: str, kind: str, name: str) -> str:
    """What a name of this kind must be like; empty where it is."""
    if name in (".", "..") or "/" in name or "%" in name or not name.isprintable():
        return 'write a name that is not "." or "..", without "/" and "%"'
    group = group_of(api_version)
    if (group, kind) == ("", "Namespace"):
        return _LABEL_FIX if dns_label(name) else ""
    if group in _ANY_NAME or scope_of(api_version, kind) is Scope.UNKNOWN:
        return ""
    return _SUBDOMAIN_FIX if dns_subdomain(name) else ""


def _in_quotes(document: Document, pointer: str, value: Value) -> str:
    if isinstance(value, bool):
        return "write it in quotes: plain yes, no, on, off, y and n are not text in YAML"
    if isinstance(value, int | float):
        return f'write it in quotes: "{document.spelled(pointer) or value}"'
    return "write text"
