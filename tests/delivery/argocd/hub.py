"""What an Argo CD makes of what it is given: Applications by the generators' rules.

Source: Argo CD applicationset/generators/git.go, applicationset/controllers/template.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase

import yaml

from renderer.document.values import Object, Value, dig, mapping, sequence, text
from renderer.model.plan import Plan
from renderer.model.tree import walk
from tests.delivery.argocd.go_template import execute

CASCADE = "resources-finalizer.argocd.argoproj.io"


def given(plan: Plan, directory: str = "delivery/argocd/hub/") -> dict[str, Object]:
    """The objects that a directory holds, by path."""
    return {
        path: mapping(yaml.safe_load(blob.data))
        for path, blob in walk(plan.tree)
        if path.startswith(directory)
    }


def applications(plan: Plan, top: str = "") -> dict[str, Object]:
    """Every Application of every Argo CD that gets something of a plan, by name."""
    found: dict[str, Object] = {}
    for body in given(plan, "delivery/argocd/").values():
        made = {"Application": [body], "ApplicationSet": generated(body, plan, top)}.get(
            text(body.get("kind"))
        )
        for application in made or ():
            name = text(dig(application, "metadata", "name"))
            assert name not in found, f"{name} is there twice"
            found[name] = application
    return found


def generated(body: Object, plan: Plan, top: str = "") -> Sequence[Object]:
    """The Applications that an ApplicationSet makes of the branch; `top` leads to the tree in it."""
    if body.get("kind") != "ApplicationSet":
        return ()
    files = {f"{top}{path}": blob.data for path, blob in walk(plan.tree)}
    return [
        _application(body, parameters)
        for generator in map(mapping, sequence(dig(body, "spec", "generators")))
        for parameters in _parameters(generator, files)
    ]


def _parameters(generator: Object, files: Mapping[str, bytes]) -> Iterator[Object]:
    if "plugin" in generator:
        yield from _served(mapping(generator.get("plugin")), files)
        return
    git = mapping(generator.get("git"))
    wanted = mapping(dig(generator, "selector", "matchLabels"))
    made = _of_directories(git, files) if "directories" in git else _of_files(git, files)
    yield from (item for item in made if all(item.get(key) == value for key, value in wanted.items()))


def _served(plugin: Object, files: Mapping[str, bytes]) -> Iterator[Object]:
    """What `krender serve` answers: the parameter files of the team that is asked for."""
    wanted = mapping(dig(plugin, "input", "parameters"))
    for path in sorted(files):
        if path.endswith("/krender.app.json") and "delivery/argocd/" in path:
            body = mapping(json.loads(files[path]))
            if all(body.get(key) == value for key, value in wanted.items()):
                yield {**body, "generator": {"input": {"parameters": wanted}}}


def _of_files(git: Object, files: Mapping[str, bytes]) -> Iterator[Object]:
    """A set of parameters for each file, with what its path tells, which wins."""
    for pattern in map(mapping, sequence(git.get("files"))):
        for path in sorted(files):
            # Greedy, as Argo CD matches by default: a star takes slashes too.
            if fnmatchcase(path, text(pattern.get("path"))):
                body = mapping(json.loads(files[path]))
                assert not {"path", "values"} & body.keys()
                yield {**body, "path": _path(path.rpartition("/")[0])}


def _of_directories(git: Object, files: Mapping[str, bytes]) -> Iterator[Object]:
    directories = {path[:at] for path in files for at, sign in enumerate(path) if sign == "/"}
    visible = (path for path in directories if not any(name.startswith(".") for name in path.split("/")))
    items = [mapping(item) for item in sequence(git.get("directories"))]
    for path in sorted(visible):
        matching = [item for item in items if _path_match(text(item.get("path")), path)]
        if matching and not any(item.get("exclude") for item in matching):
            yield {"path": _path(path)}


def _path(path: str) -> Object:
    segments = path.split("/")
    return {"path": path, "basename": segments[-1], "segments": segments}


def _path_match(pattern: str, path: str) -> bool:
    """Go's path.Match: a star takes no slash."""
    parts, names = pattern.split("/"), path.split("/")
    return len(parts) == len(names) and all(map(fnmatchcase, names, parts))


def _application(body: Object, parameters: Object) -> Object:
    spec = mapping(body.get("spec"))
    assert spec.get("goTemplate") is True
    assert spec.get("goTemplateOptions") == ["missingkey=error"]
    template = mapping(_filled(spec.get("template"), parameters))
    if not dig(spec, "syncPolicy", "preserveResourcesOnDeletion"):
        template = _merged(template, {"metadata": {"finalizers": [CASCADE]}})
    patch = mapping(yaml.safe_load(execute(text(spec.get("templatePatch")), parameters)))
    assert dig(patch, "spec", "project") is None
    made = _merged(_merged(template, patch), {"metadata": {"namespace": dig(body, "metadata", "namespace")}})
    return {"apiVersion": body["apiVersion"], "kind": "Application", **_without_empty_destination(made)}


def _filled(value: Value, parameters: Object) -> Value:
    """The value with every string executed, and nothing else."""
    if isinstance(value, str):
        return execute(value, parameters)
    if isinstance(value, dict):
        return {key: _filled(item, parameters) for key, item in value.items()}
    if isinstance(value, list):
        return [_filled(item, parameters) for item in value]
    return value


def _merged(value: Object, patch: Object) -> Object:
    """A patch over a value: maps are merged, everything else is replaced (our lists have no merge keys)."""
    merged = dict(value)
    for key, item in patch.items():
        below = merged.get(key)
        merged[key] = _merged(below, item) if isinstance(below, dict) and isinstance(item, dict) else item
    return merged


def _without_empty_destination(application: Object) -> Object:
    """An empty name, server or namespace is none: Argo CD leaves it out."""
    spec = mapping(application.get("spec"))
    destination = {key: value for key, value in mapping(spec.get("destination")).items() if value != ""}
    return {**application, "spec": {**spec, "destination": destination}}
