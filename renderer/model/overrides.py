"""OverridePolicy and ClusterOverridePolicy, as admission leaves them.

Operators and components stay text, since admission has already refused what is not one.
Source: Karmada pkg/apis/policy/v1alpha1/override_types.go.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from renderer.document.source import Document
from renderer.document.values import Object, Value
from renderer.model.placement import ClusterAffinity
from renderer.model.selectors import ResourceSelector


@dataclass(frozen=True, slots=True, kw_only=True)
class ImageOverrider:
    """Change one component of image references; without a predicate, of every container's."""

    component: str  # Registry, Repository, Tag
    operator: str  # add, remove, replace
    value: str = ""
    predicate_path: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandArgsOverrider:
    """Add to or remove from the command or the args of the containers with one name."""

    container_name: str
    operator: str  # add, remove
    value: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelAnnotationOverrider:
    """Add, remove or replace labels or annotations."""

    operator: str
    value: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PatchOperation:
    """One operation of a JSON patch, on an object (plaintext) or on embedded text (fieldOverrider).

    `has_value` tells a null value from an absent one.
    """

    path: str
    operator: str
    value: Value = None
    has_value: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldOverrider:
    """Patch JSON or YAML text that is embedded in a string field."""

    field_path: str
    json: tuple[PatchOperation, ...] = ()
    yaml: tuple[PatchOperation, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Overriders:
    """The seven overriders of one rule, listed in the order in which they are applied.

    `raw` is the JSON of the rule's overriders, for the record of what was applied.
    """

    image_overrider: tuple[ImageOverrider, ...] = ()
    command_overrider: tuple[CommandArgsOverrider, ...] = ()
    args_overrider: tuple[CommandArgsOverrider, ...] = ()
    labels_overrider: tuple[LabelAnnotationOverrider, ...] = ()
    annotations_overrider: tuple[LabelAnnotationOverrider, ...] = ()
    field_overrider: tuple[FieldOverrider, ...] = ()
    plaintext: tuple[PatchOperation, ...] = ()
    raw: Object = field(default_factory=dict, repr=False, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleWithCluster:
    """Overriders for the clusters that an affinity admits; no affinity means every cluster.

    `pointer` is where the rule's overriders stand in the policy: `/spec/overrideRules/0/overriders`, or
    `/spec/overriders` for the legacy form.
    """

    target_cluster: ClusterAffinity | None = None
    overriders: Overriders = field(default_factory=Overriders)
    pointer: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class OverridePolicy:
    """What differs on which clusters. An empty namespace makes it a ClusterOverridePolicy.

    `rules` are the overrideRules, or the legacy targetCluster/overriders pair as the only rule.
    `templated` is set by the annotation `krender.io/values: jinja2`: values may hold expressions over
    the cluster's facts.
    """

    name: str
    namespace: str = ""
    resource_selectors: tuple[ResourceSelector, ...] = ()
    rules: tuple[RuleWithCluster, ...] = ()
    templated: bool = False
    body: Object = field(default_factory=dict, repr=False, compare=False)
    document: Document | None = field(default=None, repr=False, compare=False)

    @property
    def kind(self) -> str:
        """The kind a user wrote."""
        return "OverridePolicy" if self.namespace else "ClusterOverridePolicy"

    def __str__(self) -> str:
        """Give `OverridePolicy shop/mirror`, as messages name it."""
        return f"{self.kind} {self.namespace}/{self.name}" if self.namespace else f"{self.kind} {self.name}"
