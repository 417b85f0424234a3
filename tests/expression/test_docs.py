"""docs/templates.md lists what there is."""

from __future__ import annotations

import re
from pathlib import Path

from renderer.expression import overriders
from renderer.expression.sandbox import Sandbox
from renderer.load import jinja

PAGE = (Path(__file__).parents[2] / "docs" / "templates.md").read_text(encoding="utf-8")


def listed(word: str) -> list[str]:
    """The names behind a word of the list."""
    found = re.search(rf"{word}: ((?:`\w+`,?\s+)*`\w+`)\.", PAGE)
    assert found is not None
    return re.findall(r"`(\w+)`", found[1])


def test_every_filter_and_function_is_listed() -> None:
    sandbox = Sandbox(())
    assert listed("Filters") == sorted(name for name in sandbox.filters if "." not in name)
    assert listed("Functions") == sorted(sandbox.globals)


def test_the_budgets_are_told() -> None:
    assert f"({jinja.WORK:,} for a file, {overriders.WORK:,} for a value on a cluster)" in PAGE.replace(
        "\n", " "
    )
