"""`krender.yaml` to settings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields

from renderer.document.limits import Limits
from renderer.document.problem import InputError, Position, Problem
from renderer.document.read import read_stream
from renderer.document.source import Document
from renderer.document.values import Object, dig, mapping, sequence, text
from renderer.load.delivery_settings import delivery_settings, tenants
from renderer.load.failover_settings import failover_settings
from renderer.load.guard_settings import guard_settings
from renderer.load.peek import CONFIG_FILE
from renderer.load.schemas import load_schema
from renderer.load.shape import shape
from renderer.load.tenant_problems import tenant_problems
from renderer.load.wording import KRENDER, show, told
from renderer.match.skip import parse_skipped_apis
from renderer.model.config import (
    Claims,
    Namespaces,
    Orphans,
    Output,
    ReleasedFiles,
    Strict,
    WorkspaceConfig,
)
from renderer.model.gates import FeatureGates

CONFIG_KIND = "Workspace"
KRENDER_API = "krender.io/v1alpha1"

_LIMITS = {
    "max_bytes": "fileBytes",
    "depth": "depth",
    "documents": "documents",
    "expanded_nodes": "expandedNodes",
}
_GATES = {
    gate.name: "".join(part.capitalize() for part in gate.name.split("_")) for gate in fields(FeatureGates)
}
# RE2, which Karmada matches with, has no look-around and no back-references.
_NOT_RE2 = re.compile(r"\(\?(?:[=!>(#]|<[=!])|\\[1-9]")
_MAX_REPEATS = 4
_NO_FOLDERS = ("", ".", "..", ".git")


def read_config(data: bytes) -> tuple[WorkspaceConfig, tuple[Problem, ...]]:
    """The settings in the bytes of a `krender.yaml`, and everything that is wrong with it.

    Settings that are wrong have their defaults, so that the rest of the workspace can be looked at.
    """
    try:
        documents = read_stream(data, CONFIG_FILE)
    except InputError as error:
        return WorkspaceConfig(), error.problems
    if len(documents) != 1:
        return WorkspaceConfig(), (_not_one(documents),)
    return config_of(documents[0])


def config_of(document: Document) -> tuple[WorkspaceConfig, tuple[Problem, ...]]:
    """The settings a document states, and everything that is wrong with them."""
    if not isinstance(document.value, dict):
        return WorkspaceConfig(), (_no_map(document),)
    shaped = shape(document, load_schema("workspace"), KRENDER)
    if shaped.errors:
        return WorkspaceConfig(), shaped.problems
    value = mapping(shaped.value)
    problems = (
        *shaped.problems,
        *_output_problems(document, value),
        *_namespace_problems(document, value),
        *_api_problems(document, value),
        *tenant_problems(document, value),
    )
    return (WorkspaceConfig() if problems else _config(value, document)), problems


def _config(value: Object, document: Document) -> WorkspaceConfig:
    spec = mapping(value.get("spec"))
    defaults = WorkspaceConfig()
    output = mapping(spec.get("output"))
    branch, repo = text(output.get("branch")) or defaults.output.branch, text(output.get("repo"))
    patterns = spec.get("skippedPropagatingNamespaces")
    return WorkspaceConfig(
        name=text(dig(value, "metadata", "name")),
        values=mapping(spec.get("values")),
        default_namespace=text(spec.get("defaultNamespace")) or defaults.default_namespace,
        claims=Claims(text(spec.get("claims")) or defaults.claims),
        namespaces=Namespaces(text(spec.get("namespaces")) or defaults.namespaces),
        orphans=Orphans(text(spec.get("orphans")) or defaults.orphans),
        released=ReleasedFiles(text(spec.get("released")) or defaults.released),
        failover=failover_settings(mapping(spec.get("failover"))),
        feature_gates=_gates(mapping(spec.get("featureGates"))),
        output=Output(
            branch=branch,
            repo=repo,
            path=text(output.get("path")),
            directory=text(output.get("directory")),
        ),
        delivery=delivery_settings(mapping(spec.get("delivery")), branch=branch, repo=repo),
        tenants=tenants(spec.get("tenants")),
        take_over=spec.get("takeOver") is True,
        skipped_propagating_namespaces=(
            defaults.skipped_propagating_namespaces
            if patterns is None
            else _texts(spec, "skippedPropagatingNamespaces")
        ),
        skipped_propagating_apis=";".join(_texts(spec, "skippedPropagatingAPIs")),
        enable_empty_workload_propagation=spec.get("enableEmptyWorkloadPropagation") is True,
        capacity_max_age_seconds=_whole(spec, "capacityMaxAgeSeconds", defaults.capacity_max_age_seconds),
        strict=tuple(item for item in Strict if dig(spec, "strict", item.value) is True),
        guards=guard_settings(mapping(spec.get("guards"))),
        limits=_limits(mapping(spec.get("limits"))),
        document=document,
    )


def _whole(spec: Object, key: str, default: int) -> int:
    value = spec.get(key)
    return value if isinstance(value, int) else default


def _gates(stated: Object) -> FeatureGates:
    wanted = {name: stated.get(gate) for name, gate in _GATES.items()}
    return FeatureGates(**{name: value for name, value in wanted.items() if isinstance(value, bool)})


def _limits(stated: Object) -> Limits:
    wanted = {name: stated.get(key) for name, key in _LIMITS.items()}
    return Limits(**{name: value for name, value in wanted.items() if isinstance(value, int)})


def _texts(spec: Object, key: str) -> tuple[str, ...]:
    return tuple(text(item) for item in sequence(spec.get(key)))


def _output_problems(document: Document, value: Object) -> Iterator[Problem]:
    for key, place in mapping(dig(value, "spec", "output")).items():
        if not text(place).isprintable():
            yield told(
                document,
                f"/spec/output/{key}",
                f"output.{key} has control characters",
                why="no file system or Git would take it",
                fix="write it without them",
            )
    path = text(dig(value, "spec", "output", "path"))
    if path and any(part.lower() in _NO_FOLDERS for part in path.split("/")):
        yield told(
            document,
            "/spec/output/path",
            f"output.path {show(path)} is no directory of a branch",
            why="nothing can be written there",
            fix='write it from the top of the branch on, such as "rendered/shop"',
        )


def _namespace_problems(document: Document, value: Object) -> Iterator[Problem]:
    for index, pattern in enumerate(sequence(dig(value, "spec", "skippedPropagatingNamespaces"))):
        fault = _pattern_fault(text(pattern))
        if fault:
            yield told(
                document,
                f"/spec/skippedPropagatingNamespaces/{index}",
                f"skippedPropagatingNamespaces: {show(pattern)} {fault}",
                why="namespaces it should keep back would be propagated",
                fix='write a regular expression such as "team-.*"',
            )


def _pattern_fault(pattern: str) -> str:
    """Why a pattern is not taken, empty if it is. Python's matcher must not run for ever on one."""
    if _NOT_RE2.search(pattern):
        return "has something Karmada's regular expressions do not"
    try:
        re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        return f"is no regular expression: {error}"
    bare = re.sub(r"\\.|\[(?:\\.|[^\]])*\]", "x", pattern)
    if re.search(r"\)[*+{]|[*+}][*+{]", bare):
        return "repeats a group, which krender does not take"
    if len(re.findall(r"[*+{]", bare)) > _MAX_REPEATS:
        return f"has more than {_MAX_REPEATS} repetitions, which krender does not take"
    return ""


