"""The ApplicationSets of the hub: one a project, over parameter files or over the directories themselves."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from renderer.delivery.argocd.application import (
    CLUSTER,
    PAUSED,
    TENANT,
    WAVE,
    Parts,
    sync_options,
    template,
)
from renderer.delivery.argocd.project import API, SERVER_SIDE
from renderer.delivery.parameters import PARAMETERS_FILE
from renderer.document.values import Object, Value
from renderer.model.delivery import ArgoSettings, Delivery, Unit, UnitOf
from renderer.model.delivery_engine import Engine
from renderer.model.places import DELIVERY


@dataclass(frozen=True, slots=True, kw_only=True)
class SetOf:
    """What a set is made of: the project's name and units, and whether there are other projects.

    The project stands in the set and not in a parameter: for a set that computes it, Argo CD verifies no
    signatures and uses no credentials of a project.
    """

    project: str
    tenant: str
    units: Sequence[Unit]
    alone: bool


def over_files(of: SetOf, delivery: Delivery, top: str) -> Object:
    """The set over one parameter file a unit; `top` is the way to the published tree, empty or `x/`."""
    place = "*" if delivery.unit is UnitOf.CLUSTER else "*/*"
    git: Object = {
        "repoURL": delivery.repo_url,
        "revision": delivery.revision,
        "files": [{"path": f"{top}{DELIVERY}/{Engine.ARGOCD}/parameters/{place}/{PARAMETERS_FILE}"}],
    }
    selected: Object = {} if of.alone else {"selector": {"matchLabels": {"project": of.project}}}
    return _over_parameters(of, delivery, {"git": git, **selected})


def over_plugin(of: SetOf, delivery: Delivery) -> Object:
    """The set over what `krender serve` tells, which is what stands in the parameter files."""
    asked: Object = {} if of.alone else {"input": {"parameters": {"tenant": of.tenant}}}
    plugin: Object = {"configMapRef": {"name": delivery.argocd.plugin}, **asked}
    return _over_parameters(of, delivery, {"plugin": {**plugin, "requeueAfterSeconds": _REQUEUE}})


_REQUEUE: Final = 180  # seconds, as the generators over Git have it; a plugin's own is half an hour


def _over_parameters(of: SetOf, delivery: Delivery, generator: Object) -> Object:
    """The set whose generator gives what stands in the parameter files."""
    by = delivery.argocd.destination
    in_namespace: Object = {"namespace": "{{.namespace}}"} if delivery.unit is UnitOf.NAMESPACE else {}
    parts = Parts(
        name="{{.name}}",
        project=of.project,
        path="{{.directory}}",
        destination={by: "{{.server}}" if by == "server" else "{{.cluster}}", **in_namespace},
        labels={
            CLUSTER: "{{.slug}}",
            PAUSED: "{{.paused}}",
            **({TENANT: of.tenant} if of.tenant else {}),
            WAVE: "{{.wave}}",
        },
    )
    return application_set(of, delivery, generator, parts, _PATCH % ignoring_options(delivery.argocd))


# What is not a string in an Application.
_PATCH: Final = """\
spec:
  syncPolicy:
    automated:
      enabled: {{ not .paused }}
      {{- if .empty }}
      allowEmpty: true
      {{- end }}
    {{- if .ignored }}
    syncOptions: %s
    {{- end }}
  {{- if .ignored }}
  ignoreDifferences: {{ toJson .ignored }}
  {{- end }}
"""


def ignoring_options(settings: ArgoSettings) -> str:
    """The options of an Application that ignores something, as JSON for a patch."""
    return json.dumps(sync_options(settings, ignoring=True)["syncOptions"])


def application_set(of: SetOf, delivery: Delivery, generator: Object, parts: Parts, patch: str) -> Object:
    """The set that makes Applications of these parts."""
    settings = delivery.argocd
    rolling: Object = {"strategy": _strategy(of.units)} if settings.rolling_sync else {}
    return {
        "apiVersion": API,
        "kind": "ApplicationSet",
        "metadata": {"name": of.project, "namespace": settings.namespace, "annotations": SERVER_SIDE},
        "spec": {
            "goTemplate": True,
            "goTemplateOptions": ["missingkey=error"],
            "generators": [generator],
            "syncPolicy": {
                "applicationsSync": "sync",
                "preserveResourcesOnDeletion": settings.preserve_resources_on_deletion,
            },
            **rolling,
            "template": template(parts, delivery),
            "templatePatch": patch,
        },
    }


def _strategy(units: Iterable[Unit]) -> Object:
    """Wave after wave. The last step takes what is in no other; paused clusters are in none."""
    waves = sorted({unit.cluster.wave for unit in units if not unit.cluster.paused})
    earlier = [str(wave) for wave in waves[:-1]]
    steps: list[Value] = [_step("In", [wave]) for wave in earlier]
    return {"type": "RollingSync", "rollingSync": {"steps": [*steps, _step("NotIn", earlier)]}}


def _step(operator: str, waves: Sequence[str]) -> Object:
    expressions: list[Value] = [{"key": PAUSED, "operator": "In", "values": ["false"]}]
    if waves:
        expressions.insert(0, {"key": WAVE, "operator": operator, "values": [*waves]})
    return {"matchExpressions": expressions}
