"""Where what Flux is given lies in the published tree."""

from __future__ import annotations

from typing import Final

from renderer.model.cluster import IN_CLUSTER, Cluster
from renderer.model.config import WorkspaceConfig
from renderer.model.delivery_engine import Engine
from renderer.model.places import DELIVERY

TOP: Final = f"{DELIVERY}/{Engine.FLUX}"
HUB: Final = f"{TOP}/hub"  # for the Flux that reaches clusters from outside
MEMBERS: Final = f"{TOP}/members"  # for a Flux in a cluster that pulls
RBAC: Final = f"{TOP}/rbac"  # accounts of clusters, and what they may
NOTHING: Final = f"{TOP}/nothing"  # what is applied by that which only waits for others

PULL: Final = "Pull"


def on_branch(config: WorkspaceConfig, path: str) -> str:
    """A path of the published tree, from the top of the branch."""
    return f"{config.output.path}/{path}" if config.output.path else path


def is_remote(cluster: Cluster) -> bool:
    """Whether a Flux that applies to the cluster runs somewhere else; a hub may be a member itself."""
    return cluster.sync_mode != PULL and cluster.server.rstrip("/") != IN_CLUSTER
