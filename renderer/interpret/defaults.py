"""What an API server would have filled in, where it decides something.

Files in Git have not been through an API server, and autoscaled workloads leave `replicas` out on purpose:
the default is counted and never written into a manifest.
Source: k8s.io/kubernetes pkg/apis/apps/v1/defaults.go, pkg/apis/batch/v1/defaults.go.
"""

from __future__ import annotations

from renderer.document.edit import placed
from renderer.document.values import Object, dig

_REPLICATED = frozenset({("apps/v1", "Deployment"), ("apps/v1", "ReplicaSet"), ("apps/v1", "StatefulSet")})
_JOB = ("batch/v1", "Job")


def served(body: Object) -> Object:
    """The object as an API server would hold it, as far as replicas are concerned."""
    kind = (body.get("apiVersion"), body.get("kind"))
    if not isinstance(body.get("spec"), dict):
        return body
    if kind in _REPLICATED and dig(body, "spec", "replicas") is None:
        return placed(body, 1, "spec", "replicas")
    if kind == _JOB and dig(body, "spec", "parallelism") is None:
        # With neither, the server writes 1 for both; the least of the two is the same without completions.
        return placed(body, 1, "spec", "parallelism")
    return body
