"""The record of applied overrides."""

from __future__ import annotations

from renderer.document.values import Object
from renderer.override.applied import APPLIED_CLUSTER_OVERRIDES, APPLIED_OVERRIDES, applied_annotations
from renderer.override.order import RuleIndex
from tests.override.build import overridden, policy, workload

ALL: Object = {
    "plaintext": [
        {"path": "/spec/x", "operator": "add", "value": {"b": "<", "a": 1}},
        {"path": "/y", "operator": "add"},
    ],
    "imageOverrider": [
        {
            "predicate": {"path": "/spec/template/spec/containers/0/image"},
            "component": "Tag",
            "operator": "remove",
        },
        {"component": "Tag", "operator": "add", "value": "1"},
    ],
    "commandOverrider": [{"containerName": "app", "operator": "add", "value": ["a"]}],
    "argsOverrider": [{"containerName": "app", "operator": "remove"}],
    "labelsOverrider": [{"operator": "add", "value": {"b": "2", "a": "1"}}],
    "annotationsOverrider": [{"operator": "add", "value": {"t": "{}"}}],
    "fieldOverrider": [
        {
            "fieldPath": "/metadata/annotations/t",
            "json": [{"subPath": "/a", "operator": "add", "value": None}],
            "yaml": [{"subPath": "/b", "operator": "add", "value": 1.5}],
        }
    ],
}


def test_items_have_the_order_of_karmadas_structs() -> None:
    result = overridden(workload(), policy("p", ALL))
    assert applied_annotations(result.rules) == {
        APPLIED_OVERRIDES: '[{"policyName":"p","overriders":{'
        '"plaintext":[{"path":"/spec/x","operator":"add","value":{"a":1,"b":"\\u003c"}},'
        '{"path":"/y","operator":"add","value":null}],'
        '"imageOverrider":[{"predicate":{"path":"/spec/template/spec/containers/0/image"},"component":"Tag",'
        '"operator":"remove"},{"component":"Tag","operator":"add","value":"1"}],'
        '"commandOverrider":[{"containerName":"app","operator":"add","value":["a"]}],'
        '"argsOverrider":[{"containerName":"app","operator":"remove"}],'
        '"labelsOverrider":[{"operator":"add","value":{"a":"1","b":"2"}}],'
        '"annotationsOverrider":[{"operator":"add","value":{"t":"{}"}}],'
        '"fieldOverrider":[{"fieldPath":"/metadata/annotations/t",'
        '"json":[{"subPath":"/a","operator":"add","value":null}],'
        '"yaml":[{"subPath":"/b","operator":"add","value":1.5}]}]}}]'
    }


def test_one_form_of_a_text_is_enough() -> None:
    overriders: Object = {
        "fieldOverrider": [{"fieldPath": "/x", "yaml": [{"subPath": "/b", "operator": "remove"}]}]
    }
    rules = RuleIndex([policy("p", overriders)]).rules
    assert applied_annotations(rules)[APPLIED_OVERRIDES] == (
        '[{"policyName":"p","overriders":{"fieldOverrider":[{"fieldPath":"/x",'
        '"yaml":[{"subPath":"/b","operator":"remove","value":null}]}]}}]'
    )


def test_policies_are_sorted_by_name_and_each_list_has_its_annotation() -> None:
    selecting: Object = {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"}
    result = overridden(
        workload(),
        policy("a", {}, selectors=[selecting]),
        policy("z", {}),
        policy("c", {}, namespace="", rules=[{"overriders": {}}, {"overriders": {}}]),
    )
    assert [rule.name for rule in result.rules] == ["c", "c", "z", "a"]
    item = '{{"policyName":"{}","overriders":{{}}}}'
    assert applied_annotations(result.rules) == {
        APPLIED_CLUSTER_OVERRIDES: f"[{item.format('c')},{item.format('c')}]",
        APPLIED_OVERRIDES: f"[{item.format('a')},{item.format('z')}]",
    }


def test_nothing_applied_is_no_annotation() -> None:
    assert applied_annotations(()) == {}
