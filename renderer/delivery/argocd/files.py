"""All files below `delivery/argocd`.

hub/                 for the Argo CD of the hub: projects, and what makes or is the Applications
members/<cluster>/   for an Argo CD of its own in a cluster that pulls: projects and Applications
parameters/<unit>/   what the hub's ApplicationSets make their Applications from
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Final, TypeAlias

from renderer.delivery.argocd.application import application, parts_of
from renderer.delivery.argocd.directories import over_directories
from renderer.delivery.argocd.problems import obstacles, too_large
from renderer.delivery.argocd.projects import Projects
from renderer.delivery.argocd.sets import SetOf, over_files, over_plugin
from renderer.delivery.engine import Asked, Given
from renderer.delivery.parameters import encoded, parameters, parameters_path
from renderer.document.emit import emit
from renderer.document.values import Object
from renderer.model.cluster import IN_CLUSTER
from renderer.model.delivery import Destination, Generator, Unit
from renderer.model.delivery_engine import Engine
from renderer.model.places import DELIVERY, KEEP
from renderer.model.tree import Node, Tree

TOP: Final = f"{DELIVERY}/{Engine.ARGOCD}"
HUB: Final = f"{TOP}/hub"
MEMBERS: Final = f"{TOP}/members"
PULL: Final = "Pull"

Files: TypeAlias = Iterator[tuple[str, bytes]]


def argocd_files(asked: Asked) -> Given:
    """The files, by path from the top of the published tree."""
    hub = [unit for unit in asked.units if unit.cluster.sync_mode != PULL]
    members = [unit for unit in asked.units if unit.cluster.sync_mode == PULL]
    found = obstacles(asked, hub)
    if found.all:
        return Given(files=_as_published([TOP], asked), problems=found.problems)
    missing = [unit for unit in hub if unit.name in found.units]
    projects = Projects(asked, hub, keep=bool(missing))
    paths = [
        path for unit in missing for path in (parameters_path(unit), _application_path(_on_hub(unit), unit))
    ]
    files = _as_published(paths, asked)
    files.update(_hub([unit for unit in hub if unit.name not in found.units], projects, asked))
    pulling = _grouped(members, lambda unit: unit.cluster.slug)
    for slug, units in pulling:
        files.update(_member(f"{MEMBERS}/{slug}", units, projects, asked))
    files.update(_entrances(asked, hub, {slug for slug, _ in pulling}))
    if heavy := too_large(files, HUB, asked.config):
        return Given(files=_as_published([TOP], asked), problems=(*found.problems, *heavy))
    return Given(files=files, problems=found.problems)


def _entrances(asked: Asked, hub: Sequence[Unit], pulling: Collection[str]) -> Files:
    """Directories that an Argo CD was told to look into and that have nothing any more.

    They stay, so that it prunes the Applications in them: what is handed to the hub, to a member or to
    another engine would be applied by two.
    """
    published = asked.published
    if not hub and published.at(HUB):
        yield f"{HUB}/{KEEP}", _NOTHING
    earlier = published.at(MEMBERS)
    for slug in earlier if isinstance(earlier, Tree) else ():
        if slug in asked.directories and slug not in pulling:
            yield f"{MEMBERS}/{slug}/{KEEP}", _NOTHING


_NOTHING: Final = (
    b"Nothing is left here. The file keeps the directory, so that the Applications are pruned.\n"
)


def _hub(units: Sequence[Unit], projects: Projects, asked: Asked) -> Files:
    delivery = asked.config.delivery
    groups = _grouped(units, projects.name)
    for name, own in groups:
        yield from projects.on_hub(HUB, name, own)
        body = _set_of(SetOf(project=name, tenant=own[0].tenant, units=own, alone=len(groups) == 1), asked)
        if body:
            yield f"{HUB}/applicationset.{name}.yaml", emit(body).encode()
        for unit in own:
            if delivery.argocd.generator in (Generator.FILES, Generator.PLUGIN):
                yield parameters_path(unit), encoded(parameters(unit, name))
            elif delivery.argocd.generator is Generator.APPLICATIONS:
                by_server = delivery.argocd.destination is Destination.SERVER
                destination = {"server": unit.cluster.server} if by_server else {"name": unit.cluster.name}
                yield _application_path(_on_hub(unit), unit), _application(unit, name, destination, asked)


def _set_of(of: SetOf, asked: Asked) -> Object | None:
    """The set of a project; None where its Applications are files."""
    delivery, path = asked.config.delivery, asked.config.output.path
    top = f"{path}/" if path else ""
    match delivery.argocd.generator:
        case Generator.FILES:
            return over_files(of, delivery, top)
        case Generator.PLUGIN:
            return over_plugin(of, delivery)
        case Generator.DIRECTORIES:
            return over_directories(of, delivery, top, asked.directories)
        case Generator.APPLICATIONS:
            return None


def _member(directory: str, units: Iterable[Unit], projects: Projects, asked: Asked) -> Files:
    for name, own in _grouped(units, projects.name):
        yield from projects.in_cluster(directory, name, own)
        for unit in own:
            data = _application(unit, name, {"server": IN_CLUSTER}, asked)
            yield _application_path(directory, unit), data


def _on_hub(unit: Unit) -> str:
    return f"{HUB}/clusters/{unit.cluster.slug}"


def _application_path(directory: str, unit: Unit) -> str:
    return f"{directory}/application.{unit.name}.yaml"


def _application(unit: Unit, project: str, destination: Object, asked: Asked) -> bytes:
    return emit(application(parts_of(unit, project, destination), asked.config.delivery)).encode()


def _grouped(units: Iterable[Unit], key: Callable[[Unit], str]) -> Sequence[tuple[str, Sequence[Unit]]]:
    groups: dict[str, list[Unit]] = {}
    for unit in units:
        groups.setdefault(key(unit), []).append(unit)
    return sorted(groups.items())


def _as_published(paths: Iterable[str], asked: Asked) -> dict[str, bytes | Node]:
    """What lies at these paths in the published tree."""
    found = ((path, asked.published.at(path)) for path in paths)
    return {path: node for path, node in found if node is not None}
