"""Reads YAML and JSON exactly as Kubernetes does, and says where what is wrong with it."""

from __future__ import annotations

import dataclasses
from json import JSONDecodeError

from yaml.error import YAMLError

from renderer.document.byte_order import BOM
from renderer.document.construct import Duplicates, construct
from renderer.document.defects import (
    Defect,
    bad_separator,
    cut_document,
    lone_directive,
    not_json,
    not_utf8,
    too_many_documents,
)
from renderer.document.json_document import read_json
from renderer.document.limits import DEFAULT_LIMITS, Limits
from renderer.document.positions import entries
from renderer.document.problem import InputError, Position, Problem
from renderer.document.rule import UNREADABLE
from renderer.document.scalars import JSON_SCALARS, KUBERNETES_SCALARS, PlainScalars
from renderer.document.source import Document
from renderer.document.stream import SEPARATOR, BadSeparator, Piece, pieces
from renderer.document.syntax import syntax_defect
from renderer.document.values import Value

_UTF16 = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}


def read_stream(data: bytes, file: str, limits: Limits = DEFAULT_LIMITS) -> tuple[Document, ...]:
    """All documents of a file, empty ones left out, with values as a Kubernetes client holds them.

    Numbers are int within int64, else float. Stricter than a client where it loses something in silence: keys
    that are set twice (under two spellings too) and text after `...` are errors. Raises InputError with the
    problems of all documents of the file.
    """
    text = _decode(data, file, limits, wide=False)
    documents: list[Document] = []
    problems: list[Problem] = []
    for number, piece in enumerate(pieces(text, limits.depth)):
        document = _document(piece, file)
        try:
            if number >= limits.documents:
                raise too_many_documents(limits.documents)
            value = _value(piece, document, limits)
        except Defect as defect:
            problems.append(_problem(defect, document))
            if number >= limits.documents:
                break
        else:
            if value is not None:
                documents.append(dataclasses.replace(document, value=value))
    if problems:
        raise InputError(*problems)
    return tuple(documents)


def read_single(
    text: str | bytes,
    *,
    file: str = "",
    limits: Limits = DEFAULT_LIMITS,
    duplicates: Duplicates = Duplicates.LAST_WINS,
    scalars: PlainScalars = JSON_SCALARS,
) -> Value:
    """The first document of a text, as sigs.k8s.io/yaml turns it into JSON; None where there is none.

    Numbers are what the JSON says: int (of any size) where it has neither point nor exponent, else float.
    Raises InputError.
    """
    if isinstance(text, bytes):
        text = _decode(text, file, limits, wide=True)
    document = Document(value=None, file=file, text=text.removeprefix(BOM))
    try:
        document.text.encode()
        return _construct(document.text, scalars, limits, duplicates, whole=False)
    except UnicodeEncodeError as error:
        raise InputError(_problem(not_utf8(error.start, "half a character"), document)) from None
    except Defect as defect:
        raise InputError(_problem(defect, document)) from None


def _decode(data: bytes, file: str, limits: Limits, *, wide: bool) -> str:
    """The text of a file; UTF-16 with a byte order mark only if `wide`. Raises InputError."""
    if len(data) > limits.max_bytes:
        raise InputError(
            Problem(
                where=Position(file),
                what=f"the file has {len(data):,} bytes, the limit is {limits.max_bytes:,}",
                why="no set of manifests is that large; reading it would only cost time and memory",
                fix="split it, or name it in .krenderignore",
                rule=UNREADABLE.id,
            )
        )
    encoding = _UTF16.get(data[:2], "utf-8")
    try:
        if encoding != "utf-8" and not wide:
            raise UnicodeDecodeError("utf-8", data, 0, 2, "UTF-16")
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        good = data[: error.start].decode(encoding)
        text = data.decode(encoding, errors="replace") if encoding == "utf-8" else ""
        document = Document(value=None, file=file, text=text.replace("\r\n", "\n"))
        found = "UTF-16" if encoding != "utf-8" else f"not UTF-8: byte 0x{data[error.start]:02x}"
        raise InputError(_problem(not_utf8(len(good.replace("\r\n", "\n")), found), document)) from None


def _document(piece: Piece | BadSeparator, file: str) -> Document:
    """A piece of a file as a document whose value is not known yet."""
    if isinstance(piece, BadSeparator):
        return Document(value=None, file=file, text=piece.line, first_line=piece.first_line)
    return Document(
        value=None,
        file=file,
        text=piece.text.removeprefix(BOM),
        first_line=piece.first_line,
        first_column=piece.first_column,
        is_json=piece.is_json,
    )


def _value(piece: Piece | BadSeparator, document: Document, limits: Limits) -> Value:
    """The value of a piece of a file. Raises Defect."""
    if isinstance(piece, BadSeparator):
        raise bad_separator(piece.line.index(piece.text, len(SEPARATOR)), piece.text)
    if piece.defect:
        raise piece.defect
    if piece.is_json:
        return piece.value
    try:
        return _construct(document.text, KUBERNETES_SCALARS, limits, Duplicates.CLEAR, whole=True)
    except Defect as defect:
        if document.file.endswith(".json") and document.text.lstrip().startswith("{"):
            raise _json_defect(document.text, limits) or defect from None
        if document.text.startswith("%"):
            raise lone_directive() from None
        if piece.separated and document.text.lstrip("\n")[:1].isspace():
            raise cut_document(defect) from None
        raise


def _json_defect(text: str, limits: Limits) -> Defect | None:
    """What a reader of JSON says about a text that is not YAML either."""
    try:
        read_json(text, len(text) - len(text.lstrip()), limits.depth)
    except JSONDecodeError as error:
        return not_json(error.pos, error.msg)
    return None


def _construct(
    text: str, scalars: PlainScalars, limits: Limits, duplicates: Duplicates, *, whole: bool
) -> Value:
    """The value of a YAML text. Raises Defect."""
    try:
        return construct(text, scalars, limits, duplicates, whole=whole)
    except YAMLError as error:
        raise syntax_defect(error, text) from None


def _problem(defect: Defect, document: Document) -> Problem:
    """A defect of a document as the problem the user sees."""
    other = defect.other
    if defect.key is not None and not other:
        other = _first_use(document, defect)
    where = document.place(defect.index)
    return Problem(
        where=where,
        what=defect.what.replace("{line}", str(document.place(other).line)),
        why=defect.why,
        fix=defect.fix,
        rule=UNREADABLE.id,
        excerpt=document.excerpt(where),
    )


def _first_use(document: Document, defect: Defect) -> int:
    """Where the key that stands twice stands first (or the merge key that brought it)."""
    first: dict[str, int] = {}
    for entry in entries(document.text, is_json=document.is_json):
        if entry.key_at == defect.index and entry.pointer:
            parent = entry.pointer.rpartition("/")[0]
            return first.get(entry.pointer, first.get(f"{parent}/<<", defect.index))
        first.setdefault(entry.pointer, entry.key_at)
    return defect.index
