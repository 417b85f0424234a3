"""The fields of an object that its share of the replicas is written to."""

from __future__ import annotations

from collections.abc import Iterator

from renderer.document.pointer import escape
from renderer.document.values import Object, Value
from renderer.interpret.defaults import served
from renderer.interpret.operations import Interpreter
from renderer.model.interpretation import InterpretError
from renderer.model.override_result import same


def replica_fields(body: Object, ask: Interpreter) -> tuple[str, ...]:
    """The pointers at which setting replicas changes something; none for a kind without replicas.

    Found by trying, so that it holds for every interpretation that can set replicas.
    """
    revise = ask.of(body).revise
    if revise is None:
        return ()
    try:
        return tuple(_different(revise(body, 1), revise(body, 2), ""))
    except InterpretError:  # the manifests have it as their problem
        return ()


def stated_replicas(body: Object, ask: Interpreter) -> int | None:
    """The replicas an object asks for, as an API server would hold it; None where that cannot be told."""
    read = ask.of(body).replica
    if read is None:
        return None
    try:
        return read(served(body)).replicas
    except InterpretError:
        return None


def _different(one: Value, other: Value, pointer: str) -> Iterator[str]:
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        for key in one:
            yield from _different(one[key], other[key], f"{pointer}/{escape(key)}")
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for place, pair in enumerate(zip(one, other, strict=True)):
            yield from _different(*pair, f"{pointer}/{place}")
    elif not same(one, other):
        yield pointer
