"""Findings about clusters that keep work which they would not be given now."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from renderer.check.finding import Rule, some
from renderer.check.passing import Passing, placed
from renderer.document.problem import Problem, Severity
from renderer.match.fleet import Mask
from renderer.model.identity import Identity
from renderer.model.plan import Plan
from renderer.model.policy import PropagationPolicy
from renderer.schedule.filters import FILTERS, standing
from renderer.schedule.filters.filter import Filter

STAYING: Final = Rule(id="KR212", title="A cluster keeps what it would not be given now")

RULES: Final = (STAYING,)

# filter -> severity, how to fix it. What is tainted NoSchedule means to keep what it has.
_ADVICE: Final = {
    "APIEnablement": (
        Severity.WARNING,
        "serve the API there again, or leave it out by clusterAffinity",
    ),
    "TaintToleration": (Severity.NOTE, "leave the cluster out by clusterAffinity, if it is to lose the work"),
    "ClusterAffinity": (Severity.WARNING, "to move it, add a WorkloadRebalancer that names it"),
    "SpreadConstraint": (Severity.WARNING, "to move it, add a WorkloadRebalancer that names it"),
}


@dataclass(slots=True)
class _Group:
    """What one policy keeps against one filter."""

    policy: PropagationPolicy
    plugin: Filter
    reason: str
    objects: dict[Identity, None] = field(default_factory=dict)
    clusters: Mask = 0


def staying_findings(plan: Plan) -> Iterator[Problem]:
    """All findings of this family: one for each policy and filter."""
    passing, groups = Passing(plan), dict[tuple[int, str], _Group]()
    fleet = passing.fleet
    for rendering, binding, policy in placed(plan):
        question = passing.question(binding)
        left = passing.targets(binding) & standing(fleet)
        for plugin in FILTERS if left else ():
            kept = left & ~plugin.passing(question, fleet) if plugin.name in _ADVICE else 0
            left &= ~kept
            if kept:
                first = fleet.clusters[fleet.positions(kept)[0]]
                reason = f"{first.name}: {plugin.reasons(question, first)[0]}"
                group = groups.setdefault((id(policy), plugin.name), _Group(policy, plugin, reason))
                group.objects[rendering.template.identity] = None
                group.clusters |= kept
    for group in groups.values():
        yield _finding(group, passing.names(group.clusters))


def _finding(group: _Group, names: list[str]) -> Problem:
    severity, fix = _ADVICE[group.plugin.name]
    spared = "clusters that have it already are spared this filter"
    due = "nothing makes Karmada schedule it again"
    return STAYING.at(
        group.policy.document,
        "/spec/placement",
        what=f"{some(list(group.objects))} {'stay' if len(group.objects) > 1 else 'stays'} on {some(names)}, "
        "though new work would not go there",
        why=f"{group.reason}; {spared if group.plugin.spares_targets else due}",
        fix=fix,
        severity=severity,
    )
