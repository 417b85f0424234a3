"""What Karmada's validating webhook has against a ResourceInterpreterCustomization.

Source: Karmada pkg/webhook/resourceinterpretercustomization.
"""

from __future__ import annotations

from collections.abc import Sequence

from renderer.document.values import Object, dig, text
from renderer.load.field import ROOT, FieldError, Path, invalid
from renderer.load.lua_syntax import syntax_error

# Field of spec.customizations -> the operation it customises, in the order they are looked at.
OPERATIONS = {
    "retention": "Retain",
    "replicaResource": "InterpretReplica",
    "componentResource": "InterpretComponent",
    "replicaRevision": "ReviseReplica",
    "statusReflection": "InterpretStatus",
    "statusAggregation": "AggregateStatus",
    "healthInterpretation": "InterpretHealth",
    "dependencyInterpretation": "InterpretDependency",
}
_SEVERAL_ALLOWED = "dependencyInterpretation"


def script_of(body: Object, rule: str) -> str:
    """The Lua script of one rule, empty where there is none."""
    return text(dig(body, "spec", "customizations", rule, "luaScript"))


def script_path(rule: str) -> Path:
    """Where the script of a rule stands."""
    return ROOT.child("spec", "customizations", rule, "luaScript")


def check_customization(body: Object, existing: Sequence[Object]) -> FieldError | None:
    """The first thing wrong with a customization whose types have been checked.

    `existing` are the other customizations; one of the same name is the object itself.
    """
    return _conflict(body, existing) or _lua_fault(body)


def _conflict(body: Object, existing: Sequence[Object]) -> FieldError | None:
    # An API server lists them by name.
    others = sorted(existing, key=lambda other: text(dig(other, "metadata", "name")))
    for other in others:
        name = text(dig(other, "metadata", "name"))
        if name == text(dig(body, "metadata", "name")) or _target(other) != _target(body):
            continue
        for rule, operation in OPERATIONS.items():
            if rule != _SEVERAL_ALLOWED and script_of(body, rule) and script_of(other, rule):
                detail = (
                    f"conflicting with InterpreterOperation({operation}) "
                    f"of existing ResourceInterpreterCustomization({name})"
                )
                return invalid(script_path(rule), None, detail)
    return None


def _target(body: Object) -> tuple[str, str]:
    return text(dig(body, "spec", "target", "apiVersion")), text(dig(body, "spec", "target", "kind"))


def _lua_fault(body: Object) -> FieldError | None:
    for rule, operation in OPERATIONS.items():
        fault = syntax_error(script_of(body, rule))
        if fault:
            detail = f"InterpreterOperation({operation}) Lua script error: {fault}"
            return invalid(script_path(rule), None, detail)
    return None
