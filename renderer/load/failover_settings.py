"""`spec.failover` of `krender.yaml` to settings; it conforms to the schema already."""

from __future__ import annotations

from renderer.document.values import Object, text
from renderer.model.failover import FailoverSettings


def failover_settings(stated: Object) -> FailoverSettings:
    """The settings; what is not stated has its default."""
    defaults = FailoverSettings()
    seconds = stated.get("gracefulEvictionSeconds")
    return FailoverSettings(
        taint_not_ready=stated.get("taintNotReady") is True,
        no_execute_eviction=stated.get("noExecuteEviction") is True,
        purge_mode=text(stated.get("purgeMode")) or defaults.purge_mode,
        graceful_eviction_seconds=seconds if isinstance(seconds, int) else defaults.graceful_eviction_seconds,
        allow_no_execute_taint_policies=stated.get("allowNoExecuteTaintPolicies") is True,
    )
