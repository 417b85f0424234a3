"""How much of a document may come from aliases: go-yaml's rule."""

from __future__ import annotations

import pytest
from yaml.events import DocumentStartEvent

from renderer.document.aliases import Aliases
from renderer.document.defects import Defect


@pytest.mark.parametrize(
    ("count", "aliased", "allowed"),
    [
        pytest.param(900, 899, True, id="small-documents-may-repeat-themselves"),
        pytest.param(10_000, 9_900, True, id="up-to-99-percent"),
        pytest.param(10_000, 9_901, False, id="more-than-99-percent"),
        pytest.param(2_200_000, 1_190_000, True, id="less-in-between"),
        pytest.param(2_200_000, 1_200_000, False, id="too-much-in-between"),
        pytest.param(5_000_000, 500_000, True, id="a-tenth-of-large-documents"),
        pytest.param(5_000_000, 500_001, False, id="more-than-a-tenth"),
    ],
)
def test_share(count: int, aliased: int, allowed: bool) -> None:
    aliases = Aliases(limit=10_000_000)
    aliases.count, aliases.aliased = count, aliased
    if allowed:
        aliases.check(DocumentStartEvent())
        return
    with pytest.raises(Defect, match="aliases make this document"):
        aliases.check(DocumentStartEvent())
