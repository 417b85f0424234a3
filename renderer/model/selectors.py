"""Selectors over labels and over cluster fields, as written: also invalid ones, which match nothing."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Requirement:
    """One matchExpressions entry. The operator stays text: an unknown one is a legal way to match nothing."""

    key: str
    operator: str
    values: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelSelector:
    """matchLabels and matchExpressions, all of which must hold. An empty selector matches everything."""

    match_labels: tuple[tuple[str, str], ...] = ()
    match_expressions: tuple[Requirement, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldSelector:
    """Expressions over provider, region and zone of a cluster, all of which must hold."""

    match_expressions: tuple[Requirement, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ResourceSelector:
    """Which resource templates a policy is about.

    Source: Karmada pkg/apis/policy/v1alpha1, ResourceSelector.
    """

    api_version: str
    kind: str
    namespace: str = ""  # empty: every namespace
    name: str = ""  # set: labels are not looked at
    label_selector: LabelSelector | None = None
