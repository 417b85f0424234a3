"""Which taints a toleration covers, and what is different where it covers none."""

from __future__ import annotations

import pytest

from renderer.match.tolerations import differences, nearest, tolerates, untolerated
from renderer.model.cluster import Taint
from renderer.model.placement import Toleration

TAINT = Taint(key="edge", value="slow", effect="NoSchedule")


@pytest.mark.parametrize(
    ("toleration", "different"),
    [
        pytest.param(Toleration(key="edge", value="slow", effect="NoSchedule"), (), id="all-equal"),
        pytest.param(Toleration(key="edge", value="slow"), (), id="no-effect-is-every-effect"),
        pytest.param(Toleration(operator="Exists"), (), id="exists-without-key-tolerates-everything"),
        pytest.param(Toleration(key="edge", operator="Exists", value="x"), (), id="exists-ignores-value"),
        pytest.param(Toleration(value="slow"), (), id="no-key-is-every-key"),
        pytest.param(Toleration(), ('its value is ""',), id="without-key-the-value-still-counts"),
        pytest.param(Toleration(key="edge"), ('its value is ""',), id="no-value-is-the-empty-value"),
        pytest.param(
            Toleration(key="other", value="slow", effect="NoExecute"),
            ("its effect is NoExecute", "its key is other"),
            id="every-difference-is-told",
        ),
        pytest.param(
            Toleration(key="edge", operator="Gt", value="1"),
            ("its operator Gt tolerates nothing",),
            id="comparisons-are-off",
        ),
        pytest.param(
            Toleration(key="edge", operator="equal", value="slow"),
            ("its operator equal tolerates nothing",),
            id="operators-are-spelt-exactly",
        ),
    ],
)
def test_toleration(toleration: Toleration, different: tuple[str, ...]) -> None:
    assert differences(toleration, TAINT) == different
    assert tolerates(toleration, TAINT) is (not different)


def test_only_effects_that_keep_work_away_count() -> None:
    preferred = Taint(key="edge", effect="PreferNoSchedule")
    executed = Taint(key="edge", effect="NoExecute")
    assert untolerated((preferred, executed, TAINT), ()) == (executed, TAINT)
    assert untolerated((preferred, executed, TAINT), (Toleration(operator="Exists"),)) == ()


@pytest.mark.parametrize(
    ("tolerations", "expected"),
    [
        pytest.param((), None, id="none-at-all"),
        pytest.param((Toleration(key="other", operator="Exists"),), None, id="another-key-is-not-near"),
        pytest.param(
            (
                Toleration(key="edge", value="fast", effect="NoExecute"),
                Toleration(key="edge", value="fast"),
            ),
            (1, ('its value is "fast"',)),
            id="fewest-differences-is-nearest",
        ),
        pytest.param(
            (Toleration(key="edge", operator="Gt", value="fast", effect="NoExecute"),),
            (0, ("its effect is NoExecute", "its operator Gt tolerates nothing")),
            id="same-key-is-near",
        ),
    ],
)
def test_nearest(tolerations: tuple[Toleration, ...], expected: tuple[int, tuple[str, ...]] | None) -> None:
    assert nearest(TAINT, tolerations) == expected
