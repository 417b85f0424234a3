"""A finding about krender itself: what is rendered again and again on its own result must come to rest."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from renderer.check.finding import Rule, some
from renderer.document.problem import Position, Problem, Severity
from renderer.model.plan import Plan
from renderer.model.tree import EMPTY_TREE, Node, Tree

RESTLESS: Final = Rule(id="KR822", title="Rendering again changes the result", severity=Severity.ERROR)

RULES: Final = (RESTLESS,)


def fixed_point_findings(plan: Plan, again: Callable[[Plan], Plan]) -> Iterator[Problem]:
    """The finding, if the result does not come to rest; `again` renders on the result of a plan.

    What is done in two steps (an object that is released, replicas that an autoscaler takes over) may change
    once more.
    """
    for _ in range(2):
        first, plan = plan, again(plan)
        if first.tree.object_id("sha1") == plan.tree.object_id("sha1"):
            return
    paths = list(_differing(first.tree, plan.tree, ""))
    yield Problem(
        where=Position("."),
        what=f"rendering on what was rendered never comes to rest: it changes {some(paths)}",
        why="every publish would make another commit, which engines apply anew",
        fix="this is a fault of krender: please report it, with the workspace if you can",
        rule=RESTLESS.id,
    )


def _differing(one: Node | None, other: Node | None, path: str) -> Iterator[str]:
    if one == other:
        return
    if not isinstance(one, Tree | None) or not isinstance(other, Tree | None):
        yield path.lstrip("/")
        return
    before, after = (one or EMPTY_TREE).entries(), (other or EMPTY_TREE).entries()
    for name in sorted({**before, **after}):
        yield from _differing(before.get(name), after.get(name), f"{path}/{name}")
