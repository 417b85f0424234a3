"""Image references: their parts, as Karmada splits them, and what makes one valid.

Source: Karmada pkg/util/imageparser; github.com/distribution/reference v0.6; opencontainers/go-digest v1.0.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final

_COMPONENT: Final = r"[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*"
_PATH: Final = rf"{_COMPONENT}(?:/{_COMPONENT})*"
_HOST_PART: Final = r"(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])"
_DOMAIN: Final = rf"(?:{_HOST_PART}(?:\.{_HOST_PART})*|\[[a-fA-F0-9:]+\])(?::[0-9]+)?"
_TAG_TEXT: Final = r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}"
_DIGEST_TEXT: Final = r"[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}"

_NAME: Final = re.compile(rf"(?:(?P<domain>{_DOMAIN})/)?(?P<path>{_PATH})")
_REFERENCE: Final = re.compile(
    rf"(?P<name>(?:{_DOMAIN}/)?{_PATH})(?::(?P<tag>{_TAG_TEXT}))?(?:@(?P<digest>{_DIGEST_TEXT}))?"
)
_TAG: Final = re.compile(_TAG_TEXT)
_DIGEST: Final = re.compile(_DIGEST_TEXT)

_LONGEST_PATH: Final = 255
_DIGEST_SIZES: Final = {"sha256": 64, "sha384": 96, "sha512": 128}  # hexadecimal digits, lower case


class ImageReferenceError(ValueError):
    """The text is no image reference; the message says why."""


@dataclass(frozen=True, slots=True)
class ImageReference:
    """An image by its parts; an empty part is absent. At most one of tag and digest is set."""

    registry: str = ""
    repository: str = ""
    tag: str = ""
    digest: str = ""

    def __str__(self) -> str:
        """Give the image as a container states it, well-formed or not."""
        name = f"{self.registry}/{self.repository}" if self.registry else self.repository
        if self.tag:
            return f"{name}:{self.tag}"
        return f"{name}@{self.digest}" if self.digest else name

    @property
    def tag_or_digest(self) -> str:
        """The tag, else the digest, else nothing."""
        return self.tag or self.digest

    def with_tag_or_digest(self, text: str) -> ImageReference:
        """The image with another tag or digest; the same image where the text is neither."""
        if _TAG.fullmatch(text):
            return replace(self, tag=text, digest="")
        if _DIGEST.fullmatch(text):
            return replace(self, tag="", digest=text)
        return self

    def without_tag_or_digest(self) -> ImageReference:
        """The image without what selects a version of it."""
        return replace(self, tag="", digest="" if not self.tag else self.digest)


def is_tag_or_digest(text: str) -> bool:
    """Whether the text can stand for the version of an image."""
    return bool(_TAG.fullmatch(text) or _DIGEST.fullmatch(text))


def parse_image(text: str) -> ImageReference:
    """The parts of an image reference. The digest is dropped where there is a tag.

    Only what has a dot or a colon, or is `localhost`, is a registry. Raises ImageReferenceError.
    """
    match = _REFERENCE.fullmatch(text)
    if match is None:
        raise ImageReferenceError(_why_no_reference(text))
    name, tag, digest = match["name"], match["tag"] or "", match["digest"] or ""
    path = _NAME.fullmatch(name)
    if path is not None and len(path["path"]) > _LONGEST_PATH:
        raise ImageReferenceError(f"the repository name is longer than {_LONGEST_PATH} characters")
    if digest:
        _check_digest(digest)
    first, slash, rest = name.partition("/")
    if slash and ("." in first or ":" in first or first == "localhost"):
        return ImageReference(first, rest, tag, "" if tag else digest)
    return ImageReference("", name, tag, "" if tag else digest)


def invalid_image(text: str) -> str:
    """Why a text is no image reference; empty where it is one."""
    try:
        parse_image(text)
    except ImageReferenceError as error:
        return str(error)
    return ""


def dropped_digest(text: str) -> str:
    """The digest of a valid reference that has a tag as well, which Karmada does not keep."""
    match = _REFERENCE.fullmatch(text)
    return match["digest"] or "" if match is not None and match["tag"] else ""


def _check_digest(digest: str) -> None:
    algorithm, _, digits = digest.partition(":")
    size = _DIGEST_SIZES.get(algorithm)
    if size is None:
        raise ImageReferenceError(f'the digest algorithm "{algorithm}" is not known')
    if len(digits) != size:
        raise ImageReferenceError(f"a {algorithm} digest has {size} digits, not {len(digits)}")
    if digits != digits.lower():
        raise ImageReferenceError("the digits of a digest are lower case")


def _why_no_reference(text: str) -> str:
    if not text:
        return "there is no image"
    if _REFERENCE.fullmatch(text.lower()):
        return "a repository name is lower case"
    return "it is not of the form [registry/]repository[:tag][@digest]"
