"""The sandbox: a Lua 5.4 of lupa that runs translated scripts, and nothing else.

A script sees nothing but what the files of `runtime/` give it. What it does is counted in steps, a long text
or table costing as much as it is long, so that the limit is reached at the same place on every machine; what
it holds is bounded too. No error that a limit raises can be caught by the script.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib import resources
from types import ModuleType
from typing import Final, NoReturn, Protocol

from renderer.document.limits import DEFAULT_LIMITS as DOCUMENT_LIMITS
from renderer.document.values import Value
from renderer.interpret.lua.clock import seconds_at
from renderer.interpret.lua.formats import LONGEST
from renderer.interpret.lua.host import Host
from renderer.interpret.lua.statements import translated
from renderer.interpret.lua.tokens import SyntaxFault
from renderer.interpret.lua.values import Flat, flattened, restored, to_text
from renderer.model.interpretation import InterpretError

_OWN_FRAMES: Final = 5  # of the runtime, below and above those of the script
_STRETCH: Final = 4000  # values that are read from Lua at once

# The files of `runtime/`; each may use what those before it have.
_RUNTIME: Final = (
    "budget", "tables", "operators", "running", "arguments",
    "base", "strings", "lists", "numbers", "times", "kube", "environment",
)  # fmt: skip
_PLACE: Final = re.compile(r"<string>:(\d+): ")


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How much one call of a script may use.

    `steps`: half a second of loops, where Karmada gives a second of time. `memory`: bytes in use.
    `frames`: functions inside each other, as many as gopher-lua's call stack holds.
    """

    steps: int = 10_000_000
    memory: int = 64 * 1024 * 1024
    frames: int = 256

    @property
    def reasons(self) -> Mapping[str, str]:
        """Why a script was stopped, by the runtime's word for it."""
        return {
            "steps": f"the script was stopped after {self.steps} steps",
            "memory": f"the script was stopped when it held more than {self.memory // 1024 // 1024} MiB",
        }


DEFAULT_LIMITS: Final = Limits()


class _Function(Protocol):
    """A function of Lua, several results of which are a tuple."""

    def __call__(self, *arguments: object) -> object: ...


class _Table(Protocol):
    """A table of Lua."""

    def __getitem__(self, key: str, /) -> _Function: ...


class _Lua(Protocol):
    """A LuaRuntime of lupa."""

    def table_from(self, items: object) -> _Table: ...

    def compile(self, code: str, name: str) -> Callable[..., _Table]: ...


class ScriptError(InterpretError):
    """A script failed: why, and at which of its lines (from 1; 0 where that is not known)."""

    def __init__(self, text: str, line: int = 0) -> None:
        """Keep both."""
        self.text = text
        self.line = line
        super().__init__(text)


@dataclass(frozen=True, slots=True)
class Result:
    """What a function of a script returned: the name of its type in Lua, and its value.

    Tables are maps or lists, empty ones lists; whole numbers are integers.
    """

    kind: str
    value: Value = None


