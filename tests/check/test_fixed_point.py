"""What is rendered again on its own result comes to rest, or that is told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from renderer.check.fixed_point import fixed_point_findings
from renderer.model.plan import Plan
from renderer.model.tree import tree_of
from tests.workspaces import SHOP, plan

FIRST = plan(SHOP)
STOPS = "rendering on what was rendered never comes to rest: it changes "


def changed(text: str) -> Plan:
    """The plan with another file in its tree."""
    clusters = tree_of({"a/b.yaml": text.encode()})
    return replace(FIRST, tree=tree_of({**FIRST.tree.entries(), "clusters": clusters}))


@pytest.mark.parametrize(
    ("results", "told"),
    [
        pytest.param([FIRST], [], id="at-rest"),
        pytest.param([changed("x"), changed("x")], [], id="in-two-steps"),
        pytest.param([changed("x"), changed("y")], [f"{STOPS}clusters/a/b.yaml"], id="never"),
        pytest.param(
            [changed("x"), FIRST],
            [f"{STOPS}clusters/a/b.yaml"],
            id="there-and-back",
        ),
    ],
)
def test_results_that_come_to_rest(results: Sequence[Plan], told: Sequence[str]) -> None:
    left = iter(results)
    found = list(fixed_point_findings(FIRST, lambda _: next(left)))
    assert [problem.what.partition(", ")[0] for problem in found] == told
    assert {problem.rule for problem in found} <= {"KR822"}
