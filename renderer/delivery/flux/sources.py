"""What Flux reads the published tree from."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from renderer.document.values import Object, Value
from renderer.model.delivery import Delivery, FluxSource

SOURCE_API: Final = "source.toolkit.fluxcd.io/v1"
GENERATOR_API: Final = "source.extensions.fluxcd.io/v1beta1"

_COMMIT: Final = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_KINDS: Final = {FluxSource.GIT: "GitRepository", FluxSource.OCI: "OCIRepository"}
_ALIAS: Final = "rendered"


def own_name(delivery: Delivery, text: str = "") -> str:
    """The name of the source, or of what is named after it."""
    return f"{delivery.prefix}{delivery.flux.source_name}{text}"


def reference(delivery: Delivery) -> Object:
    """How a Kustomization refers to the source."""
    return {"kind": _KINDS[delivery.flux.source], "name": own_name(delivery)}


def source(delivery: Delivery, *, only: Sequence[str] = (), without: Sequence[str] = ()) -> Object:
    """The source, `only` with some directories or `without` some; both from the top of the branch."""
    flux = delivery.flux
    spec: dict[str, Value] = {"interval": flux.source_interval, "url": flux.url or delivery.repo_url}
    if flux.source is FluxSource.OCI:
        spec["ref"] = {"tag": flux.tag}
    else:
        spec["ref"] = _ref(delivery.revision)
    if flux.secret:
        spec["secretRef"] = {"name": flux.secret}
    if only and flux.source is FluxSource.GIT:
        spec["sparseCheckout"] = [*only]
    if without:
        spec["ignore"] = "".join(f"/{path}/\n" for path in without)
    return {
        "apiVersion": SOURCE_API,
        "kind": _KINDS[flux.source],
        "metadata": {"name": own_name(delivery), "namespace": flux.namespace},
        "spec": spec,
    }


def generator(delivery: Delivery, name: str, paths: Sequence[tuple[str, str]]) -> Object:
    """One artifact for each name and path, which changes with what lies there and with nothing else."""
    return {
        "apiVersion": GENERATOR_API,
        "kind": "ArtifactGenerator",
        "metadata": {"name": name, "namespace": delivery.flux.namespace},
        "spec": {
            "sources": [{"alias": _ALIAS, **reference(delivery)}],
            "artifacts": [
                {
                    "name": artifact,
                    "originRevision": f"@{_ALIAS}",
                    "copy": [{"from": f"@{_ALIAS}/{path}/**", "to": f"@artifact/{path}/"}],
                }
                for artifact, path in paths
            ],
        },
    }


def _ref(revision: str) -> Object:
    """What is followed: Flux takes a full ref name, and knows more of branches and tags."""
    for start, field in (("refs/heads/", "branch"), ("refs/tags/", "tag")):
        if revision.startswith(start):
            return {field: revision.removeprefix(start)}
    if revision.startswith("refs/") or revision == "HEAD":
        return {"name": revision}
    return {"commit" if _COMMIT.fullmatch(revision) else "branch": revision}
