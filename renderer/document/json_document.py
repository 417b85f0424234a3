"""JSON documents: their values with Kubernetes' numbers, and where each part stands."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from json import JSONDecodeError
from typing import NoReturn

from renderer.document.defects import Defect, repeated_key, too_deep
from renderer.document.number import INT64_MAX, INT64_MIN
from renderer.document.values import Value
from renderer.document.walk import Entry, Walk

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+', re.DOTALL)
_MAYBE_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_LONGEST_INT64 = 20  # digits, sign included


@dataclass(slots=True)
class _Findings:
    """What a value has that JSON's grammar allows and Kubernetes does not take."""

    repeated: bool = False
    too_large: list[str] = field(default_factory=list)


def read_json(text: str, start: int, depth: int) -> tuple[Value, int, Defect | None]:
    """The JSON value at `start`, where it ends, and what is wrong with it although its syntax is right.

    Raises JSONDecodeError for wrong syntax. Integers within int64 are int, all other numbers float.
    """
    findings = _Findings()

    def float_of(digits: str) -> float:
        number = float(digits)
        if math.isinf(number):
            findings.too_large.append(digits)
        return number

    def number_of(digits: str) -> int | float:
        number = int(digits) if len(digits) <= _LONGEST_INT64 else INT64_MAX + 1
        return number if INT64_MIN <= number <= INT64_MAX else float_of(digits)

    def map_of(pairs: list[tuple[str, Value]]) -> Value:
        result = dict(pairs)
        findings.repeated |= len(result) != len(pairs)
        return result

    def refuse(constant: str) -> NoReturn:
        raise JSONDecodeError(f"{constant} is not JSON", text, start)

    decoder = json.JSONDecoder(
        object_pairs_hook=map_of, parse_float=float_of, parse_int=number_of, parse_constant=refuse
    )
    try:
        value, end = decoder.raw_decode(text, start)
    except RecursionError:
        return None, len(text), _depth_defect(text, start, depth)
    if _deeper_than(value, depth):
        return None, end, _depth_defect(text, start, depth)
    if _MAYBE_SURROGATE.search(text, start, end):
        value = _without_surrogates(value)
    return value, end, _defect(text, start, findings)


def _defect(text: str, start: int, findings: _Findings) -> Defect | None:
    """What is wrong with a value besides its syntax and its depth."""
    if findings.repeated:
        return next(_repetitions(json_entries(text, start)))
    if findings.too_large:
        digits = findings.too_large[0]
        return Defect(
            next(
                entry.value_at
                for entry in json_entries(text, start)
                if text.startswith(digits, entry.value_at)
            ),
            "a number is too large",
            "Kubernetes holds numbers as int64 or float64",
            "put it in quotes if it is meant as text",
        )
    return None


def _deeper_than(value: Value, depth: int) -> bool:
    """Whether maps and lists are nested deeper; level by level, so that no depth is too much."""
    level = [value]
    for _ in range(depth):
        level = [
            child
            for node in level
            if isinstance(node, dict | list)
            for child in (node.values() if isinstance(node, dict) else node)
            if isinstance(child, dict | list)
        ]
        if not level:
            return False
    return True


def _depth_defect(text: str, start: int, depth: int) -> Defect:
    """The defect at the first bracket that goes too deep."""
    level = deepest = 0
    at = start
    for token in _TOKEN.finditer(text, start):
        level += {"{": 1, "[": 1, "}": -1, "]": -1}.get(token[0], 0)
        if level > deepest:
            deepest, at = level, token.start()
        if level > depth:
            break
    return too_deep(at, deepest - 1)


def _without_surrogates(value: Value) -> Value:
    r"""The value with U+FFFD for each escape (`\ud800`) that is half a character, as Go's reader has it."""
    if isinstance(value, str):
        return _SURROGATE.sub("\ufffd", value)
    if isinstance(value, dict):
        return {_SURROGATE.sub("\ufffd", key): _without_surrogates(child) for key, child in value.items()}
    if isinstance(value, list):
        return [_without_surrogates(child) for child in value]
    return value


def _repetitions(entries: Iterator[Entry]) -> Iterator[Defect]:
    """The defects of keys that their maps have had before."""
    seen: dict[str, int] = {}
    for entry in entries:
        if entry.pointer in seen:
            key = entry.pointer.rpartition("/")[2].replace("~1", "/").replace("~0", "~")
            yield repeated_key(entry.key_at, key, seen[entry.pointer])
        seen[entry.pointer] = entry.key_at


def json_entries(text: str, start: int = 0) -> Iterator[Entry]:
    """All values of a JSON text whose syntax is right, parents first."""
    walk = Walk()
    for token in _TOKEN.finditer(text, start):
        word, at = token[0], token.start()
        if word in "]}":
            walk.close()
        elif word in ",:":
            continue
        elif walk.key_is_due:
            walk.key(json.loads(word, strict=False), at)
            continue
        else:
            entry = walk.value(at)
            yield entry
            if word in "[{":
                walk.open(entry.pointer, is_map=word == "{")
        if walk.at_root:
            return
