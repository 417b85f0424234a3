"""Findings about how many replicas there are to place: none, too few for the groups, or divided unasked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from renderer.check.finding import Rule, some
from renderer.check.passing import placed
from renderer.document.patch import ABSENT
from renderer.document.pointer import PointerError, look_up
from renderer.document.problem import Problem, Severity
from renderer.document.values import dig
from renderer.model.binding import Binding
from renderer.model.decision import Condition, Strategy
from renderer.model.identity import Identity
from renderer.model.plan import Plan, Rendering
from renderer.model.policy import PropagationPolicy
from renderer.schedule.assign import strategy_of

WITHOUT_REPLICAS: Final = Rule(id="KR216", title="A workload without replicas goes everywhere, or nowhere")
TOO_FEW: Final = Rule(id="KR217", title="Fewer groups get replicas than minGroups asks for")
DIVIDED: Final = Rule(id="KR218", title="An empty replicaScheduling divides replicas")
ELSEWHERE: Final = Rule(id="KR219", title="Another scheduler is asked for")
UNDIVIDED: Final = Rule(id="KR222", title="Replicas are asked to be divided and are not")

RULES: Final = (WITHOUT_REPLICAS, TOO_FEW, DIVIDED, ELSEWHERE, UNDIVIDED)

_SCHEDULING: Final = "/spec/placement/replicaScheduling"


@dataclass(slots=True)
class _Group:
    """The templates of one policy that one finding is about."""

    policy: PropagationPolicy
    objects: dict[Identity, None] = field(default_factory=dict)
    used: int = 0


def replica_findings(plan: Plan) -> Iterator[Problem]:
    """All findings of this family."""
    regions = {cluster.name: cluster.region for cluster in plan.workspace.clusters}
    few: dict[tuple[int, int], _Group] = {}
    elsewhere: dict[int, _Group] = {}
    for rendering, binding, policy in placed(plan):
        yield from _without_replicas(rendering, binding, keeps=_keeps_empty(plan))
        yield from _undivided(rendering, binding)
        for place, used in _short(rendering, binding, regions):
            group = few.setdefault((id(policy), place), _Group(policy, used=used))
            group.objects[rendering.template.identity] = None
        if rendering.decision is not None and not rendering.decision.admitted:
            elsewhere.setdefault(id(policy), _Group(policy)).objects[rendering.template.identity] = None
    for (_, place), group in few.items():
        yield _too_few(group, place)
    for group in elsewhere.values():
        yield _elsewhere(group)
    for policy in plan.workspace.propagation_policies:
        yield from _divided(policy)


def _keeps_empty(plan: Plan) -> bool:
    return plan.workspace.config.enable_empty_workload_propagation


def _without_replicas(rendering: Rendering, binding: Binding, *, keeps: bool) -> Iterator[Problem]:
    """A kind that has replicas, and none of them wanted: whether it requests anything decides."""
    workload = rendering.interpretation.workload
    if workload is None or workload.replicas or binding.components or keeps:
        return
    if rendering.condition != Condition.SUCCESS.value:
        return
    document, identity = rendering.template.document, rendering.template.identity
    if workload.requirements is not None and not binding.clusters:
        yield WITHOUT_REPLICAS.at(
            document,
            "/spec/replicas",
            what=f"{identity} has 0 replicas and requests, so it is removed from every cluster",
            why="Karmada gives it to no cluster, where it would leave one without requests everywhere",
            fix="set enableEmptyWorkloadPropagation: true in krender.yaml, if it is to stay",
        )
    elif workload.requirements is None and binding.is_divided and len(binding.clusters) > 1:
        yield WITHOUT_REPLICAS.at(
            document,
            "/spec/replicas",
            what=f"{identity} has 0 replicas and no requests, so it goes to all "
            f"{len(binding.clusters)} clusters that may be used",
            why="without replicas and requests it is no workload to Karmada, and nothing is divided",
            fix="state requests, if it is to go to none; else there is nothing to do",
            severity=Severity.NOTE,
        )


def _undivided(rendering: Rendering, binding: Binding) -> Iterator[Problem]:
    """A kind of which nobody knows the replicas, or how to set them, that goes to several clusters."""
    scheduling = binding.placement.replica_scheduling if binding.placement else None
    if scheduling is None or scheduling.replica_scheduling_type != "Divided" or len(binding.clusters) < 2:
        return
    identity, workload = rendering.template.identity, rendering.interpretation.workload
    stated = dig(rendering.template.body, "spec", "replicas")
    wanted = workload.replicas if workload is not None else stated
    if binding.components or rendering.interpretation.revisable or not isinstance(wanted, int) or wanted < 2:
        return
    scripts = "replicaRevision" if workload else "replicaResource and replicaRevision"
    yield UNDIVIDED.at(
        rendering.template.document,
        "" if stated is None else "/spec/replicas",
        what=f"{identity} is not divided: each of its {len(binding.clusters)} clusters "
        f"gets all {wanted} replicas",
        why=f"nothing says how the replicas of {identity.api_version} {identity.kind} are "
        + ("set" if workload else "read and set"),
        fix=f"add a ResourceInterpreterCustomization for the kind with {scripts}",
    )


def _short(rendering: Rendering, binding: Binding, regions: dict[str, str]) -> Iterator[tuple[int, int]]:
    """The constraints that the result does not meet, by place, with how many groups it uses."""
    placement = binding.placement
    if placement is None or not binding.replicas or rendering.condition != Condition.SUCCESS.value:
        return
    if strategy_of(placement) not in (Strategy.DYNAMIC_WEIGHT, Strategy.AGGREGATED):
        return
    last = {item.spread_by_field: place for place, item in enumerate(placement.spread_constraints)}
    used = {
        "cluster": len(binding.clusters),
        "region": len({regions.get(target.name, "") for target in binding.clusters}),
    }
    for by, count in used.items():
        if by in last and count < placement.spread_constraints[last[by]].min_groups:
            yield last[by], count


def _too_few(group: _Group, place: int) -> Problem:
    constraint = group.policy.placement.spread_constraints[place]
    word = constraint.spread_by_field
    return TOO_FEW.at(
        group.policy.document,
        f"/spec/placement/spreadConstraints/{place}",
        what=f"{some(list(group.objects))} {'run' if len(group.objects) > 1 else 'runs'} in "
        f"{group.used} {word}{'s' if group.used > 1 else ''}, and minGroups is {constraint.min_groups}",
        why=f"so many {word}s are selected, but those that get no replica are dropped afterwards",
        fix="give it more replicas, or divide by dynamicWeight: AvailableReplicas instead of Aggregated",
    )


def _divided(policy: PropagationPolicy) -> Iterator[Problem]:
    try:
        written = look_up(policy.document.value, _SCHEDULING) if policy.document else ABSENT
    except PointerError:
        written = ABSENT
    if written == {}:
        yield DIVIDED.at(
            policy.document,
            _SCHEDULING,
            what=f"{policy}: replicaScheduling is empty",
            why="its default is Divided, by equal weights; without the field replicas are duplicated",
            fix="write replicaSchedulingType: Duplicated or Divided, as it is meant",
        )


def _elsewhere(group: _Group) -> Problem:
    policy = group.policy
    return ELSEWHERE.at(
        policy.document,
        "/spec/schedulerName",
        what=f"{policy} leaves {some(list(group.objects))} to the scheduler {policy.scheduler_name}",
        why="krender schedules for default-scheduler only: it reaches no cluster, or stays where it is",
        fix="take schedulerName out",
    )
