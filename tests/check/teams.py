"""Small workspaces in which teams have, or keep, what is not theirs."""

from __future__ import annotations

from typing import Final

from tests.check.traps import SETTINGS
from tests.workspaces import SHOP


def teams(*tenants: str, more: str = "") -> str:
    """Settings with these teams, each the YAML of one."""
    return f"{SETTINGS}tenants: [{', '.join(f'{{{tenant}}}' for tenant in tenants)}]\n{more}"


WEB: Final = "name: web, namespaces: [shop]"
ENGINE: Final = "  delivery: {engine: flux, repoURL: https://git.example/fleet.git}\n"

TEAMS: Final = {
    "KR901": {**SHOP, "krender.yaml": teams(f"{WEB}, kinds: [Service]")},
    "KR902": {**SHOP, "krender.yaml": teams(WEB, "name: b, namespaces: [b], paths: [web.yaml]")},
    "KR904": {**SHOP, "krender.yaml": teams("name: web, namespaces: [shop], clusters: [e*, wset]")},
    "KR903": {**SHOP, "krender.yaml": teams(WEB, more=ENGINE)},
}
