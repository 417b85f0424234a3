"""Objects against the types of their kinds."""

from __future__ import annotations

import pytest

from renderer.document.values import Object
from renderer.interpret.api_core import KNOWN_KINDS
from renderer.interpret.misfits import misfits

POD: Object = {
    "apiVersion": "v1",
    "kind": "Pod",
    "metadata": {"name": "p"},
    "spec": {"containers": [{"name": "c", "image": "i", "ports": [{"containerPort": 80}]}]},
}


def config_map(**fields: object) -> Object:
    """A ConfigMap with fields of one's own."""
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c"}, **fields}  # type: ignore[dict-item]


def told(body: Object) -> list[tuple[str, str]]:
    """Where, and what belongs there; nothing for an unknown field."""
    return [(str(misfit), misfit.wanted) for misfit in misfits(body)]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param(POD, [], id="fits"),
        pytest.param({"apiVersion": "shop.example/v1", "kind": "Pod", "spec": 7}, [], id="unknown-kind"),
        pytest.param(config_map(data={"a": "b"}, binaryData={"x": "AAE="}), [], id="bytes-in-base64"),
        pytest.param(config_map(binaryData={"x": "AAE=\n"}), [], id="a-line-break-in-base64"),
        pytest.param(config_map(data=None), [], id="null-fits-everything"),
        pytest.param(config_map(data={"port": 8080}), [("data.port", "a string")], id="a-number-for-text"),
        pytest.param(config_map(data={"a": None}), [], id="null-in-a-map"),
        pytest.param(config_map(data=["a"]), [("data", "a map")], id="a-list-for-a-map"),
        pytest.param(config_map(binaryData={"x": "é"}), [("binaryData.x", "text in base64")], id="no-base64"),
        pytest.param(
            config_map(binaryData={"x": "abc"}), [("binaryData.x", "text in base64")], id="unpadded"
        ),
        pytest.param(config_map(binaryData={"x": 1}), [("binaryData.x", "text in base64")], id="no-text"),
        pytest.param(config_map(dat={}), [("dat", "")], id="unknown-field"),
        pytest.param({**POD, "spec": []}, [("spec", "a map")], id="a-list-for-an-object"),
        pytest.param(
            {**POD, "spec": {"containers": {}}}, [("spec.containers", "a list")], id="a-map-for-a-list"
        ),
        pytest.param(
            {**POD, "spec": {"containers": [{"nam": "c", "env": {}}, "x"], "hostNetwork": "yes"}},
            [
                ("spec.containers[0].nam", ""),
                ("spec.containers[0].env", "a list"),
                ("spec.containers[1]", "a map"),
                ("spec.hostNetwork", "true or false"),
            ],
            id="all-of-them-in-order",
        ),
    ],
)
def test_misfits(body: Object, expected: list[tuple[str, str]]) -> None:
    assert told(body) == expected


def test_a_pointer_leads_to_the_misfit() -> None:
    (misfit,) = misfits(config_map(data={"a/b": 1}))
    assert misfit.pointer == "/data/a~1b"


def test_an_unknown_field_knows_its_neighbours() -> None:
    (misfit,) = misfits(config_map(dat={}))
    assert "data" in misfit.known


@pytest.mark.parametrize(
    ("field", "home"),
    [
        ("containers", "spec.template.spec.containers"),
        ("env", "spec.template.spec.containers[].env"),
        ("replicas", "spec.replicas"),
        ("matchLabels", "spec.selector.matchLabels"),
        ("cheese", ""),
    ],
)
def test_an_unknown_field_may_have_its_home_elsewhere(field: str, home: str) -> None:
    body: Object = {"apiVersion": "apps/v1", "kind": "Deployment", field: []}
    assert [misfit.home for misfit in misfits(body)] == [home]


@pytest.mark.parametrize("version", KNOWN_KINDS)
def test_every_known_kind_has_a_type(version: str) -> None:
    for kind in KNOWN_KINDS[version].split():
        body: Object = {"apiVersion": version, "kind": kind, "metadata": {"name": "x"}, "surely": "not"}
        assert told(body) == [("surely", "")]
