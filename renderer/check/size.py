"""Findings about size: objects that are larger than an API server, or the usual way of applying, can take."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final

from renderer.check.finding import Rule
from renderer.document.problem import Problem, Severity
from renderer.document.values import dig, mapping, text
from renderer.model.plan import Plan
from renderer.model.template import Template

TOO_LARGE: Final = Rule(id="KR505", title="A template is very large", severity=Severity.NOTE)

RULES: Final = (TOO_LARGE,)

# Source: k8s.io/kubernetes pkg/apis/core/validation, MaxSecretSize and ValidateConfigMap.
_DATA: Final = 1024 * 1024
# Source: k8s.io/apimachinery pkg/api/validation, TotalAnnotationSizeLimitB.
_ANNOTATIONS: Final = 256 * 1024


def size_findings(plan: Plan) -> Iterator[Problem]:
    """All findings of this family."""
    for template in plan.workspace.templates:
        # A small text holds no large object; counting is for the few others.
        if template.document is not None and len(template.document.text) > _ANNOTATIONS:
            yield from _of_template(template)


def _of_template(template: Template) -> Iterator[Problem]:
    data = _data(template) if template.identity.kind in ("ConfigMap", "Secret") else 0
    if data > _DATA:
        yield TOO_LARGE.at(
            template.document,
            "/data",
            what=f"{template.identity} holds {data} bytes, more than {_DATA}",
            why="an API server refuses it",
            fix="split it, or have the cluster fetch the data from elsewhere",
            severity=Severity.ERROR,
        )
        return
    size = len(json.dumps(template.body, ensure_ascii=False, separators=(",", ":")).encode())
    if size > _ANNOTATIONS:
        yield TOO_LARGE.at(
            template.document,
            what=f"{template.identity} has {size} bytes as JSON, more than {_ANNOTATIONS}",
            why="client-side apply keeps a copy of the object in an annotation, which would be too large",
            fix="have it applied on the server's side: ServerSideApply=true in Argo CD; Flux does so anyway",
        )


def _data(template: Template) -> int:
    fields = ("data", "binaryData", "stringData")
    values = (value for field in fields for value in mapping(dig(template.body, field)).values())
    return sum(len(text(value).encode()) for value in values)
