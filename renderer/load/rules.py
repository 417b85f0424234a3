"""The rules that what cannot be loaded breaks; docs/rules.md explains each."""

from __future__ import annotations

from typing import Final

from renderer.document.problem import Severity
from renderer.document.rule import UNREADABLE, Rule

WORKSPACE: Final = Rule(
    id="KR002", title="The directory cannot be rendered as a workspace", severity=Severity.ERROR
)
SETTING: Final = Rule(id="KR003", title="A setting cannot be used", severity=Severity.ERROR)
TEMPLATE_FILE: Final = Rule(id="KR004", title="A Jinja2 template cannot be rendered", severity=Severity.ERROR)
NO_OBJECT: Final = Rule(id="KR005", title="A document is no object", severity=Severity.ERROR)
CLUSTER: Final = Rule(id="KR006", title="A cluster is refused", severity=Severity.ERROR)
TEMPLATE: Final = Rule(id="KR007", title="A resource template is refused", severity=Severity.ERROR)
POLICY: Final = Rule(id="KR008", title="A policy is refused", severity=Severity.ERROR)

RULES: Final = (UNREADABLE, WORKSPACE, SETTING, TEMPLATE_FILE, NO_OBJECT, CLUSTER, TEMPLATE, POLICY)
