"""As much of Go's text/template, and of the functions Argo CD adds, as our ApplicationSets use.

What it does not know is an error, so that a test says so and does not pass by accident.
Source: https://pkg.go.dev/text/template, with `missingkey=error`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from renderer.document.values import Value

_ACTION: Final = re.compile(r"\{\{(-(?=\s))?\s*(.*?)\s*((?<=\s)-)?\}\}", re.DOTALL)
_TOKEN: Final = re.compile(r'"(?:[^"\\]|\\.)*"|-?\d+|[().]|[A-Za-z_]\w*|\s+')


def execute(template: str, parameters: Mapping[str, Value]) -> str:
    """The template's output. Raises KeyError for a parameter that is not there."""
    parts = list(_parts(template))
    out, rest = _run(parts, 0, parameters, wanted=True)
    if rest != len(parts):
        raise ValueError(f"{template!r}: an end too many")
    return out


def _parts(template: str) -> Iterator[tuple[bool, str]]:
    """Text and actions, in turn; what trim markers take away is gone."""
    position, trim = 0, False
    for found in _ACTION.finditer(template):
        text = template[position : found.start()]
        text = text.lstrip() if trim else text
        yield False, text.rstrip() if found[1] else text
        yield True, found[2]
        trim = bool(found[3])
        position = found.end()
    tail = template[position:]
    yield False, tail.lstrip() if trim else tail


def _run(
    parts: list[tuple[bool, str]], at: int, data: Mapping[str, Value], *, wanted: bool
) -> tuple[str, int]:
    """The output up to the `else` or `end` that closes this level, and where that stands."""
    out: list[str] = []
    while at < len(parts):
        is_action, text = parts[at]
        if not is_action:
            out.append(text if wanted else "")
        elif text in ("else", "end"):
            break
        elif text.startswith("if "):
            met = wanted and _truth(_evaluated(text[3:], data))
            then, at = _run(parts, at + 1, data, wanted=met)
            otherwise = ""
            if parts[at][1] == "else":
                otherwise, at = _run(parts, at + 1, data, wanted=wanted and not met)
            if parts[at][1] != "end":
                raise ValueError("an if without its end")
            out.append(then + otherwise)
        elif wanted:
            out.append(_shown(_evaluated(text, data)))
        at += 1
    return "".join(out), at


def _evaluated(expression: str, data: Mapping[str, Value]) -> Value:
    tokens = _TOKEN.findall(expression)
    if "".join(tokens) != expression:
        raise ValueError(f"cannot read {expression!r}")
    value, rest = _call(list(tokens), data)
    if rest:
        raise ValueError(f"too much in {expression!r}")
    return value


def _call(tokens: list[str], data: Mapping[str, Value]) -> tuple[Value, list[str]]:
    """A function with its arguments, or one value."""
    tokens = _stripped(tokens)
    name = tokens[0]
    if name not in _FUNCTIONS:
        return _operand(tokens, data)
    arguments: list[Value] = []
    tokens = _stripped(tokens[1:])
    while tokens and tokens[0] != ")":
        value, tokens = _operand(tokens, data)
        arguments.append(value)
        tokens = _stripped(tokens)
    return _FUNCTIONS[name](*arguments), tokens


def _operand(tokens: list[str], data: Mapping[str, Value]) -> tuple[Value, list[str]]:
    head, tokens = tokens[0], tokens[1:]
    if head == "(":
        value, tokens = _call(tokens, data)
        return value, tokens[1:]
    if head == ".":
        found: Value = data
        while True:
            if not isinstance(found, dict):
                raise ValueError(f"{tokens[0]} is looked for in what is no map")
            found, tokens = found[tokens[0]], tokens[1:]
            if not tokens or tokens[0] != ".":
                return found, tokens
            tokens = tokens[1:]
    if head[0] == '"':
        return str(json.loads(head)), tokens
    return int(head), tokens


def _stripped(tokens: list[str]) -> list[str]:
    while tokens and tokens[0].isspace():
        tokens = tokens[1:]
    return tokens


def _index(value: Value, at: Value) -> Value:
    assert isinstance(value, list)
    assert isinstance(at, int)
    item: Value = value[at]
    return item


def _has(item: Value, items: Value) -> Value:
    return isinstance(items, list) and item in items


_FUNCTIONS: Final[Mapping[str, Callable[..., Value]]] = {
    "not": lambda value: not _truth(value),
    "eq": lambda one, other: one == other,
    "list": lambda *items: [*items],
    "has": _has,
    "index": _index,
    "toJson": lambda value: json.dumps(value, separators=(",", ":"), sort_keys=True, ensure_ascii=False),
}


def _truth(value: Value) -> bool:
    """Go's truth: false, 0, nil and what is empty are false; so are Python's."""
    return bool(value)


def _shown(value: Value) -> str:
    """A value as Go prints it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str | int):
        return str(value)
    raise ValueError(f"{value!r} would be printed as Go prints it")
