"""Vectors of kind `validate`: the admission of policy objects."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from renderer.load.admission import Admission, admission
from tests.conformance.verdict import Verdict


def run(vector: Mapping[str, Any]) -> Verdict:
    """Compare what the vectors' README asks for: verdict, object, and the fields that errors name."""
    given, expect = vector["input"], vector["expect"]
    outcome = admission(
        given["object"],
        namespace=given.get("namespace") or "default",
        existing=given.get("existing") or (),
        permanent_id="PERMANENT-ID",
    )
    expected, got = _expected(expect), _got(outcome)
    if not expect["admitted"]:
        del expected["object"], got["object"]
    return Verdict(
        category=f"validate/{given['object'].get('kind')}",
        expected=expected,
        got=got,
        passed=expected == got,
    )


def _expected(expect: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "admitted": expect["admitted"],
        "object": expect.get("object"),
        "unknownFields": sorted(expect.get("unknownFields", ())),
        "decodeError": bool(expect.get("decodeError")),
        "mutateError": bool(expect.get("mutateError")),
        "schemaErrors": sorted({error["field"] for error in expect.get("schemaErrors", ())}),
        "webhookErrors": sorted({error["field"] for error in expect.get("webhookErrors", ())}),
        "denied": bool(expect.get("denied")),
    }


def _got(outcome: Admission) -> dict[str, Any]:
    return {
        "admitted": outcome.admitted,
        "object": outcome.object,
        "unknownFields": list(outcome.unknown_fields),
        "decodeError": bool(outcome.decode_error),
        "mutateError": bool(outcome.mutate_error),
        "schemaErrors": sorted({error.field for error in outcome.schema_errors}),
        "webhookErrors": sorted({error.field for error in outcome.webhook_errors}),
        "denied": bool(outcome.denied),
    }
