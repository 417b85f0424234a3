"""The names of a published tree that are not objects'."""

from __future__ import annotations

from typing import Final

CLUSTERS: Final = "clusters"  # one directory a cluster
CLUSTER_SCOPED: Final = "_cluster"  # below a cluster: what lives in no namespace; none can be called so
KEEP: Final = ".keep"  # keeps a directory without objects
KUSTOMIZATION: Final = "kustomization.yaml"  # lists the files of a unit, where its engine wants that
DELIVERY: Final = "delivery"  # what the engines are given


def is_object(path: str) -> bool:
    """Whether the file at a path below a cluster's directory is an object: `<namespace>/<file>.yaml`."""
    return path.count("/") == 1 and path.endswith(".yaml") and not path.endswith(f"/{KUSTOMIZATION}")
