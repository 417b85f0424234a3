"""Documents to Kubernetes objects: Lists taken apart, everything else that has no kind refused.

Source: k8s.io/apimachinery pkg/apis/meta/v1/unstructured/helpers.go.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches

from renderer.document.pointer import escape
from renderer.document.problem import Problem
from renderer.document.source import Document
from renderer.document.values import Object, Value
from renderer.load.ignore import IGNORE_FILE
from renderer.load.kubernetes_apis import KUBERNETES_APIS
from renderer.load.wording import show, told

_NOT_READ = "krender cannot tell what it is, and neither could an API server"
_IGNORE = f"if it is no Kubernetes object, name the file in {IGNORE_FILE}"


def objects(documents: Iterable[Document]) -> tuple[tuple[Document, ...], tuple[Problem, ...]]:
    """The objects in documents, items of Lists by themselves, in order; and what is no object.

    Every object has an apiVersion and a kind; nothing else is sure of it.
    """
    found: list[Document] = []
    problems: list[Problem] = []
    for document in documents:
        for item in _taken_apart(document):
            if isinstance(item, Problem):
                problems.append(item)
            else:
                found.append(item)
    return tuple(found), tuple(problems)


def _taken_apart(document: Document) -> Iterator[Document | Problem]:
    body = document.value
    if not isinstance(body, dict):
        what = f"the document is {_word(body)}, not an object"
        cut = (
            "a line that begins with --- ends a document, also inside a text; "
            if document.first_line > 1
            else ""
        )
        yield told(document, "", what, why=cut + _NOT_READ, fix=f"write apiVersion and kind; {_IGNORE}")
        return
    problem = _unnamed(document, body, "kind") or _unnamed(document, body, "apiVersion")
    if problem is not None:
        yield problem
        return
    items = _items(body)
    if items is None:
        yield _malformed_version(document, str(body["apiVersion"])) or document
        return
    for index, item in enumerate(items):
        typed = _typed(item, str(body["apiVersion"]), str(body["kind"]))
        yield from _taken_apart(document.below(f"/items/{index}", typed))


def _items(body: Object) -> list[Value] | None:
    """The items of a List of any kind; None where the object is no List."""
    if not str(body["kind"]).endswith("List"):
        return None
    items = body.get("items")
    if isinstance(items, list):
        return items
    # The client's own List may be empty; another kind whose name ends so is an object like others.
    return [] if items is None and (body["kind"] == "List" or "items" in body) else None


def _typed(item: Value, api_version: str, list_kind: str) -> Value:
    """An item of a typed list: an API server leaves its apiVersion and kind to the list."""
    kind = list_kind.removesuffix("List")
    if not kind or not isinstance(item, dict) or item.get("kind") or item.get("apiVersion"):
        return item
    return {"apiVersion": api_version, "kind": kind, **{key: item[key] for key in item if key not in _TYPE}}


_TYPE = ("apiVersion", "kind")


def _unnamed(document: Document, body: Object, field: str) -> Problem | None:
    """What is wrong with the kind or the apiVersion of an object."""
    value = body.get(field)
    if isinstance(value, str) and value.strip():
        return None
    if value is None or value == "":
        what = f"the object has no {field}"
        tool = next((tool for tool in _TOOLS if tool.file.fullmatch(document.file.rpartition("/")[2])), None)
        if tool is not None:
            return told(document, "", tool.what, why=tool.why, fix=tool.fix.format(file=document.file))
        near = _meant(field, body)
        if near:
            fix = f'write "{field}", not "{near}"'
            return told(document, f"/{escape(near)}", what, why=_NOT_READ, fix=fix)
        version = _served(body.get("kind")) if field == "apiVersion" else ""
        fix = f'add "{field}: {version}"' if version else f'add "{field}"; {_IGNORE}'
        return told(document, f"/{field}" if field in body else "", what, why=_NOT_READ, fix=fix)
    what = f"the object's {field} is {show(value)}, not a text"
    return told(
        document, f"/{field}", what, why=_NOT_READ, fix=f"write {field} as text, in quotes if need be"
    )


@dataclass(frozen=True, slots=True)
class _Tool:
    """A file of another tool that lies among manifests, by its name."""

    file: re.Pattern[str]
    what: str
    why: str
    fix: str


_TOOLS = (
    _Tool(
        re.compile(r"kustomization\.ya?ml"),
        "a kustomization is an instruction for kustomize, not a Kubernetes object",
        "krender runs no kustomize, so what it would make of the files is not rendered",
        f"put what kustomize builds into the workspace, and name {{file}} in {IGNORE_FILE}",
    ),
    _Tool(
        re.compile(r"Chart\.yaml"),
        "a Helm chart is no Kubernetes object",
        "krender runs no Helm, so what it would make of the chart's templates is not rendered",
        f"put what `helm template` prints into the workspace, and name the chart in {IGNORE_FILE}",
    ),
)


def _meant(field: str, body: Object) -> str:
    """The key of an object that is a slip for the field; empty if there is none."""
    keys = {key.lower(): key for key in body if key not in (*_TYPE, "metadata")}
    near = get_close_matches(field.lower(), keys, n=1, cutoff=0.8)
    return keys[near[0]] if near else ""


def _served(kind: Value) -> str:
    """The API version in which Kubernetes has a kind; empty if it has none."""
    versions = [version for version, kinds in KUBERNETES_APIS.items() if kind in kinds.split()]
    return versions[-1] if versions else ""


def _malformed_version(document: Document, api_version: str) -> Problem | None:
    parts = api_version.split("/")
    if len(parts) <= 2 and all(part and part == part.strip() for part in parts):
        return None
    what = f"the object's apiVersion {show(api_version)} is neither version nor group/version"
    return told(document, "/apiVersion", what, why=_NOT_READ, fix="write for example apps/v1")


def _word(value: Value) -> str:
    return "a list" if isinstance(value, list) else show(value)
