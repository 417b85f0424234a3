"""Admission: the way of a policy object through a live Karmada API server, without one.

Unknown fields are pruned, meaningless nulls dropped, defaults filled in; the mutating webhook has its
turn, then defaults again, the schema's checks, and the validating webhook.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field

from renderer.document.values import Object, Value, mapping, text
from renderer.load.conformity import check
from renderer.load.customization_rules import check_customization
from renderer.load.field import FieldError
from renderer.load.kinds import AdmittedKind, admitted_kind
from renderer.load.mutation import mutate_override, mutate_propagation
from renderer.load.objectmeta import check_metadata, read_metadata
from renderer.load.override_rules import check_override
from renderer.load.policies import VALUES_ANNOTATION, VALUES_JINJA2
from renderer.load.propagation_rules import check_propagation
from renderer.load.quota_rules import check_quota
from renderer.load.structural import UnknownField, normalise
from renderer.load.taint_rules import check_taints
from renderer.load.typed import DecodeError, Struct, need, normal_object
from renderer.load.typed_kinds import SPECS
from renderer.model.identity import annotations_of

_PERMANENT_IDS = uuid.UUID("6b1d0a52-6c1f-5f0e-9d53-0c1b8f7f3a10")


@dataclass(frozen=True, slots=True, kw_only=True)
class Admission:
    """What a live server would say to the creation of an object.

    `object` is the object as it would be stored; of a refused one, as far as it got. `unknown` are the
    fields that were pruned: they alone refuse nothing. Errors are sorted by field. `denied` is the text
    of the validating webhook, `denials` are its errors by field; none where it could not read the object.
    """

    admitted: bool
    object: Object = field(default_factory=dict, repr=False)
    unknown: tuple[UnknownField, ...] = ()
    decode_error: str = ""
    mutate_error: str = ""
    schema_errors: tuple[FieldError, ...] = ()
    denied: str = ""
    denials: tuple[FieldError, ...] = ()

    @property
    def webhook_errors(self) -> tuple[FieldError, ...]:
        """The validating webhook's errors, of kinds for which it lists them by field."""
        kind = text(self.object.get("kind"))
        return self.denials if kind.endswith(("PropagationPolicy", "OverridePolicy")) else ()

    @property
    def unknown_fields(self) -> tuple[str, ...]:
        """The paths of the pruned fields, sorted."""
        return tuple(sorted(str(item.path) for item in self.unknown))


def admission(
    body: Object,
    *,
    namespace: str = "default",
    existing: Sequence[Object] = (),
    permanent_id: str = "",
    allow_no_execute: bool = False,
) -> Admission:
    """Admit an object of one of the kinds of `kinds.py`.

    `namespace` is where a namespaced object goes that names no namespace. `existing` are the other
    ResourceInterpreterCustomizations. `permanent_id` labels a propagation policy; a live server takes a
    random one, here it follows from the object's identity. `allow_no_execute` lets ClusterTaintPolicies have
    NoExecute taints.
    """
    api_version, name = text(body.get("apiVersion")), text(body.get("kind"))
    kind = admitted_kind(api_version, name)
    if kind is None:
        return _undecodable(f'no matches for kind "{name}" in version "{api_version}"')
    try:
        decoded, unknown = _decode(body, kind)
    except DecodeError as error:
        return _undecodable(str(error))
    decoded = _placed(decoded, kind, namespace)
    mutated, mutate_error = _mutate(decoded, kind, permanent_id)
    schema_errors = tuple(sorted(_schema_errors(mutated, kind), key=lambda error: error.sort_key))
    denied, denials = (
        ("", ()) if mutate_error else _validate(mutated, kind, existing, allow_no_execute=allow_no_execute)
    )
    return Admission(
        admitted=not (mutate_error or schema_errors or denied),
        object=mapping(_whole_numbers(mutated)),
        unknown=unknown,
        mutate_error=mutate_error,
        schema_errors=schema_errors,
        denied=denied,
        denials=denials,
    )


def _undecodable(text_: str) -> Admission:
    return Admission(admitted=False, decode_error=text_)


