"""imageOverrider: another registry, repository or tag for the images of an object.

Source: Karmada pkg/util/overridemanager/imageoverride.go.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache

from renderer.document.pointer import join
from renderer.document.values import Object, dig, mapping, sequence, text
from renderer.interpret.typed import type_mistake
from renderer.model.override_result import Note, Remark
from renderer.model.overrides import ImageOverrider, Overriders, PatchOperation
from renderer.override.advice import READ, advice
from renderer.override.draft import Draft, OverrideError, Remarks
from renderer.override.pods import CONTAINER_PATHS
from renderer.override.predicate import PredicateError, predicate_parts, text_at
from renderer.override.reference import (
    ImageReference,
    ImageReferenceError,
    dropped_digest,
    invalid_image,
    is_tag_or_digest,
    parse_image,
)

_Target = tuple[str, str]  # path as the patch is to have it, and the image that stands there


def apply_image(draft: Draft, overriders: Overriders) -> None:
    """Change the images that each entry is about: those of all containers, or the one its predicate names."""
    for index, overrider in enumerate(overriders.image_overrider):
        targets = tuple(_targets(draft.body, index, overrider))
        operations, remarks = [], []
        for path, before in targets:
            after, noted = _overridden(index, path, before, overrider)
            operations.append(PatchOperation(path=path, operator="replace", value=after, has_value=True))
            remarks.append(noted)
        passed_over = _passed_over(draft.body, index, overrider)
        if passed_over and remarks:
            remarks[0] = (*remarks[0], Remark(Note.PASSED_OVER, passed_over))
        draft.patch(index, operations, remarks, component=overrider.component)
        if not targets:
            looked_for = Remark(Note.NO_TARGET, (text(draft.body.get("kind")),))
            draft.step(index, overrider.operator, "", component=overrider.component, remarks=(looked_for,))


def _targets(body: Object, index: int, overrider: ImageOverrider) -> Iterator[_Target]:
    if overrider.predicate_path is not None:
        yield _predicate_target(body, index, overrider, overrider.predicate_path)
        return
    kind = text(body.get("kind"))
    where = CONTAINER_PATHS.get(kind)
    if where is None:
        return
    mistake = _type_mistake(_Given(body), kind)
    if mistake:
        fix = "mend the object, or name the image with a predicate"
        raise OverrideError(index=index, operator=overrider.operator, reason=mistake, fix=fix)
    for place, container in enumerate(sequence(dig(body, *where))):
        yield join((*where, str(place), "image")), text(mapping(container).get("image"))


def _passed_over(body: Object, index: int, overrider: ImageOverrider) -> tuple[str, ...]:
    """The containers whose registry would change, if imageOverrider looked at more than `containers`."""
    where = CONTAINER_PATHS.get(text(body.get("kind")))
    if where is None or overrider.predicate_path is not None or overrider.component != "Registry":
        return ()
    names: list[str] = []
    for field in ("initContainers", "ephemeralContainers"):
        for container in map(mapping, sequence(dig(body, *where[:-1], field))):
            image = text(container.get("image"))
            with suppress(OverrideError):
                if _overridden(index, "", image, overrider)[0] != image:
                    names.append(text(container.get("name")))
    return tuple(names)


class _Given:
    """A body as the very object it is: since bodies never change, what was found out stays true."""

    __slots__ = ("body",)

    def __init__(self, body: Object) -> None:
        self.body = body

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Given) and self.body is other.body

    def __hash__(self) -> int:
        return id(self.body)


@lru_cache(maxsize=64)
def _type_mistake(given: _Given, kind: str) -> str:
    return type_mistake(given.body, kind)


def _predicate_target(body: Object, index: int, overrider: ImageOverrider, path: str) -> _Target:
    parts = predicate_parts(path)
    try:
        target = (path, text_at(body, path))
        if not path.startswith("/"):
            raise PredicateError(0, 'the path does not start with "/"')
    except PredicateError as error:
        deepest, missing = join(parts[: error.depth]), parts[error.depth]
        raise OverrideError(
            index=index,
            operator=overrider.operator,
            path=path,
            deepest=deepest,
            missing=missing,
            reason=str(error),
            fix=advice(body, READ, path, deepest, missing),
        ) from None
    return target


def _overridden(index: int, path: str, image: str, overrider: ImageOverrider) -> tuple[str, Remarks]:
    try:
        parsed = parse_image(image)
    except ImageReferenceError as error:
        raise OverrideError(
            index=index,
            operator=overrider.operator,
            path=path,
            reason=f'"{image}" is no image reference: {error}',
            fix="write the whole image with plaintext instead" if image else "give the container an image",
        ) from None
    after = str(_changed(parsed, overrider))
    return after, tuple(_remarks(image, parsed, after, overrider))


def _changed(image: ImageReference, overrider: ImageOverrider) -> ImageReference:
    """The image with one component changed; `add` appends text to it, and the outcome is not checked."""
    value = overrider.value if overrider.operator != "remove" else ""
    adding = overrider.operator == "add"
    match overrider.component:
        case "Registry":
            return replace(image, registry=image.registry + value if adding else value)
        case "Repository":
            return replace(image, repository=image.repository + value if adding else value)
    if overrider.operator == "remove":
        return image.without_tag_or_digest()
    return image.with_tag_or_digest(_wanted(image, overrider))


def _wanted(image: ImageReference, overrider: ImageOverrider) -> str:
    return image.tag_or_digest + overrider.value if overrider.operator == "add" else overrider.value


def _remarks(before: str, parsed: ImageReference, after: str, overrider: ImageOverrider) -> Iterator[Remark]:
    digest = dropped_digest(before)
    if digest:
        yield Remark(Note.DIGEST_LOST, (digest,))
    if overrider.component == "Registry" and not parsed.registry and after == str(parsed):
        yield Remark(Note.NO_REGISTRY, (parsed.repository.partition("/")[0],))
    if overrider.component == "Tag" and overrider.operator != "remove":
        wanted = _wanted(parsed, overrider)
        if not is_tag_or_digest(wanted):
            yield Remark(Note.NOT_A_TAG, (wanted,))
    fault = invalid_image(after)
    if fault:
        yield Remark(Note.INVALID_IMAGE, (fault,))
