"""How many scheduling decisions a second of CPU makes.

    python -m benchmarks.schedule [CLUSTERS …] [--bindings N]

Three shapes, as the real scheduler was measured in: Duplicated by label, dynamic weights, regions; and
Aggregated beside them. Each is decided from nothing ("first"), and once more on its own result with more
replicas wanted ("scaled"). The bindings want 40 different sizes of pods.
"""

from __future__ import annotations

import argparse
import random
import resource
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction

from renderer.model.binding import Binding, ReplicaRequirements
from renderer.model.cluster import Cluster, ResourceSummary
from renderer.model.identity import Identity
from renderer.model.placement import (
    ClusterAffinity,
    ClusterPreferences,
    Placement,
    ReplicaScheduling,
    SpreadConstraint,
)
from renderer.model.quantity import Quantity
from renderer.model.selectors import LabelSelector
from renderer.schedule.inventory import Inventory
from renderer.schedule.scheduler import reconcile, settled

# Decisions of Karmada's scheduler in a CPU second: shape -> clusters -> decisions.
REAL = {
    "duplicated": {1000: 140, 5000: 24},
    "dynamic": {1000: 113, 5000: 22},
    "regions": {1000: 111, 5000: 22},
}
NOW = "2026-01-01T00:00:00Z"


def clusters(count: int, random_: random.Random) -> list[Cluster]:
    """A fleet in 10 regions with 4 tiers; half the clusters are of the tier that bindings ask for."""
    return [
        Cluster(
            name=f"edge-{place:05}",
            labels=(("tier", random_.choice(("gold", "gold", "silver", "bronze"))), ("site", f"s{place}")),
            provider=f"provider-{place % 3}",
            region=f"region-{random_.randrange(10)}",
            zones=(f"zone-{place % 30}",),
            api_enablements=(("apps/v1", ("Deployment", "StatefulSet")), ("v1", ("ConfigMap", "Service"))),
            resource_summary=ResourceSummary(
                allocatable=(("cpu", cores(64_000)), ("memory", whole(256 * 2**30)), ("pods", whole(440))),
                allocated=(
                    ("cpu", cores(random_.randrange(50_000))),
                    ("memory", whole(random_.randrange(200) * 2**30)),
                    ("pods", whole(random_.randrange(300))),
                ),
            ),
        )
        for place in range(count)
    ]


def bindings(shape: str, count: int, random_: random.Random) -> list[Binding]:
    """Deployments of many sizes under one kind of placement."""
    sizes = [(random_.randrange(50, 4000), random_.randrange(64, 8192) * 2**20) for _ in range(40)]
    placement = placement_of(shape)
    return [
        Binding(
            identity=Identity("apps/v1", "Deployment", "shop", f"web-{number}"),
            namespace="shop",
            name=f"web-{number}-deployment",
            placement=placement,
            replicas=random_.randrange(2, 40) if shape == "duplicated" else random_.randrange(20, 400),
            replica_requirements=ReplicaRequirements(
                resource_request=(("cpu", cores(cpu)), ("memory", whole(memory)))
            ),
        )
        for number in range(count)
        for cpu, memory in [random_.choice(sizes)]
    ]


def placement_of(shape: str) -> Placement:
    """The placement of a shape."""
    gold = ClusterAffinity(label_selector=LabelSelector(match_labels=(("tier", "gold"),)))
    if shape == "duplicated":
        return Placement(cluster_affinity=gold, raw={"clusterAffinity": {"clusterNames": [shape]}})
    preference = "Aggregated" if shape == "aggregated" else "Weighted"
    scheduling = ReplicaScheduling(
        replica_scheduling_type="Divided",
        replica_division_preference=preference,
        weight_preference=None
        if shape == "aggregated"
        else ClusterPreferences(dynamic_weight="AvailableReplicas"),
    )
    constraints = (
        SpreadConstraint(spread_by_field="region", min_groups=2, max_groups=4),
        SpreadConstraint(spread_by_field="cluster", min_groups=6, max_groups=12),
    )
    return Placement(
        cluster_affinity=gold,
        replica_scheduling=scheduling,
        spread_constraints=constraints if shape == "regions" else (),
        raw={"clusterAffinity": {"clusterNames": [shape]}},
    )


def cores(milli: int) -> Quantity:
    """An amount of cpu."""
    return Quantity(Fraction(milli, 1000))


def whole(number: int) -> Quantity:
    """An amount of anything that is counted."""
    return Quantity(Fraction(number))


def timed(decide: Callable[[], list[Binding]]) -> tuple[float, list[Binding]]:
    """CPU seconds and result."""
    start = time.process_time()
    result = decide()
    return time.process_time() - start, result


def measure(fleet: list[Cluster], shape: str, count: int) -> Iterator[tuple[str, float, float]]:
    """Name of the run, CPU seconds, mean number of target clusters."""
    inventory = Inventory(fleet)
    wanted = bindings(shape, count, random.Random(2))

    def decided(before: list[Binding]) -> list[Binding]:
        return [settled(binding, reconcile(binding, inventory), NOW) for binding in before]

    seconds, first = timed(lambda: decided(wanted))
    yield "first", seconds, sum(len(binding.clusters) for binding in first) / count
    grown = [replace(binding, replicas=binding.replicas + 10) for binding in first]
    seconds, scaled = timed(lambda: decided(grown))
    yield "scaled", seconds, sum(len(binding.clusters) for binding in scaled) / count
    seconds, _ = timed(lambda: decided(scaled))
    yield "again", seconds, sum(len(binding.clusters) for binding in scaled) / count


def main() -> None:
    """Print one line a shape and run."""
    parser = argparse.ArgumentParser()
    parser.add_argument("clusters", nargs="*", type=int, default=[1000, 5000])
    parser.add_argument("--bindings", type=int, default=1000)
    arguments = parser.parse_args()
    for size in arguments.clusters:
        fleet = clusters(size, random.Random(1))
        for shape in ("duplicated", "dynamic", "regions", "aggregated"):
            for name, seconds, targets in measure(fleet, shape, arguments.bindings):
                rate = arguments.bindings / seconds
                real = REAL.get(shape, {}).get(size)
                beside = f"{rate / real:5.1f} x the real one" if real else ""
                print(
                    f"{size} clusters  {shape:10} {name:6} {rate:8.0f}/CPU-s {targets:6.0f} targets {beside}"
                )
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"peak memory {peak:.0f} MiB (macOS: divide by 1024)")


if __name__ == "__main__":
    main()
