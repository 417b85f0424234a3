"""The bundled JSON Schemas, compiled once into the tree the engine walks.

A wheel carries the files as `renderer/schemas`; a source checkout has them beside the package.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable

from renderer.document.values import Object, Value, mapping, sequence, text


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Schema:
    """One node of a JSON Schema: the keywords that Kubernetes' structural schemas have, and no others.

    Compared by identity, so that what is known of a node can be remembered by it.

    `types` empty admits every type. `closed` says that fields beside `properties` are unknown; otherwise
    `additional` (if any) describes them. `has_default` tells a null default from none. `pattern` is
    searched, not anchored, as JSON Schema says. `without` is our own keyword `x-krender-without`.
    """

    title: str = ""
    description: str = ""
    types: tuple[str, ...] = ()
    nullable: bool = False
    format: str = ""
    properties: Mapping[str, Schema] = field(default_factory=dict)
    required: tuple[str, ...] = ()
    closed: bool = False
    additional: Schema | None = None
    items: Schema | None = None
    enum: tuple[Value, ...] = ()
    has_default: bool = False
    default: Value = None
    minimum: int | float | None = None
    maximum: int | float | None = None
    min_length: int | None = None
    max_length: int | None = None
    min_items: int | None = None
    max_items: int | None = None
    pattern: str = ""
    without: str = ""  # what it means to leave the field out, for the reason of a problem
    any_text: bool = False  # admits every string and nothing else
    defaulted: tuple[str, ...] = ()  # properties that have a default


def schema_directory() -> Traversable:
    """Where the schema files are: inside the installed package, else beside it."""
    packaged = resources.files("renderer").joinpath("schemas")
    return packaged if packaged.is_dir() else resources.files("renderer").joinpath("..", "schemas")


@cache
def schema_text(name: str) -> str:
    """The text of one schema file by its stem, for example `propagationpolicy`."""
    return schema_directory().joinpath(f"{name}.json").read_text(encoding="utf-8")


@cache
def load_schema(name: str) -> Schema:
    """The compiled schema of one file by its stem.

    Raises KeyError where the file has a `$ref` that is not one of its own `$defs`.
    """
    root = json.loads(schema_text(name))
    return compile_schema(root, mapping(root.get("$defs")))


def compile_schema(node: Object, definitions: Object) -> Schema:
    """Compile a schema; `definitions` are the `$defs` that its references (`#/$defs/NAME`) name.

    Keywords beside a `$ref` (a description, a default) win over those of the definition, so one
    definition can be described where it is used. Definitions must not be recursive; ours are not.
    """
    reference = node.get("$ref")
    if isinstance(reference, str):
        target = mapping(definitions[reference.removeprefix("#/$defs/")])
        return compile_schema({**target, **{key: node[key] for key in node if key != "$ref"}}, definitions)
    types = _types(node.get("type"))
    additional = node.get("additionalProperties")
    properties = {
        name: compile_schema(mapping(child), definitions)
        for name, child in mapping(node.get("properties")).items()
    }
    return Schema(
        title=text(node.get("title")),
        description=text(node.get("description")),
        types=tuple(name for name in types if name != "null"),
        nullable="null" in types,
        format=text(node.get("format")),
        properties=properties,
        required=tuple(text(name) for name in sequence(node.get("required"))),
        closed=additional is False,
        additional=compile_schema(additional, definitions) if isinstance(additional, dict) else None,
        items=compile_schema(mapping(node["items"]), definitions) if "items" in node else None,
        enum=tuple(sequence(node.get("enum"))),
        has_default="default" in node,
        default=node.get("default"),
        minimum=_number(node.get("minimum")),
        maximum=_number(node.get("maximum")),
        min_length=_count(node.get("minLength")),
        max_length=_count(node.get("maxLength")),
        min_items=_count(node.get("minItems")),
        max_items=_count(node.get("maxItems")),
        pattern=text(node.get("pattern")),
        without=text(node.get("x-krender-without")),
        any_text=types == ("string",) and not any(word in node for word in _OF_TEXT),
        defaulted=tuple(name for name, child in properties.items() if child.has_default),
    )


_OF_TEXT = ("enum", "pattern", "minLength", "maxLength", "format")


def _types(value: Value) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(text(item) for item in sequence(value))


def _number(value: Value) -> int | float | None:
    return value if isinstance(value, int | float) else None


def _count(value: Value) -> int | None:
    return value if isinstance(value, int) else None


@cache
def compiled_pattern(pattern: str) -> re.Pattern[str]:
    """A schema's regular expression, where `$` is the very end, as in JSON Schema and in Go."""
    return re.compile(re.sub(r"(?<!\\)\$$", r"\\Z", pattern))
