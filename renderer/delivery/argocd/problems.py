"""What keeps the Applications of some clusters, or all of them, from being made."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from renderer.delivery.argocd.directories import is_told
from renderer.delivery.engine import Asked
from renderer.delivery.rules import UNDELIVERED
from renderer.document.problem import Problem
from renderer.model.config import WorkspaceConfig
from renderer.model.delivery import Destination, Generator, Unit
from renderer.model.tree import Node

_FILES: Final = "set delivery.argocd.generator to files, whose Applications know more than a path"


@dataclass(frozen=True, slots=True, kw_only=True)
class Obstacles:
    """The problems, and the names of units that no Application can be made for.

    `all` tells that none can be made, or none without losing another.
    """

    problems: tuple[Problem, ...] = ()
    units: frozenset[str] = frozenset()
    all: bool = False


def obstacles(asked: Asked, hub: Sequence[Unit]) -> Obstacles:
    """Everything that stands in the way; `hub` are the units that the hub applies."""
    config = asked.config
    settings = tuple(_of_settings(config))
    problems: dict[Problem, None] = {}
    units: list[str] = []
    for unit in hub if not settings else ():
        if problem := _of_unit(unit, config):
            problems[problem] = None
            units.append(unit.name)
    by_directory = config.delivery.argocd.generator is Generator.DIRECTORIES
    return Obstacles(
        problems=(*settings, *problems),
        units=frozenset(units),
        # Without a repository, which is told when the workspace is loaded, nothing can be read.
        all=bool(settings) or not config.delivery.repo_url or (by_directory and bool(units)),
    )


def _of_settings(config: WorkspaceConfig) -> Iterator[Problem]:
    delivery = config.delivery
    if (delivery.argocd.generator, delivery.argocd.destination) == (
        Generator.DIRECTORIES,
        Destination.SERVER,
    ):
        yield UNDELIVERED.at(
            config.document,
            "/spec/delivery/argocd/destination",
            what="delivery.argocd: the generator directories and the destination server do not go together",
            why="a directory's path does not tell the address of a cluster",
            fix=f"set delivery.argocd.destination to name, or {_FILES}",
        )


def _of_unit(unit: Unit, config: WorkspaceConfig) -> Problem | None:
    cluster, delivery = unit.cluster, config.delivery
    if delivery.argocd.destination is Destination.SERVER and not cluster.server:
        return UNDELIVERED.at(
            cluster.document,
            what=f"Cluster {cluster.name} has no server",
            why="delivery.argocd.destination is server, so its Application would have no destination",
            fix="add its spec.apiEndpoint (short form: server), or set delivery.argocd.destination to name",
        )
    if delivery.argocd.generator is Generator.DIRECTORIES and not is_told(unit, delivery):
        return UNDELIVERED.at(
            cluster.document,
            what=f"Cluster {cluster.name}: the path {unit.path} does not tell all of Application {unit.name}",
            why="the generator directories makes names, namespaces and clusters of paths alone",
            fix=_FILES,
        )
    return None


def too_large(files: Mapping[str, bytes | Node], hub: str, config: WorkspaceConfig) -> tuple[Problem, ...]:
    """Objects of the hub that its API server would refuse."""
    return tuple(
        UNDELIVERED.at(
            config.document,
            "/spec/delivery/argocd",
            what=f"{path.rpartition('/')[2]} would have {len(data) / 1_000_000:.1f} MB",
            why="an API server refuses objects of more than 1.5 MB, and Argo CD could apply nothing of this",
            fix="divide it into teams (spec.tenants, with delivery.unit: namespace), or take the generator "
            "files",
        )
        for path, data in files.items()
        if isinstance(data, bytes) and len(data) > _LARGEST and path.startswith(f"{hub}/")
    )


_LARGEST: Final = 1_400_000  # bytes
