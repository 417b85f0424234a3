"""The Jinja2 in which value expressions are computed: no loops, no side effects, no chance, bounded sizes.

It is imported when the first expression is met, since most workspaces have none.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from functools import cache, wraps
from typing import Final, TypeVar

from jinja2 import StrictUndefined, Template, Undefined, nodes
from jinja2.exceptions import SecurityError, TemplateError, UndefinedError
from jinja2.filters import FILTERS
from jinja2.runtime import Context
from jinja2.sandbox import ImmutableSandboxedEnvironment

from renderer.document.go_json import go_json
from renderer.document.number import json_spelling
from renderer.document.values import Object

_Result = TypeVar("_Result")

LONGEST: Final = 65_536  # characters of a result, elements of a list
_MOST_NODES: Final = 2_000  # of one text's syntax tree
_GREATEST_BASE, _GREATEST_POWER = 10**6, 64
_MOST_PLACES: Final = 20  # of a rounded number
_SHOWN: Final = 10  # names listed where another was meant
_TOO_LONG: Final = f"a result is longer than {LONGEST:,} characters"

_NODES: Final = (
    *(nodes.Template, nodes.Output, nodes.TemplateData, nodes.If, nodes.CondExpr),
    *(nodes.Name, nodes.Const, nodes.Getattr, nodes.Getitem, nodes.Slice, nodes.Call, nodes.Keyword),
    *(nodes.Filter, nodes.Test, nodes.Compare, nodes.Operand, nodes.And, nodes.Or, nodes.Not),
    *(nodes.Concat, nodes.Add, nodes.Sub, nodes.Mul, nodes.Div, nodes.FloorDiv, nodes.Mod, nodes.Pow),
    *(nodes.Neg, nodes.Pos, nodes.List, nodes.Tuple, nodes.Dict, nodes.Pair),
)

_TEXT_METHODS: Final = (
    "capitalize count endswith find isalnum isalpha isdigit islower isupper lower lstrip partition "
    "removeprefix removesuffix replace rfind rpartition rsplit rstrip split splitlines startswith strip "
    "title upper"
)

_METHODS: Final[Mapping[type, frozenset[str]]] = {
    str: frozenset(_TEXT_METHODS.split()),
    dict: frozenset({"get", "items", "keys", "values"}),
    list: frozenset({"count", "index"}),
}

_KEPT_FILTERS: Final = (
    "abs capitalize count d default dictsort first float int items last length list lower map max min reject "
    "rejectattr reverse select selectattr sort string title trim truncate unique upper urlencode"
)

# What an expression can go wrong with; anything else is a mistake of ours.
_FAULTS: Final = (
    TemplateError,
    ArithmeticError,
    LookupError,
    TypeError,
    ValueError,
    AttributeError,
    SyntaxError,
    RecursionError,
    MemoryError,
)


class ExpressionError(ValueError):
    """An expression that has no value; `undefined` where something it names is missing."""

    def __init__(self, reason: str, *, undefined: bool = False) -> None:
        """Keep whether a name was the reason."""
        super().__init__(reason)
        self.undefined = undefined


def compile_text(text: str) -> Template:
    """A text with expressions, ready to be computed. Raises ExpressionError."""
    environment = _environment()
    try:
        tree = environment.parse(text)
        _check(tree)
        return environment.from_string(tree)
    except _FAULTS as error:
        raise ExpressionError(_words(error)) from None


def compute(template: Template, cluster: Object, limit: int) -> str:
    """The text with the values a cluster gives its expressions, up to a limit. Raises ExpressionError."""
    parts: list[str] = []
    size = 0
    try:
        for part in template.generate(cluster=cluster):
            size += len(part)
            if size > limit:
                raise SecurityError(f"the result is longer than {limit:,} characters")
            parts.append(part)
    except _FAULTS as error:
        raise ExpressionError(_words(error), undefined=isinstance(error, UndefinedError)) from None
    return "".join(parts)


def _words(error: BaseException) -> str:
    if isinstance(error, RecursionError | MemoryError | SyntaxError):
        return "it is nested too deeply"
    return str(error) or type(error).__name__


def _check(tree: nodes.Template) -> None:
    """Refuse statements and trees whose cost would not be bounded by the length of the text."""
    count = 0
    pending: list[nodes.Node] = [tree]
    while pending:
        node = pending.pop()
        count += 1
        if not isinstance(node, _NODES):
            word = type(node).__name__.lower()
            raise SecurityError(f'"{word}" has no place in a value: write expressions, filters and "if" only')
        if count > _MOST_NODES:
            raise SecurityError("there are too many expressions in one text")
        pending.extend(node.iter_child_nodes())


class _Missing(StrictUndefined):
    """A name that does not exist: any use is an error, which says what there is instead."""

    __slots__ = ()

    @property
    def _undefined_message(self) -> str:
        if self._undefined_hint:
            return self._undefined_hint
        there = self._undefined_obj if isinstance(self._undefined_obj, dict) else {}
        known = f"; there is: {', '.join(sorted(there)[:_SHOWN])}" if there else ""
        return f'there is no "{self._undefined_name}"{known}'


class _Environment(ImmutableSandboxedEnvironment):
    """Jinja2 reduced to what is safe and gives every machine the same result."""

    intercepted_binops = frozenset({"+", "*", "**", "%"})

    def getattr(self, obj: object, attribute: str) -> object:
        """A map's entry comes before its methods: a label may be called `items`."""
        if isinstance(obj, dict) and attribute in obj:
            return obj[attribute]
        return super().getattr(obj, attribute)

    def is_safe_attribute(self, obj: object, attr: str, value: object) -> bool:
        """Only the methods that neither change their object nor make much of little."""
        return attr in _METHODS.get(type(obj), ()) and super().is_safe_attribute(obj, attr, value)

    def wrap_str_format(self, value: object) -> None:
        """`format` can make much of little; as a method it is refused like the others."""

    def call(__self, __context: Context, __obj: object, *args: object, **kwargs: object) -> object:  # noqa: N805
        """Call a method; `replace` within bounds."""
        if getattr(__obj, "__name__", "") == "replace":
            return _replace(getattr(__obj, "__self__", ""), *args, **kwargs)  # type: ignore[arg-type]
        return super().call(__context, __obj, *args, **kwargs)

    def call_binop(self, context: Context, operator: str, left: object, right: object) -> object:
        """Compute with numbers; texts can only be joined."""
        numbers = isinstance(left, int | float) and isinstance(right, int | float)
        if not numbers and not (operator == "+" and isinstance(left, str) and isinstance(right, str)):
            raise SecurityError(f'"{operator}" needs two numbers')
        if operator == "**" and (abs(left) > _GREATEST_BASE or abs(right) > _GREATEST_POWER):  # type: ignore[arg-type]
            raise SecurityError("the power is too great")
        return _bounded(super().call_binop(context, operator, left, right))


