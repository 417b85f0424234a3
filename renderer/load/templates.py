"""Objects to resource templates: each with an identity, in its namespace, and only once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from renderer.document.problem import Problem, Severity
from renderer.document.source import Document
from renderer.document.values import Object, Value, mapping, text
from renderer.load.sealed import seal_fault
from renderer.load.template_faults import metadata_problems, name_problem, namespace_problem
from renderer.load.wording import subject_of, told
from renderer.match.scope import scope_of
from renderer.model.identity import Identity, labels_of
from renderer.model.karmada_keys import without_karmadas
from renderer.model.scope import Kind, Scope
from renderer.model.template import Template

_NAME = "/metadata/name"


@dataclass(slots=True, kw_only=True)
class _Reading:
    """The templates so far, by what makes them one object to a cluster."""

    scopes: Mapping[Kind, Scope]
    default_namespace: str
    take_over: bool
    templates: dict[tuple[str, str, str, str], Template] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    _guessed: dict[Kind, None] = field(default_factory=dict)

    def add(self, document: Document) -> None:
        """Take an object, or note why it cannot be a template."""
        body = mapping(document.value)
        metadata = mapping(body.get("metadata"))
        nameless = name_problem(document, body, metadata)
        namespace_fault = namespace_problem(document, metadata)
        self.problems += [problem for problem in (nameless, namespace_fault) if problem]
        if not text(metadata.get("name")) or not isinstance(metadata.get("namespace"), str | None):
            return
        self.problems += metadata_problems(document, metadata)
        namespace = self.namespace(document, body, text(metadata.get("namespace")))
        placed = _in_namespace(body, metadata, namespace)
        if self.take_over and document.raw is None:
            placed = without_karmadas(placed)
        broken = seal_fault(document, body, namespace) if placed is not body else None
        self.problems += [broken] if broken else []
        identity = Identity(
            text(body.get("apiVersion")), text(body.get("kind")), namespace, text(metadata.get("name"))
        )
        first = self.templates.get(identity.key)
        if first is not None:
            self.problems.append(_twice(document, identity, first))
            return
        self.templates[identity.key] = Template(
            identity=identity, body=placed, labels=tuple(labels_of(placed).items()), document=document
        )

    def namespace(self, document: Document, body: Object, stated: str) -> str:
        """The namespace an API server, asked through kubectl, would put the object in."""
        api_version, kind = text(body.get("apiVersion")), text(body.get("kind"))
        match scope_of(api_version, kind, self.scopes):
            case Scope.CLUSTER:
                if stated:
                    self.problems.append(_stray_namespace(document, kind))
                return ""
            case Scope.UNKNOWN if not stated:
                if (api_version, kind) not in self._guessed:
                    self.problems.append(_guess(document, kind, self.default_namespace))
                self._guessed[(api_version, kind)] = None
        return stated or self.default_namespace


def read_templates(
    documents: Iterable[Document],
    *,
    scopes: Mapping[Kind, Scope],
    default_namespace: str,
    take_over: bool = False,
) -> tuple[tuple[Template, ...], tuple[Problem, ...]]:
    """The templates among objects, by identity, and everything wrong with the objects.

    `scopes` are those of the workspace's own kinds; with `take_over`, what a live Karmada wrote on objects is
    left out. An object without a name is left out; of two with one identity the first stays. What only
    Kubernetes would refuse (a malformed name or label) is an error, but the template is there.
    """
    reading = _Reading(scopes=scopes, default_namespace=default_namespace, take_over=take_over)
    for document in documents:
        reading.add(document)
    return tuple(sorted(reading.templates.values(), key=lambda template: template.identity)), tuple(
        reading.problems
    )


def _in_namespace(body: Object, metadata: Object, namespace: str) -> Object:
    """The body with this namespace, behind the name; the body itself where it is so already."""
    if metadata.get("namespace", "") == namespace:
        return body if namespace or "namespace" not in metadata else _without(body, metadata)
    changed: dict[str, Value] = {}
    for key, value in metadata.items():
        if key != "namespace":
            changed[key] = value
        if key == "name" and namespace:
            changed["namespace"] = namespace
    return {**body, "metadata": changed}


def _without(body: Object, metadata: Object) -> Object:
    return {**body, "metadata": {key: metadata[key] for key in metadata if key != "namespace"}}


def _twice(document: Document, identity: Identity, first: Template) -> Problem:
    place = first.document.where(_NAME) if first.document else "another place"
    versions = "" if first.identity == identity else f" as {first.identity.api_version}"
    return told(
        document,
        _NAME,
        f"{identity} is there twice: the other is at {place}{versions}",
        why="to a cluster they are one object, and which of them it gets would be a matter of chance",
        fix="remove one of them, or rename it",
    )


def _stray_namespace(document: Document, kind: str) -> Problem:
    return told(
        document,
        "/metadata/namespace",
        f"{subject_of(document)} has a namespace, which a {kind} cannot have",
        why="an API server ignores it, and so does krender",
        fix="remove it",
        severity=Severity.WARNING,
    )


def _guess(document: Document, kind: str, namespace: str) -> Problem:
    return told(
        document,
        "/metadata",
        f"{subject_of(document)} names no namespace, and nothing says whether a {kind} has one",
        why=f"it is taken to live in the namespace {namespace}; if it does not, no cluster can have it",
        fix=f'write "namespace: {namespace}", or add the CustomResourceDefinition of {kind} to the workspace',
        severity=Severity.WARNING,
    )
