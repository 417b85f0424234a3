"""One question answered: as a document for programs, and as a page for people."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from renderer.document.problem import InputError, Problem
from renderer.document.values import Object, Value, mapping, sequence
from renderer.model.plan import Plan
from renderer.model.workspace import Refused
from renderer.view.explain.cluster import cluster_facts
from renderer.view.explain.cluster_text import cluster_page
from renderer.view.explain.facts import object_facts
from renderer.view.explain.field import field_facts
from renderer.view.explain.field_text import field_page
from renderer.view.explain.page import Page
from renderer.view.explain.policy import policy_facts
from renderer.view.explain.policy_text import policy_page
from renderer.view.explain.reading import Reading
from renderer.view.explain.subject import WHERE, Subject, find, named_cluster
from renderer.view.explain.text import object_page


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What is asked: about `KIND/NAME`, perhaps in one namespace, for one cluster, of one field."""

    subject: str
    namespace: str = ""
    cluster: str = ""
    field: str | None = None


def answer(plan: Plan, question: Question, base: str = "") -> Object:
    """The answer as a document; schemas/explain.json describes it.

    `base` is the path of the workspace's directory as the user would write it. Raises InputError where
    there is no such subject, cluster or field.
    """
    found = find(plan, question.subject, question.namespace)
    _ask_of_templates_only(question, found)
    if question.cluster:
        named_cluster(plan, question.cluster)
    reading = Reading(plan, base)
    return {"subject": question.subject, "now": plan.now, **_facts(reading, found, question)}


def pages(document: Object) -> list[Page]:
    """The same to be read: a page for each thing that the document tells of."""
    return [page(mapping(item)) for key, page in _PAGES.items() for item in sequence(document.get(key))]


_PAGES: Final[dict[str, Callable[[Object], Page]]] = {
    "objects": object_page,
    "fields": field_page,
    "clusters": cluster_page,
    "policies": policy_page,
}


def _facts(reading: Reading, found: Subject, question: Question) -> Object:
    if found.clusters:
        return {"clusters": [cluster_facts(reading, cluster) for cluster in found.clusters]}
    if found.policies or found.refused:
        admitted: list[Value] = [policy_facts(reading, policy) for policy in found.policies]
        return {"policies": [*admitted, *_refused(reading, found.refused)]}
    if question.field is not None:
        return {"fields": field_facts(reading, found.templates, question.field, question.cluster)}
    return {"objects": [object_facts(reading, item, question.cluster) for item in found.templates]}


def _refused(reading: Reading, refused: Sequence[Refused]) -> list[Value]:
    """Policies that admission refuses."""
    return [
        {
            "policy": {
                key: value
                for key, value in (
                    ("kind", item.identity.kind),
                    ("namespace", item.identity.namespace),
                    ("name", item.identity.name),
                )
                if value
            },
            "source": reading.place(item.document),
            "refused": item.message or item.reason,
        }
        for item in refused
    ]


def _ask_of_templates_only(question: Question, found: Subject) -> None:
    """Raise InputError where a cluster or a policy is asked for what only templates have."""
    options = [("--cluster", question.cluster != ""), ("--field", question.field is not None)]
    given = [name for name, is_given in options if is_given]
    if given and not found.templates:
        raise InputError(
            Problem(
                where=WHERE,
                what=f"{' and '.join(given)} cannot be asked of {question.subject}",
                why="only templates have fields, and a manifest for each cluster",
                fix=f"krender explain {question.subject}",
            )
        )
