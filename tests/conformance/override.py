"""Vectors `override`: one object overridden for one cluster, and the record of what was applied."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from renderer.document.number import kubernetes_number
from renderer.document.values import Value
from renderer.load.admission import admission
from renderer.load.clusters import cluster_of
from renderer.load.policies import override_policy_of
from renderer.model.override_result import same
from renderer.model.overrides import OverridePolicy
from renderer.override.applied import applied_annotations
from renderer.override.apply import override
from renderer.override.order import RuleIndex
from tests.conformance.match import refusal
from tests.conformance.verdict import Verdict


def run(vector: Mapping[str, Any]) -> Verdict:
    """Admit the policies, apply them, compare: of an error only that there is one."""
    expected, got = _expected(vector["expect"]), _got(vector["input"])
    return Verdict(
        category=f"override/{_category(vector)}",
        expected=vector["expect"],
        got=got,
        passed=same({**got, "error": "error" in got}, expected),
    )


def _category(vector: Mapping[str, Any]) -> str:
    tags = vector.get("tags") or ["untagged"]
    return str(tags[0])


def _expected(expect: Mapping[str, Any]) -> dict[str, Value]:
    compared = {
        key: _read(expect[key]) for key in ("object", "appliedAnnotations", "rejected") if key in expect
    }
    return {**compared, "error": "error" in expect}


def _got(given: Mapping[str, Any]) -> dict[str, Value]:
    policies: list[OverridePolicy] = []
    rejected: list[Value] = []
    for body in _bodies(given):
        answer = admission(body)
        reason = refusal(answer)
        if reason:
            metadata = body["metadata"]
            named = {key: metadata[key] for key in ("namespace", "name") if key in metadata}
            rejected.append({"kind": body["kind"], **named, "reason": reason})
        else:
            policies.append(override_policy_of(answer.object))
    result = override(RuleIndex(policies), given["template"], cluster_of(given["cluster"]))
    got: dict[str, Value] = {"rejected": rejected} if rejected else {}
    if result.body is None:
        return {**got, "error": result.problem.what if result.problem else ""}
    applied = dict(applied_annotations(result.rules))
    return {**got, "object": result.body, **({"appliedAnnotations": applied} if applied else {})}


def _bodies(given: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The policies, in the order of the record of refused ones."""
    for key in ("overridePolicies", "clusterOverridePolicies"):
        for body in given.get(key) or ():
            yield _read(body)


def _read(value: Any) -> Any:  # noqa: ANN401 - any JSON
    """The value with numbers as a client reads them: what no int64 holds is a float."""
    if isinstance(value, dict):
        return {key: _read(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_read(item) for item in value]
    return kubernetes_number(value) if type(value) is int else value
