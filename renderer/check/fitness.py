"""Findings about objects that miss their kind: what an API server refuses, and fields it does not know."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches
from typing import Final

from renderer.check.finding import Rule, some
from renderer.document.pointer import join
from renderer.document.problem import Problem, Severity
from renderer.document.values import Object, Value
from renderer.interpret.misfits import Misfit, misfits, takes_any_text
from renderer.interpret.refused import refused
from renderer.model.holes import Path
from renderer.model.override_result import Step
from renderer.model.plan import Manifest, Plan, Rendering, Stage
from renderer.model.variants import Variants, alike

REFUSED: Final = Rule(id="KR501", title="A template does not fit its kind", severity=Severity.ERROR)
UNKNOWN_FIELD: Final = Rule(id="KR502", title="A template has a field that its kind does not have")
SPOILED: Final = Rule(id="KR310", title="An override makes an object that does not fit its kind")

RULES: Final = (REFUSED, UNKNOWN_FIELD, SPOILED)


_MOST: Final = 20  # misfits of one template that are told one by one


def fitness_findings(plan: Plan) -> Iterator[Problem]:
    """All findings of this family."""
    for rendering in plan.renderings:
        known = list(misfits(rendering.template.body))
        yield from _of_template(rendering, known)
        lacks = list(refused(rendering.template.body))
        yield from _lacking(rendering, lacks)
        before = {misfit.pointer for misfit in (*known, *lacks)}
        spoiled: dict[str, tuple[Misfit, Step, list[str]]] = {}
        for manifest in alike(rendering.manifests, _is_read):
            for misfit in _all(manifest.body) if manifest.overridden and manifest.body else ():
                step = _blamed(manifest, misfit)
                if step is not None and misfit.pointer not in before:
                    spoiled.setdefault(misfit.pointer, (misfit, step, []))[2].extend(manifest.clusters)
        for misfit, step, clusters in spoiled.values():
            yield _spoiled(rendering, misfit, step, clusters)


def _all(body: Object) -> Iterator[Misfit]:
    yield from misfits(body)
    yield from refused(body)


def _is_read(variants: Variants, path: Path) -> bool:
    """Whether it is up to a value if it fits."""
    return not takes_any_text(variants.body, path)


def _of_template(rendering: Rendering, found: list[Misfit]) -> Iterator[Problem]:
    if rendering.stage is Stage.INTERPRET:  # its first wrong type is told as a failure
        first = next((misfit for misfit in found if misfit.wanted), None)
        found = [misfit for misfit in found if misfit is not first]
    for place, misfit in enumerate(found[:_MOST]):
        rule = REFUSED if misfit.wanted else UNKNOWN_FIELD
        yield rule.at(
            rendering.template.document,
            misfit.pointer,
            what=f"{rendering.template.identity}: {_told(rendering, misfit)}"
            + (f" (and {len(found) - _MOST} more like it)" if place == _MOST - 1 < len(found) - 1 else ""),
            why="an API server refuses the object"
            if misfit.wanted
            else "an API server drops a field it does not know, so it has no effect",
            fix=remedy(misfit),
        )


def _lacking(rendering: Rendering, lacks: list[Misfit]) -> Iterator[Problem]:
    """What an API server refuses in a template, unless overrides mend it everywhere."""
    if not lacks:
        return
    bodies = [item.body for item in alike(rendering.manifests) if item.body is not None]
    left = {item.pointer for body in bodies for item in refused(body)} if bodies else None
    for misfit in lacks[:_MOST]:
        if left is None or misfit.pointer in left:
            yield REFUSED.at(
                rendering.template.document,
                join(misfit.tokens[:-1]) if misfit.is_missing else misfit.pointer,
                what=f"{rendering.template.identity}: {_told(rendering, misfit)}",
                why="an API server refuses the object",
                fix=remedy(misfit),
            )


def _spoiled(rendering: Rendering, misfit: Misfit, step: Step, clusters: list[str]) -> Problem:
    return SPOILED.at(
        step.rule.policy.document,
        f"{step.rule.rule.pointer}/{step.overrider}/{step.index}",
        what=f"{step.rule}: {rendering.template.identity} does not fit its kind any more on "
        f"{some(sorted(clusters))}: {_told(rendering, misfit)}",
        why="an API server refuses the object, and the cluster keeps what it has"
        if misfit.wanted or misfit.is_missing
        else "an API server drops a field it does not know, so it has no effect",
        fix=remedy(misfit),
        severity=Severity.ERROR if misfit.wanted or misfit.is_missing else None,
    )


def _blamed(manifest: Manifest, misfit: Misfit) -> Step | None:
    """The last step that wrote the value, something around it or something in it."""
    pointer = misfit.pointer
    for step in reversed(manifest.overridden.steps if manifest.overridden else ()):
        around = step.path in ("", pointer) or pointer.startswith(f"{step.path}/")
        if step.changed and step.sub_path is None and (around or step.path.startswith(f"{pointer}/")):
            return step
    return None


def _told(rendering: Rendering, misfit: Misfit) -> str:
    if misfit.is_missing:
        return f"{misfit} is missing"
    if misfit.wanted:
        return f"{misfit} must be {misfit.wanted}, not {_shown(rendering, misfit.value)}"
    where = str(Misfit(misfit.tokens[:-1], None))
    return f'there is no field "{misfit.tokens[-1]}"' + (f" in {where}" if where else "")


def _shown(rendering: Rendering, value: Value) -> str:
    """A value in words; nothing of a Secret."""
    if isinstance(value, dict | list):
        return "a map" if isinstance(value, dict) else "a list"
    if rendering.template.identity.kind == "Secret":
        return "what stands there"
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{value}"' if isinstance(value, str) else str(value)


def remedy(misfit: Misfit) -> str:
    """What to type instead."""
    value = misfit.value
    if misfit.is_missing:
        return f'add "{misfit.tokens[-1]}"'
    if not misfit.wanted:
        folded = {known.lower(): known for known in misfit.known}
        near = get_close_matches(misfit.tokens[-1].lower(), folded, n=1, cutoff=0.7)
        if near:
            return f'write "{folded[near[0]]}"'
        return f"move it to {misfit.home}" if misfit.home else "remove it, or move it to where it belongs"
    if misfit.wanted == "a string" and isinstance(value, bool):
        return "write it in quotes: plain yes, no, on, off, y and n are not text in YAML"
    if misfit.wanted == "a string" and isinstance(value, int | float):
        return "write it in quotes"
    if misfit.wanted in ("a whole number", "true or false") and isinstance(value, str):
        return (
            "write it without quotes"
            if value.strip("-").isdigit() or value in ("true", "false")
            else (f"write {misfit.wanted}")
        )
    if misfit.wanted == "a list" and isinstance(value, dict):
        return 'write a list: put "- " before it'
    if misfit.wanted == "text in base64":
        return "encode it, or move it to stringData" if isinstance(value, str) else "write text in base64"
    return f"write {misfit.wanted}"
