"""The bundled schemas: valid, complete, one definition a name, and the structure of Karmada's CRDs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

import jsonschema
import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from renderer.load.conformity import check
from renderer.load.kinds import ADMITTED_KINDS, AdmittedKind, admitted_kind
from renderer.load.schemas import compile_schema, compiled_pattern, load_schema, schema_directory, schema_text
from renderer.load.structural import normalise

Json: TypeAlias = Any
NAMES = tuple(sorted(item.name.removesuffix(".json") for item in schema_directory().iterdir()))
POLICY_NAMES = tuple(kind.kind.lower() for kind in ADMITTED_KINDS)
CRDS = Path(__file__).parents[3] / "shared" / "crds" / "karmada-v1.19.0-rc.0"
KEYWORDS = (
    "type",
    "format",
    "enum",
    "default",
    "pattern",
    "minimum",
    "minLength",
    "maxLength",
    "minItems",
    "required",
)


@pytest.mark.parametrize("name", NAMES)
def test_every_schema_is_a_valid_schema(name: str) -> None:
    jsonschema.Draft202012Validator.check_schema(json.loads(schema_text(name)))


@pytest.mark.parametrize("name", POLICY_NAMES)
def test_everything_is_described(name: str) -> None:
    root = json.loads(schema_text(name))
    bare = [path for path, node in _nodes(root, "") if "properties" in node and not node.get("description")]
    assert bare == []


def test_a_definition_is_the_same_in_every_file() -> None:
    seen: dict[str, Any] = {}
    for name in POLICY_NAMES:
        for key, node in json.loads(schema_text(name)).get("$defs", {}).items():
            assert seen.setdefault(key, node) == node, key


@pytest.mark.parametrize("pair", ["propagationpolicy", "overridepolicy"])
def test_both_scopes_have_one_spec(pair: str) -> None:
    namespaced, cluster_wide = json.loads(schema_text(pair)), json.loads(schema_text(f"cluster{pair}"))
    assert namespaced["properties"]["spec"] == cluster_wide["properties"]["spec"]
    assert namespaced["$defs"] == cluster_wide["$defs"]


@pytest.mark.skipif(not CRDS.is_dir(), reason="the CRDs are not part of the repository")
@pytest.mark.parametrize("kind", ADMITTED_KINDS, ids=lambda kind: kind.kind)
def test_structure_is_that_of_karmadas_crd(kind: AdmittedKind) -> None:
    crd = _crds()[kind.kind]
    root = json.loads(schema_text(kind.kind.lower()))
    properties = crd["versions"][0]["schema"]["openAPIV3Schema"]["properties"]
    assert kind.namespaced == (crd["scope"] == "Namespaced")
    assert kind.status_subresource == ("status" in crd["versions"][0].get("subresources", {}))
    for name in ("spec", "status"):
        assert _structure(properties.get(name), {}) == _structure(
            root["properties"].get(name), root.get("$defs", {})
        )


@cache
def _crds() -> dict[str, Json]:
    specs = [yaml.load(path.read_text(), yaml.CSafeLoader)["spec"] for path in sorted(CRDS.iterdir())]
    return {spec["names"]["kind"]: spec for spec in specs}


def _structure(node: Json, definitions: Json) -> Json:
    """What of a schema node an API server acts on."""
    if node is None:
        return None
    if "$ref" in node:
        node = {
            **definitions[node["$ref"].rpartition("/")[2]],
            **{k: v for k, v in node.items() if k != "$ref"},
        }
    result = {key: node[key] for key in KEYWORDS if key in node}
    if node.get("x-kubernetes-int-or-string"):
        result["type"] = ["integer", "string"]
    if result.get("format") == "date-time":  # only in what a server writes
        del result["format"]
    if "required" in result:
        result["required"] = sorted(result["required"])
    for key, child in node.get("properties", {}).items():
        result[f".{key}"] = _structure(child, definitions)
    if isinstance(node.get("additionalProperties"), dict):
        result["{}"] = _structure(node["additionalProperties"], definitions)
    if "items" in node:
        result["[]"] = _structure(node["items"], definitions)
    return result


def _nodes(node: Json, path: str) -> Iterator[tuple[str, Json]]:
    if isinstance(node, dict):
        if "type" in node:
            yield path, node
        for key, child in node.items():
            yield from _nodes(child, f"{path}/{key}")


def test_a_reference_can_be_described_where_it_is_used() -> None:
    schema = compile_schema(
        {"$ref": "#/$defs/Name", "description": "of a cluster"}, {"Name": {"type": "string", "maxLength": 3}}
    )
    assert (schema.description, schema.types, schema.max_length) == ("of a cluster", ("string",), 3)


def test_a_missing_definition_is_a_mistake_of_ours() -> None:
    with pytest.raises(KeyError):
        compile_schema({"$ref": "#/$defs/Name"}, {})


@pytest.mark.parametrize(("text", "matches"), [("1", True), ("1\n", False)])
def test_a_pattern_ends_at_the_very_end(text: str, matches: bool) -> None:
    assert (compiled_pattern("^[0-9]$").search(text) is not None) is matches


def test_a_kind_is_known_by_version_and_name() -> None:
    assert admitted_kind("policy.karmada.io/v1alpha1", "PropagationPolicy") is not None
    assert admitted_kind("policy.karmada.io/v1", "PropagationPolicy") is None


_LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 3),
    st.sampled_from([1.5, "x", "", "cluster", "Divided", "Duplicated", "add", "apps/v1", "Always"]),
)


def _values(name: str) -> st.SearchStrategy[Any]:
    """Values that look like the kind, with something wrong here and there."""
    return _value_of(
        json.loads(schema_text(name))["properties"]["spec"], json.loads(schema_text(name))["$defs"]
    )


def _value_of(node: Json, definitions: Json) -> st.SearchStrategy[Any]:
    if "$ref" in node:
        return _value_of(definitions[node["$ref"].rpartition("/")[2]], definitions)
    good: st.SearchStrategy[Any] = _LEAVES
    if "properties" in node:
        children = {key: _value_of(child, definitions) for key, child in node["properties"].items()}
        good = st.fixed_dictionaries({}, optional={**children, "unknown": _LEAVES})
    elif "items" in node:
        good = st.lists(_value_of(node["items"], definitions), max_size=2)
    elif isinstance(node.get("additionalProperties"), dict):
        good = st.dictionaries(
            st.sampled_from(["a", "b"]), _value_of(node["additionalProperties"], definitions)
        )
    elif "enum" in node:
        good = st.sampled_from([*node["enum"], "other"])
    return st.one_of(good, good, good, good, _LEAVES)


@pytest.mark.parametrize("name", ["propagationpolicy", "overridepolicy", "clustertaintpolicy"])
@settings(max_examples=20, suppress_health_check=[HealthCheck.too_slow, HealthCheck.large_base_example])
@given(data=st.data())
def test_what_an_editor_refuses_is_what_we_refuse(name: str, data: st.DataObject) -> None:
    """A plain JSON Schema validator agrees on whether a value conforms, unknown fields included."""
    root = json.loads(schema_text(name))
    spec = data.draw(_values(name))
    editor = jsonschema.Draft202012Validator({"$defs": root["$defs"], **root["properties"]["spec"]})
    schema = load_schema(name).properties["spec"]
    _, unknown = normalise(spec, schema)
    ours = bool(unknown) or next(check(spec, schema), None) is not None
    assert ours == (not editor.is_valid(spec))