def _decode(body: Object, kind: AdmittedKind) -> tuple[Object, tuple[UnknownField, ...]]:
    """The object as the server reads it from a request. Raises DecodeError for malformed metadata."""
    metadata = read_metadata(body.get("metadata"))
    value, unknown = normalise(body, kind.schema)
    # Metadata has its own reader, which knows no nulls and no empty fields.
    return {**mapping(value), "metadata": metadata}, unknown


def _whole_numbers(value: Value) -> Value:
    """The value with 1.0 as 1: that is how Go writes it into JSON."""
    if isinstance(value, float) and value == value // 1 and abs(value) < 2**63:
        return int(value)
    if isinstance(value, dict):
        return {key: _whole_numbers(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_whole_numbers(item) for item in value]
    return value


def _placed(body: Object, kind: AdmittedKind, namespace: str) -> Object:
    """The object with its namespace: given, or that of the request; none where it cannot have one."""
    metadata = mapping(body.get("metadata"))
    if kind.namespaced:
        return {**body, "metadata": {**metadata, "namespace": text(metadata.get("namespace")) or namespace}}
    return {**body, "metadata": {key: metadata[key] for key in metadata if key != "namespace"}}


def _mutate(body: Object, kind: AdmittedKind, permanent_id: str) -> tuple[Object, str]:
    """The object after the mutating webhook, with the webhook's error if it could not read it."""
    metadata = mapping(body.get("metadata"))
    namespace = text(metadata.get("namespace"))
    identity = permanent_id or str(
        uuid.uuid5(_PERMANENT_IDS, f"{kind.kind}/{namespace}/{text(metadata.get('name'))}")
    )
    try:
        if kind.kind.endswith("PropagationPolicy"):
            mutated = mutate_propagation(body, namespace, identity)
        elif kind.kind == "OverridePolicy":
            mutated = mutate_override(body, namespace)
        else:
            return body, ""
    except DecodeError as error:
        return body, str(error)
    return _decode(mapping(_whole_numbers(mutated)), kind)[0], ""


def _schema_errors(body: Object, kind: AdmittedKind) -> tuple[FieldError, ...]:
    dropped = ("metadata", "status") if kind.status_subresource else ("metadata",)
    rest = {key: item for key, item in body.items() if key not in dropped}
    of_metadata = check_metadata(mapping(body.get("metadata")), namespaced=kind.namespaced)
    of_rest = (error for error in check(rest, kind.schema) if error.pointer != "/metadata")
    return (*of_metadata, *of_rest)


def _validate(
    body: Object, kind: AdmittedKind, existing: Sequence[Object], *, allow_no_execute: bool
) -> tuple[str, tuple[FieldError, ...]]:
    """The validating webhook's text and errors; both empty where it has nothing against the object."""
    spec, metadata = mapping(body.get("spec")), mapping(body.get("metadata"))
    namespace = text(metadata.get("namespace"))
    try:
        if kind.kind in SPECS:
            whole = Struct(f"v1alpha1.{kind.kind}", (need("spec", SPECS[kind.kind]),))
            normal_object({"spec": body.get("spec")}, whole)
        match kind.kind:
            case "PropagationPolicy" | "ClusterPropagationPolicy":
                errors = tuple(check_propagation(spec, namespace))
            case "OverridePolicy" | "ClusterOverridePolicy":
                templated = annotations_of(body).get(VALUES_ANNOTATION) == VALUES_JINJA2
                errors = tuple(check_override(spec, namespace, templated=templated))
            case "FederatedResourceQuota":
                errors = check_quota(body)
            case "ClusterTaintPolicy":
                errors = tuple(check_taints(spec, allow_no_execute=allow_no_execute))
            case "ResourceInterpreterCustomization":
                fault = check_customization(body, existing)
                return (fault.detail, (fault,)) if fault else ("", ())
            case _:
                errors = ()
    except DecodeError as error:
        return str(error), ()
    return _aggregate(errors), tuple(sorted(errors, key=lambda error: error.sort_key))


def _aggregate(errors: Sequence[FieldError]) -> str:
    """All messages in one text, each once."""
    messages = tuple(dict.fromkeys(error.message for error in errors))
    return messages[0] if len(messages) == 1 else f"[{', '.join(messages)}]" if messages else ""
