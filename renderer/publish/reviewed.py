"""Whether what was reviewed still is what would be published."""

from __future__ import annotations

from collections.abc import Iterator

from renderer.model.errors import StoppedError
from renderer.model.published import Tip
from renderer.model.tree import Tree, digest
from renderer.publish.plan_file import PlanFile


def unmoved(plan: PlanFile, *, version: str, inputs: str, branch: str, path: str) -> None:
    """See that the workspace and krender are those of the plan. Raises StoppedError."""
    _stop(list(_differences(plan, version, inputs, branch, path)))


def unmoved_tip(plan: PlanFile, tip: Tip | None) -> None:
    """See that the branch is where it was when the plan was made. Raises StoppedError."""
    now = tip.commit if tip else ""
    if now != plan.tip:
        where = f"at {now[:12]}" if now else "gone"
        was = f"was at {plan.tip[:12]}" if plan.tip else "did not exist"
        _stop([f"the branch {plan.branch} is {where}; it {was}"])


def unmoved_tree(plan: PlanFile, tree: Tree) -> None:
    """See that the render gives what was reviewed. Raises StoppedError."""
    if digest(tree) != plan.digest:
        _stop(["the same files render to something else"])


def _differences(plan: PlanFile, version: str, inputs: str, branch: str, path: str) -> Iterator[str]:
    if plan.version != version:
        yield f"this is krender {version}; the plan was made by {plan.version}"
    if plan.inputs != inputs:
        yield "the files of the workspace are others"
    if (plan.branch, plan.path) != (branch, path):
        yield f"it is for {_place(plan.branch, plan.path)}, not for {_place(branch, path)}"


def _place(branch: str, path: str) -> str:
    return f"{branch}:{path}" if path else branch


def _stop(moved: list[str]) -> None:
    if moved:
        raise StoppedError(
            f"the plan does not hold any more: {'; '.join(moved)}",
            "what would be published is not what was reviewed",
            "make a plan anew with `krender plan`, and have that reviewed",
        )
