"""What the validating webhooks have against an override policy."""

from __future__ import annotations

import pytest

from renderer.document.values import Object
from renderer.load.admission import admission
from tests.load.build import policy

RULE: Object = {"overriders": {"plaintext": [{"path": "/a", "operator": "add", "value": 1}]}}
BY_SIZE: Object = {"fieldSelector": {"matchExpressions": [{"key": "size", "operator": "In"}]}}


@pytest.mark.parametrize(
    ("kind", "spec", "fields"),
    [
        pytest.param(
            "OverridePolicy",
            {"targetCluster": {}, "overrideRules": [RULE]},
            ["spec.targetCluster"],
            id="target-beside-rules",
        ),
        pytest.param(
            "OverridePolicy",
            {**RULE, "overrideRules": [RULE]},
            ["spec.overriders"],
            id="overriders-beside-rules",
        ),
        pytest.param(
            "OverridePolicy",
            {"overriders": {"fieldOverrider": [{"fieldPath": "x"}]}, "overrideRules": [RULE]},
            [],
            id="legacy-field-overrider-is-overlooked",
        ),
        pytest.param(
            "OverridePolicy", {"targetCluster": {}, "overrideRules": []}, [], id="no-rules-beside-target"
        ),
        pytest.param(
            "ClusterOverridePolicy",
            {"targetCluster": {}, "overrideRules": []},
            ["spec.targetCluster"],
            id="empty-rules-count-for-cluster-policies",
        ),
        pytest.param(
            "OverridePolicy",
            {"targetCluster": BY_SIZE},
            ["spec.targetCluster.fieldSelector"],
            id="legacy-target",
        ),
        pytest.param(
            "OverridePolicy",
            {"overrideRules": [{"targetCluster": BY_SIZE, "overriders": {}}]},
            ["spec.overrideRules[0].targetCluster.fieldSelector"],
            id="target-of-a-rule",
        ),
        pytest.param(
            "OverridePolicy",
            {"resourceSelectors": [{"namespace": "x"}]},
            ["spec.resourceSelectors[0].namespace"],
            id="foreign-namespace",
        ),
        pytest.param(
            "ClusterOverridePolicy",
            {"resourceSelectors": [{"apiVersion": "v1", "kind": "Pod", "namespace": "x"}]},
            [],
            id="any-namespace",
        ),
        pytest.param(
            "OverridePolicy",
            {"overriders": {"labelsOverrider": [{"operator": "add", "value": {"a b": "c d"}}]}},
            [],
            id="legacy-overriders-are-not-looked-at",
        ),
    ],
)
def test_override_webhook_refuses(kind: str, spec: Object, fields: list[str]) -> None:
    outcome = admission(policy(kind, **spec))
    assert [error.field for error in outcome.webhook_errors] == fields


@pytest.mark.parametrize(
    ("overriders", "fields"),
    [
        pytest.param(
            {"labelsOverrider": [{"operator": "add", "value": {"a b": "c d"}}]},
            ["labelsOverrider[0].value"] * 2,
            id="label-key-and-value",
        ),
        pytest.param(
            {"annotationsOverrider": [{"operator": "add", "value": {"A/b": "c d"}}]},
            [],
            id="annotation-in-any-case",
        ),
        pytest.param(
            {"annotationsOverrider": [{"operator": "add", "value": {"a b": ""}}]},
            ["annotationsOverrider[0].value"],
            id="annotation-key",
        ),
        pytest.param(
            {"annotationsOverrider": [{"operator": "add", "value": {"a": "x" * 2**18}}]},
            ["annotationsOverrider[0].value"],
            id="annotation-size",
        ),
        pytest.param(
            {"imageOverrider": [{"component": "Tag", "operator": "remove", "predicate": {"path": "x"}}]},
            ["imageOverrider[0].predicate.path"],
            id="predicate-path",
        ),
        pytest.param(
            {"imageOverrider": [{"component": "Tag", "operator": "remove", "predicate": {"path": ""}}]},
            [],
            id="empty-predicate-path",
        ),
        pytest.param({"imageOverrider": [{"component": "Tag", "operator": "remove"}]}, [], id="no-predicate"),
        pytest.param(
            {
                "imageOverrider": [
                    {"component": "Tag", "operator": "remove"},
                    {"component": "Tag", "operator": "remove", "predicate": {"path": "/a"}},
                ]
            },
            [],
            id="predicate-of-the-second",
        ),
        pytest.param(
            {"fieldOverrider": [{"fieldPath": "/x", "json": [{"subPath": "/a", "operator": "remove"}]}]},
            [],
            id="removal",
        ),
        pytest.param(
            {"fieldOverrider": [{"fieldPath": "x"}]},
            ["fieldOverrider[0]", "fieldOverrider[0].fieldPath"],
            id="field-without-operations",
        ),
        pytest.param(
            {
                "fieldOverrider": [
                    {
                        "fieldPath": "/x",
                        "json": [{"subPath": "a", "operator": "remove", "value": 1}],
                        "yaml": [{"subPath": "", "operator": "add"}],
                    }
                ]
            },
            [
                "fieldOverrider[0]",
                "fieldOverrider[0].json[0].subPath",
                "fieldOverrider[0].json[0].value",
                "fieldOverrider[0].yaml[0].value",
            ],
            id="field-operations",
        ),
        pytest.param({"plaintext": [{"path": "x", "operator": "add"}]}, [], id="plaintext-is-not-looked-at"),
    ],
)
def test_override_rule_is_refused(overriders: Object, fields: list[str]) -> None:
    outcome = admission(policy("OverridePolicy", overrideRules=[{"overriders": overriders}]))
    assert [error.field for error in outcome.webhook_errors] == [
        f"spec.overrideRules[0].overriders.{field}" for field in fields
    ]
