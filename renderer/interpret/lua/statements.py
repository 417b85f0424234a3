"""Statements of Karmada's Lua, written down for Lua 5.4.

What can go on for ever is counted: the rounds of loops, jumps, calls of functions.
Source: gopher-lua parse/parser.go.y, compile.go.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from renderer.interpret.lua.assignments import assigned
from renderer.interpret.lua.cursor import Block, Function
from renderer.interpret.lua.expressions import Code, Expressions, Shape
from renderer.interpret.lua.tokens import END, NAME, SyntaxFault

_ENDS: Final = frozenset({"end", "else", "elseif", "until", END})

# What a translated script is handed, in this order, each under its name with a prefix.
HELPERS: Final = (
    "step", "enter", "enter_more", "made", "more", "arg", "table", "fill", "next", "key", "concat", "equal",
    "unequal", "less", "greater", "most", "least", "iterate", "leaves", "bound",
)  # fmt: skip


def translated(script: str) -> str:
    """The script as a Lua 5.4 chunk that takes its globals and the helpers. Raises SyntaxFault."""
    return Statements(script).script()


class Statements(Expressions):
    """The whole translation of one script."""

    def script(self) -> str:
        """The script to its end."""
        body = self.block()
        if self.token.kind != END:
            raise self.fault(f"unexpected {self.token}")
        names = ",".join(self.helper(name) for name in HELPERS)
        head = f"local _ENV,{names}=... return (function(...) "
        return f"{head}{body}{self.token.lead}\nend)()"

    def function_body(self, *, method: bool = False) -> str:
        """The parameters and the block of a function, to its `end`; a method has `self` before them."""
        head = self.expect("(").lead + "("
        names, more = self._parameters()
        closing = self.expect(")")
        self.functions.append(Function(takes_more=more))
        body = self.block(*names.split(","), "self" if method else "", "arg" if more else "")
        enter = f"{self.helper('enter_more')}(...); {self._arg()}" if more else f"{self.helper('enter')}(); "
        self.functions.pop()
        return f"{head}{names}{closing.lead}) {enter}{body}{self.expect('end').lead} end"

    def block(self, *names: str, loop: bool = False) -> str:
        """Statements to the end of their block, in which there are variables with names already."""
        function = self.function
        function.loops += loop
        function.blocks.append(Block())
        self.declare(*names)
        parts = []
        with self.deeper():
            while self.token.kind not in _ENDS:
                if self.token.kind in ("return", "break"):
                    parts.append(self._last())
                    break
                empty = self.accept(";")
                parts.append(empty.lead if empty else f"{self._statement()};")
        self._leave(function)
        function.loops -= loop
        return "".join(parts)

    def _leave(self, function: Function) -> None:
        """Close a block: jumps to labels that it does not have look for them outside."""
        block = function.blocks.pop()
        lost = [jump for jump in block.jumps if jump.text not in block.labels]
        if function.blocks:
            function.blocks[-1].jumps += lost
        elif lost:
            raise SyntaxFault(lost[0].line, f"there is no label '{lost[0].text}' to go to")

    def _arg(self) -> str:
        """The table `arg` of a function that takes more arguments but never names them as `...`."""
        made = "" if self.function.uses_more else f"={self.helper('arg')}(...)"
        return f"local arg{made}; "

    def _parameters(self) -> tuple[str, bool]:
        names, lead = list[str](), ""
        while self.token.kind != ")" or names:
            more = self.accept("...")
            if more:
                return ",".join([*names, f"{lead}{more.lead}..."]), True
            names.append(lead + self.name(self.expect(NAME)))
            comma = self.accept(",")
            if comma is None:
                break
            lead = comma.lead
        return ",".join(names), False

    def _last(self) -> str:
        """`return` or `break`, which end their block."""
        token = self.take()
        if token.kind == "break":
            if not self.function.loops:
                raise SyntaxFault(token.line, "there is no loop to break")
            text = f"{token.lead} break"
        else:
            values = [] if self.token.kind in (*_ENDS, ";") else self.expression_list()
            # The call replaces the function, so its line would be lost.
            gone = [value.shape for value in values] == [Shape.CALL]
            leaves = f"{self.helper('leaves')}({token.line}); " if gone else ""
            text = f"{token.lead} {leaves}return {self.listed(values)}"
        semicolon = self.accept(";")
        if self.token.kind not in _ENDS:
            raise self.fault(f"unexpected {self.token} after '{token.kind}'")
        return f"{text};{semicolon.lead if semicolon else ''}"

    def _statement(self) -> str:
        statements: dict[str, Callable[[], str]] = {
            "do": self._do,
            "while": self._while,
            "repeat": self._repeat,
            "if": self._if,
            "for": self._for,
            "function": self._function,
            "local": self._local,
            "::": self._label,
            "goto": self._goto,
        }
        return statements.get(self.token.kind, self._call_or_assignment)()

    def _do(self) -> str:
        return f"{self.take().lead} do{self.block()}{self.expect('end').lead} end"

    def _while(self) -> str:
        head = f"{self.take().lead} while{self._spaced(self.expression())}"
        return head + self._loop()

    def _loop(self, *names: str) -> str:
        """The body of a loop over variables, from `do` to `end`, each round of it counted."""
        head = f"{self.expect('do').lead} do {self.helper('step')}(); "
        return f"{head}{self.block(*names, loop=True)}{self.expect('end').lead} end"

    def _repeat(self) -> str:
        head = f"{self.take().lead} repeat {self.helper('step')}(); {self.block(loop=True)}"
        return f"{head}{self.expect('until').lead} until{self._spaced(self.expression())}"

    def _if(self) -> str:
        text = f"{self.take().lead} if{self._spaced(self.expression())}"
        text += f"{self.expect('then').lead} then {self.block()}"
        while token := self.accept("elseif"):
            text += f"{token.lead} elseif{self._spaced(self.expression())}"
            text += f"{self.expect('then').lead} then {self.block()}"
        if token := self.accept("else"):
            text += f"{token.lead} else {self.block()}"
        return f"{text}{self.expect('end').lead} end"

    def _for(self) -> str:
        head, first = self.take().lead, self.name(self.expect(NAME))
        if equals := self.accept("="):
            values = self.expression_list()
            if len(values) not in (2, 3):
                raise self.fault("a loop from a number counts to another one, by a third at most")
            texts = ",".join(map(self._bound, values))
            return f"{head} for {first}{equals.lead}={texts}{self._loop(first)}"
        names = self._names(first)
        lead = self.expect("in").lead
        values = self.expression_list()
        iterated = f"{self.helper('iterate')}({self.listed(values)})"
        return f"{head} for {names}{lead} in {iterated}{self._loop(*names.split(','))}"

    def _bound(self, value: Code) -> str:
        """A bound of a counting loop; no text is a number here."""
        return value.text if value.shape is Shape.NUMBER else f"{self.helper('bound')}({value.single})"

    def _names(self, first: str) -> str:
        names = [first]
        while comma := self.accept(","):
            names.append(comma.lead + self.name(self.expect(NAME)))
        return ",".join(names)

    def _function(self) -> str:
        text = f"{self.take().lead} function {self.name(self.expect(NAME))}"
        while dot := self.accept("."):
            name = self.expect(NAME)
            text += f"{dot.lead}.{name.lead}{name.text}"
        colon = self.accept(":")
        if colon:
            name = self.expect(NAME)
            text += f"{colon.lead}:{name.lead}{name.text}"
        return text + self.function_body(method=colon is not None)

    def _local(self) -> str:
        lead = f"{self.take().lead} local "
        if function := self.accept("function"):
            name = self.name(self.expect(NAME))
            self.declare(name)
            return f"{lead}function{function.lead} {name}{self.function_body()}"
        first = self.name(self.expect(NAME))
        names = self._names(first)
        equals = self.accept("=")
        values = self.expression_list() if equals else []
        self.declare(*names.split(","))
        if equals is None:
            return lead + names
        if names == first and [value.shape for value in values] == [Shape.FUNCTION]:
            # The function sees its own name, as in gopher-lua.
            return f"{lead}{first}; {first.lstrip()}{equals.lead}={values[0].text}"
        return f"{lead}{names}{equals.lead}={self.listed(values)}"

    def _label(self) -> str:
        opening, name, closing = self.take(), self.expect(NAME), self.expect("::")
        block = self.function.blocks[-1]
        if name.text in block.labels:
            raise SyntaxFault(name.line, f"there are two labels '{name.text}' in a block")
        block.labels.add(name.text)
        return f"{opening.lead} ::{name.lead}{name.text}{closing.lead}::"

    def _goto(self) -> str:
        lead, name = self.take().lead, self.expect(NAME)
        self.function.blocks[-1].jumps.append(name)
        return f"{lead} {self.helper('step')}(); goto {name.lead}{name.text}"

    def _call_or_assignment(self) -> str:
        target = self.suffixed()
        if self.token.kind not in ("=", ","):
            return self._call(target)
        targets = [target]
        while comma := self.accept(","):
            other = self.suffixed()
            parts = other.parts and (comma.lead + other.parts[0], other.parts[1])
            targets.append(Code(comma.lead + other.text, other.shape, parts))
        lead = self.expect("=").lead
        if any(code.shape is not Shape.VARIABLE for code in targets):
            raise self.fault("only a variable can be assigned to")
        values = self.expression_list()
        if len(targets) == 1:
            return f" {target.text}{lead}={self.listed(values)}"
        values[0] = Code(lead + values[0].text, values[0].shape)
        return assigned(targets, values, self.listed, self.is_local, self.prefix)

    def _call(self, code: Code) -> str:
        if code.shape is Shape.CALL:
            return f" {code.text}"
        if code.shape is Shape.ENCLOSED_CALL:
            return f" do local _={code.text} end"
        raise self.fault(f"unexpected {self.token}: a statement is a call or an assignment")

    def _spaced(self, condition: Code) -> str:
        return f" {condition.single}"
