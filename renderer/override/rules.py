"""The rules that what cannot be rendered for a cluster breaks; docs/rules.md explains each."""

from __future__ import annotations

from typing import Final

from renderer.document.problem import Severity
from renderer.document.rule import Rule

NOT_APPLICABLE: Final = Rule(id="KR012", title="An override cannot be applied", severity=Severity.ERROR)
NO_VALUE: Final = Rule(id="KR013", title="An expression has no value on a cluster", severity=Severity.ERROR)
NO_MANIFEST: Final = Rule(
    id="KR014", title="A template cannot be rendered for a cluster", severity=Severity.ERROR
)

RULES: Final = (NOT_APPLICABLE, NO_VALUE, NO_MANIFEST)
