"""Reading a plan file that anybody may have written: all of it is checked before any of it is used."""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Mapping, Sequence
from typing import Final, NoReturn, TypeVar

from renderer.model.errors import StoppedError
from renderer.model.guards import GUARDS
from renderer.model.instant import is_instant
from renderer.model.reasons import Key, Reasons, RulesUsed, TemplateReasons
from renderer.model.tree import Blob, Node, Tree, count
from renderer.publish.plan_file import FORMAT, PLAIN, SUBMODULE, PlanFile

_MAX_BYTES: Final = 4 << 30  # uncompressed
_CHUNK: Final = 1 << 20
_MAX_DEPTH: Final = 16  # directories inside each other
_MAX_FILES: Final = 50_000_000
_LENGTHS: Final = {"sha1": 40, "sha256": 64}
_MODES: Final = ("", "100755", "120000", SUBMODULE)
_HEX: Final = re.compile(r"[0-9a-f]*")

_T = TypeVar("_T")


def decode(data: bytes, *, most: int = _MAX_BYTES) -> PlanFile:
    """The plan in a file. Raises StoppedError that says what is wrong with it."""
    try:
        document = json.loads(_unpacked(data, most))
    except RecursionError:
        _refuse("it is nested too deeply")
    except ValueError as error:
        _refuse(f"it is no JSON: {error}")
    if not isinstance(document, dict):
        _refuse("it is not a map")
    if document.get("format") != FORMAT:
        _refuse(f"it is not of the format {FORMAT}")
    return _plan(_Fields(document))


class PlannedBlob(Blob):
    """A file of a plan: of a mode of its own, or with an id that is not its content's.

    The content of a Secret is kept without its values; it has the id of the whole all the same.
    """

    __slots__ = ("_mode", "_stated")

    def __init__(self, data: bytes, mode: str, algorithm: str, name: bytes) -> None:
        """Keep what there is of the content, and the id."""
        super().__init__(data)
        self._mode = mode
        self._stated = (algorithm, name)

    @property
    def mode(self) -> str:
        """The mode as Git writes it."""
        return self._mode

    def object_id(self, algorithm: str) -> bytes:
        """The id of the whole content; that of what is kept in any other algorithm."""
        return self._stated[1] if self._stated[0] == algorithm else super().object_id(algorithm)


class _Fields:
    """A map, whose fields are asked for by the type they must have."""

    def __init__(self, values: Mapping[str, object], where: str = "") -> None:
        self._values = values
        self._where = where

    def of(self, name: str, kind: type[_T]) -> _T:
        """A field of that type."""
        value = self._values.get(name)
        if not isinstance(value, kind) or (kind is not bool and isinstance(value, bool)):
            _refuse(f"{self._where}{name} is missing, or no {_WORDS[kind]}")
        return value

    def text(self, name: str) -> str:
        """A text without control characters."""
        value = self.of(name, str)
        if not value.isprintable():
            _refuse(f"{self._where}{name} has control characters")
        return value

    def id(self, name: str, length: int) -> str:
        """An id of that many hexadecimal digits."""
        return _id(self.of(name, str), length, f"{self._where}{name}")

    def has(self, name: str) -> bool:
        """Whether there is such a field, and it is not null."""
        return self._values.get(name) is not None


_WORDS: Final[Mapping[type, str]] = {str: "text", bool: "truth value", list: "list", dict: "map"}


def _plan(fields: _Fields) -> PlanFile:
    algorithm = fields.text("algorithm")
    if algorithm not in _LENGTHS:
        _refuse(f"algorithm {algorithm!r} is unknown")
    length = _LENGTHS[algorithm]
    source = _Fields(fields.of("source", dict), "source.") if fields.has("source") else None
    now = fields.text("now")
    if not is_instant(now):
        _refuse("now is no point in time")
    allow = tuple(_texts(fields.of("allow", list), "allow"))
    if unknown := [name for name in allow if name not in GUARDS]:
        _refuse(f"allow names no guard: {unknown[0]!r}")
    return PlanFile(
        version=fields.text("krender"),
        inputs=fields.id("inputs", 64),
        now=now,
        fresh=fields.of("fresh", bool),
        keep_going=fields.of("keepGoing", bool),
        source=_id(source.of("commit", str), None, "source.commit") if source else "",
        dirty=source.of("dirty", bool) if source else False,
        branch=fields.text("branch"),
        path=fields.text("path"),
        tip=fields.id("tip", length) if fields.has("tip") else "",
        adopt=fields.of("adopt", bool),
        allow=allow,
        digest=fields.id("digest", 64),
        algorithm=algorithm,
        tree=_Trees(fields, algorithm).root(),
        reasons=_reasons(_Fields(fields.of("reasons", dict), "reasons.")),
    )


