"""Findings about reconcilers of the workspace that read what krender publishes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from renderer.check.finding import Rule, some
from renderer.check.reader import NAMES, Reader, is_below
from renderer.document.problem import Problem, Severity
from renderer.document.values import dig, text
from renderer.model.cluster import Cluster
from renderer.model.delivery_engine import Engine
from renderer.model.places import CLUSTERS
from renderer.model.plan import Plan
from renderer.model.surroundings import Surroundings, plain_address, plain_path

DELIVERED: Final = Rule(
    id="KR813", title="What is published is applied twice, or elsewhere", severity=Severity.ERROR
)

RULES: Final = (DELIVERED,)


class Published:
    """Where the result lies, as a reconciler sees it."""

    def __init__(self, plan: Plan, around: Surroundings) -> None:
        """Take the output's settings, and what is known of the repository."""
        config = plan.workspace.config
        self._branches = (config.output.branch, config.delivery.revision.removeprefix("refs/heads/"))
        self._directory = bool(config.output.directory)
        named = [address for address in (config.output.repo, config.delivery.repo_url) if "://" in address]
        self._addresses = tuple(map(plain_address, named)) or tuple(map(plain_address, around.addresses))
        self.root = plain_path(config.output.path)
        if self._directory:
            self.root = around.from_top(config.output.directory)
        self.clusters = {cluster.slug: cluster for cluster in plan.workspace.clusters}

    def is_read(self, reader: Reader) -> bool | None:
        """Whether a reader looks there; None where its repository is not known."""
        if not self._directory and reader.revision not in self._branches:
            return False
        if not reader.address or not self._addresses:
            return None
        return plain_address(reader.address) in self._addresses

    def read(self, reader: Reader) -> list[Cluster]:
        """The clusters whose manifests it applies."""
        top = f"{self.root}/{CLUSTERS}".lstrip("/")
        return [
            cluster
            for slug, cluster in self.clusters.items()
            if (is_below(reader.path, f"{top}/{slug}") and not reader.patterns)
            or (reader.recurse and any(True for _ in reader.roots(f"{top}/{slug}")))
        ]


def delivered_findings(plan: Plan, readers: Sequence[Reader], around: Surroundings) -> Iterator[Problem]:
    """All findings of this family."""
    published = Published(plan, around)
    for reader in readers:
        certain = published.is_read(reader)
        clusters = published.read(reader) if certain is not False else []
        told = _fault(plan, reader, clusters) if clusters else None
        if told:
            what, why, fix = told
            yield DELIVERED.at(
                reader.document,
                reader.pointer,
                what=what,
                why=why,
                fix=fix,
                severity=Severity.WARNING if certain is None else None,
            )
    yield from _hydrated(plan)


def _fault(plan: Plan, reader: Reader, read: list[Cluster]) -> tuple[str, str, str] | None:
    """What is wrong with a reader of these clusters' manifests: what, why, fix."""
    delivery = plan.workspace.config.delivery
    if len(read) > 1 and not reader.patterns:
        return (
            f"{reader.subject} applies the manifests of {len(read)} clusters from {reader.shown} to one",
            "what is meant for one cluster replaces what is meant for another",
            f"let it read one directory below {CLUSTERS}/ for each cluster",
        )
    elsewhere = [name for name in reader.clusters or () if name not in [cluster.name for cluster in read]]
    if (elsewhere or reader.clusters == ()) and not reader.patterns:
        place = some(elsewhere) or "a cluster that the inventory does not have"
        return (
            f"{reader.subject} applies the manifests of {read[0].name} on {place}",
            "the directory holds what was decided for that cluster alone",
            "let it read the directory of the cluster it applies to; an override may write each its own path",
        )
    served = [cluster for cluster in read if delivery.engine_of(cluster) is not Engine.NONE]
    if served:
        names = some([cluster.name for cluster in served])
        engine = NAMES[delivery.engine_of(served[0])]
        return (
            f"{reader.subject} applies the manifests of {names}, as what krender delivers to {engine} does",
            "every object there has two writers, and what one prunes the other creates",
            "remove it, or write engine: none for these clusters",
        )
    return None


def _hydrated(plan: Plan) -> Iterator[Problem]:
    """Argo CD's source hydrator writes a branch; it must not be krender's."""
    branch = plan.workspace.config.output.branch
    for rendering in plan.renderings:
        template = rendering.template
        hydrator = dig(template.body, "spec", "sourceHydrator")
        for field in ("syncSource", "hydrateTo"):
            if (
                template.identity.kind == "Application"
                and text(dig(hydrator, field, "targetBranch")) == branch
            ):
                yield DELIVERED.at(
                    template.document,
                    f"/spec/sourceHydrator/{field}/targetBranch",
                    what=f"{template.identity} has the source hydrator of Argo CD write the branch {branch}",
                    why="krender publishes there: what one of them writes the other does not know",
                    fix="give it a branch of its own",
                    severity=Severity.WARNING,
                )
                break
