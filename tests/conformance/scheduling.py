"""Scheduling vectors: one binding, an inventory, and what the real scheduler made of them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from renderer.load.clusters import cluster_of
from renderer.model.decision import Attempt, Condition, Decision, Trigger
from renderer.schedule.inventory import Inventory
from renderer.schedule.question import SchedulerOptions
from renderer.schedule.scheduler import reconcile, schedule
from renderer.schedule.units import INT32_MAX
from tests.conformance.bindings import Json, binding_of
from tests.conformance.gates import gates_of
from tests.conformance.verdict import Verdict


def run(vector: Mapping[str, Any]) -> Verdict:
    """Judge as the vectors' README says: outcome, order, reconcile, and the exact inner results."""
    got, wanted = _got(vector), _wanted(vector)
    wrong = [key for key in wanted if wanted[key] != got[key]]
    if got["outcome"] in [_outcome(entry) for entry in vector["expect"]["outcomes"]]:
        wrong = [key for key in wrong if key != "outcome"]
    if _tells_the_same(got["message"], vector["expect"]["messages"]):
        wrong = [key for key in wrong if key != "message"]
    return Verdict(
        category=f"scheduling/{vector['category']}",
        expected=wanted,
        got=got,
        passed=not wrong,
        note="differs in: " + ", ".join(wrong) if wrong else "",
    )


def _tells_the_same(message: object, recorded: list[str]) -> bool:
    """Whether it is one of the recorded texts, or counts as many rejected clusters as they do.

    Which of several reasons counts for a cluster depends on the order of the plugins, and not all orders
    were recorded. (Which clusters are rejected, and by which plugins, is judged apart.)
    """
    if message in recorded:
        return True
    if not isinstance(message, str) or not message.startswith("0/"):
        return False
    return _counted(message) in [_counted(text) for text in recorded]


def _counted(message: str) -> tuple[str, int]:
    fleet, _, reasons = message.partition(": ")
    return fleet, sum(map(int, re.findall(r"(?:^|, )(\d+) ", reasons)))


def _got(vector: Mapping[str, Any]) -> dict[str, object]:
    named = vector.get("options") or {}
    options = SchedulerOptions(
        enable_empty_workload_propagation=named.get("enableEmptyWorkloadPropagation", False),
        vanished_is_terminating=False,
    )
    gates = gates_of(named.get("featureGates"))
    inventory = Inventory([cluster_of(body) for body in vector["clusters"]])
    binding = binding_of(vector["binding"])
    others = tuple(map(binding_of, vector.get("otherBindings") or ()))
    forced = schedule(binding, inventory, gates=gates, options=options, others=others)
    real = reconcile(binding, inventory, gates=gates, options=options, others=others)
    if not real.scheduled and real.clusters != binding.clusters:
        raise AssertionError("a binding that is not scheduled keeps its previous result")
    return {
        "outcome": _decided(forced),
        "retry": forced.retry,
        "errorClass": forced.failure.error_class.value if forced.failure else None,
        "placementApplied": forced.placement_applied,
        "components": {
            target.name: dict(target.components) for target in forced.clusters if target.components
        },
        "clusterOrder": [target.name for target in forced.clusters]
        if vector["expect"]["clusterOrderStable"]
        else None,
        "message": forced.failure.message if forced.failure else None,
        "reconcile": {
            "admitted": real.admitted,
            "trigger": real.trigger.value,
            "scheduled": real.scheduled,
            "freshMode": real.fresh,
        },
        "attempts": [_attempt(entry) for entry in forced.attempts],
    }


def _wanted(vector: Mapping[str, Any]) -> dict[str, object]:
    expect = vector["expect"]
    first = expect["outcomes"][0]
    stable_order = expect["clusterOrderStable"]
    return {
        "outcome": _outcome(first),
        "retry": first["retry"],
        "errorClass": first.get("errorClass"),
        "placementApplied": first.get("placementApplied", False),
        "components": {
            entry["name"]: {part["name"]: part.get("replicas", 0) for part in entry["components"]}
            for entry in first.get("clusters") or ()
            if entry.get("components")
        },
        "clusterOrder": expect.get("clusterOrder", []) if stable_order else None,
        "message": next(iter(expect["messages"]), None),
        "reconcile": expect["reconcile"],
        "attempts": [_expected_attempt(entry) for entry in expect["attempts"]],
    }


def _decided(decision: Decision) -> dict[str, object]:
    if decision.condition not in list(Condition) or decision.trigger not in list(Trigger):
        raise AssertionError("a forced pass has a condition")
    return {
        "condition": decision.condition.value if decision.condition else None,
        "clusters": {target.name: target.replicas for target in decision.clusters},
        "affinityName": decision.affinity_name,
    }


def _outcome(entry: Json) -> dict[str, object]:
    return {
        "condition": entry["condition"],
        "clusters": {cluster["name"]: cluster.get("replicas", 0) for cluster in entry.get("clusters") or ()},
        "affinityName": entry.get("affinityName", ""),
    }


def _attempt(attempt: Attempt) -> dict[str, object]:
    stages = attempt.stages()
    return {
        "affinityName": attempt.affinity_name,
        "ok": attempt.ok,
        "clusters": sorted((target.name, target.replicas) for target in attempt.clusters),
        "error": attempt.failure.error_class.value if attempt.failure else None,
        "rejected": {
            name: sorted((entry.plugin, entry.told) for entry in found)
            for name, found in stages.rejected.items()
        },
        "feasible": sorted(candidate.cluster for candidate in stages.ranked),
        "locality": sorted(candidate.cluster for candidate in stages.ranked if candidate.score),
        "overflow": {entry.cluster: entry.overflow_order for entry in stages.ranked if entry.overflow_order},
        # 2^31-1 stands for "no matter", which the recorder left out.
        "allocatable": {
            candidate.cluster: candidate.allocatable
            for candidate in stages.ranked
            if candidate.allocatable != INT32_MAX
        },
        "ranked": [candidate.cluster for candidate in stages.ranked],
        "regions": {
            region.name: (region.score, region.available, list(region.clusters)) for region in stages.regions
        },
        "selected": list(stages.selected),
    }


def _expected_attempt(attempt: Json) -> dict[str, object]:
    stages = attempt.get("stages") or {}
    return {
        "affinityName": attempt.get("affinityName", ""),
        "ok": attempt["ok"],
        "clusters": sorted(
            (entry["name"], entry.get("replicas", 0)) for entry in attempt.get("clusters") or ()
        ),
        "error": attempt["error"]["class"] if "error" in attempt else None,
        "rejected": {
            name: sorted((entry["plugin"], entry["reason"]) for entry in found)
            for name, found in (stages.get("rejected") or {}).items()
        },
        "feasible": sorted(stages.get("feasible") or ()),
        "locality": sorted(stages.get("localityScore100") or ()),
        "overflow": stages.get("overflowOrder") or {},
        "allocatable": {
            name: replicas
            for name, replicas in (stages.get("allocatable") or {}).items()
            if replicas != INT32_MAX
        },
        "ranked": stages.get("ranked") or [],
        "regions": {
            name: (region["score"], region["availableReplicas"], region["clusters"])
            for name, region in (stages.get("regions") or {}).items()
        },
        "selected": stages.get("selected") or [],
    }
