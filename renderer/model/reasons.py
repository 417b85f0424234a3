"""Why a plan is as it is, in words: what a plan file keeps of it for those who compare plans.

A Plan itself can tell more; this is what outlives it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

Key: TypeAlias = tuple[str, str, str, str]  # group, kind, namespace, name of an object


@dataclass(frozen=True, slots=True, kw_only=True)
class TemplateReasons:
    """What was decided about one template, in words.

    `policy_place` is where its policy stands, `scheduled` why it was placed anew (empty where it was not),
    `left` why it left clusters it was on: cluster, reason.
    """

    key: Key
    policy_place: str = ""
    scheduled: str = ""
    left: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesUsed:
    """The override rules that changed an object on some clusters: each in words, with the pointers."""

    key: Key
    clusters: tuple[str, ...]
    rules: tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reasons:
    """All that a plan file keeps."""

    templates: tuple[TemplateReasons, ...] = ()
    rules: tuple[RulesUsed, ...] = ()
