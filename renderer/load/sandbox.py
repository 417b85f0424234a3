"""A Jinja2 environment in which a stranger's template can do no harm.

It reaches no file, no other template and no Python object; it is deterministic; and since every operation
that makes something large or takes long draws on a meter, it ends soon and takes a bounded amount of memory.
"""

from __future__ import annotations

from collections.abc import Callable
from difflib import get_close_matches
from functools import partial, wraps
from typing import Final, cast

from jinja2 import StrictUndefined, nodes, pass_context
from jinja2.filters import FILTERS
from jinja2.runtime import Context
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.tests import TESTS
from jinja2.utils import Namespace, missing

from renderer.load.filters import JINJA_FILTERS, OwnFilters, kind_of, printed
from renderer.load.instrument import instrument, step_name
from renderer.load.meter import MAX_WEIGHT, Meter, TooMuch

Function = Callable[..., object]

TEMPLATE_NAMES: Final = ("clusters", "values")

_TESTS = (
    "!=", "<", "<=", "==", ">", ">=", "boolean", "callable", "defined", "divisibleby", "eq", "equalto",
    "even", "false", "filter", "float", "ge", "greaterthan", "gt", "in", "integer", "iterable", "le",
    "lessthan", "lower", "lt", "mapping", "ne", "none", "number", "odd", "sameas", "sequence", "string",
    "test", "true", "undefined", "upper",
)  # fmt: skip
_TEXT_METHODS = frozenset(
    [
        "capitalize", "count", "endswith", "find", "isalnum", "isalpha", "isdigit", "islower", "isupper",
        "lower", "lstrip", "partition", "removeprefix", "removesuffix", "rpartition", "rsplit", "rstrip",
        "split", "splitlines", "startswith", "strip", "swapcase", "title", "upper",
    ]
)  # fmt: skip
_MAP_METHODS = frozenset(["get", "items", "keys", "values"])
_MAX_RANGE = 100_000
_MAX_POWER = 64
_CALL = 20  # steps: what a call takes as long as


class Named(StrictUndefined):
    """A name that does not exist. Any use is an error, which says what name was meant."""

    __slots__ = ()

    @property
    def _undefined_message(self) -> str:
        if self._undefined_hint:
            return self._undefined_hint
        name = str(self._undefined_name)
        known: list[str] = list(TEMPLATE_NAMES) if self._undefined_obj is missing else []
        if isinstance(self._undefined_obj, dict):
            known = [str(key) for key in self._undefined_obj]
        near = get_close_matches(name, known, n=1)
        if near:
            return f'there is no "{name}"; did you mean "{near[0]}"?'
        there = ", ".join(sorted(known)[:10])
        return f'there is no "{name}"' + (f"; there is: {there}" if there else "")


class Sandbox(ImmutableSandboxedEnvironment):
    """The environment of one rendering."""

    intercepted_binops = frozenset(["+", "-", "*", "/", "//", "%", "**"])

    def __init__(self) -> None:
        """Make an environment with a full budget."""
        super().__init__(
            undefined=Named, autoescape=False, keep_trailing_newline=True, optimized=False, cache_size=0
        )
        self.meter = Meter()
        self.own = OwnFilters(self.meter, self.getattr)
        self.finalize = self._finalize
        self.globals = {"range": _range, "dict": _map, "namespace": Namespace}
        self.filters = {name: self._guarded(cast(Function, FILTERS[name])) for name in JINJA_FILTERS}
        self.filters |= {name: self._guarded(function) for name, function in self.own.table().items()}
        steps = {
            "made": self.meter.made,
            "each": self.meter.each,
            "use": self.meter.use,
            "concat": self.own.join,
        }
        self.filters |= {step_name(name): function for name, function in steps.items()}
        self.tests = {name: self._guarded(cast(Function, TESTS[name])) for name in _TESTS}

    def prepared(self, source: str) -> nodes.Template:
        """The syntax tree of a template, with the meter built in. Raises TemplateSyntaxError."""
        return instrument(self.parse(source))

    def getattr(self, obj: object, attribute: str) -> object:
        """What `obj.attribute` means: a key of a map before anything else, then a harmless method."""
        if isinstance(obj, dict) and attribute in obj:
            return obj[attribute]
        if isinstance(obj, str):
            return self._text_method(obj, attribute)
        if isinstance(obj, dict) and attribute in _MAP_METHODS:
            return getattr(obj, attribute)
        if isinstance(obj, dict | list | tuple | int | float):
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
        if operator == "%" and isinstance(left, str):
            return self.meter.made(self.own.modulo(left, right))
        self._check_operands(operator, left, right)
        return self.meter.made(super().call_binop(context, operator, left, right))

    def _check_operands(self, operator: str, left: object, right: object) -> None:
        if operator == "**" and not (isinstance(right, int | float) and abs(right) <= _MAX_POWER):
            raise TooMuch(f"a power may be {_MAX_POWER} at most")
        if operator == "*":
            self._check_length(left, right)
            self._check_length(right, left)

    def _check_length(self, one: object, times: object) -> None:
        if isinstance(one, str) and isinstance(times, int):
            self.meter.text(len(one) * times)
        elif isinstance(one, list | tuple) and isinstance(times, int) and len(one) * times > MAX_WEIGHT:
            raise TooMuch("the template builds a list that is too long")

    def _text_method(self, text: str, name: str) -> object:
        own: dict[str, Function] = {
            "join": lambda values: self.own.join(values, text),
            "replace": partial(self.own.replace, text),
            "format": partial(self.own.format, text),
        }
        if name in own:
            return own[name]
        return getattr(text, name) if name in _TEXT_METHODS else self._absent(text, name)

    def _absent(self, obj: object, name: object) -> Named:
        if isinstance(obj, dict):
            return Named(obj=obj, name=str(name))
        return Named(hint=f'{kind_of(obj)} has no "{name}"', name=str(name))

    def _guarded(self, function: Function) -> Function:
        """The function, with all it looks at and all it makes noted."""

        @wraps(function)
        def guarded(*args: object, **kwargs: object) -> object:
            for argument in args:
                self.meter.use(argument)
            return self.meter.made(function(*args, **kwargs))

        return guarded

    @pass_context  # which keeps Jinja2 from writing constants at compile time, unmetered
    def _finalize(self, _: Context, value: object) -> str:
        text = printed(value)
        self.meter.text(len(text))
        return text


def _range(*bounds: int) -> range:
    numbers = range(*bounds)
    # By arithmetic, since the length of a range may not fit a machine word.
    if numbers.step and abs(numbers.stop - numbers.start) > _MAX_RANGE * abs(numbers.step):
        raise TooMuch(f"a range may have {_MAX_RANGE} numbers at most")
    return numbers


def _map(*args: dict[str, object], **kwargs: object) -> dict[str, object]:
    """What `dict` makes. Not the class: through that, a template could change the maps it is given."""
    return dict(*args, **kwargs)
