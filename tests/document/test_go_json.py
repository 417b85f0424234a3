"""JSON as Go writes it."""

from __future__ import annotations

import pytest

from renderer.document.go_json import go_json
from renderer.document.values import Value


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        pytest.param(
            {"b": 1, "a": [True, False, None]}, '{"a":[true,false,null],"b":1}', id="compact-and-sorted"
        ),
        pytest.param({}, "{}", id="empty-map"),
        pytest.param([], "[]", id="empty-list"),
        pytest.param("<a&b>\u2028", r'"\u003ca\u0026b\u003e\u2028"', id="html"),
        pytest.param('"\\\n\t\b\x01é😀\x7f', '"\\"\\\\\\n\\t\\b\\u0001é😀\x7f"', id="escapes"),
        pytest.param(1.0, "1", id="integral-float"),
        pytest.param(1e21, "1e+21", id="large-float"),
        pytest.param(1e-7, "1e-7", id="small-float"),
        pytest.param({"<": "k"}, r'{"\u003c":"k"}', id="keys-too"),
    ],
)
def test_go_json(value: Value, expected: str) -> None:
    assert go_json(value) == expected
