"""Whether a result is settled: rendering the same workspace on it gives it again, whatever the time.

Only then may a later run with the same input say that nothing has changed without rendering. What was
published is an input of a render as well, and the scheduler might go on from its own result; and a deadline
might pass meanwhile. So the render is done once more, on its own result, with a clock that nobody can read.
"""

from __future__ import annotations

from renderer.check.failures import failures
from renderer.document.problem import InputError, Severity
from renderer.edge.progress import step
from renderer.model.instant import NO_CLOCK, ClockError
from renderer.model.plan import Plan
from renderer.model.tree import Tree
from renderer.pipeline import render
from renderer.schedule.previous import read_previous

# Of a larger fleet's result it is never said: it would take too long to find out.
MOST_MANIFESTS = 100_000


def settles(plan: Plan, published: Tree, algorithm: str) -> bool:
    """Whether the plan's workspace, rendered on the plan's result as it is published, gives that result.

    Ids of the algorithm are compared. Nothing that failed is settled: the next run has to say so again.
    """
    if sum(len(rendering.manifests) for rendering in plan.renderings) > MOST_MANIFESTS:
        return False
    if any(problem.severity is Severity.ERROR for problem in plan.workspace.problems) or failures(plan):
        return False
    try:
        step("rendering once more, on the result")
        again = render(plan.workspace, read_previous(published), NO_CLOCK, known=plan)
    except (ClockError, InputError):
        return False
    return not failures(again) and again.tree.object_id(algorithm) == plan.tree.object_id(algorithm)
