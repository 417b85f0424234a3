"""Vectors `yaml`: reading as sigs.k8s.io/yaml and Kubernetes clients read, writing as the library writes."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from typing import Any

from renderer.document.construct import Duplicates
from renderer.document.defects import Defect
from renderer.document.emit_go import emit_go
from renderer.document.go_json import go_json
from renderer.document.limits import Limits
from renderer.document.problem import InputError
from renderer.document.read import read_single
from renderer.document.scalars import KUBERNETES_SCALARS, RAW_SCALARS, PlainScalars
from renderer.document.stream import BadSeparator, Piece, pieces
from renderer.document.values import Value
from tests.conformance.verdict import Verdict

# go-yaml's own bounds are far above what a workspace is allowed.
LIMITS = Limits(depth=10_000)


def run(vector: Mapping[str, Any]) -> Verdict:
    """Run one vector."""
    return {"yaml": _yaml, "emit": _emit}[vector["op"]](vector)


def _yaml(vector: Mapping[str, Any]) -> Verdict:
    source = vector["input"]
    data = source["text"].encode() if "text" in source else base64.b64decode(source["base64"])
    expected = _comparable(vector["expect"])
    got = _comparable({"single": _single(data), **_stream(data)})
    return Verdict(category="yaml/yaml", expected=expected, got=got, passed=got == expected)


def _emit(vector: Mapping[str, Any]) -> Verdict:
    expect = vector["expect"]
    got: dict[str, object] = {}
    try:
        text = emit_go(vector["input"]["value"])
        got = {"yaml": text}
        got["readBack"] = go_json(read_single(text, limits=LIMITS, scalars=RAW_SCALARS))
    except InputError as error:
        got["readBackError" if got else "error"] = str(error)
    expected, ours = _comparable(expect), _comparable(got)
    return Verdict(category="yaml/emit", expected=expected, got=ours, passed=ours == expected)


def _single(data: bytes) -> dict[str, object]:
    """What the reader of one document says, lenient and strict."""
    result: dict[str, object] = {}
    try:
        result["json"] = go_json(read_single(data, limits=LIMITS, scalars=RAW_SCALARS))
    except InputError as error:
        result["error"] = str(error)
    try:
        read_single(data, limits=LIMITS, scalars=RAW_SCALARS, duplicates=Duplicates.REFUSE)
    except InputError as error:
        result["strictError"] = str(error)
    return result


def _stream(data: bytes) -> dict[str, object]:
    """What a client reads from the file, up to the first error."""
    documents: list[dict[str, object]] = []
    # Bytes that are not UTF-8 stay in their piece and fail there, not in the documents before it.
    for piece in pieces(data.decode(errors="surrogateescape"), LIMITS.depth):
        if isinstance(piece, BadSeparator):
            return {"stream": documents, "streamError": piece.text}
        try:
            documents.append(_document(piece))
        except InputError as error:
            return {"stream": documents, "streamError": str(error)}
        except Defect as defect:
            return {"stream": documents, "streamError": defect.what}
    return {"stream": documents}


def _document(piece: Piece) -> dict[str, object]:
    """One document of a stream: as JSON, and as the object a client makes of it."""
    if piece.is_json:
        if piece.defect and piece.value is None:
            raise piece.defect
        text, value = piece.text, piece.value
    else:
        text, value = go_json(_read(piece, RAW_SCALARS)), _read(piece, KUBERNETES_SCALARS)
    if value is None:
        return {"empty": True}
    problem = _not_an_object(value)
    return (
        {"json": text, "unstructuredError": problem}
        if problem
        else {"json": text, "unstructured": go_json(value)}
    )


def _read(piece: Piece, scalars: PlainScalars) -> Value:
    return read_single(piece.text, limits=LIMITS, scalars=scalars)


def _not_an_object(value: Value) -> str:
    """Why a client makes no object of a document; "" where it does."""
    try:
        json.dumps(value, allow_nan=False)
    except ValueError:
        return "a number is out of range"
    if not isinstance(value, dict):
        return "not a map"
    group_version = value.get("apiVersion")
    if isinstance(group_version, str) and group_version.count("/") > 1:
        return "no group and version"
    kind = value.get("kind")
    return "" if isinstance(kind, str) and kind else "no kind"


def _comparable(value: object, key: str = "") -> object:
    """Errors by their being there, JSON texts by value with numbers as they are spelled."""
    if isinstance(value, dict):
        return {name: _comparable(child, name) for name, child in value.items()}
    if isinstance(value, list):
        return [_comparable(child) for child in value]
    if key.lower().endswith("error"):
        return True
    if key in {"json", "unstructured", "readBack"} and isinstance(value, str):
        return json.loads(value, parse_int=_Number, parse_float=_Number)
    return value


class _Number(str):
    """A number's spelling, which no text is equal to."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Number) and str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))
