"""Fields that an object cannot do without."""

from __future__ import annotations

import pytest

from renderer.document.values import Object, Value
from renderer.interpret.misfits import all_types
from renderer.interpret.required import REQUIRED, missing

CONTAINER: Object = {"name": "c", "image": "i"}
TEMPLATE: Object = {"metadata": {"labels": {"app": "a"}}, "spec": {"containers": [CONTAINER]}}


def deployment(spec: Value) -> Object:
    """A Deployment with this spec."""
    return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "d"}, "spec": spec}


def pod(**container: Value) -> Object:
    """A Pod whose container has these fields, too."""
    spec: Object = {"containers": [{**CONTAINER, **container}]}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}, "spec": spec}


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param(deployment({"selector": {}, "template": TEMPLATE}), [], id="whole"),
        pytest.param(deployment({"template": TEMPLATE}), ["spec.selector"], id="no-selector"),
        pytest.param(
            deployment({"selector": None, "template": TEMPLATE}), ["spec.selector"], id="null-is-none"
        ),
        pytest.param(deployment({}), ["spec.selector", "spec.template"], id="both-are-told"),
        pytest.param(deployment(None), ["spec"], id="what-is-below-is-not-told"),
        pytest.param(deployment([]), [], id="another-type-is-a-misfit"),
        pytest.param(
            pod(env=[{"value": "x"}, {"name": "y"}]), ["spec.containers[0].env[0].name"], id="in-a-list"
        ),
        pytest.param(pod(livenessProbe={"httpGet": {"port": 80}}), [], id="a-path-is-defaulted"),
        pytest.param({**deployment({}), "apiVersion": "example.org/v1"}, [], id="unknown-kind"),
    ],
)
def test_missing(body: Object, expected: list[str]) -> None:
    assert [str(item) for item in missing(body)] == expected


def test_the_table_names_types_and_their_fields() -> None:
    known = all_types()
    assert [
        f"{name}.{field}"
        for name, fields in REQUIRED.items()
        for field in fields
        if field not in known[name].fields
    ] == []
