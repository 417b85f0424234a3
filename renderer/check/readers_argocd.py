"""What Applications and ApplicationSets read.

Nothing is said of charts and plugins, nor of paths that any generator but Git's over directories makes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Final

from renderer.check.given import Given, followed
from renderer.check.reader import Reader
from renderer.document.values import Object, Value, dig, mapping, sequence, text
from renderer.model.delivery_engine import Engine
from renderer.model.surroundings import plain_path

_PATH_PARAMETER: Final = re.compile(r"\{\{\s*\.?path(\.path)?\s*\}\}")
_HERE: Final = ("https://kubernetes.default.svc", "in-cluster")


def application(given: Given) -> Iterator[Reader]:
    """Its sources."""
    yield from _argo(given, mapping(given.body.get("spec")), "/spec", ())


def application_set(given: Given) -> Iterator[Reader]:
    """The sources of the Applications that it makes, which may be many."""
    generators = tuple(_git_generators(dig(given.body, "spec", "generators")))
    yield from _argo(
        given, mapping(dig(given.body, "spec", "template", "spec")), "/spec/template/spec", generators
    )


def _git_generators(value: Value) -> Iterator[Object]:
    for generator in map(mapping, sequence(value)):
        if isinstance(generator.get("git"), dict):
            yield mapping(generator["git"])
        for kind in ("matrix", "merge"):
            yield from _git_generators(dig(generator, kind, "generators"))


def _argo(given: Given, spec: Object, pointer: str, generators: Sequence[Object]) -> Iterator[Reader]:
    destination = mapping(spec.get("destination"))
    word = text(destination.get("name")) or text(destination.get("server")).rstrip("/")
    clusters = (given.clusters or None) if word in _HERE else given.fleet.named(word)
    for place, source in _argo_sources(spec, pointer):
        path = text(source.get("path"))
        if not path or any(source.get(key) for key in ("chart", "helm", "plugin")):
            continue
        directory = mapping(source.get("directory"))
        templated = "{{" in path
        for scope in _scopes(path, generators) if templated else [source]:
            yield Reader(
                subject=given.identity,
                document=given.document,
                pointer=f"{place}/path",
                engine=Engine.ARGOCD,
                address=_literal(source.get("repoURL")) or _literal(scope.get("repoURL")),
                revision=followed(_literal(source.get("targetRevision")) or _literal(scope.get("revision"))),
                path="" if templated else plain_path(path),
                patterns=_directories(scope, exclude=False) if templated else (),
                exclude=_directories(scope, exclude=True) if templated else (),
                includes=_globs(directory.get("include")),
                excludes=_globs(directory.get("exclude")),
                recurse=directory.get("recurse") is True or "kustomize" in source,
                clusters=clusters,
                destination=json.dumps([word, given.clusters if word in _HERE else ()]),
                form=json.dumps([destination.get("namespace"), source.get("kustomize")], sort_keys=True),
            )


def _argo_sources(spec: Object, pointer: str) -> Iterator[tuple[str, Object]]:
    listed = sequence(spec.get("sources"))
    if listed:
        yield from ((f"{pointer}/sources/{index}", mapping(item)) for index, item in enumerate(listed))
        return
    for field in (("source",), ("sourceHydrator", "drySource")):
        source = dig(spec, *field)
        if isinstance(source, dict):
            yield "/".join((pointer, *field)), source


def _scopes(path: str, generators: Sequence[Object]) -> Iterator[Object]:
    """The generators that say what a templated path comes to."""
    for generator in generators if _PATH_PARAMETER.fullmatch(path.strip()) else ():
        if sequence(generator.get("directories")):
            yield generator


def _directories(generator: Object, *, exclude: bool) -> tuple[str, ...]:
    return tuple(
        plain_path(text(item.get("path")))
        for item in map(mapping, sequence(generator.get("directories")))
        if (item.get("exclude") is True) is exclude
    )


def _literal(value: Value) -> str:
    """A text, unless a generator writes it."""
    return "" if "{{" in text(value) else text(value)


def _globs(value: Value) -> tuple[str, ...]:
    """Argo CD takes one glob, or several in braces."""
    stated = text(value)
    if stated.startswith("{") and stated.endswith("}"):
        return tuple(part.strip() for part in stated[1:-1].split(","))
    return (stated,) if stated else ()
