"""The check against CRDs sees what a server would see."""

from __future__ import annotations

import pytest

from renderer.document.values import Object
from tests.crds import ORIGINALS, PROJECTS, committed, faults, originals, structure

_APPLICATION: Object = {
    "apiVersion": "argoproj.io/v1alpha1",
    "kind": "Application",
    "metadata": {"name": "a", "annotations": {"x": "y"}},
    "spec": {"destination": {"name": "eu"}, "project": "p"},
}


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        pytest.param({}, None, id="what-a-crd-describes-has-no-fault"),
        pytest.param(
            {"spec": {"destination": {"nmae": "eu"}, "project": "p"}}, "'nmae'", id="an-unknown-field-is-one"
        ),
        pytest.param({"spec": {"destination": {}}}, "'project' is a required", id="so-is-what-is-missing"),
        pytest.param(
            {"spec": {"destination": {"name": 1}, "project": "p"}}, "'string'", id="and-a-wrong-type"
        ),
        pytest.param({"metadata": {"name": "a", "label": {}}}, "'label'", id="metadata-is-known-too"),
        pytest.param({"sepc": {}}, "'sepc'", id="and-the-top"),
    ],
)
def test_faults(change: Object, fault: str | None) -> None:
    found = faults({**_APPLICATION, **change})
    assert bool(found) == (fault is not None)
    assert fault is None or fault in "\n".join(found)


def test_an_enum_is_kept() -> None:
    body: Object = {
        "apiVersion": "kustomize.toolkit.fluxcd.io/v1",
        "kind": "Kustomization",
        "metadata": {"name": "a", "namespace": "b"},
        "spec": {
            "interval": "1h",
            "prune": True,
            "sourceRef": {"kind": "GitRepository", "name": "k"},
            "deletionPolicy": "Keep",
        },
    }
    assert "'Keep' is not one of" in "\n".join(faults(body))


@pytest.mark.skipif(not ORIGINALS.is_dir(), reason="the original CRDs are not here")
@pytest.mark.parametrize("project", PROJECTS)
def test_committed_structures_are_those_of_the_originals(project: str) -> None:
    derived = {name: structure(schema) for name, schema in originals(ORIGINALS / project).items()}
    assert derived == {name: committed()[name] for name in derived}
