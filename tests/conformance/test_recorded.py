"""The recorded answers that the repository carries, as part of the suite."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conformance.runner import report
from tests.conformance.vectors import KINDS, cases_below

RECORDED = Path(__file__).parent / "recorded"


@pytest.mark.parametrize("kind", KINDS)
def test_agrees_with_karmada(kind: str) -> None:
    lines, failed = report(cases_below(RECORDED / kind))
    assert len(lines) > 1, "there are vectors of every kind"
    assert not failed, "\n".join(lines)
