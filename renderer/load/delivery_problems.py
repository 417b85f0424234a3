"""What is wrong with `spec.delivery` where an engine applies something to a cluster."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from renderer.document.problem import Problem
from renderer.document.source import Document
from renderer.load.wording import show, told
from renderer.model.cluster import IN_CLUSTER, Cluster
from renderer.model.config import WorkspaceConfig
from renderer.model.delivery import Delivery, FluxSource
from renderer.model.delivery_engine import Engine

_SHORT: Final = re.compile(r"(?:(?P<user>[^@/:]+)@)?(?P<host>[^/:@]+):(?P<path>(?!//).+)")  # as scp writes it
_SECRET: Final = re.compile(r"(?<=://)[^/@:]*:[^/@]+@")
_GIT: Final = ("http://", "https://", "ssh://")
_OCI: Final = "oci://"
_UNITS: Final = {"ms": 0.001, "s": 1, "m": 60, "h": 3600}
_SHORTEST: Final = 60  # seconds


def delivery_problems(config: WorkspaceConfig, clusters: Sequence[Cluster]) -> Iterator[Problem]:
    """All that an engine of one of the clusters could not use."""
    delivery = config.delivery
    served = [cluster for cluster in clusters if delivery.engine_of(cluster) is not Engine.NONE]
    if not served:
        return
    settings = _Settings(config, served[0])
    flux = [cluster for cluster in served if delivery.engine_of(cluster) is Engine.FLUX]
    yield from _missing(settings, served, flux)
    yield from _secrets(settings)
    if flux:
        yield from _flux_address(settings)
        yield from _flux_waves(settings, flux)
        yield from _flux_hubs(flux)
        yield from _flux_interval(settings)


@dataclass(frozen=True, slots=True)
class _Settings:
    """The settings, and where a problem with one is; without a file it is where a cluster names an engine."""

    config: WorkspaceConfig
    cluster: Cluster

    @property
    def delivery(self) -> Delivery:
        return self.config.delivery

    def problem(self, field: str, what: str, why: str, fix: str) -> Problem:
        document, pointer = self.config.document, ""
        if document is None:
            document = self.cluster.document or Document(value=self.cluster.body)
        else:
            pointer = f"/spec/delivery/{field}"
        return told(document, pointer, what, why=why, fix=fix)


def _missing(settings: _Settings, served: Sequence[Cluster], flux: Sequence[Cluster]) -> Iterator[Problem]:
    delivery = settings.delivery
    if delivery.repo_url or (delivery.flux.url and len(flux) == len(served)):
        return
    first = served[0]
    engine = delivery.engine_of(first).product
    yield settings.problem(
        "repoURL",
        f"delivery.repoURL is not set, and {engine} applies what {first.name} gets",
        f"{engine} must be told where it finds the rendered branch",
        "set spec.delivery.repoURL in krender.yaml to the repository's address, as the engine reaches it",
    )


def _secrets(settings: _Settings) -> Iterator[Problem]:
    for field, url in (("repoURL", settings.delivery.repo_url), ("flux/url", settings.delivery.flux.url)):
        if _SECRET.search(url):
            named = f"delivery.{field.replace('/', '.')}"
            yield settings.problem(
                field,
                f"{named} holds a password",
                "it would be published with what the engine is given",
                f"write {show(_SECRET.sub('', url))}, and keep the password in a Secret of the engine",
            )


def _flux_address(settings: _Settings) -> Iterator[Problem]:
    flux = settings.delivery.flux
    field, url = ("flux/url", flux.url) if flux.url else ("repoURL", settings.delivery.repo_url)
    named = f"delivery.{field.replace('/', '.')}"
    if flux.source is FluxSource.OCI:
        if not url.startswith(_OCI):
            yield settings.problem(
                field if flux.url else "flux/source",
                f"delivery.flux.source is oci, and no address of an artifact is set ({named}: {show(url)})",
                "an OCIRepository takes an address that begins with oci://",
                'set delivery.flux.url to the artifact\'s, such as "oci://registry.example/fleet"',
            )
    elif url and not url.startswith(_GIT):
        short = _SHORT.fullmatch(url)
        yield settings.problem(
            field,
            f"{named} is {show(url)}",
            "Flux takes addresses that begin with https://, http:// or ssh:// alone",
            f"write {show(_long(short))}" if short else "write the address in one of these forms",
        )


def _long(short: re.Match[str]) -> str:
    """The address of a repository that scp's form names."""
    return f"ssh://{short['user'] or 'git'}@{short['host']}/{short['path'].lstrip('/')}"


def _flux_waves(settings: _Settings, flux: Sequence[Cluster]) -> Iterator[Problem]:
    """Whether a cluster has a commit is known of one that reads the same source."""
    waves = {cluster.wave for cluster in flux if cluster.sync_mode != "Pull" and not cluster.paused}
    if settings.delivery.flux.artifact_generator and len(waves) > 1:
        yield settings.problem(
            "flux/artifactGenerator",
            f"delivery.flux.artifactGenerator is set, and there are {len(waves)} waves",
            "with an artifact each, Flux cannot tell whether the clusters of one wave have a commit "
            "before it goes on to the next",
            "take artifactGenerator out, or give all clusters one wave",
        )


def _flux_hubs(flux: Sequence[Cluster]) -> Iterator[Problem]:
    """The address by which a hub reaches itself is that of one cluster."""
    hubs = [
        cluster
        for cluster in flux
        if cluster.sync_mode != "Pull" and cluster.server.rstrip("/") == IN_CLUSTER
    ]
    for other in hubs[1:]:
        yield told(
            other.document or Document(value=other.body),
            "",
            f"the server of {other.name} is {IN_CLUSTER}, as that of {hubs[0].name} is",
            why="there a hub reaches itself: the manifests of both would be applied to one cluster",
            fix="leave it to the cluster that Flux's hub runs in, if that is one of the inventory",
        )


def _flux_interval(settings: _Settings) -> Iterator[Problem]:
    stated = settings.delivery.flux.interval
    seconds = sum(float(number) * _UNITS[unit] for number, unit in re.findall(r"([0-9.]+)(ms|s|m|h)", stated))
    if seconds < _SHORTEST:
        yield settings.problem(
            "flux/interval",
            f"delivery.flux.interval is {show(stated)}",
            "Flux would compare every object with its cluster all the time; it asks for a minute or more",
            "write 1m or more: a commit is applied at once whatever this is",
        )
