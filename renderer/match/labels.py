"""Label selectors over labels: does one match, and if not, what stands in the way.

Source: k8s.io/apimachinery pkg/apis/meta/v1/helpers.go and pkg/labels/selector.go.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from renderer.model.selectors import LabelSelector, Requirement

Labels = Mapping[str, str]
Test = Callable[[Labels], bool]

LABEL_OPERATORS: Final = ("In", "NotIn", "Exists", "DoesNotExist")
NODE_OPERATORS: Final = (*LABEL_OPERATORS, "Gt", "Lt")

_NAME: Final = re.compile(r"([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]")
_SUBDOMAIN: Final = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*")
_INTEGER: Final = re.compile(r"[+-]?[0-9]+")


@dataclass(frozen=True, slots=True)
class Unmet:
    """A requirement that the labels do not meet; `actual` is None where the key is absent."""

    requirement: Requirement
    actual: str | None

    def __str__(self) -> str:
        """Give `label app is "api", not "web"`."""
        key, values = self.requirement.key, self.requirement.values
        wanted = " or ".join(f'"{value}"' for value in values)
        match self.requirement.operator, self.actual:
            case "In", None:
                return f"label {key} is absent, not {wanted}"
            case "In", actual:
                return f'label {key} is "{actual}", not {wanted}'
            case "NotIn", actual:
                return f'label {key} is "{actual}"'
            case "Exists", _:
                return f"label {key} is absent"
            case _:
                return f"label {key} is present"


def matches(selector: LabelSelector, labels: Labels) -> bool:
    """Whether all requirements are met: always if there are none, never if the selector is invalid."""
    test = _compiled(selector)
    return test is not None and test(labels)


def predicate(selector: LabelSelector) -> Test:
    """The same as a function of the labels alone, for asking it many times."""
    return _compiled(selector) or _never


def invalid(selector: LabelSelector) -> str:
    """Why the selector can never match; empty where it is valid."""
    faults = (invalid_requirement(requirement, LABEL_OPERATORS) for requirement in requirements(selector))
    return next((fault for fault in faults if fault), "")


def unmet(selector: LabelSelector, labels: Labels) -> tuple[Unmet, ...]:
    """The requirements of a valid selector that the labels do not meet, in the order written."""
    return tuple(
        Unmet(requirement, labels.get(requirement.key))
        for requirement in requirements(selector)
        if not requirement_test(requirement)(labels)
    )


def why_not(selector: LabelSelector, labels: Labels) -> tuple[str, ...]:
    """Why the selector does not match, in words; empty where it does."""
    fault = invalid(selector)
    return (fault,) if fault else tuple(str(reason) for reason in unmet(selector, labels))


def requirements(selector: LabelSelector) -> tuple[Requirement, ...]:
    """All requirements; an entry of matchLabels is one with the operator In."""
    equal = (Requirement(key=key, operator="In", values=(value,)) for key, value in selector.match_labels)
    return (*equal, *selector.match_expressions)


def invalid_requirement(requirement: Requirement, operators: tuple[str, ...]) -> str:
    """Why a requirement is invalid among the given operators; empty where it is valid."""
    key, operator, values = requirement.key, requirement.operator, requirement.values
    if operator not in operators:
        return f'"{operator}" is not an operator'
    if not valid_key(key):
        return f'"{key}" is not a label key'
    if operator in {"In", "NotIn"} and not values:
        return f"{operator} needs a value for {key}"
    if operator in {"Exists", "DoesNotExist"} and values:
        return f"{operator} takes no value for {key}"
    if operator in {"Gt", "Lt"} and (len(values) != 1 or integer(values[0]) is None):
        return f"{operator} needs one whole number for {key}"
    bad = next((value for value in values if not valid_value(value)), None)
    return "" if bad is None else f'"{bad}" is not a label value'


def requirement_test(requirement: Requirement) -> Test:
    """The test of one valid requirement."""
    key, values = requirement.key, frozenset(requirement.values)
    match requirement.operator:
        case "In":
            return lambda labels: labels.get(key) in values
        case "NotIn":
            return lambda labels: labels.get(key) not in values
        case "Exists":
            return lambda labels: key in labels
        case "DoesNotExist":
            return lambda labels: key not in labels
        case operator:
            return _comparison(key, operator, integer(requirement.values[0]) or 0)


def all_of(tests: tuple[Test, ...]) -> Test:
    """One test that is true where all are."""
    if len(tests) == 1:
        return tests[0]
    return lambda labels: all(test(labels) for test in tests)


def valid_key(key: str) -> bool:
    """Whether it is a qualified name: an optional DNS subdomain, a slash, a name of at most 63 characters."""
    prefix, slash, name = key.rpartition("/")
    if slash and not (len(prefix) <= 253 and _SUBDOMAIN.fullmatch(prefix)):
        return False
    return len(name) <= 63 and _NAME.fullmatch(name) is not None


def valid_value(value: str) -> bool:
    """Whether it can stand as a label value."""
    return not value or (len(value) <= 63 and _NAME.fullmatch(value) is not None)


def integer(text: str) -> int | None:
    """A 64-bit decimal integer as Go's strconv.ParseInt reads it, else None."""
    if len(text) > 64 or not _INTEGER.fullmatch(text):
        return None
    number = int(text)
    return number if -(2**63) <= number < 2**63 else None


def _comparison(key: str, operator: str, bound: int) -> Test:
    def test(labels: Labels) -> bool:
        number = integer(labels.get(key, ""))
        return number is not None and (number > bound if operator == "Gt" else number < bound)

    return test


@lru_cache(maxsize=4096)
def _compiled(selector: LabelSelector) -> Test | None:
    if invalid(selector):
        return None
    return all_of(tuple(requirement_test(requirement) for requirement in requirements(selector)))


def _never(_: Labels) -> bool:
    return False
