"""Findings about lists in which an entry stands twice, by what tells its entries apart."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, TypeAlias

from renderer.check.finding import Rule
from renderer.document.pointer import join
from renderer.document.problem import Problem
from renderer.document.source import Document
from renderer.document.values import Object, Value, dig, mapping, sequence
from renderer.model.carried import written
from renderer.model.holes import Path
from renderer.model.override_result import Step
from renderer.model.plan import Manifest, Plan, Rendering
from renderer.model.variants import Variants, alike

TWICE: Final = Rule(id="KR806", title="A list has an entry twice")

RULES: Final = (TWICE,)

_Place: TypeAlias = tuple[tuple[str, ...], str]  # the way to the second of two entries, and what it is called

_POD: Final = ("template", "spec")
_PODS: Final = {"Pod": (), "CronJob": ("jobTemplate", "spec", *_POD)}
_KINDS: Final = ("ReplicaSet", "Deployment", "DaemonSet", "StatefulSet", "Job", *_PODS)
_CONTAINERS: Final = ("containers", "initContainers")
# Lists that an API server takes with an entry twice. Source: k8s.io/api core/v1, +listMapKey.
_LISTS: Final = (("env", ("name",)), ("ports", ("containerPort", "protocol")))
_TELLING: Final = ("name", "containerPort", "protocol")


def entry_findings(plan: Plan) -> Iterator[Problem]:
    """All findings of this family: in templates, and in what overrides make of them."""
    for rendering in written(plan):
        if rendering.template.identity.kind not in _KINDS:
            continue
        place = _twice(rendering.template.body)
        if place:
            yield _finding(rendering, rendering.template.document, join(place[0]), place[1])
        else:
            yield from _by_overrides(rendering)


def _by_overrides(rendering: Rendering) -> Iterator[Problem]:
    told: dict[tuple[object, ...], None] = {}
    for manifest in alike(rendering.manifests, _is_read):
        step = _suspect(manifest)
        place = _twice(manifest.body) if step and manifest.body is not None else None
        if step and place and (step.rule.key, step.index) not in told:
            told[step.rule.key, step.index] = None
            pointer = f"{step.rule.rule.pointer}/{step.overrider}/{step.index}"
            yield _finding(rendering, step.rule.policy.document, pointer, place[1], str(step.rule))


def _is_read(_variants: Variants, path: Path) -> bool:
    """Whether a value is what entries are told apart by, or what they are called."""
    return path[-1] in _TELLING


def _suspect(manifest: Manifest) -> Step | None:
    """The last override that may have put an entry into such a list."""
    for step in reversed(manifest.overridden.steps if manifest.overridden else ()):
        if step.changed and ("/env" in step.path or "/ports" in step.path or step.path.endswith("ontainers")):
            return step
    return None


def _finding(
    rendering: Rendering, document: Document | None, pointer: str, called: str, by: str = ""
) -> Problem:
    return TWICE.at(
        document,
        pointer,
        what=f"{by}{': ' if by else ''}{rendering.template.identity} has {called} twice",
        why="server-side apply, as by Flux, refuses the object; by client-side apply it never settles",
        fix="write operator replace on the entry that is there" if by else "remove one of the two",
    )


def _twice(body: Object) -> _Place | None:
    kind = body.get("kind")
    pod = ("spec", *_PODS.get(kind if isinstance(kind, str) else "", _POD))
    for containers in _CONTAINERS:
        for index, container in enumerate(sequence(dig(body, *pod, containers))):
            for field, keys in _LISTS:
                place = _second(mapping(container), field, keys)
                if place:
                    return (*pod, containers, str(index), field, str(place[0])), place[1]
    return None


def _second(container: Object, field: str, keys: tuple[str, ...]) -> tuple[int, str] | None:
    entries = sequence(container.get(field))
    if len(entries) < 2:
        return None
    seen: dict[tuple[Value, ...], None] = {}
    for index, entry in enumerate(entries):
        given = mapping(entry)
        # An absent protocol is TCP.
        key = tuple(given.get(name, "TCP" if name == "protocol" else None) for name in keys)
        if not all(isinstance(part, str | int) for part in key):
            continue
        if key in seen:
            word = "the variable" if field == "env" else "the port"
            return index, f"{word} {'/'.join(str(part) for part in key)} of container {container.get('name')}"
        seen[key] = None
    return None
