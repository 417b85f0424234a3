"""Paths to fields and what is wrong with them, in the words of a Kubernetes API server.

Source: k8s.io/apimachinery pkg/util/validation/field.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import StrEnum

from renderer.document.pointer import join
from renderer.document.values import Value


class ErrorType(StrEnum):
    """The kinds of field errors an API server tells apart."""

    INVALID = "FieldValueInvalid"
    TYPE_INVALID = "FieldValueTypeInvalid"
    REQUIRED = "FieldValueRequired"
    NOT_SUPPORTED = "FieldValueNotSupported"
    TOO_LONG = "FieldValueTooLong"
    TOO_MANY = "FieldValueTooMany"
    FORBIDDEN = "FieldValueForbidden"
    DUPLICATE = "FieldValueDuplicate"


_WORDS = {
    ErrorType.INVALID: "Invalid value",
    ErrorType.TYPE_INVALID: "Invalid value",
    ErrorType.REQUIRED: "Required value",
    ErrorType.NOT_SUPPORTED: "Unsupported value",
    ErrorType.TOO_LONG: "Too long",
    ErrorType.TOO_MANY: "Too many",
    ErrorType.FORBIDDEN: "Forbidden",
    ErrorType.DUPLICATE: "Duplicate value",
}
_WITHOUT_VALUE = (ErrorType.REQUIRED, ErrorType.TOO_LONG, ErrorType.FORBIDDEN)


@dataclass(frozen=True, slots=True)
class Path:
    """A place in an object, kept as a chain so that walking down costs one small tuple.

    A token is a field name, an index, or a key of a free-form map in a 1-tuple (printed in brackets).
    """

    parent: Path | None = None
    token: str | int | tuple[str] = ""

    def child(self, *names: str) -> Path:
        """The path of a field, or of a field of a field."""
        path = self
        for name in names:
            path = Path(path, name)
        return path

    def index(self, index: int) -> Path:
        """The path of a list element."""
        return Path(self, index)

    def key(self, key: str) -> Path:
        """The path of an entry of a map whose keys are data."""
        return Path(self, (key,))

    @property
    def tokens(self) -> tuple[str | int | tuple[str], ...]:
        """The tokens from the root down."""
        tokens: list[str | int | tuple[str]] = []
        path: Path | None = self
        while path is not None and path.parent is not None:
            tokens.append(path.token)
            path = path.parent
        return tuple(reversed(tokens))

    def __str__(self) -> str:
        """Give `spec.overrideRules[0].overriders`, as the API server names a field."""
        text = ""
        for token in self.tokens:
            if isinstance(token, int):
                text += f"[{token}]"
            elif isinstance(token, tuple):
                text += f"[{token[0]}]"
            else:
                text += f".{token}" if text else token
        return text

    @property
    def pointer(self) -> str:
        """The same place as an RFC 6901 pointer, which a document can find in its file."""
        return join(token[0] if isinstance(token, tuple) else str(token) for token in self.tokens)


ROOT = Path()


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldError:
    """One thing wrong with one field.

    `field` is the path as an API server prints it (`<nil>` where it loses it), `pointer` the place of the
    field in the document, `detail` the API server's text, `value` what stands there, `supported` the
    values that could have stood there, `without` what it means that the field is missing.
    """

    type: ErrorType
    field: str
    detail: str = ""
    pointer: str = ""
    value: Value = None
    supported: tuple[str, ...] = ()
    without: str = ""

    @property
    def sort_key(self) -> tuple[str, str, str]:
        """Order of reports: by field, then type, then text."""
        return (self.field, self.type, self.detail)

    @property
    def message(self) -> str:
        """The whole error as an API server prints it."""
        parts = [self.field, _WORDS[self.type]]
        if self.type not in _WITHOUT_VALUE:
            parts.append(_shown(self.value))
        return ": ".join((*parts, self.detail) if self.detail else parts)


def _shown(value: Value) -> str:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def invalid(path: Path, value: Value, detail: str) -> FieldError:
    """The value is of the right type but not allowed."""
    return FieldError(
        type=ErrorType.INVALID, field=str(path), detail=detail, pointer=path.pointer, value=value
    )


def required(path: Path, detail: str = "", without: str = "") -> FieldError:
    """The field must be given and is not."""
    return FieldError(
        type=ErrorType.REQUIRED, field=str(path), detail=detail, pointer=path.pointer, without=without
    )


def type_invalid(path: Path, value: Value, detail: str) -> FieldError:
    """The value is of the wrong type."""
    return FieldError(
        type=ErrorType.TYPE_INVALID, field=str(path), detail=detail, pointer=path.pointer, value=value
    )


def not_supported(path: Path, value: Value, supported: tuple[str, ...]) -> FieldError:
    """The value is none of the listed ones."""
    return FieldError(
        type=ErrorType.NOT_SUPPORTED,
        field=str(path),
        detail="supported values: " + ", ".join(f'"{item}"' for item in supported),
        pointer=path.pointer,
        value=value,
        supported=supported,
    )


def forbidden(path: Path, detail: str) -> FieldError:
    """The field may not be given here."""
    return FieldError(type=ErrorType.FORBIDDEN, field=str(path), detail=detail, pointer=path.pointer)


def duplicate(path: Path, value: Value) -> FieldError:
    """The value may be given once only."""
    return FieldError(type=ErrorType.DUPLICATE, field=str(path), pointer=path.pointer, value=value)


def too_long(path: Path, value: Value, limit: int) -> FieldError:
    """The text has more than `limit` characters (the API server says bytes)."""
    return FieldError(
        type=ErrorType.TOO_LONG,
        field=str(path),
        detail=f"may not be more than {limit} bytes",
        pointer=path.pointer,
        value=value,
    )