class Machine:
    """Runs scripts, each call in globals of its own; the clock that they see stands at `now` (RFC 3339)."""

    def __init__(
        self,
        module: ModuleType,
        *,
        now: str,
        priority_class: bool = False,
        limits: Limits = DEFAULT_LIMITS,
    ) -> None:
        """Take the Lua of `installed.py`; it is started by the first script."""
        self._module = module
        self._limits = limits
        self._now = now
        self._priority_class = priority_class
        self._chunks: dict[str, object] = {}

    def run(self, script: str, name: str, wanted: int, *arguments: Value) -> tuple[Result, ...]:
        """Run a script and call a function that it defines, of which so many results are wanted.

        Raises ScriptError.
        """
        try:
            chunk = self._chunk(script)
            tables = self._lua.table_from([self._written(argument) for argument in arguments])
            answer = self._call("run", chunk, name, wanted, tables)
            match answer:
                case (True, results):
                    return tuple(self._results(results, wanted))
                case (_, fault, line, stopped):
                    self._fail(fault, line, stopped=bool(stopped))
        except self._module.LuaMemoryError:
            raise ScriptError(self._limits.reasons["memory"]) from None
        raise TypeError(answer)

    def _fail(self, fault: object, line: object, *, stopped: bool) -> NoReturn:
        """Raise what went wrong: the script's error, or one of ours that went through it."""
        if isinstance(fault, BaseException):
            raise fault
        number, text = _located(to_text(str(fault)))
        number = line if isinstance(line, int) else number
        raise ScriptError(self._limits.reasons.get(text, text) if stopped else text, number)

    def _chunk(self, script: str) -> object:
        """The script, translated and compiled."""
        chunk = self._chunks.get(script)
        if chunk is None:
            try:
                found = self._call("compile", translated(script))
            except SyntaxFault as fault:
                raise ScriptError(fault.text, fault.line) from None
            if isinstance(found, tuple):
                line, text = _located(to_text(str(found[1])))
                raise ScriptError(text, line)
            chunk = self._chunks[script] = found
        return chunk

    def _results(self, table: object, wanted: int) -> Iterator[Result]:
        flat = self._read(table)
        at = wanted
        for kind in flat[:wanted]:
            value: Value = None
            if kind != "function":
                value, at = restored(flat, at)
            yield Result(str(kind), value)

    def _read(self, table: object) -> list[Flat]:
        """A flat list that Lua made."""
        flat: list[Flat] = []
        length = 1
        while len(flat) < length:
            match self._call("read", table, len(flat) + 1, len(flat) + _STRETCH):
                case (int(length), *stretch):
                    flat += map(_flat, stretch)
                case other:
                    raise TypeError(other)
        return flat

    def _written(self, value: Value) -> object:
        return self._lua.table_from(flattened(value))

    def _call(self, name: str, *arguments: object) -> object:
        return self._functions[name](*arguments)

    @cached_property
    def _lua(self) -> _Lua:
        lua: _Lua = self._module.LuaRuntime(
            encoding="latin-1",
            source_encoding="latin-1",
            register_eval=False,
            register_builtins=False,
            unpack_returned_tuples=True,
            attribute_filter=_no_attribute,
            max_memory=4 * self._limits.memory,  # for what comes between two looks at the memory
        )
        return lua

    @cached_property
    def _functions(self) -> dict[str, _Function]:
        """Those of the runtime that are called from here."""
        runtime = self._started()
        return {name: runtime[name] for name in ("run", "compile", "read")}

    def _started(self) -> _Table:
        host = Host(
            now=seconds_at(self._now),
            priority_class=self._priority_class,
            read=lambda table: restored(self._read(table), 0)[0],
            write=self._written,
            listed=self._lua.table_from,
        )
        functions = self._lua.table_from(host.functions())
        limits = self._lua.table_from(
            {
                "steps": self._limits.steps,
                "bytes": self._limits.memory,
                "text": LONGEST,
                "depth": DOCUMENT_LIMITS.depth,
                "frames": self._limits.frames + _OWN_FRAMES,
            }
        )
        runtime = self._lua.table_from({})
        for name in _RUNTIME:
            code = resources.files(__package__).joinpath("runtime", f"{name}.lua").read_text(encoding="utf-8")
            self._lua.compile(code, f"={name}")(runtime, functions, limits)
        return runtime


def _no_attribute(_: object, name: object, __: bool) -> NoReturn:
    """Nothing of a Python object is for Lua."""
    raise AttributeError(str(name))


def _flat(value: object) -> Flat:
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)


def _located(text: str) -> tuple[int, str]:
    """The line that a message of Lua begins with (0 where it does not), and the rest of it."""
    found = _PLACE.match(text)
    return (int(found[1]), text[found.end() :]) if found else (0, text)
