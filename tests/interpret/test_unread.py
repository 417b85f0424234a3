"""Scripts that are not run are never passed over in silence."""

from __future__ import annotations

import pytest

from renderer.interpret.interpret import interpret, interpreter
from renderer.interpret.unread import unread_layer
from renderer.model.customization import ResourceInterpreterCustomization
from renderer.model.gates import FeatureGates
from renderer.model.interpretation import InterpretError
from tests.interpret.build import workload

GATES = FeatureGates()
BODY = workload(replicas=3)


def customization(
    name: str, *, replicas: str = "", revision: str = "", components: str = "", dependencies: str = ""
) -> ResourceInterpreterCustomization:
    """A customization of Deployments."""
    return ResourceInterpreterCustomization(
        name=name,
        api_version="apps/v1",
        kind="Deployment",
        replica_resource=replicas,
        replica_revision=revision,
        component_resource=components,
        dependency_interpretation=dependencies,
        health_interpretation="not asked for",
    )


def test_what_a_script_answers_is_an_error_that_names_it() -> None:
    layer = unread_layer([customization("b", replicas="x"), customization("a", dependencies="y")])
    interpretation = interpret(BODY, interpreter(GATES, layer), GATES)
    assert interpretation.error.startswith(
        "the script replicaResource of ResourceInterpreterCustomization b "
    )
    assert (
        "dependencyInterpretation of ResourceInterpreterCustomization a" in interpretation.dependencies_error
    )


def test_what_no_script_answers_is_answered_as_before() -> None:
    layer = unread_layer([customization("a", revision="x")])
    ask = interpreter(GATES, layer)
    assert interpret(BODY, ask, GATES) == interpret(BODY, interpreter(GATES), GATES)
    revise = ask.of(BODY).revise
    assert revise is not None
    with pytest.raises(InterpretError, match="replicaRevision"):
        revise(BODY, 5)


def test_components_are_refused_when_their_gate_is_open() -> None:
    gates = FeatureGates(multiple_pod_templates_scheduling=True)
    layer = unread_layer([customization("a", components="x")])
    assert "componentResource" in interpret(BODY, interpreter(gates, layer), gates).error
