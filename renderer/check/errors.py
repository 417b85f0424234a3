"""The rules that stop a render: what cannot be read, loaded, decided or rendered."""

from __future__ import annotations

from typing import Final

from renderer.check.stale import STALE
from renderer.delivery.rules import UNDELIVERED
from renderer.document.problem import Severity
from renderer.document.rule import Rule
from renderer.layout.pieces import ONE_OBJECT
from renderer.load import rules as load
from renderer.override import rules as override
from renderer.schedule.previous import MISREMEMBERED

UNDECIDED: Final = Rule(id="KR011", title="A template cannot be decided", severity=Severity.ERROR)

ERRORS: Final = (*load.RULES, UNDECIDED, *override.RULES, ONE_OBJECT, MISREMEMBERED, UNDELIVERED, STALE)
