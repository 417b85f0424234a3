"""Builders: documents from YAML as a file would have it, and the least a policy needs."""

from __future__ import annotations

from renderer.document.problem import Problem
from renderer.document.read import read_stream
from renderer.document.source import Document
from renderer.document.values import Object, Value

POLICY = "policy.karmada.io/v1alpha1"


def document(text: str, file: str = "policies/web.yaml") -> Document:
    """The only document of a file with this text."""
    (result,) = read_stream(text.encode(), file)
    return result


def policy(kind: str = "PropagationPolicy", /, **spec: Value) -> Object:
    """A policy of that kind in the namespace web, with a selector if it propagates."""
    namespace = {} if kind.startswith("Cluster") else {"namespace": "web"}
    if kind.endswith("PropagationPolicy"):
        spec = {"resourceSelectors": [{"apiVersion": "apps/v1", "kind": "Deployment"}], **spec}
    metadata = {"name": "frontend", **namespace}
    return {"apiVersion": POLICY, "kind": kind, "metadata": metadata, "spec": spec}


def report(problem: Problem) -> str:
    """A problem as a report prints it."""
    severity = "" if problem.severity == "error" else f"{problem.severity}: "
    lines = [f"{problem.where}: {severity}{problem.what}", problem.excerpt]
    return "\n".join([*lines, f"why: {problem.why}", f"fix: {problem.fix}"])
