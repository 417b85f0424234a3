"""CustomResourceDefinitions as a test asks them: is this object what its CRD describes, and nothing more?

`tests/delivery/schemas/` holds the structure of the engines' CRDs: names, types, enums, what is required.

    python -m tests.crds DIRECTORY

derives it again from the original CRDs, which lie in DIRECTORY, a folder for each version of each project. A
field that a CRD does not name is a fault: a server would drop it without a word.
"""

from __future__ import annotations

import gzip
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

import yaml
from jsonschema import Draft202012Validator

from renderer.document.values import Object, Value, mapping, sequence, text

if TYPE_CHECKING:
    from jsonschema.protocols import Validator

STRUCTURES: Final = Path(__file__).parent / "delivery" / "schemas"
ORIGINALS: Final = Path(os.environ.get("KRENDER_CRDS") or Path(__file__).parents[2] / "shared" / "crds")
PROJECTS: Final = (
    "argocd-v3.5.1",
    "flux-kustomize-controller-v1.9.4",
    "flux-source-controller-v1.9.1",
)

Schemas: TypeAlias = Mapping[str, Object]  # by apiVersion and kind, as in `apps/v1 Deployment`

_KEPT = ("type", "enum", "required", "nullable")
_FLAGS = (
    "x-kubernetes-int-or-string",
    "x-kubernetes-preserve-unknown-fields",
    "x-kubernetes-embedded-resource",
)
_BOUNDS = ("pattern", "minLength", "maxLength", "minimum", "maximum", "minItems", "maxItems", "maxProperties")
_TEXTS: Final[Object] = {"type": "object", "additionalProperties": {"type": "string"}}
_METADATA: Final[Object] = {  # what somebody may write of ObjectMeta, of which no CRD tells
    "type": "object",
    "required": ["name"],
    "properties": {
        "name": {"type": "string"},
        "namespace": {"type": "string"},
        "labels": _TEXTS,
        "annotations": _TEXTS,
        "finalizers": {"type": "array", "items": {"type": "string"}},
    },
}


def faults(body: Object, schemas: Schemas | None = None) -> tuple[str, ...]:
    """Why a server would refuse the object or drop something of it; nothing where it would do neither.

    `schemas` are the committed structures, unless others are given. Raises KeyError for a kind that none of
    them is of.
    """
    name = f"{text(body.get('apiVersion'))} {text(body.get('kind'))}"
    validator = _validator(name, committed() if schemas is None else schemas)
    return tuple(sorted(f"{error.json_path}: {error.message}" for error in validator.iter_errors(body)))


@cache
def committed() -> Schemas:
    """The structures in `tests/delivery/schemas/`."""
    found: dict[str, Object] = {}
    for file in sorted(STRUCTURES.glob("*.json.gz")):
        found |= {
            name: mapping(schema) for name, schema in json.loads(gzip.decompress(file.read_bytes())).items()
        }
    return found


@cache
def originals(directory: Path) -> Schemas:
    """The schemas of the CRDs in a directory, whole."""
    found: dict[str, Object] = {}
    for file in sorted(directory.glob("*.yaml")):
        spec = mapping(mapping(yaml.load(file.read_bytes(), yaml.CSafeLoader)).get("spec"))
        for version in map(mapping, sequence(spec.get("versions"))):
            kind = text(mapping(spec.get("names")).get("kind"))
            schema = mapping(mapping(version.get("schema")).get("openAPIV3Schema"))
            found[f"{text(spec.get('group'))}/{text(version.get('name'))} {kind}"] = schema
    return found


def structure(schema: Object) -> Object:
    """What is left of a schema without all words and bounds."""
    return _mapped({name: schema[name] for name in (*_KEPT, *_FLAGS) if name in schema}, schema, structure)


def _validator(name: str, schemas: Schemas) -> Validator:
    """Made once for each schema, which is kept so that its id stays its own."""
    schema = schemas[name]
    if id(schema) not in _VALIDATORS:
        _VALIDATORS[id(schema)] = schema, Draft202012Validator(_strictly(_rooted(schema)))
    return _VALIDATORS[id(schema)][1]


_VALIDATORS: Final[dict[int, tuple[Object, Validator]]] = {}


def _rooted(schema: Object) -> Object:
    return {**schema, "properties": {**mapping(schema.get("properties")), "metadata": _METADATA}}


def _strictly(schema: Object) -> Object:
    """An OpenAPI schema of Kubernetes as JSON Schema that knows no unknown fields."""
    kept = {name: schema[name] for name in (*_KEPT, *_BOUNDS) if name in schema and name != "nullable"}
    if schema.get("x-kubernetes-int-or-string") is True:
        kept["type"] = ["integer", "string"]
    if schema.get("nullable") is True and "type" in kept:
        kept["type"] = [kept["type"], "null"]
    made = _mapped(kept, schema, _strictly)
    is_open = schema.get("x-kubernetes-preserve-unknown-fields") is True or "additionalProperties" in made
    return made if is_open or schema.get("type") != "object" else {**made, "additionalProperties": False}


def _mapped(kept: Mapping[str, Value], schema: Object, change: Callable[[Object], Object]) -> Object:
    """The kept parts with the changed schemas below."""
    below: dict[str, Value] = {}
    if isinstance(properties := schema.get("properties"), dict):
        below["properties"] = {name: change(mapping(value)) for name, value in properties.items()}
    for name in ("items", "additionalProperties"):
        if isinstance(value := schema.get(name), dict):
            below[name] = change(value)
    return {**kept, **below}


def _written(projects: Iterable[str], directory: Path) -> Iterator[tuple[Path, bytes]]:
    for project in projects:
        found = {name: structure(schema) for name, schema in originals(directory / project).items()}
        data = json.dumps(found, sort_keys=True, separators=(",", ":")).encode()
        yield STRUCTURES / f"{project}.json.gz", gzip.compress(data, 9, mtime=0)


if __name__ == "__main__":
    for file, data in _written(PROJECTS, Path(sys.argv[1])):
        file.write_bytes(data)
        print(f"{file}: {len(data)} bytes")
