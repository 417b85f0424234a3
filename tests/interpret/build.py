"""Objects with only the fields that a test is about."""

from __future__ import annotations

from renderer.document.values import Object, Value


def workload(kind: str = "Deployment", *, pod: Object | None = None, **spec: Value) -> Object:
    """A workload; by default Deployment shop/web with one container and no more."""
    api_version = {"Job": "batch/v1", "CronJob": "batch/v1", "Pod": "v1"}.get(kind, "apps/v1")
    pod_spec: Object = {"containers": [{"name": "app", "image": "web:1"}], **(pod or {})}
    template: Object = {"metadata": {"labels": {"app": "web"}}, "spec": pod_spec}
    body: Object = {**spec, "template": template}
    if kind == "Pod":
        body = pod_spec
    if kind == "CronJob":
        body = {"schedule": "@daily", "jobTemplate": {"spec": body}}
    return thing(kind, api_version=api_version, spec=body)


def thing(kind: str, *, api_version: str = "v1", metadata: Object | None = None, **fields: Value) -> Object:
    """An object of any kind in namespace shop."""
    meta: Object = {"name": "web", "namespace": "shop", **(metadata or {})}
    return {"apiVersion": api_version, "kind": kind, "metadata": meta, **fields}


def container(**resources: Object) -> Object:
    """A container with requests and limits."""
    return {"name": "app", "image": "web:1", "resources": resources}
