"""Where replicas are written to, found by trying."""

from __future__ import annotations

import pytest

from renderer.document.edit import placed
from renderer.document.values import Object
from renderer.interpret.interpret import interpreter
from renderer.interpret.operations import Interpreter, Operations
from renderer.model.gates import FeatureGates
from renderer.model.interpretation import InterpretError
from renderer.view.explain.revision import replica_fields, stated_replicas
from tests.override.build import workload

ASK = interpreter(FeatureGates())
POD = workload(kind="Pod")
JOB: Object = {
    "apiVersion": "batch/v1",
    "kind": "Job",
    "metadata": {},
    "spec": {"parallelism": 3, "template": {}},
}
OWN: Object = {"apiVersion": "x/v1", "kind": "Own", "spec": {"pools": [{"size": 1}, {"size~": 2}]}}


def resized(body: Object, replicas: int) -> Object:
    return placed(body, [{"size": 1}, {"size~": replicas}], "spec", "pools")


def grown(body: Object, replicas: int) -> Object:
    return placed(body, [0] * replicas, "spec", "pools")


def refusing(*_: object) -> Object:
    raise InterpretError("no")


def own(**operations: object) -> Interpreter:
    return Interpreter(({("x/v1", "Own"): Operations(**operations)},))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("body", "ask", "fields"),
    [
        pytest.param(workload(), ASK, ("/spec/replicas",), id="deployment"),
        pytest.param(JOB, ASK, ("/spec/parallelism",), id="job"),
        pytest.param(POD, ASK, (), id="a-kind-without-the-field"),
        pytest.param(OWN, ASK, (), id="a-kind-that-nobody-knows"),
        pytest.param(OWN, own(revise=resized), ("/spec/pools/1/size~0",), id="a-place-of-its-own"),
        pytest.param(OWN, own(revise=grown), ("/spec/pools",), id="a-list-that-grows"),
        pytest.param(OWN, own(revise=refusing), (), id="what-cannot-be-set"),
    ],
)
def test_replica_fields(body: Object, ask: Interpreter, fields: tuple[str, ...]) -> None:
    assert replica_fields(body, ask) == fields


@pytest.mark.parametrize(
    ("body", "ask", "replicas"),
    [
        pytest.param(workload(), ASK, 3, id="deployment"),
        pytest.param(POD, ASK, 1, id="pod"),
        pytest.param(OWN, ASK, None, id="a-kind-that-nobody-knows"),
        pytest.param(OWN, own(replica=refusing), None, id="what-cannot-be-read"),
    ],
)
def test_stated_replicas(body: Object, ask: Interpreter, replicas: int | None) -> None:
    assert stated_replicas(body, ask) == replicas
