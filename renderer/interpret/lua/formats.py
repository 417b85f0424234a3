"""string.format as Karmada's Lua has it: Go's fmt.Sprintf over Lua values.

Source: gopher-lua stringlib.go strFormat, value.go Format; Go fmt.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, TypeAlias

from renderer.document.number import INT64_MAX, INT64_MIN
from renderer.interpret.lua.numbers import number_text, parsed_number

Argument: TypeAlias = bool | float | str | None

LONGEST: Final = 4_000_000  # bytes of a result
_WIDEST: Final = 1_000_000  # Go's own bound of width and precision
_DIGITS: Final = 8  # of the widest; more are not even read
_DIRECTIVE: Final = re.compile(r"%([#0+\- ]*)([0-9]*)(?:(\.)([0-9]*))?([\s\S]?)")


class FormatError(Exception):
    """A text that is too long."""


@dataclass(frozen=True, slots=True)
class _Directive:
    """What stands between `%` and the verb."""

    flags: str
    width: int
    precision: int | None

    def padded(self, text: str, *, zeros: bool = True) -> str:
        """The text at its width: zeros after the sign, else spaces before it or (with `-`) after it."""
        missing = self.width - len(text)
        if missing <= 0:
            return text
        if "-" in self.flags:
            return text + " " * missing
        if "0" in self.flags and zeros:
            sign = text[:1] if text[:1] in ("+", "-", " ") else ""
            return sign + "0" * missing + text[len(sign) :]
        return " " * missing + text

    def signed(self, text: str, *, negative: bool) -> str:
        """The text of an amount with the sign that the flags ask for."""
        positive = "+" if "+" in self.flags else " " if " " in self.flags else ""
        return ("-" if negative else positive) + text


def sprintf(pattern: str, arguments: tuple[Argument, ...]) -> str:
    """The formatted text; all of it bytes, a character each. Raises FormatError where it is too long."""
    used = pattern.count("%") - pattern.count("%%")
    left = list(reversed(arguments[: max(used, 0)]))
    parts, size, at = list[str](), 0, 0
    while at < len(pattern):
        begin = pattern.find("%", at)
        end = len(pattern) if begin < 0 else begin
        part, after = pattern[at:end], end
        if part == "":
            part, after = _formatted(pattern, begin, left)
        size += len(part)
        if size > LONGEST:
            raise FormatError(f"a text would be longer than {LONGEST} bytes")
        parts.append(part)
        at = after
    extra = ", ".join(f"{_go_type(argument)}={_plain(argument)}" for argument in reversed(left))
    return "".join(parts) + (f"%!(EXTRA {extra})" if extra else "")


def _formatted(pattern: str, begin: int, left: list[Argument]) -> tuple[str, int]:
    """What one directive comes to, and the index after it."""
    match = _DIRECTIVE.match(pattern, begin)
    if match is None:
        return "%!(NOVERB)", len(pattern)
    flags, width, point, precision, verb = match.groups("")
    if not verb or _too_large(width) or _too_large(precision):
        return "%!(NOVERB)", len(pattern)
    if verb == "%":
        return "%", match.end()
    if not left:
        return f"%!{verb}(MISSING)", match.end()
    directive = _Directive(flags, int(width or 0), int(precision or 0) if point else None)
    return _value(directive, verb, left.pop()), match.end()


def _too_large(digits: str) -> bool:
    # Go looks before it reads the last digit.
    return len(digits) > _DIGITS or int(digits[:-1] or 0) > _WIDEST


def _value(directive: _Directive, verb: str, argument: Argument) -> str:
    if verb == "T":
        return directive.padded(_go_type(argument), zeros=False)
    if verb in "pw":
        return f"%!{verb}({_go_type(argument)}={_plain(argument)})"
    if isinstance(argument, str):
        if verb in "di":
            # gopher-lua has this the wrong way round: texts that are no numbers are 0.
            whole = parsed_number(argument) is None
            return _whole(directive, "d", 0) if whole else _text(directive, "s", argument)
        return _text(directive, verb, argument)
    if argument is None or isinstance(argument, bool):
        return _word(directive, verb, argument)
    if verb in "qs":
        return _text(directive, verb, _plain(argument))
    if verb in "bcdioxXU" or (verb not in "eEfFgG" and float(argument).is_integer()):
        return _whole(directive, "d" if verb in "iv" else verb, _int64(argument))
    return _float(directive, "g" if verb == "v" else verb, float(argument))


def _int64(number: float) -> int:
    """The number as Go converts it to an int64."""
    whole = int(number) if number - number == 0 else INT64_MIN
    return whole if INT64_MIN <= whole <= INT64_MAX else INT64_MIN


def _plain(argument: Argument) -> str:
    """What tostring makes of an argument."""
    if argument is None or isinstance(argument, bool):
        return {None: "nil", True: "true", False: "false"}[argument]
    if isinstance(argument, str):
        return argument
    whole = argument - argument == 0 and float(argument).is_integer() and INT64_MIN <= argument <= INT64_MAX
    return str(int(argument)) if whole else number_text(float(argument))


def _go_type(argument: Argument) -> str:
    if argument is None:
        return "*lua.LNilType"
    if isinstance(argument, bool):
        return "lua.LBool"
    return "lua.LString" if isinstance(argument, str) else "lua.LNumber"


def _word(directive: _Directive, verb: str, argument: bool | None) -> str:
    """nil, true or false: texts to the verbs of texts, and otherwise nothing that Go can print."""
    if verb in "svxXq" or (verb == "t" and argument is not None):
        return _text(directive, "s" if verb == "t" else verb, _plain(argument))
    return "&{}" if argument is None else f"%!{verb}(lua.LBool={_plain(argument)})"


def _text(directive: _Directive, verb: str, text: str) -> str:
    if verb not in "svqxX":
        return f"%!{verb}(string={text})"
    # Width and precision count characters of UTF-8, not bytes.
    characters = text.encode("latin-1").decode("utf-8", "surrogateescape")
    if directive.precision is not None:
        characters = characters[: directive.precision]
    if verb == "q":
        characters = _quoted(characters)
    elif verb in "xX":
        spaced = (" ",) if " " in directive.flags else ()
        characters = characters.encode("utf-8", "surrogateescape").hex(*spaced)
        prefix = "0x" if "#" in directive.flags and characters else ""
        characters = prefix + characters if verb == "x" else (prefix + characters).upper()
    return directive.padded(characters).encode("utf-8", "surrogateescape").decode("latin-1")


_ESCAPES: Final = {
    "\a": "\\a", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\v": "\\v",
    '"': '\\"', "\\": "\\\\",
}  # fmt: skip


def _quoted(text: str) -> str:
    """A text as a Go string literal."""
    return f'"{"".join(map(_escaped, text))}"'


def _escaped(character: str) -> str:
    code = ord(character)
    if character in _ESCAPES:
        return _ESCAPES[character]
    if 0xDC80 <= code <= 0xDCFF:  # a byte that is no UTF-8
        return f"\\x{code - 0xDC00:02x}"
    if character.isprintable():
        return character
    if code < 0x80:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


_BASES: Final = {"d": ("d", ""), "b": ("b", "0b"), "o": ("o", "0"), "x": ("x", "0x"), "X": ("X", "0X")}


def _whole(directive: _Directive, verb: str, number: int) -> str:
    if verb in "cqU":
        return _character(directive, verb, number)
    if verb not in _BASES:
        return f"%!{verb}(int64={number})"
    code, prefix = _BASES[verb]
    digits = format(abs(number), code)
    if directive.precision is not None:
        digits = "" if directive.precision == number == 0 else digits.rjust(directive.precision, "0")
    elif "0" in directive.flags and "-" not in directive.flags:
        signed = number < 0 or "+" in directive.flags or " " in directive.flags
        digits = digits.rjust(directive.width - signed, "0")
    if "#" in directive.flags and not (verb == "o" and digits.startswith("0")):
        digits = prefix + digits
    return directive.padded(directive.signed(digits, negative=number < 0), zeros=False)


def _character(directive: _Directive, verb: str, number: int) -> str:
    valid = 0 <= number <= 0x10FFFF and not 0xD800 <= number <= 0xDFFF
    if verb == "U":
        return directive.padded(f"U+{number & 0xFFFFFFFFFFFFFFFF:04X}", zeros=False)
    return directive.padded(chr(number) if valid else "\ufffd").encode().decode("latin-1")


def _float(directive: _Directive, verb: str, number: float) -> str:
    if verb not in "eEfFgG":
        return f"%!{verb}(float64={number_text(number)})"
    if number - number != 0:
        plain = number_text(number)
        sign = "+" if "+" in directive.flags and plain == "NaN" else ""
        return directive.padded(sign + plain, zeros=False)
    code = verb.replace("F", "f")
    if verb in "gG" and directive.precision is None and "#" not in directive.flags:
        digits = number_text(abs(number))
        digits = digits.upper() if verb == "G" else digits
    else:
        precision = 6 if directive.precision is None else directive.precision
        alternate = "#" if "#" in directive.flags else ""
        digits = format(abs(number), f"{alternate}.{precision}{code}")
    negative = number < 0 or (number == 0 and str(number).startswith("-"))
    return directive.padded(directive.signed(digits, negative=negative))
