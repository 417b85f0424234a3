"""Image references: which are valid, and how Karmada splits them."""

from __future__ import annotations

import pytest

from renderer.override.reference import (
    ImageReference,
    ImageReferenceError,
    dropped_digest,
    invalid_image,
    is_tag_or_digest,
    parse_image,
)

DIGEST = "sha256:" + "ab" * 32


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("web", ImageReference("", "web"), id="name"),
        pytest.param("web:1.2", ImageReference("", "web", "1.2"), id="tag"),
        pytest.param("team/web:1.2", ImageReference("", "team/web", "1.2"), id="team-is-no-registry"),
        pytest.param("localhost/web", ImageReference("localhost", "web"), id="localhost-is-one"),
        pytest.param("reg.io/team/web", ImageReference("reg.io", "team/web"), id="dot-makes-a-registry"),
        pytest.param("reg:5000/web:1", ImageReference("reg:5000", "web", "1"), id="colon-makes-a-registry"),
        pytest.param("host:5000", ImageReference("", "host", "5000"), id="without-a-slash-it-is-a-tag"),
        pytest.param("[::1]:80/web", ImageReference("[::1]:80", "web"), id="ipv6"),
        pytest.param("UPPER/web", ImageReference("", "UPPER/web"), id="upper-case-first-part"),
        pytest.param(f"web@{DIGEST}", ImageReference("", "web", "", DIGEST), id="digest"),
        pytest.param(f"web:1@{DIGEST}", ImageReference("", "web", "1"), id="tag-beats-digest"),
        pytest.param("a__b/c---d/e.f", ImageReference("", "a__b/c---d/e.f"), id="separators"),
        pytest.param("web:" + "x" * 128, ImageReference("", "web", "x" * 128), id="longest-tag"),
    ],
)
def test_parse(text: str, expected: ImageReference) -> None:
    assert parse_image(text) == expected


@pytest.mark.parametrize(
    ("text", "why"),
    [
        pytest.param("", "there is no image", id="empty"),
        pytest.param("Web", "a repository name is lower case", id="upper-case"),
        pytest.param("web:", "not of the form", id="empty-tag"),
        pytest.param(":1", "not of the form", id="no-name"),
        pytest.param("a//b", "not of the form", id="empty-part"),
        pytest.param("re g/x", "not of the form", id="space"),
        pytest.param("-eu/web", "not of the form", id="leading-dash"),
        pytest.param("web\n", "not of the form", id="line-end"),
        pytest.param("web:" + "x" * 129, "not of the form", id="tag-too-long"),
        pytest.param("a___b", "not of the form", id="three-underscores"),
        pytest.param("web@sha256:123", "not of the form", id="short-digest"),
        pytest.param("web@sha256:" + "ab" * 31, "has 64 digits, not 62", id="digest-of-other-length"),
        pytest.param("web@sha256:" + "AB" * 32, "lower case", id="digest-in-upper-case"),
        pytest.param("web@md5:" + "ab" * 16, '"md5" is not known', id="unknown-algorithm"),
        pytest.param("web@SHA256:" + "ab" * 32, '"SHA256" is not known', id="algorithm-in-upper-case"),
        pytest.param("r.io/" + "x" * 256, "longer than 255", id="path-too-long"),
    ],
)
def test_what_is_no_reference(text: str, why: str) -> None:
    with pytest.raises(ImageReferenceError, match=why):
        parse_image(text)
    assert why in invalid_image(text)


def test_a_path_is_measured_without_its_domain() -> None:
    assert invalid_image("registry.example/" + "x" * 255) == ""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(f"web:1@{DIGEST}", DIGEST, id="tag-and-digest"),
        pytest.param(f"web@{DIGEST}", "", id="digest-alone-is-kept"),
        pytest.param("web:1", "", id="no-digest"),
        pytest.param("Web", "", id="no-image"),
    ],
)
def test_dropped_digest(text: str, expected: str) -> None:
    assert dropped_digest(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("1.2", True, id="tag"),
        pytest.param(DIGEST, True, id="digest"),
        pytest.param("md5:" + "AB" * 16, True, id="any-digest-will-do"),
        pytest.param(f"@{DIGEST}", False, id="at-sign"),
        pytest.param("", False, id="nothing"),
        pytest.param(".x", False, id="leading-dot"),
    ],
)
def test_is_tag_or_digest(text: str, expected: bool) -> None:
    assert is_tag_or_digest(text) is expected
