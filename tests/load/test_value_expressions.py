"""Expressions in the labels of a templated policy: admission leaves them to the override step."""

from __future__ import annotations

import pytest

from renderer.document.values import Object
from renderer.load.admission import admission


def _policy(value: str, annotation: str) -> Object:
    return {
        "apiVersion": "policy.karmada.io/v1alpha1",
        "kind": "OverridePolicy",
        "metadata": {"name": "local", "namespace": "shop", "annotations": {"krender.io/values": annotation}},
        "spec": {
            "overrideRules": [
                {"overriders": {"labelsOverrider": [{"operator": "add", "value": {"region": value}}]}}
            ]
        },
    }


@pytest.mark.parametrize(
    ("value", "annotation", "admitted"),
    [
        pytest.param("{{ cluster.spec.region }}", "jinja2", True, id="an-expression-is-no-value-yet"),
        pytest.param("{{ cluster.spec.region }}", "", False, id="without-the-annotation-braces-are-text"),
        pytest.param("not a value", "jinja2", False, id="literal-text-is-checked-all-the-same"),
        pytest.param("eu", "jinja2", True, id="literal-text-may-stand-beside"),
    ],
)
def test_label_values_of_a_templated_policy(value: str, annotation: str, admitted: bool) -> None:
    assert admission(_policy(value, annotation)).admitted is admitted
