"""Failover as a step of a render: the settings, and the taints that krender gave clusters itself."""

from __future__ import annotations

from dataclasses import dataclass

from renderer.model.cluster import Taint


@dataclass(frozen=True, slots=True, kw_only=True)
class FailoverSettings:
    """What Karmada's controllers would do about clusters in trouble, and are asked to do here.

    `taint_not_ready`: clusters that are not ready get Karmada's taint for that. `no_execute_eviction`: work
    is evicted from clusters with NoExecute taints that it does not tolerate, or no longer; it needs the gate
    Failover. `purge_mode` is that of policies that state none. `graceful_eviction_seconds` is how long a
    cluster keeps what is evicted from it. `allow_no_execute_taint_policies` lets ClusterTaintPolicies add
    NoExecute taints.
    Source: the flags of karmada-controller-manager and karmada-webhook.
    """

    taint_not_ready: bool = False
    no_execute_eviction: bool = False
    purge_mode: str = "Gracefully"
    graceful_eviction_seconds: int = 600
    allow_no_execute_taint_policies: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenTaint:
    """A taint that the inventory does not have, or not with its time.

    `given_by` is why: `condition Ready`, `ClusterTaintPolicy NAME`, or `inventory` where only the time is
    krender's: that of the render that saw the taint first.
    """

    cluster: str
    taint: Taint
    given_by: str