class _Trees:
    """Puts directories together again, and sees that each is what its id says."""

    def __init__(self, fields: _Fields, algorithm: str) -> None:
        self._root = fields.of("root", str)
        self._directories = fields.of("directories", dict)
        self._contents = fields.of("files", dict)
        self._redacted = dict.fromkeys(_texts(fields.of("redacted", list), "redacted"))
        self._algorithm = algorithm
        self._done: dict[str, Node] = {}

    def root(self) -> Tree:
        """The whole tree."""
        tree = self._directory(self._root, 0)
        if count(tree) > _MAX_FILES:
            _refuse(f"it has more than {_MAX_FILES:,} files")
        return tree

    def _directory(self, name: str, depth: int) -> Tree:
        done = self._done.get(name)
        if isinstance(done, Tree):
            return done
        listed = self._directories.get(name)
        if not isinstance(listed, dict) or depth > _MAX_DEPTH:
            _refuse(f"the directory {name[:64]!r} is not listed, or too deep")
        entries: dict[str, Node] = {}
        for entry, wanted in listed.items():
            if not isinstance(wanted, str):
                _refuse(f"the id of {entry!r} is no text")
            if entry.endswith("/"):
                entries[entry[:-1]] = self._directory(wanted, depth + 1)
            else:
                entries[entry] = self._file(wanted)
        try:
            tree = Tree(entries)
        except (ValueError, UnicodeEncodeError) as error:
            _refuse(str(error))
        if len(tree) != len(listed) or tree.object_id(self._algorithm).hex() != name:
            _refuse(f"the directory {name} does not hold what its id says")
        self._done[name] = tree
        return tree

    def _file(self, stated: str) -> Blob:
        done = self._done.get(stated)
        if isinstance(done, Blob):
            return done
        mode, _, name = stated.rpartition(" ")
        if mode not in _MODES:
            _refuse(f"{mode[:64]!r} is no mode of a file")
        raw = bytes.fromhex(_id(name, _LENGTHS[self._algorithm], "the id of a file"))
        blob = Blob(_data(self._contents.get(name)))
        if name not in self._redacted and blob.object_id(self._algorithm) != raw:
            _refuse(f"the file {name} does not hold what its id says")
        if mode or name in self._redacted:
            blob = PlannedBlob(blob.data, mode or PLAIN, self._algorithm, raw)
        self._done[stated] = blob
        return blob


def _reasons(fields: _Fields) -> Reasons:
    templates = []
    for item in _maps(fields.of("templates", list), "reasons.templates"):
        pairs = [_texts(_list(pair), "reasons") for pair in item.of("left", list)]
        if any(len(pair) != 2 for pair in pairs):
            _refuse("reasons: left is no list of pairs")
        templates.append(
            TemplateReasons(
                key=_key(item),
                policy_place=item.text("policy"),
                scheduled=item.text("scheduled"),
                left=tuple((pair[0], pair[1]) for pair in pairs),
            )
        )
    rules = []
    for item in _maps(fields.of("rules", list), "reasons.rules"):
        used = [_list(pair) for pair in item.of("rules", list)]
        if any(len(pair) != 2 or not isinstance(pair[0], str) for pair in used):
            _refuse("reasons: rules is no list of pairs")
        rules.append(
            RulesUsed(
                key=_key(item),
                clusters=tuple(_texts(item.of("clusters", list), "reasons")),
                rules=tuple((str(pair[0]), tuple(_texts(_list(pair[1]), "reasons"))) for pair in used),
            )
        )
    return Reasons(templates=tuple(templates), rules=tuple(rules))


def _key(item: _Fields) -> Key:
    parts = _texts(item.of("object", list), "reasons")
    if len(parts) != 4:
        _refuse("reasons: object is not group, kind, namespace and name")
    return (parts[0], parts[1], parts[2], parts[3])


def _maps(values: Sequence[object], where: str) -> Sequence[_Fields]:
    return [_Fields(value, f"{where}: ") if isinstance(value, dict) else _refuse(where) for value in values]


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else _refuse("reasons: a list is missing")


def _texts(values: Sequence[object], where: str) -> list[str]:
    texts = [value for value in values if isinstance(value, str)]
    if len(texts) != len(values):
        _refuse(f"{where} holds something that is no text")
    return texts


def _id(value: str, length: int | None, where: str) -> str:
    fits = len(value) in _LENGTHS.values() if length is None else len(value) == length
    if not fits or not _HEX.fullmatch(value):
        _refuse(f"{where} is no id")
    return value


def _data(content: object) -> bytes:
    """A content as it was."""
    packed = content.get("base64") if isinstance(content, dict) else None
    try:
        if isinstance(packed, str):
            return base64.b64decode(packed, validate=True)
        if isinstance(content, str):
            return content.encode()
    except ValueError as error:
        _refuse(f"the content of a file cannot be read: {error}")
    return _refuse("the content of a file is missing")


def _unpacked(data: bytes, most: int) -> bytes:
    """The text in the file, as long as it is not larger than it may be."""
    unpacking = zlib.decompressobj(wbits=31)  # gzip
    parts, size, rest = [], 0, data
    try:
        while rest and not unpacking.eof:
            part = unpacking.decompress(rest, _CHUNK)
            size += len(part)
            if size > most:
                _refuse(f"it is larger than {most:,} bytes")
            parts.append(part)
            rest = unpacking.unconsumed_tail
    except zlib.error as error:
        _refuse(f"it is not compressed with gzip: {error}")
    if not unpacking.eof or unpacking.unused_data:
        _refuse("it is cut, or something follows it")
    return b"".join(parts)


def _refuse(what: str) -> NoReturn:
    raise StoppedError(
        f"this is no plan file that krender can use: {what}",
        "what was reviewed cannot be told from it",
        "make it anew with `krender plan -o FILE`",
    )
