"""Expressions in the values of a templated policy: what is told of them before a cluster is asked."""

from __future__ import annotations

import pytest

from renderer.document.values import Object
from renderer.load.admission import admission
from tests.load.workspaces import refused


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


POLICY = """\
apiVersion: policy.karmada.io/v1alpha1
kind: OverridePolicy
metadata: {name: local, namespace: shop, annotations: {krender.io/values: jinja2}}
spec:
  overrideRules:
  - overriders:
      plaintext: [{path: /spec/nowhere/x, operator: add, value: "{{ cluster.metadata.name }}"}]
  - overriders:
      annotationsOverrider:
      - operator: add
        value:
          a: "{{ 1 +"
          b: "{{ cluster | nope }}"
"""


def test_what_is_no_jinja2_is_told_once_at_its_line() -> None:
    no_jinja2 = "OverridePolicy shop/local, rule 2: a value is no Jinja2: "
    assert refused({"p.yaml": POLICY}) == [
        f"p.yaml:12:11: {no_jinja2}unexpected 'end of template' | correct the expression",
        f"p.yaml:13:11: {no_jinja2}No filter named 'nope' | correct the expression",
    ]
