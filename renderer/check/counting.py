"""Findings about divided workloads that count their pods: each cluster begins anew."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from renderer.check.finding import Rule
from renderer.check.passing import placed
from renderer.document.problem import Problem, Severity
from renderer.document.values import Object, Value, dig
from renderer.model.plan import Plan, Rendering
from renderer.model.variants import alike

COUNTED_ANEW: Final = Rule(id="KR220", title="Every cluster counts the pods of a divided workload anew")

RULES: Final = (COUNTED_ANEW,)

_ONE_CLUSTER: Final = "place it on one cluster, with a spread constraint by cluster and maxGroups: 1"


def counting_findings(plan: Plan) -> Iterator[Problem]:
    """All findings of this family: one a template."""
    for rendering, binding, _ in placed(plan):
        if not binding.is_divided or sum(target.replicas > 0 for target in binding.clusters) < 2:
            continue
        body = rendering.template.body
        match body.get("kind"):
            case "StatefulSet" if _overlap(rendering):
                yield _stateful(rendering)
            case "Job" if dig(body, "spec", "completionMode") == "Indexed":
                yield _indexed(rendering)
            case "Job" if dig(body, "spec", "completions") is None:
                yield _queue(rendering)


def _overlap(rendering: Rendering) -> bool:
    """Whether two clusters have a pod of one ordinal; an override may have set them apart."""
    ranges: list[tuple[int, int]] = []
    for manifest in alike(rendering.manifests):
        if manifest.body is None:
            continue
        span = start, end = _ordinals(manifest.body, manifest.replicas)
        if start == end:
            continue
        if len(manifest.clusters) > 1:
            return True
        ranges.append(span)
    ranges.sort()
    return any(start < end for (_, end), (start, _) in pairwise(ranges))


def _ordinals(body: Object, replicas: int) -> tuple[int, int]:
    start = _number(dig(body, "spec", "ordinals", "start"), 0)
    return start, start + _number(dig(body, "spec", "replicas"), replicas)


def _number(value: Value, default: int) -> int:
    return value if isinstance(value, int) else default


def _stateful(rendering: Rendering) -> Problem:
    identity = rendering.template.identity
    return COUNTED_ANEW.at(
        rendering.template.document,
        "/spec/replicas",
        what=f"{identity} is divided, and each of its clusters has a {identity.name}-0 of its own",
        why="ordinals, and with them the names of pods and volume claims, begin at 0 on every cluster",
        fix="write /spec/ordinals with another start for each cluster in an override, if they are to differ",
        severity=Severity.NOTE,
    )


def _indexed(rendering: Rendering) -> Problem:
    return COUNTED_ANEW.at(
        rendering.template.document,
        "/spec/completionMode",
        what=f"{rendering.template.identity} is divided, and each of its clusters does the indexes from 0",
        why="the first indexes are done more than once, and the last ones by nobody",
        fix=_ONE_CLUSTER,
    )


def _queue(rendering: Rendering) -> Problem:
    return COUNTED_ANEW.at(
        rendering.template.document,
        "/spec/parallelism",
        what=f"{rendering.template.identity} has no completions, and is a Job of its own on each cluster",
        why="on a cluster it is done with the first pod that succeeds there; the others do not know",
        fix=f"state completions, or {_ONE_CLUSTER}",
        severity=Severity.NOTE,
    )
