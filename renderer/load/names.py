"""What Kubernetes accepts as a name, a label key or a label value, with its texts where it does not.

Every function gives the API server's texts, none where the value is accepted.
Source: k8s.io/apimachinery pkg/api/validate/content and pkg/util/validation.
"""

from __future__ import annotations

import re

Texts = tuple[str, ...]

_LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?"
_SUBDOMAIN = _LABEL + r"(\." + _LABEL + ")*"
_KEY = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]"
_VALUE = f"({_KEY})?"

_IS_LABEL = re.compile(_LABEL)
_IS_SUBDOMAIN = re.compile(_SUBDOMAIN)
_IS_KEY = re.compile(_KEY)
_IS_VALUE = re.compile(_VALUE)

_EMPTY = "must be non-empty"
_BAD_KEY = (
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an "
    "alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', "
    f"regex used for validation is '{_KEY}')"
)
_BAD_SUBDOMAIN = (
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must "
    "start and end with an alphanumeric character (e.g. 'example.com', "
    f"regex used for validation is '{_SUBDOMAIN}')"
)
_BAD_LABEL = (
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start "
    "and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', "
    f"regex used for validation is '{_LABEL}')"
)
_BAD_VALUE = (
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must "
    "start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', "
    f"regex used for validation is '{_VALUE}')"
)


def label_key(value: str) -> Texts:
    """A qualified name: an optional DNS subdomain and a slash, then a name of at most 63 characters."""
    parts = value.split("/")
    if len(parts) > 2:
        with_prefix = "with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"
        return (f"a valid label key {_BAD_KEY} {with_prefix}",)
    prefix = _key_prefix(parts[0]) if len(parts) == 2 else ()
    return (*prefix, *_key_name(parts[-1]))


def _key_prefix(prefix: str) -> Texts:
    if not prefix:
        return (f"prefix part {_EMPTY}",)
    return tuple(f"prefix part {text}" for text in dns_subdomain(prefix, unit="bytes"))


def _key_name(name: str) -> Texts:
    texts: list[str] = []
    if not name:
        texts.append(f"name part {_EMPTY}")
    elif _size(name) > 63:
        texts.append("name part must be no more than 63 bytes")
    if not _IS_KEY.fullmatch(name):
        texts.append(f"name part {_BAD_KEY}")
    return tuple(texts)


def label_value(value: str) -> Texts:
    """A label value: empty, or at most 63 characters of a name."""
    texts = ("must be no more than 63 bytes",) if _size(value) > 63 else ()
    return texts if _IS_VALUE.fullmatch(value) else (*texts, _BAD_VALUE)


def dns_subdomain(value: str, *, unit: str = "characters") -> Texts:
    """An object's name: DNS labels joined by dots, at most 253 characters."""
    texts = (f"must be no more than 253 {unit}",) if _size(value) > 253 else ()
    return texts if _IS_SUBDOMAIN.fullmatch(value) else (*texts, _BAD_SUBDOMAIN)


def dns_label(value: str) -> Texts:
    """A namespace's name: one DNS label of at most 63 characters."""
    texts = ("must be no more than 63 characters",) if _size(value) > 63 else ()
    if _IS_LABEL.fullmatch(value):
        return texts
    return (*texts, "must not contain dots" if _IS_SUBDOMAIN.fullmatch(value) else _BAD_LABEL)


def cluster_name(value: str) -> Texts:
    """A member cluster's name, which also becomes part of a namespace's name.

    Source: Karmada pkg/apis/cluster/validation/validation.go.
    """
    if not value:
        return ("must be not empty",)
    return ("must be no more than 48 characters",) if _size(value) > 48 else dns_label(value)


def _size(value: str) -> int:
    return len(value.encode("utf-8", "surrogatepass"))
