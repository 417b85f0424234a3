"""The parameter file of a unit: what a generator makes its Application or Kustomization from.

    delivery/<engine>/parameters/<cluster>/krender.app.json
    delivery/<engine>/parameters/<cluster>/<namespace>/krender.app.json    where a unit is a namespace

So it lies as the unit itself does below `clusters`; one folder of all units would be slow to write with Git.

It has no key `path` or `values`, which Argo CD's generators overwrite, and its name is unique in the tree, so
that both ways in which they match paths find the same files.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from json.encoder import encode_basestring
from typing import Final

from renderer.document.values import Object, Value
from renderer.model.delivery import IgnoredField, Unit
from renderer.model.places import DELIVERY

PARAMETERS_FILE: Final = "krender.app.json"


def parameters_path(unit: Unit) -> str:
    """Where the file of a unit lies in the published tree."""
    place = unit.path.split("/")[-2 if unit.is_part else -1 :]
    return "/".join((DELIVERY, unit.engine, "parameters", *place, PARAMETERS_FILE))


def parameters(unit: Unit, project: str) -> Object:
    """What the file says; `project` is that of its tenant, or the fleet's."""
    cluster = unit.cluster
    return {
        "name": unit.name,
        "cluster": cluster.name,
        "slug": cluster.slug,
        "server": cluster.server,
        "syncMode": cluster.sync_mode,
        "namespace": unit.namespace,
        "directory": unit.path,
        "project": project,
        "tenant": unit.tenant,
        "wave": str(cluster.wave),
        "paused": cluster.paused,
        "empty": unit.is_empty,
        "ignored": ignored_differences(unit.ignored),
    }


def ignored_differences(ignored: Sequence[IgnoredField]) -> Value:
    """Fields that the engine leaves alone, as Argo CD's `ignoreDifferences` says it."""
    return [
        {
            "group": item.group,
            "kind": item.kind,
            **({"namespace": item.namespace} if item.namespace else {}),
            "name": item.name,
            "jsonPointers": [*item.pointers],
        }
        for item in ignored
    ]


def encoded(body: Object) -> bytes:
    """The file's bytes, a key a line."""
    # Not `indent`, which leaves the C encoder unused: there is a file for each of very many units.
    return (
        "{\n" + ",\n".join([f'  "{key}": {_json(value)}' for key, value in body.items()]) + "\n}\n"
    ).encode()


def _json(value: Value) -> str:
    if isinstance(value, str):
        return encode_basestring(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    return "[]" if value == [] else json.dumps(value, ensure_ascii=False)
