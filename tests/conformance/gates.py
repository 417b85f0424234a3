"""Feature gates as vectors name them."""

from __future__ import annotations

import re
from collections.abc import Mapping

from renderer.model.gates import FeatureGates


def gates_of(named: Mapping[str, bool] | None) -> FeatureGates:
    """The gates with those set that a vector names in Karmada's words."""
    values = {re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower(): value for name, value in (named or {}).items()}
    return FeatureGates(**values)
