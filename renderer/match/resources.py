"""Resource selectors: does a policy select a template, and how strongly.

Source: Karmada pkg/util/selector.go, ResourceSelectorPriority.
"""

from __future__ import annotations

from renderer.match.labels import Labels, matches
from renderer.model.claim import Strength
from renderer.model.identity import Identity
from renderer.model.selectors import ResourceSelector


def selector_strength(selector: ResourceSelector, identity: Identity, labels: Labels) -> Strength:
    """The strength of one selector. With a name the labels are not looked at."""
    if selector.api_version != identity.api_version or selector.kind != identity.kind:
        return Strength.NONE
    if selector.namespace and selector.namespace != identity.namespace:
        return Strength.NONE
    if selector.name:
        return Strength.NAME if selector.name == identity.name else Strength.NONE
    if selector.label_selector is None:
        return Strength.ALL
    return Strength.LABELS if matches(selector.label_selector, labels) else Strength.NONE


def strength(selectors: tuple[ResourceSelector, ...], identity: Identity, labels: Labels) -> Strength:
    """The strength of a policy: that of its strongest selector."""
    return max((selector_strength(item, identity, labels) for item in selectors), default=Strength.NONE)
