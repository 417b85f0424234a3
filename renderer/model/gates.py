"""Karmada's feature gates, with the defaults of v1.19.

Source: Karmada pkg/features/features.go.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class FeatureGates:
    """The gates that change what is rendered, by their Karmada names in snake_case."""

    failover: bool = False
    graceful_eviction: bool = True
    propagate_deps: bool = True
    customized_cluster_resource_modeling: bool = True
    propagation_policy_preemption: bool = False
    resource_quota_estimate: bool = False
    stateful_failover_injection: bool = False
    priority_based_scheduling: bool = True
    federated_quota_enforcement: bool = False
    multiple_pod_templates_scheduling: bool = False
    workload_affinity: bool = False
