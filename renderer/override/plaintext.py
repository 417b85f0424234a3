"""plaintext: a JSON patch of the whole object. All its entries are one patch: all of them or none.

Source: Karmada pkg/util/overridemanager/overridemanager.go, applyPolicyOverriders.
"""

from __future__ import annotations

from renderer.model.overrides import Overriders
from renderer.override.draft import Draft


def apply_plaintext(draft: Draft, overriders: Overriders) -> None:
    """Apply the patch; an empty one still makes Karmada read the object anew."""
    draft.apply(range(len(overriders.plaintext)), overriders.plaintext)
