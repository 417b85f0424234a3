"""A Jinja2 environment that reaches no file, no other template and no Python object.

It is deterministic; and since everything that takes time or memory draws on a meter, it ends soon.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from functools import partial, wraps
from typing import Final, cast

from jinja2 import StrictUndefined, Undefined, nodes, pass_context
from jinja2.filters import FILTERS
from jinja2.runtime import Context
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.tests import TESTS
from jinja2.utils import Namespace, missing

from renderer.expression.filters import HARMLESS, Filters, kind_of, printed
from renderer.expression.meter import Meter
from renderer.expression.metered import metered, step_name

Function = Callable[..., object]

_TESTS: Final = (
    "!=", "<", "<=", "==", ">", ">=", "boolean", "defined", "divisibleby", "eq", "equalto", "even", "false",
    "float", "ge", "greaterthan", "gt", "in", "integer", "iterable", "le", "lessthan", "lower", "lt",
    "mapping", "ne", "none", "number", "odd", "sequence", "string", "true", "undefined", "upper",
)  # fmt: skip
_METHODS: Final[dict[type, tuple[str, ...]]] = {
    str: (
        "capitalize", "count", "endswith", "find", "isalnum", "isalpha", "isdigit", "islower", "isupper",
        "lower", "lstrip", "partition", "removeprefix", "removesuffix", "rfind", "rpartition", "rsplit",
        "rstrip", "split", "splitlines", "startswith", "strip", "swapcase", "title", "upper",
    ),
    dict: ("get", "items", "keys", "values"),
}  # fmt: skip
_CALL: Final = 20  # steps: what a call takes as long as


class Sandbox(ImmutableSandboxedEnvironment):
    """The environment of one template, which is given values by the names `known`."""

    intercepted_binops = frozenset(["+", "-", "*", "/", "//", "%", "**"])

    def __init__(self, known: Sequence[str]) -> None:
        """Make an environment whose meter still has nothing to spend."""
        super().__init__(
            undefined=_undefined(known),
            finalize=self._finalize,
            autoescape=False,
            keep_trailing_newline=True,
            optimized=False,  # a constant expression, too, is computed while the meter runs
            cache_size=0,
        )
        self.meter = Meter()
        own = self._own = Filters(self.meter, self)
        steps: dict[str, Function] = {
            "made": self.meter.made, "use": self.meter.use, "spend": self._spend, "concat": own.join,
        }  # fmt: skip
        self.globals = {"range": self._range, "dict": _map, "namespace": Namespace}
        self.tests = {name: self._guarded(cast(Function, TESTS[name])) for name in _TESTS}
        self.filters = {
            **{name: self._guarded(cast(Function, FILTERS[name])) for name in HARMLESS},
            **{name: self._guarded(function) for name, function in own.table().items()},
            **{step_name(name): function for name, function in steps.items()},
        }

    def prepared(self, source: str) -> nodes.Template:
        """The syntax tree of a template, with the meter built in. Raises TemplateSyntaxError."""
        return metered(self.parse(source))

    def getattr(self, obj: object, attribute: str) -> object:
        """What `obj.attribute` means: a key of a map before anything else, then a harmless method."""
        if isinstance(obj, dict) and attribute in obj:
            return obj[attribute]
        if isinstance(obj, str):
            self.meter.use(obj)
            if attribute in ("replace", "join"):
                return partial(self._own.replace, obj) if attribute == "replace" else partial(self._join, obj)
        if attribute in _METHODS.get(type(obj), ()):
            return getattr(obj, attribute)
        if isinstance(obj, str | dict | list | tuple | int | float):
            return self._absent(obj, attribute)
        return super().getattr(obj, attribute)

    def getitem(self, obj: object, argument: object) -> object:
        """What `obj[argument]` means: an item of a text, list or map, never an attribute."""
        if isinstance(obj, str | list | dict | tuple):
            try:
                return cast(dict[object, object], obj)[argument]
            except (TypeError, LookupError):
                return self._absent(obj, argument)
        return super().getitem(obj, argument)

    def call(self, context: Context, obj: object, /, *args: object, **kwargs: object) -> object:
        """Call a macro, a method or a global."""
        self.meter.spend(_CALL)
        for argument in (*args, *kwargs.values()):
            self.meter.use(argument)
        return super().call(context, obj, *args, **kwargs)

    def call_binop(self, context: Context, operator: str, left: object, right: object) -> object:
        """Compute, after a look at how large the result becomes."""
        if isinstance(left, str) and operator == "%":
            return self.meter.made(self._own.format(left, right))
        if operator == "*":
            self._check_repeated(left, right)
            self._check_repeated(right, left)
        if operator == "**" and isinstance(left, int) and isinstance(right, int):
            self.meter.number(left.bit_length() * abs(right))
        return self.meter.made(super().call_binop(context, operator, left, right))

    def _check_repeated(self, one: object, times: object) -> None:
        if isinstance(times, int) and isinstance(one, str):
            self.meter.text(len(one) * max(times, 0))
        elif isinstance(times, int) and isinstance(one, list | tuple):
            self.meter.spend(len(one) * max(times, 0))

    def _join(self, separator: str, values: Sequence[object]) -> str:
        return self._own.join(values, separator)

    def _absent(self, obj: object, name: object) -> Undefined:
        if isinstance(obj, dict):
            return self.undefined(obj=obj, name=str(name))
        return self.undefined(hint=f'{kind_of(obj)} has no "{name}"', name=str(name))

    def _guarded(self, function: Function) -> Function:
        """The function, with all it looks at and all it makes paid for."""

        @wraps(function)
        def guarded(*args: object, **kwargs: object) -> object:
            for argument in (*args, *kwargs.values()):
                self.meter.use(argument)
            return self.meter.made(function(*args, **kwargs))

        return guarded

    @pass_context  # which keeps Jinja2 from writing constants at compile time, unmetered
    def _finalize(self, _: Context, value: object) -> str:
        text = printed(value)
        self.meter.text(len(text))
        return text

    def _spend(self, value: object, steps: int) -> object:
        self.meter.spend(steps)
        return value

    def _range(self, *bounds: int) -> range:
        numbers = range(*bounds)
        self.meter.spend(len(numbers))
        return numbers


def _map(*args: dict[str, object], **kwargs: object) -> dict[str, object]:
    """What `dict` makes. Not the class: through that, a template could change the maps it is given."""
    return dict(*args, **kwargs)


def _undefined(names: Sequence[str]) -> type[StrictUndefined]:
    """What stands for a name that does not exist, in a template that is given the names."""

    class Absent(StrictUndefined):
        """Any use is an error, which says in a line what is not there, and in another what is."""

        @property
        def _undefined_message(self) -> str:
            if self._undefined_hint:
                return self._undefined_hint
            name = str(self._undefined_name)
            known = sorted(names) if self._undefined_obj is missing else []
            if isinstance(self._undefined_obj, dict):
                known = sorted(map(str, self._undefined_obj))
            near = get_close_matches(name, known, n=1)
            there = f'did you mean "{near[0]}"?' if near else f"there is: {', '.join(known[:10])}"
            return f"there is no {json.dumps(name, ensure_ascii=False)}\n{there if known else ''}"

    return Absent