def _api_problems(document: Document, value: Object) -> Iterator[Problem]:
    for index, token in enumerate(sequence(dig(value, "spec", "skippedPropagatingAPIs"))):
        try:
            valid = ";" not in text(token)
            parse_skipped_apis(text(token))
        except ValueError:
            valid = False
        if not valid:
            yield told(
                document,
                f"/spec/skippedPropagatingAPIs/{index}",
                f"skippedPropagatingAPIs: {show(token)} names no API",
                why="objects it should keep back would be propagated",
                fix="write group, group/version, group/version/Kind or v1/Kind; one entry for each",
            )


def _no_map(document: Document) -> Problem:
    return told(
        document,
        "",
        f"{CONFIG_FILE} is {show(document.value)}, not a map of settings",
        why="no setting can be read from it",
        fix=f"write apiVersion: {KRENDER_API}, kind: {CONFIG_KIND} and spec:",
    )


def _not_one(documents: tuple[Document, ...]) -> Problem:
    if not documents:
        return Problem(
            where=Position(CONFIG_FILE),
            what=f"{CONFIG_FILE} is empty",
            why="it is there to hold settings",
            fix=f"write apiVersion: {KRENDER_API} and kind: {CONFIG_KIND}, or delete the file",
        )
    return told(
        documents[1],
        "",
        f"{CONFIG_FILE} has {len(documents)} documents",
        why="it holds the settings of the workspace and nothing else",
        fix="move the other documents to files of their own",
    )
