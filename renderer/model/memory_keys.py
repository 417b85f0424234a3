"""Where the published tree keeps bindings, and the annotations krender reads back from them."""

from __future__ import annotations

from typing import Final

APPLIED_PLACEMENT: Final = "policy.karmada.io/applied-placement"
SHARED_CLUSTERS: Final = "krender.io/clusters"  # names the list of clusters; `spec.clusters` is absent
SHARED_REPLICAS: Final = "krender.io/cluster-replicas"
REBALANCED_BY: Final = "krender.io/rebalanced-by"
ORPHANED: Final = "krender.io/orphaned"
PRESERVES: Final = (
    "krender.io/preserves"  # paths of what it preserves, where they are not as its identity says
)
BINDINGS: Final = ".krender/bindings"
CLUSTERS: Final = ".krender/clusters"
PROTECTED: Final = ".krender/protected.txt"  # directories of clusters in which nothing may be deleted
CLAIMS: Final = ".krender/claims.yaml"  # with `claims: sticky` only
TAINTS: Final = ".krender/taints.yaml"  # those that krender gave clusters, and since when
RELEASED: Final = ".krender/released.yaml"  # files that were kept so that their objects outlive them
LEFT_ALONE: Final = ".krender/left-alone.yaml"  # files with a field that engines were told to leave alone
KRENDER_API: Final = "krender.io/v1alpha1"
PUBLISHED: Final = ("clusters", "delivery", ".krender")  # the directories of a published tree