@cache
def _environment() -> _Environment:
    environment = _Environment(
        undefined=_Missing,
        finalize=_finalize,
        keep_trailing_newline=True,
        autoescape=False,
        optimized=False,
    )
    environment.globals.clear()
    kept = {name: _limited(FILTERS[name]) for name in _KEPT_FILTERS.split()}
    own = {"join": _join, "replace": _replace, "round": _round, "tojson": _limited(go_json)}
    environment.filters = {**kept, **own}
    return environment


def _finalize(value: object) -> str:
    """How a result is written into the text: booleans and numbers as YAML has them, no lists and maps."""
    match value:
        case Undefined():
            return str(value)  # raises: there is no such thing
        case str():
            return value
        case None:
            raise UndefinedError("the value is null")
        case bool():
            return "true" if value else "false"
        case float() if not math.isfinite(value):
            raise SecurityError("the number is out of range")
        case int() | float():
            return json_spelling(value)
        case _:
            raise SecurityError("only text and numbers can be written: add | join(',') or | tojson")


def _limited(function: Callable[..., _Result]) -> Callable[..., _Result]:
    @wraps(function)  # Jinja2 reads attributes of the function
    def limited(*args: object, **kwargs: object) -> _Result:
        return _bounded(function(*args, **kwargs))

    return limited


def _bounded(value: _Result) -> _Result:
    if isinstance(value, str | list) and len(value) > LONGEST:
        raise SecurityError(_TOO_LONG)
    return value


def _join(values: Iterable[object], d: str = "") -> str:
    """The texts of the values with `d` between them, within bounds."""
    parts: list[str] = []
    size = 0
    for value in values:
        parts.append(_finalize(value))
        size += len(parts[-1]) + len(d)
        if size > LONGEST:
            raise SecurityError(_TOO_LONG)
    return d.join(parts)


def _replace(text: str, old: str, new: str, count: int | None = None) -> str:
    """The text with occurrences of another replaced, within bounds."""
    times = text.count(old) if count is None else min(count, text.count(old))
    if len(text) + times * len(new) > LONGEST:
        raise SecurityError(_TOO_LONG)
    return text.replace(old, new, -1 if count is None else count)


def _round(value: float, precision: int = 0, method: str = "common") -> object:
    """A number rounded to so many places, or up (`ceil`) or down (`floor`)."""
    if not 0 <= precision <= _MOST_PLACES:
        raise SecurityError(f"a number can be rounded to {_MOST_PLACES} places at most")
    rounded: object = FILTERS["round"](value, precision, method)
    return rounded
