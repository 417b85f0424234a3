"""The metadata of an object: read as an API server reads it, and validated.

Source: k8s.io/apimachinery pkg/api/validation/objectmeta.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from renderer.document.values import Object, Value, mapping, sequence, text
from renderer.load.field import ROOT, FieldError, Path, forbidden, invalid, required, too_long
from renderer.load.names import dns_label, dns_subdomain, label_key, label_value
from renderer.load.typed import normal_object
from renderer.load.typed_policies import OBJECT_META

METADATA = ROOT.child("metadata")
_ANNOTATIONS_LIMIT = 256 * 1024
_ORPHAN, _FOREGROUND = "orphan", "foregroundDeletion"


def read_metadata(value: Value) -> Object:
    """The metadata in normal form: known fields of the right types, without empty ones.

    Raises DecodeError where a field has the wrong type.
    """
    return normal_object(value, OBJECT_META)


def check_metadata(metadata: Object, *, namespaced: bool) -> Iterator[FieldError]:
    """What an API server has against metadata in normal form."""
    yield from _names(metadata, namespaced=namespaced)
    generation = metadata.get("generation")
    if isinstance(generation, int) and generation < 0:
        yield invalid(METADATA.child("generation"), generation, "must be greater than or equal to 0")
    yield from check_labels(mapping(metadata.get("labels")), METADATA.child("labels"))
    yield from check_annotations(mapping(metadata.get("annotations")), METADATA.child("annotations"))
    yield from _owners(metadata)
    yield from _finalizers(metadata)


def _names(metadata: Object, *, namespaced: bool) -> Iterator[FieldError]:
    prefix, name, namespace = (text(metadata.get(key)) for key in ("generateName", "name", "namespace"))
    if prefix:
        # What follows is random and fine, so a dash may stand at the end.
        masked = prefix[:-2] + "a" if len(prefix) > 1 and prefix.endswith("-") else prefix
        for detail in dns_subdomain(masked):
            yield invalid(METADATA.child("generateName"), prefix, detail)
    if not name:
        yield required(METADATA.child("name"), "name or generateName is required")
    for detail in dns_subdomain(name) if name else ():
        yield invalid(METADATA.child("name"), name, detail)
    if namespaced and not namespace:
        yield required(METADATA.child("namespace"))
    elif namespaced:
        for detail in dns_label(namespace):
            yield invalid(METADATA.child("namespace"), namespace, detail)
    elif namespace:
        yield forbidden(METADATA.child("namespace"), "not allowed on this type")


def check_labels(labels: Object, path: Path) -> Iterator[FieldError]:
    """What is wrong with a map of labels; all errors stand on the map itself.

    The pointers name the entries, which is where a user looks.
    """
    for key, value in labels.items():
        for detail in label_key(key):
            yield _at_entry(invalid(path, key, detail), path, key)
        for detail in label_value(text(value)):
            yield _at_entry(invalid(path, value, detail), path, key)


def check_annotations(annotations: Object, path: Path) -> Iterator[FieldError]:
    """What is wrong with a map of annotations: keys, in whatever case, and the size of it all."""
    for key in annotations:
        for detail in label_key(key.lower()):
            yield _at_entry(invalid(path, key, detail), path, key)
    size = sum(len(key.encode()) + len(text(value).encode()) for key, value in annotations.items())
    if size > _ANNOTATIONS_LIMIT:
        yield too_long(path, "", _ANNOTATIONS_LIMIT)


def _at_entry(error: FieldError, path: Path, key: str) -> FieldError:
    return FieldError(
        type=error.type,
        field=error.field,
        detail=error.detail,
        value=error.value,
        pointer=path.key(key).pointer,
    )


def _owners(metadata: Object) -> Iterator[FieldError]:
    path = METADATA.child("ownerReferences")
    controllers: list[str] = []
    for owner in (mapping(item) for item in sequence(metadata.get("ownerReferences"))):
        api_version, kind, name = (text(owner.get(key)) for key in ("apiVersion", "kind", "name"))
        if api_version.count("/") > 1 or not api_version.rpartition("/")[2]:
            yield invalid(path.child("apiVersion"), api_version, "version must not be empty")
        for key in ("kind", "name", "uid"):
            if not owner.get(key):
                yield invalid(path.child(key), "", "must not be empty")
        if api_version == "v1" and kind == "Event":
            yield invalid(path, owner, "/v1, Kind=Event is disallowed from being an owner")
        if owner.get("controller") is True:
            if controllers:
                yield invalid(path, metadata["ownerReferences"], _two_controllers(controllers[0], kind, name))
            controllers.append(f"{kind}/{name}")


def _two_controllers(first: str, kind: str, name: str) -> str:
    return (
        "Only one reference can have Controller set to true. "
        f'Found "true" in references for {first} and {kind}/{name}'
    )


def _finalizers(metadata: Object) -> Iterator[FieldError]:
    path = METADATA.child("finalizers")
    finalizers = sequence(metadata.get("finalizers"))
    for finalizer in finalizers:
        for detail in label_key(text(finalizer)):
            yield invalid(path, finalizer, detail)
    if _ORPHAN in finalizers and _FOREGROUND in finalizers:
        yield invalid(path, finalizers, f"finalizer {_ORPHAN} and {_FOREGROUND} cannot be both set")
