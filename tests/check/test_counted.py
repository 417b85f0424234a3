"""What many have in common is told a few times, and counted."""

from __future__ import annotations

from collections import Counter

import pytest

from renderer.check.counted import counted
from renderer.check.rules import findings
from renderer.document.problem import Position, Problem
from tests.test_laws import deployment
from tests.workspaces import POLICY, SHOP, plan


def problem(line: int, why: str = "w") -> Problem:
    """A finding at a line."""
    return Problem(where=Position("f", line, 1), what=f"line {line}", why=why, rule="KR999")


@pytest.mark.parametrize(
    ("count", "told", "last"),
    [
        pytest.param(20, 20, "line 20", id="few"),
        pytest.param(21, 20, "line 20 (and 1 more like it)", id="one-too-many"),
        pytest.param(1000, 20, "line 20 (and 980 more like it)", id="many"),
    ],
)
def test_one_cause(count: int, told: int, last: str) -> None:
    found = counted([problem(line) for line in range(1, count + 1)])
    assert [item.where.line for item in found] == list(range(1, told + 1))
    assert found[-1].what == last


def test_causes_are_counted_apart() -> None:
    found = counted([problem(line, f"w{line % 2}") for line in range(100)])
    assert Counter(item.why for item in found) == {"w0": 20, "w1": 20}


FLEET_OF_APPS = {f"app-{number}.yaml": deployment(f"app-{number}", 4) for number in range(60)}


@pytest.mark.parametrize(
    ("policy", "rules"),
    [
        pytest.param(POLICY, {"KR103": 20}, id="unclaimed"),
        pytest.param(
            POLICY.replace(", name: web}]", "}]").replace("stage: prod", "stage: gone"),
            {"KR201": 1},
            id="without-a-cluster",
        ),
    ],
)
def test_a_workspace_full_of_it(policy: str, rules: dict[str, int]) -> None:
    found = findings(plan({**SHOP, **FLEET_OF_APPS, "policy.yaml": policy}))
    assert Counter(item.rule for item in found) == rules


def test_names_of_one_list_are_counted() -> None:
    names = ", ".join(f"moon-{number}" for number in range(50))
    policy = POLICY.replace("{labelSelector", f"{{exclude: [{names}], labelSelector")
    found = [item for item in findings(plan({**SHOP, "policy.yaml": policy})) if item.rule == "KR202"]
    assert len(found) == 20
    assert found[-1].what.endswith("(and 30 more like it)")
