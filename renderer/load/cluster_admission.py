"""Cluster objects on their way through Karmada's admission, and what is worth a warning about them.

Source: Karmada pkg/apis/cluster/mutation, pkg/apis/cluster/validation, pkg/registry/cluster/strategy.go.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

from renderer.document.problem import Problem, Severity
from renderer.document.source import Document
from renderer.document.values import Object, dig, mapping, sequence, text
from renderer.load.cluster_faults import (
    Fault,
    below,
    capacity_faults,
    label_faults,
    place_faults,
    quantity_faults,
    taint_faults,
)
from renderer.load.cluster_models import model_faults, standard_models
from renderer.load.cluster_notes import note_faults
from renderer.load.names import cluster_name
from renderer.load.schemas import load_schema
from renderer.load.shape import shape
from renderer.load.wording import show

_PROXY_SCHEMES = ("http", "https", "socks5")


@dataclass(frozen=True, slots=True, kw_only=True)
class AdmittedCluster:
    """A Cluster as Karmada would hold it, with its status; `admitted` is False where Karmada refuses it."""

    body: Object
    admitted: bool
    problems: tuple[Problem, ...] = ()


def admit_cluster(document: Document, *, models: bool = True) -> AdmittedCluster:
    """Default, migrate and check a Cluster object.

    `models` is the gate CustomizedClusterResourceModeling. Unlike a server, admission keeps the status,
    which is where an inventory has its facts.
    """
    shaped = shape(document, load_schema("cluster"))
    body = mapping(shaped.value)
    if shaped.errors:
        return AdmittedCluster(body=body, admitted=False, problems=shaped.problems)
    spec = dict(mapping(body.get("spec")))
    faults = tuple(_faults(body, spec, models=models))
    if models:
        spec["resourceModels"] = standard_models(spec.get("resourceModels"))
    zone = spec.get("zone")
    if zone and not spec.get("zones"):
        spec["zones"] = [spec.pop("zone")]
    subject = f"Cluster {text(dig(body, 'metadata', 'name'))}"
    notes = below("/metadata/annotations", note_faults(dig(body, "metadata", "annotations")))
    problems = tuple(fault.problem(document, subject) for fault in (*faults, *notes))
    return AdmittedCluster(
        body={**body, "spec": spec},
        admitted=not any(fault.severity is Severity.ERROR for fault in faults),
        problems=(*shaped.problems, *problems),
    )


def _faults(body: Object, spec: Object, *, models: bool) -> Iterator[Fault]:
    metadata = mapping(body.get("metadata"))
    yield from _name_faults(text(metadata.get("name")))
    yield from below("/metadata/labels", label_faults(mapping(metadata.get("labels"))))
    yield from below("/spec", _spec_faults(spec))
    if spec.get("resourceModels"):
        checked = (
            standard_models(spec.get("resourceModels")) if models else sequence(spec.get("resourceModels"))
        )
        yield from below("/spec/resourceModels", model_faults(checked))
    yield from below("/status", _status_faults(mapping(body.get("status"))))


def _name_faults(name: str) -> Iterator[Fault]:
    if cluster_name(name):
        yield Fault(
            pointer="/metadata/name",
            what=f"a Cluster cannot be called {show(name)}",
            why="Karmada refuses it, since the name becomes part of a namespace's name",
            fix="write at most 48 lower-case letters, digits and '-', or list the cluster in a "
            "ClusterInventory, which takes any name",
        )


def _spec_faults(spec: Object) -> Iterator[Fault]:
    yield from place_faults(spec)
    if spec.get("zone") and spec.get("zones"):
        yield Fault(pointer="/zone", what="zone and zones are both there", fix="remove zone")
    yield from below("/taints", taint_faults(spec.get("taints")))
    for key in ("secretRef", "impersonatorSecretRef"):
        for name in ("namespace", "name") if key in spec else ():
            if not dig(spec, key, name):
                yield Fault(
                    pointer=f"/{key}", what=f"{key} has no {name}", fix=f"add {name}, or remove {key}"
                )
    yield from _endpoint_faults(text(spec.get("apiEndpoint")))
    proxy = text(spec.get("proxyURL"))
    if proxy and proxy.partition(":")[0].lower() not in _PROXY_SCHEMES:
        fix = f"begin it with one of {', '.join(f'{scheme}://' for scheme in _PROXY_SCHEMES)}"
        yield Fault(pointer="/proxyURL", what=f"{show(proxy)} is no address of a proxy", fix=fix)


def _endpoint_faults(endpoint: str) -> Iterator[Fault]:
    if not endpoint:
        return
    fix = "write https://HOST:PORT"
    try:
        parts = urlsplit(endpoint)
    except ValueError as error:
        yield Fault(pointer="/apiEndpoint", what=f"{show(endpoint)} is no address: {error}", fix=fix)
        return
    if not parts.netloc.rpartition("@")[2]:
        yield Fault(pointer="/apiEndpoint", what=f"{show(endpoint)} names no host", fix=fix)
    for part, there in (
        ("a user", "@" in parts.netloc),
        ("a fragment", bool(parts.fragment)),
        ("a query", bool(parts.query)),
    ):
        if there:
            yield Fault(
                pointer="/apiEndpoint", what=f"{show(endpoint)} has {part}, which is not allowed", fix=fix
            )


def _status_faults(status: Object) -> Iterator[Fault]:
    summary = mapping(status.get("resourceSummary"))
    for key in ("allocatable", "allocated", "allocating"):
        yield from below(f"/resourceSummary/{key}", quantity_faults(mapping(summary.get(key))))
    yield from below("/resourceSummary/allocatable", capacity_faults(mapping(summary.get("allocatable"))))
    if not status.get("apiEnablements"):
        yield Fault(
            pointer="/apiEnablements",
            what="its status lists no API (apiEnablements)",
            why="Karmada then takes it that the cluster serves none, and schedules nothing there",
            fix="export the Cluster with its status, or list it in a ClusterInventory without apis",
            severity=Severity.WARNING,
        )
