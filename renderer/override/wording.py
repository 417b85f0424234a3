"""How a problem of an override policy is told: at the line of the policy, naming rule and entry."""

from __future__ import annotations

from renderer.document.problem import Position, Problem
from renderer.model.overrides import OverridePolicy


def policy_problem(policy: OverridePolicy, pointer: str, *, what: str, why: str, fix: str) -> Problem:
    """A problem at a pointer of the policy's document; without a document, at no place."""
    document = policy.document
    where = document.where(pointer) if document is not None else Position()
    excerpt = document.excerpt(where) if document is not None else ""
    return Problem(where=where, what=what, why=why, fix=fix, excerpt=excerpt)
