"""Policy documents to the model: admission, what krender adds to it, conversion."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from renderer.document.problem import Problem, Severity
from renderer.document.source import Document
from renderer.document.values import Object, text
from renderer.load.admit import admit
from renderer.load.field import ROOT
from renderer.load.kinds import admitted_kind
from renderer.load.policies import (
    VALUES_ANNOTATION,
    VALUES_JINJA2,
    override_policy_of,
    propagation_policy_of,
)
from renderer.load.side_objects import customization_of, rebalancer_of, taint_policy_of
from renderer.load.wording import show, told
from renderer.model.customization import ResourceInterpreterCustomization
from renderer.model.identity import annotations_of, identity_of
from renderer.model.overrides import OverridePolicy
from renderer.model.policy import PropagationPolicy
from renderer.model.rebalancer import WorkloadRebalancer
from renderer.model.taint_policy import ClusterTaintPolicy

PolicyObject: TypeAlias = (
    PropagationPolicy
    | OverridePolicy
    | WorkloadRebalancer
    | ClusterTaintPolicy
    | ResourceInterpreterCustomization
)


def is_policy_object(api_version: str, kind: str) -> bool:
    """Whether documents of this kind are read by `policy_object_of`."""
    return admitted_kind(api_version, kind) is not None


def policy_object_of(
    document: Document, *, namespace: str = "default", existing: Sequence[Object] = ()
) -> tuple[PolicyObject | None, tuple[Problem, ...]]:
    """Read a document of one of the admitted kinds.

    `namespace` is where an object goes that names none; `existing` are the customizations read before, as
    objects. Returns the object, None where it is refused (then an error is among the problems) or where
    nothing of it matters to a render (a FederatedResourceQuota).
    """
    outcome, problems = admit(document, namespace=namespace, existing=existing)
    problems = (*problems, *_values_annotation(document, outcome.object))
    if any(problem.severity is Severity.ERROR for problem in problems):
        return None, tuple(sorted(problems, key=lambda problem: problem.sort_key))
    return _model(outcome.object, document), problems


def _model(body: Object, document: Document) -> PolicyObject | None:
    match text(body.get("kind")):
        case "PropagationPolicy" | "ClusterPropagationPolicy":
            return propagation_policy_of(body, document)
        case "OverridePolicy" | "ClusterOverridePolicy":
            return override_policy_of(body, document)
        case "WorkloadRebalancer":
            return rebalancer_of(body, document)
        case "ClusterTaintPolicy":
            return taint_policy_of(body, document)
        case "ResourceInterpreterCustomization":
            return customization_of(body, document)
        case _:
            return None


def _values_annotation(document: Document, body: Object) -> tuple[Problem, ...]:
    value = annotations_of(body).get(VALUES_ANNOTATION, VALUES_JINJA2)
    if value == VALUES_JINJA2:
        return ()
    what = f"{identity_of(body)}: the annotation {VALUES_ANNOTATION} cannot be {show(value)}"
    why = "only Jinja2 expressions are known; the values would be taken literally"
    pointer = ROOT.child("metadata", "annotations", VALUES_ANNOTATION).pointer
    return (told(document, pointer, what, why=why, fix=f"write {VALUES_JINJA2}, or remove the annotation"),)
