"""Expressions of Karmada's Lua, written down for Lua 5.4.

What means something else there goes through helpers of the runtime: tables, which remember the order of
their keys; `..` and comparisons, whose cost depends on how long texts are; `#`, which gives an integer.
Numbers are written as floats. Every token stays on its line.
Source: gopher-lua parse/parser.go.y.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from renderer.interpret.lua.cursor import Cursor
from renderer.interpret.lua.numbers import parsed_number
from renderer.interpret.lua.tokens import NAME, STRING, Token

# How an operator binds to the left and to the right.
_BINARY: Final = {
    "or": (1, 1), "and": (2, 2),
    "<": (3, 3), ">": (3, 3), "<=": (3, 3), ">=": (3, 3), "==": (3, 3), "~=": (3, 3),
    "..": (5, 4), "+": (6, 6), "-": (6, 6), "*": (7, 7), "/": (7, 7), "%": (7, 7), "^": (10, 9),
}  # fmt: skip
_UNARY: Final = 8
_COMPARED: Final = {
    "==": "equal", "~=": "unequal", "<": "less", ">": "greater", "<=": "most", ">=": "least",
}  # fmt: skip
_PIECES: Final = 100  # of a text, and fields of a table: what one call takes as arguments
_FIELDS: Final = 40


class Shape(Enum):
    """What an expression is, as far as the place it stands in cares."""

    VALUE = auto()
    CONSTANT = auto()  # nil, true, false, a number, a string
    NUMBER = auto()
    FUNCTION = auto()
    VARIABLE = auto()  # can be assigned to
    CALL = auto()  # a statement, and several values at the end of a list
    ENCLOSED_CALL = auto()  # a statement, and one value
    MORE = auto()  # `...`


# What an expression is in parentheses, where that is more than a value.
_ENCLOSED: Final = {
    Shape.CALL: Shape.ENCLOSED_CALL,
    Shape.ENCLOSED_CALL: Shape.ENCLOSED_CALL,
    Shape.FUNCTION: Shape.FUNCTION,
}


@dataclass(frozen=True, slots=True)
class Code:
    """An expression in Lua 5.4. `parts` of a place in a table are the table and the key."""

    text: str
    shape: Shape = Shape.VALUE
    parts: tuple[str, str] | None = None

    @property
    def single(self) -> str:
        """The expression where exactly one value is wanted."""
        return f"({self.text})" if self.shape is Shape.MORE else self.text

    @property
    def last(self) -> str:
        """The expression as a last argument where exactly one value is wanted."""
        return f"({self.text})" if self.shape in (Shape.MORE, Shape.CALL) else self.text


@dataclass(frozen=True, slots=True)
class _Field:
    """One entry of a table constructor; one without a key goes to the next index."""

    key: str
    value: Code


class Expressions(Cursor, ABC):
    """The half of the translation that is about expressions."""

    def __init__(self, script: str) -> None:
        """Read a script's tokens."""
        super().__init__(script)
        # A prefix that the script does not use, so that none of its names can hide a helper.
        self.prefix = "k_"
        while self.prefix in script:
            self.prefix += "_"

    def helper(self, name: str) -> str:
        """The name under which the translated script knows a helper."""
        return self.prefix + name

    @abstractmethod
    def function_body(self) -> str:
        """The parameters and the block of a function, to its `end`."""

    def name(self, token: Token) -> str:
        """A variable, as it is called in Lua 5.4, to which `_ENV` means something."""
        return token.lead + (self.helper("ENV") if token.text == "_ENV" else token.text)

    def expression(self, limit: int = 0) -> Code:
        """An expression whose operators bind closer than `limit`."""
        with self.deeper():
            left = self._operand()
            while (power := _BINARY.get(self.token.kind, (0, 0)))[0] > limit:
                if self.token.kind == "..":
                    left = self._text(left)
                else:
                    left = self._binary(left, self.take(), power[1])
            return left

    def expression_list(self) -> list[Code]:
        """Expressions between commas; the line ends before a comma go to what follows it."""
        found = [self.expression()]
        while comma := self.accept(","):
            after = self.expression()
            found.append(Code(comma.lead + after.text, after.shape))
        return found

    def listed(self, expressions: Sequence[Code]) -> str:
        """Expressions as arguments or values: the last may give several."""
        texts = [code.single for code in expressions]
        if expressions and expressions[-1].shape is Shape.MORE:
            texts[-1] = f"{self.helper('more')}({expressions[-1].text})"
        return ",".join(texts)

    def suffixed(self) -> Code:
        """A variable, a call or something in parentheses, with what follows it."""
        code = self._primary()
        while True:
            match self.token.kind:
                case ".":
                    dot, name = self.take(), self.expect(NAME)
                    parts = (code.text, dot.lead + name.lead + quoted(name.text))
                    code = Code(f"{code.text}{dot.lead}.{name.lead}{name.text}", Shape.VARIABLE, parts)
                case "[":
                    key = self._index()
                    code = Code(f"{code.text}[{key}]", Shape.VARIABLE, (code.text, key))
                case ":":
                    colon, name = self.take(), self.expect(NAME)
                    head = f"{code.text}{colon.lead}:{name.lead}{name.text}"
                    code = Code(head + self._arguments(), Shape.CALL)
                case "(" | "{" | "string":
                    code = Code(code.text + self._arguments(), Shape.CALL)
                case _:
                    return code

    def _operand(self) -> Code:
        token = self.token
        match token.kind:
            case "not" | "-":
                self.take()
                operand = self.expression(_UNARY)
                number = token.kind == "-" and operand.shape is Shape.NUMBER
                text = f"{token.lead}{token.kind} {operand.single}"
                return Code(text, Shape.NUMBER if number else Shape.VALUE)
            case "#":
                self.take()
                return Code(f"{token.lead}(#{self.expression(_UNARY).single}+0.0)")
            case "nil" | "true" | "false":
                self.take()
                return Code(token.lead + token.kind, Shape.CONSTANT)
            case "number":
                self.take()
                return Code(token.lead + _number(token.text), Shape.NUMBER)
            case "string":
                self.take()
                return Code(token.lead + quoted(token.text), Shape.CONSTANT)
            case "{":
                return self._table()
            case "function":
                self.take()
                return Code(f"{token.lead}{self._made(self.function_body())}", Shape.FUNCTION)
            case "...":
                return self._more()
            case _:
                return self.suffixed()

    def _made(self, body: str) -> str:
        """A function value; making one costs memory."""
        return f"{self.helper('made')}(function{body})"

    def _more(self) -> Code:
        if not self.function.takes_more:
            raise self.fault("'...' stands in a function that does not take it")
        self.function.uses_more = True
        return Code(f"{self.take().lead}...", Shape.MORE)

    def _primary(self) -> Code:
        if self.token.kind == NAME:
            return Code(self.name(self.take()), Shape.VARIABLE)
        if self.token.kind != "(":
            raise self.fault(f"unexpected {self.token}")
        opening, inner, closing = self.take(), self.expression(), self.expect(")")
        return Code(f"{opening.lead}({inner.text}{closing.lead})", _ENCLOSED.get(inner.shape, Shape.VALUE))

    def _index(self) -> str:
        opening, key, closing = self.take(), self.expression(), self.expect("]")
        return f"{opening.lead}{self._key(key)}{closing.lead}"

    def _key(self, key: Code) -> str:
        """A key of a table: a long text costs as much as it is long."""
        constant = key.shape in (Shape.CONSTANT, Shape.NUMBER)
        return key.text if constant else f"{self.helper('key')}({key.single})"

    def _arguments(self) -> str:
        token = self.token
        if token.kind == STRING:
            self.take()
            return f"{token.lead}({quoted(token.text)})"
        if token.kind == "{":
            return f"({self._table().text})"
        opening = self.expect("(")
        arguments = [] if self.token.kind == ")" else self.expression_list()
        return f"{opening.lead}({self.listed(arguments)}{self.expect(')').lead})"

    def _binary(self, left: Code, operator: Token, power: int) -> Code:
        right = self.expression(power)
        helper = _COMPARED.get(operator.kind)
        cheap = {Shape.NUMBER, Shape.CONSTANT} if operator.kind in ("==", "~=") else {Shape.NUMBER}
        if helper is None or {left.shape, right.shape} & cheap:
            return Code(f"{left.single}{operator.lead} {operator.kind} {right.single}")
        return Code(f"({self.helper(helper)}({left.single}{operator.lead},{right.single}))")

    def _text(self, left: Code) -> Code:
        """Everything between the operators `..` of a row, in one call."""
        pieces = [left.single]
        while operator := self.accept(".."):
            pieces.append(operator.lead + self.expression(_BINARY[".."][0]).last)
        return Code(self._joined(pieces))

    def _joined(self, pieces: Sequence[str]) -> str:
        while len(pieces) > _PIECES:
            groups = (pieces[begin : begin + _PIECES] for begin in range(0, len(pieces), _PIECES))
            pieces = [self._joined(group) for group in groups]
        return f"({self.helper('concat')}({','.join(pieces)}))"

    def _table(self) -> Code:
        opening, fields, separators = self.take(), list[_Field](), list[str]()
        while self.token.kind != "}":
            fields.append(self._field())
            leads = []
            while separator := self.accept(",") or self.accept(";"):
                leads.append(separator.lead)
            separators.append("".join(leads))
            if not leads:
                break
        closing = self.expect("}").lead
        return Code(opening.lead + self._constructed(fields, separators, closing))

    def _field(self) -> _Field:
        if self.token.kind == "[":
            opening, key = self.take(), self.expression()
            lead = self.expect("]").lead + self.expect("=").lead
            return _Field(f"{opening.lead}{self._key(key)}{lead}", self.expression())
        if self.token.kind != NAME or self.following.kind != "=":
            return _Field("", self.expression())
        name, lead = self.take(), self.take().lead
        return _Field(f"{name.lead}{quoted(name.text)}{lead}", self.expression())

    def _constructed(self, fields: Sequence[_Field], separators: Sequence[str], closing: str) -> str:
        texts = [
            f"{field.key or self.helper('next')},{field.value.last}{separator}"
            for field, separator in zip(fields, separators, strict=True)
        ]
        table, fill = f"{self.helper('table')}()", self.helper("fill")
        if not fields:
            return f"({table}{closing})"
        if not fields[-1].key and fields[-1].value.shape in (Shape.CALL, Shape.MORE):
            texts[-1] = f"{self.helper('next')},{self.listed([fields[-1].value])}{separators[-1]}"
        if len(texts) <= _FIELDS:
            return f"({fill}({table},0,{len(texts)},{','.join(texts)}{closing}))"
        # More than a call takes: one call after the other, in a function of its own.
        parts = [texts[begin : begin + _FIELDS] for begin in range(0, len(texts), _FIELDS)]
        t, n = self.helper("t"), self.helper("n")
        steps = " ".join(f"{t},{n}={fill}({t},{n},{len(part)},{','.join(part)})" for part in parts)
        more = "..." if self.function.takes_more else ""
        return f"((function({more}) local {t},{n}={table},0 {steps}{closing} return {t} end)({more}))"


def _number(text: str) -> str:
    """A number of the script; one that is none is the value NaN."""
    number = parsed_number(text)
    return "(0/0)" if number is None else repr(number)


def quoted(text: str) -> str:
    """A string of bytes as Lua reads it back, on one line."""
    plain = "".join(
        character if " " <= character <= "~" and character not in '\\"' else f"\\{ord(character):03d}"
        for character in text
    )
    return f'"{plain}"'
