"""Small workspaces of which an engine cannot make what is meant."""

from __future__ import annotations

from typing import Final

from tests.check.teams import ENGINE
from tests.check.traps import SETTINGS
from tests.workspaces import FLEET, SHOP


def fleet(number: int) -> str:
    """An inventory of that many clusters."""
    listed = "".join(f"  - {{name: s{index:05}, labels: {{stage: prod}}}}\n" for index in range(number))
    return f"apiVersion: krender.io/v1alpha1\nkind: ClusterInventory\nspec:\n  clusters:\n{listed}"


ENGINES: Final = {
    "KR841": {
        **SHOP,
        "fleet.yaml": FLEET.replace("name: east,", "name: east, syncMode: Pull, wave: 1,"),
        "krender.yaml": SETTINGS.rstrip(" ") + ENGINE,
    },
    "KR842": {**SHOP, "fleet.yaml": fleet(1001), "krender.yaml": SETTINGS.rstrip(" ") + ENGINE},
}
