"""What stands in the way of a delivery; docs/rules.md explains it."""

from __future__ import annotations

from typing import Final

from renderer.document.problem import Severity
from renderer.document.rule import Rule

UNDELIVERED: Final = Rule(id="KR017", title="A delivery engine cannot be given this", severity=Severity.ERROR)
