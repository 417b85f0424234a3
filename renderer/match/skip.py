"""What is never propagated, whatever the policies select.

Source: Karmada pkg/util/apigroup.go, pkg/util/names/names.go, pkg/detector/detector.go EventFilter.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from renderer.model.claim import Outcome
from renderer.model.identity import Identity, group_of
from renderer.model.template import Template

OWNER_LABEL: Final = "resourcetemplate.karmada.io/claimed-by"

_GROUPS: Final = frozenset(
    f"{group}.karmada.io"
    for group in ("cluster", "policy", "work", "config", "networking", "autoscaling", "remedy", "apps")
) | {"events.k8s.io"}
_GROUP_VERSIONS: Final = frozenset({"coordination.k8s.io/v1"})
_KINDS: Final = frozenset({("v1", "Event")})
_RESERVED: Final = frozenset({"karmada-system", "karmada-cluster"})
_EXECUTION_SPACE: Final = "karmada-es-"
_SERVER_MADE: Final = ("ConfigMap", "kube-system", "extension-apiserver-authentication")


@dataclass(frozen=True, slots=True, kw_only=True)
class SkipOptions:
    """What a control plane is told to leave out beside what it always does.

    `namespaces` are regular expressions (--skipped-propagating-namespaces); `apis` is the text of
    --skipped-propagating-apis: `group`, `group/version`, `group/version/Kind,Kind` or `v1/Kind,Kind`,
    joined by `;`.
    """

    namespaces: tuple[str, ...] = ("kube-.*",)
    apis: str = ""


@dataclass(frozen=True, slots=True)
class SkippedApis:
    """APIs named by an option, by how much of a name they give."""

    groups: frozenset[str] = field(default_factory=frozenset)
    group_versions: frozenset[str] = field(default_factory=frozenset)
    kinds: frozenset[tuple[str, str]] = field(default_factory=frozenset)


def skipped(template: Template, options: SkipOptions) -> Outcome | None:
    """Why nothing may claim the template; None if policies may."""
    identity = template.identity
    if _api_skipped(identity.api_version, identity.kind, options.apis):
        return Outcome.API_SKIPPED
    if _object_skipped(identity, options.namespaces):
        return Outcome.OBJECT_SKIPPED
    if dict(template.labels).get(OWNER_LABEL):
        return Outcome.OWNED_ELSEWHERE
    return None


@lru_cache(maxsize=64)
def parse_skipped_apis(option: str) -> SkippedApis:
    """Read --skipped-propagating-apis. Raises ValueError where a part has more than two slashes."""
    groups, group_versions, kinds = set[str](), set[str](), set[tuple[str, str]]()
    for token in option.split(";") if option else ():
        head, _, last = token.rpartition("/")
        if token.count("/") > 2:
            raise ValueError(f'"{token}" is none of group, group/version, group/version/Kind and v1/Kind')
        if not head:
            groups.add(token)
        elif "/" in head or token.startswith("v1"):
            api_version = head if "/" in head else "v1"
            kinds.update((api_version, kind) for kind in last.split(","))
        else:
            group_versions.add(token)
    return SkippedApis(frozenset(groups), frozenset(group_versions), frozenset(kinds))


@lru_cache(maxsize=4096)
def _api_skipped(api_version: str, kind: str, option: str) -> bool:
    apis = parse_skipped_apis(option)
    group = group_of(api_version)
    return (
        group in _GROUPS | apis.groups
        or api_version in _GROUP_VERSIONS | apis.group_versions
        or (api_version, kind) in _KINDS | apis.kinds
    )


def _object_skipped(identity: Identity, namespaces: tuple[str, ...]) -> bool:
    namespace = identity.namespace
    return _namespace_skipped(namespace, namespaces) or (
        (identity.kind, namespace, identity.name) == _SERVER_MADE
    )


def reserved(namespace: str) -> bool:
    """Whether Karmada keeps the namespace for itself, whatever it is told."""
    return namespace in _RESERVED or namespace.startswith(_EXECUTION_SPACE)


def skipping_pattern(namespace: str, patterns: tuple[str, ...]) -> str:
    """The first of the patterns that a namespace fits; empty if there is none."""
    # Karmada glues the anchors on without a group: `a|b` means "begins with a, or ends with b".
    return next((pattern for pattern in patterns if re.search(f"^{pattern}$", namespace)), "")


@lru_cache(maxsize=4096)
def _namespace_skipped(namespace: str, patterns: tuple[str, ...]) -> bool:
    return reserved(namespace) or any(re.search(f"^{pattern}$", namespace) for pattern in patterns)
