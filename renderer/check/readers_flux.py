"""What Kustomizations of Flux read, where their source is a GitRepository."""

from __future__ import annotations

import json
from collections.abc import Iterator

from renderer.check.given import Given, followed
from renderer.check.reader import Reader
from renderer.document.values import Object, dig, mapping, sequence, text
from renderer.model.delivery_engine import Engine
from renderer.model.surroundings import plain_path


def kustomization(given: Given) -> Iterator[Reader]:
    """Its path, in the GitRepository of the workspace that it names or in one that is not there."""
    spec = mapping(given.body.get("spec"))
    reference = mapping(spec.get("sourceRef"))
    if reference.get("kind") != "GitRepository":
        return
    namespace = text(reference.get("namespace")) or given.identity.namespace
    key = (namespace, text(reference.get("name")))
    source = mapping(given.sources.get(key, {}))
    remote = text(dig(spec, "kubeConfig", "secretRef", "name"))
    hub = bool(mapping(spec.get("kubeConfig")))
    made = ("targetNamespace", "namePrefix", "nameSuffix", "patches", "images", "components", "postBuild")
    yield Reader(
        subject=given.identity,
        document=given.document,
        pointer="/spec/path" if "path" in spec else "/spec",
        engine=Engine.FLUX,
        address=text(dig(source, "spec", "url")) or "",
        revision=followed(
            text(dig(source, "spec", "ref", "name")) or text(dig(source, "spec", "ref", "branch"))
        ),
        path=plain_path(text(spec.get("path"))),
        clusters=given.fleet.named(f"secret {remote}") if hub else given.clusters or None,
        destination=json.dumps([spec.get("kubeConfig"), () if hub else given.clusters, key], sort_keys=True),
        form=json.dumps([spec.get(field) for field in made], sort_keys=True),
        variables=_variables(spec),
    )


def _variables(spec: Object) -> tuple[str, ...] | None:
    """What is put in place of variables; None where nothing is, or where only a cluster knows."""
    built = mapping(spec.get("postBuild"))
    stated = mapping(built.get("substitute"))
    if sequence(built.get("substituteFrom")) or not (stated or built.get("substituteStrategy") == "Always"):
        return None
    return tuple(stated)
