"""The applied placement is read back as Go reads it."""

from __future__ import annotations

import pytest

from renderer.document.values import Object
from renderer.schedule.applied import applied_placement, applied_text, normal_placement
from tests.schedule.build import placement


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("{}", {}, id="nothing"),
        pytest.param("null", {}, id="null-is-nothing"),
        pytest.param('{"clusterAffinity":{}}', {"clusterAffinity": {}}, id="an-empty-affinity-is-one"),
        pytest.param(
            '{"clusterAffinity":{"clusterNames":[],"labelSelector":{"matchLabels":{}}}}',
            {"clusterAffinity": {"labelSelector": {}}},
            id="empty-lists-and-maps-are-absent",
        ),
        pytest.param(
            '{"clusterAffinity":{"clusterNames":["a",null,""]}}',
            {"clusterAffinity": {"clusterNames": ["a", "", ""]}},
            id="elements-stay-in-their-place",
        ),
        pytest.param(
            '{"CLUSTERTOLERATIONS":[{"key":"","tolerationSeconds":0},null]}',
            {"clusterTolerations": [{"tolerationSeconds": 0}, {}]},
            id="case-is-no-matter-and-a-pointer-keeps-zero",
        ),
        pytest.param(
            '{"clusterTolerations":[{"tolerationSeconds":null}]}',
            {"clusterTolerations": [{}]},
            id="a-null-pointer-is-absent",
        ),
        pytest.param(
            '{"spreadConstraints":[{"maxGroups":0,"minGroups":2}],"clusterAffinity":null}',
            {"spreadConstraints": [{"minGroups": 2}]},
            id="zero-and-null-are-absent",
        ),
        pytest.param(
            '{"replicaScheduling":{"weightPreference":{"staticWeightList":[{"targetCluster":{},"weight":1}]}}}',
            {"replicaScheduling": {"weightPreference": {"staticWeightList": [{"weight": 1}]}}},
            id="an-empty-struct-is-absent",
        ),
        pytest.param(
            '{"clusterAffinities":[{"affinityName":"g","futureField":1}],"other":[]}',
            {"clusterAffinities": [{"affinityName": "g"}]},
            id="unknown-fields-are-dropped",
        ),
        pytest.param(
            '{"clusterAffinity":{"exclude":["a"],"Exclude":["b"]}}',
            {"clusterAffinity": {"exclude": ["b"]}},
            id="of-two-spellings-the-last-counts",
        ),
        pytest.param(
            '{"clusterAffinity":{"exclude":["a"],"Exclude":[],"labelSelector":{},"labelselector":null}}',
            {"clusterAffinity": {"labelSelector": {}}},
            id="a-later-empty-list-takes-away-a-later-null-does-not",
        ),
        pytest.param("{", None, id="no-json"),
        pytest.param('{"clusterAffinity":[]}', None, id="a-list-for-a-struct"),
        pytest.param('{"clusterAffinity":{"clusterNames":[1]}}', None, id="a-number-for-text"),
        pytest.param('{"spreadConstraints":[{"minGroups":1.5}]}', None, id="a-fraction-for-a-number"),
        pytest.param('{"spreadConstraints":[{"minGroups":true}]}', None, id="a-bool-for-a-number"),
        pytest.param('{"spreadConstraints":[{"minGroups":9223372036854775808}]}', None, id="beyond-64-bits"),
        pytest.param('{"spreadConstraints":[{"minGroups":NaN}]}', None, id="not-a-number"),
        pytest.param('{"clusterAffinity":' + "[" * 100_000, None, id="nested-without-end"),
        pytest.param('{"clusterAffinity":{"labelSelector":{"matchLabels":[]}}}', None, id="a-list-for-a-map"),
    ],
)
def test_applied_placement(text: str, expected: Object | None) -> None:
    assert applied_placement(text) == expected


def test_what_is_written_is_read_back() -> None:
    where = placement(
        clusterAffinity={"labelSelector": {"matchLabels": {"a": "<b>"}}},
        replicaScheduling={
            "replicaSchedulingType": "Divided",
            "weightPreference": {"staticWeightList": [{"targetCluster": {}, "weight": 0}]},
        },
    )
    assert "\\u003cb\\u003e" in applied_text(where)
    assert applied_placement(applied_text(where)) == normal_placement(where.raw)
