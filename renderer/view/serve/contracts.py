"""The two contracts: what Argo CD's plugin generator and flux-operator's ExternalService send and take."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Final, NoReturn
from urllib.parse import parse_qsl

from renderer.document.values import Value
from renderer.model.delivery_engine import Engine
from renderer.view.serve.question import KEYS, Question, question
from renderer.view.serve.refused import TOO_LARGE, RefusedError
from renderer.view.serve.snapshot import ServedUnit, Snapshot

MOST_BYTES: Final = 900 * 1024  # of a body that flux-operator takes


def asked_by_argocd(body: bytes) -> tuple[Question, str]:
    """What `POST /api/v1/getparams.execute` asks for, and the name of the ApplicationSet."""
    try:
        document = json.loads(body, object_pairs_hook=_once, parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise RefusedError(400, f"the body is no JSON: {_short(error)}") from error
    if not isinstance(document, dict):
        raise RefusedError(400, "the body is no JSON object")
    name = document.get("applicationSetName")
    if not isinstance(name, str) or not name:
        raise RefusedError(400, "applicationSetName is no string")
    given = _object("input", document.get("input"))
    parameters = _object("input.parameters", given.get("parameters"))
    return question(parameters.items(), Engine.ARGOCD.value), name


def asked_by_flux(query: str) -> Question:
    """What `GET /api/v1/inputs?…` asks for."""
    try:
        pairs = parse_qsl(
            query,
            keep_blank_values=True,
            strict_parsing=bool(query),
            errors="strict",
            max_num_fields=len(KEYS),
        )
    except ValueError as error:
        raise RefusedError(400, f"the query cannot be read: {_short(error)}") from error
    return question(pairs, Engine.FLUX.value)


def for_argocd(snapshot: Snapshot, units: Sequence[ServedUnit]) -> bytes:
    """The answer to Argo CD."""
    return _list(snapshot, '"output":{"parameters":[', (unit.text for unit in units), "]}")


def for_flux(snapshot: Snapshot, units: Sequence[ServedUnit]) -> bytes:
    """The answer to flux-operator. Raises RefusedError where it would not take all of it."""
    inputs = (f'{{"id":{json.dumps(unit.name)},{unit.text[1:]}' for unit in units)
    body = _list(snapshot, '"inputs":[', inputs, "]")
    if len(body) > MOST_BYTES:
        raise RefusedError(
            503,
            f"{len(units)} units are {len(body) / 1024:.0f} KiB, and flux-operator takes 900 KiB: "
            f"ask for fewer, by {', '.join(KEYS[1:])}",
            reason=TOO_LARGE,
        )
    return body


def _list(snapshot: Snapshot, begin: str, items: Iterable[str], end: str) -> bytes:
    return f'{{"commit":"{snapshot.commit}",{begin}{",".join(items)}{end}}}\n'.encode()


def _object(name: str, value: Value) -> dict[str, Value]:
    """A map that may be left out."""
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise RefusedError(400, f"{name} is no JSON object")
    return value


def _once(pairs: list[tuple[str, Value]]) -> dict[str, Value]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key is there twice")
    return found


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")


def _short(error: BaseException) -> str:
    return str(error)[:200] or type(error).__name__
