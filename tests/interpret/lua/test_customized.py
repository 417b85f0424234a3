"""Customizations as a layer: who answers, what the answer is, and where it went wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from renderer.document.values import Object, Value
from renderer.interpret.interpret import interpret, interpreter
from renderer.interpret.lua import scripts
from renderer.interpret.lua.customized import customized_layer
from renderer.interpret.operations import Layer, Operations
from renderer.load.side_objects import customization_of
from renderer.model.customization import ResourceInterpreterCustomization
from renderer.model.gates import FeatureGates
from renderer.model.interpretation import InterpretError
from tests.interpret.build import thing, workload
from tests.load.build import document

pytest.importorskip("lupa.lua54")
NOW = "2026-01-02T03:04:05Z"
GATES = FeatureGates()
WIDGET = thing(
    "Widget", api_version="example.io/v1", spec={"replicas": 2, "empty": {}, "list": [], "nul": None}
)


def customization(
    name: str = "widgets", kind: str = "Widget", **luas: str
) -> ResourceInterpreterCustomization:
    """A customization with functions of these bodies, by field."""
    heads = {
        "replicaResource": "GetReplicas(obj)",
        "replicaRevision": "ReviseReplica(obj, n)",
        "componentResource": "GetComponents(obj)",
        "dependencyInterpretation": "GetDependencies(obj)",
        "healthInterpretation": "InterpretHealth(obj)",
        "statusReflection": "ReflectStatus(obj)",
        "retention": "Retain(desired, observed)",
    }
    rules = {field: f"function {heads[field]} {body} end" if body else "" for field, body in luas.items()}
    api_version = "apps/v1" if kind == "Deployment" else "example.io/v1"
    return customization_of(
        {
            "metadata": {"name": name},
            "spec": {
                "target": {"apiVersion": api_version, "kind": kind},
                "customizations": {field: {"luaScript": lua} for field, lua in rules.items()},
            },
        }
    )


def layer(*items: ResourceInterpreterCustomization, gates: FeatureGates = GATES) -> Layer:
    return customized_layer(items, now=NOW, gates=gates)


def widget(**luas: str) -> Operations:
    """The operations of a kind with such functions."""
    return interpreter(GATES, layer(customization(**luas))).of(WIDGET)


def replicas(body: str) -> Value:
    """Replicas and requirements as a function with this body returns them."""
    operation = widget(replicaResource=body).replica
    assert operation is not None
    found = operation(WIDGET)
    return [found.replicas, None if found.requirements is None else found.requirements.raw]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param("return obj.spec.replicas", [2, None], id="number"),
        pytest.param("return 3.9", [3, None], id="fraction-is-cut-off"),
        pytest.param("return 2^40", [-(2**31), None], id="beyond-32-bits"),
        pytest.param("return 1/0", [-(2**31), None], id="infinity"),
        pytest.param("return 0/0", [-(2**31), None], id="not-a-number"),
        pytest.param("return 1, {}", [1, {}], id="empty-requirements-are-requirements"),
        pytest.param(
            "return 1, {nodeClaim = {nodeSelector = {}}}", [1, {"nodeClaim": {}}], id="empty-goes-once"
        ),
        pytest.param(
            'return 1, {ResourceRequest = {cpu = 2, memory = "1Gi"}, namespace = "x", other = 1}',
            [1, {"resourceRequest": {"cpu": "2", "memory": "1Gi"}, "namespace": "x"}],
            id="quantities-and-case-of-fields",
        ),
    ],
)
def test_replicas(body: str, expected: Value) -> None:
    assert replicas(body) == expected


@pytest.mark.parametrize(
    ("body", "text"),
    [
        pytest.param("return nil", "replicas that are nil, not a number", id="nil"),
        pytest.param('return "2"', "replicas that are a string, not a number", id="text"),
        pytest.param("return 1, 2", "it returns a number where requirements should be", id="requirements"),
        pytest.param("return 1, {1}", "requirements", id="list"),
        pytest.param('return 1, {resourceRequest = {cpu = "x"}}', "quantity", id="no-quantity"),
        pytest.param("return 1, {a = print}", "a function cannot be returned", id="function"),
    ],
)
def test_replicas_that_are_none(body: str, text: str) -> None:
    with pytest.raises(InterpretError, match=text):
        replicas(body)


def revised(body: str) -> Object:
    operation = widget(replicaRevision=body).revise
    assert operation is not None
    return operation(WIDGET, 7)


def test_a_revised_object_keeps_its_order_and_its_empty_fields() -> None:
    found = revised("obj.spec.replicas = n obj.spec.new = {} obj.spec.added = 1 return obj")
    assert list(found) == ["apiVersion", "kind", "metadata", "spec"]
    assert found["spec"] == {"replicas": 7, "empty": {}, "list": [], "added": 1}
    assert list(found["metadata"]) == ["name", "namespace"]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("body", "text"),
    [
        pytest.param("return nil", "it returns nil where an object should be", id="nil"),
        pytest.param("return {}", "without a kind", id="empty"),
        pytest.param("obj.kind = 5 return obj", "without a kind", id="kind-is-a-number"),
        pytest.param("return {obj}", "without a kind", id="list"),
        pytest.param("obj.spec[1] = 1 return obj", "mixed keys", id="mixed"),
        pytest.param('obj.spec["*"] = {} return obj', "cannot be left out", id="wildcard-that-is-empty"),
    ],
)
def test_an_object_that_is_none(body: str, text: str) -> None:
    with pytest.raises(InterpretError, match=text):
        revised(body)


def dependencies(body: str) -> Value:
    operation = widget(dependencyInterpretation=body).dependencies
    assert operation is not None
    return [dict(item.to_json()) for item in operation(WIDGET)]


def test_dependencies_are_distinct_and_in_order() -> None:
    body = """local d = {}
      for _, n in ipairs({"b", "a", "b"}) do
        table.insert(d, {APIVersion = "v1", kind = "ConfigMap", name = n, namespace = obj.metadata.namespace})
      end
      return d"""
    reference = {"apiVersion": "v1", "kind": "ConfigMap", "namespace": "shop"}
    assert dependencies(body) == [{**reference, "name": "a"}, {**reference, "name": "b"}]


def test_a_dependency_may_be_labels() -> None:
    body = """return {{apiVersion = "v1", kind = "Secret", namespace = "x", labelSelector = {
      matchLabels = {b = "2", a = "1"},
      matchExpressions = {{key = "k", operator = "In", values = {"v"}}}}}}"""
    selector = {
        "matchLabels": {"a": "1", "b": "2"},
        "matchExpressions": [{"key": "k", "operator": "In", "values": ["v"]}],
    }
    reference: Object = {"apiVersion": "v1", "kind": "Secret", "namespace": "x"}
    assert dependencies(body) == [{**reference, "labelSelector": selector}]


@pytest.mark.parametrize(
    ("body", "text"),
    [
        pytest.param("return nil", "it returns nil where dependencies should be", id="nil"),
        pytest.param('return {kind = "x"}', "a map where a list of dependencies", id="map"),
        pytest.param("return {1}", "a dependency that is none", id="number"),
        pytest.param('return {{apiVersion = "v1", kind = "Secret"}}', "without name", id="nameless"),
        pytest.param('return {{apiVersion = "v1", kind = 1, name = "x"}}', "a string", id="kind-is-a-number"),
    ],
)
def test_dependencies_that_are_none(body: str, text: str) -> None:
    with pytest.raises(InterpretError, match=text):
        dependencies(body)


def test_components() -> None:
    gates = FeatureGates(multiple_pod_templates_scheduling=True)
    other_one = '{name = "b", replicas = 2, replicaRequirements = {namespace = "x"}}'
    body = f'return {{{{name = "a", Replicas = 1}}, {other_one}}}'
    found = interpret(WIDGET, interpreter(gates, layer(customization(componentResource=body))), gates)
    one, other = found.components
    assert (one.name, one.replicas, one.replica_requirements) == ("a", 1, None)
    assert other.replica_requirements is not None
    assert other.replica_requirements.raw == {"namespace": "x"}
    assert found.workload is None


@pytest.mark.parametrize(
    ("body", "count"), [pytest.param("return nil", 0, id="nil"), pytest.param("return {}", 0, id="empty")]
)
def test_no_components(body: str, count: int) -> None:
    operation = widget(componentResource=body).components
    assert operation is not None
    assert len(operation(WIDGET)) == count


@pytest.mark.parametrize(
    ("body", "text"),
    [
        pytest.param("return 5", "a number where components should be", id="number"),
        pytest.param("return {{name = 'a', replicas = 1.5}}", "component", id="fraction"),
        pytest.param("return {1}", "a component that is not a map", id="no-map"),
    ],
)
def test_components_that_are_none(body: str, text: str) -> None:
    operation = widget(componentResource=body).components
    assert operation is not None
    with pytest.raises(InterpretError, match=text):
        operation(WIDGET)


def test_health_and_status_and_retention() -> None:
    found = widget(
        healthInterpretation="return obj.status.ok",
        statusReflection="return {ok = obj.status.ok, none = {}}",
        retention="desired.spec = observed.spec return desired",
    )
    assert found.health is not None
    assert found.status is not None
    assert found.retain is not None
    body = {**WIDGET, "status": {"ok": True}}
    assert found.health(body) is True
    assert found.status(body) == {"ok": True}
    assert found.retain(WIDGET, {**WIDGET, "spec": {"kept": []}})["spec"] == {"kept": []}
    with pytest.raises(InterpretError, match="it returns nil, not true or false"):
        found.health({**WIDGET, "status": {}})


def test_the_first_script_by_name_answers_and_an_empty_one_does_not() -> None:
    made = layer(
        customization("c", replicaResource="return 3", replicaRevision="return obj"),
        customization("b", replicaResource="return 2"),
        customization("a", replicaResource=""),
    )
    operations = interpreter(GATES, made).of(WIDGET)
    assert operations.replica is not None
    assert operations.replica(WIDGET).replicas == 2
    assert operations.revise is not None
    assert operations.dependencies is None


def test_dependencies_come_from_all_scripts() -> None:
    one = 'return {{apiVersion = "v1", kind = "Secret", name = "s", labelSelector = nil}}'
    made = layer(
        customization("b", dependencyInterpretation=one),
        customization("a", dependencyInterpretation=one + " -- the same\n"),
        customization(
            "c", dependencyInterpretation='return {{apiVersion = "v1", kind = "ConfigMap", name = "c"}}'
        ),
        customization("d", dependencyInterpretation=""),
    )
    operation = interpreter(GATES, made).of(WIDGET).dependencies
    assert operation is not None
    assert [item.kind for item in operation(WIDGET)] == ["ConfigMap", "Secret"]


def test_what_no_script_answers_is_answered_as_before() -> None:
    body = workload(replicas=3)
    made = layer(customization(kind="Deployment", replicaResource="return 42", replicaRevision=""))
    ask = interpreter(GATES, made)
    found, built_in = interpret(body, ask, GATES), interpret(body, interpreter(GATES), GATES)
    assert found.workload is not None
    assert found.workload.replicas == 42
    assert found.dependencies == built_in.dependencies
    assert ask.of(body).revise == interpreter(GATES).of(body).revise


def test_priority_class_counts_where_quotas_do() -> None:
    gates = FeatureGates(resource_quota_estimate=True)
    template = '{spec = {priorityClassName = "p", nodeSelector = {a = "b"}}}'
    spec = f'return 1, require("kube").accuratePodRequirements({template})'
    for chosen, expected in ((gates, "p"), (GATES, "")):
        operation = (
            interpreter(chosen, layer(customization(replicaResource=spec), gates=chosen)).of(WIDGET).replica
        )
        assert operation is not None
        requirements = operation(WIDGET).requirements
        assert requirements is not None
        assert requirements.priority_class_name == expected


FILE = """\
apiVersion: config.karmada.io/v1alpha1
kind: ResourceInterpreterCustomization
metadata: {name: widgets}
spec:
  target: {apiVersion: example.io/v1, kind: Widget}
  customizations:
    replicaResource:
      luaScript: |
        -- how many
        function GetReplicas(obj)
          return obj.spec.nope.x
        end
    replicaRevision:
      luaScript: "function ReviseReplica() error({}) end"
    dependencyInterpretation:
      luaScript: |
        function GetDependencies(obj)
          return nil
        end
    healthInterpretation:
      luaScript: |
        function Wrong() end
    componentResource:
      luaScript: |
        local function GetComponents() goto a local x ::a:: return x end
"""


def failures() -> dict[str, str]:
    """The messages of a file whose scripts all fail."""
    given = document(FILE, "lua/widgets.yaml")
    assert isinstance(given.value, dict)
    operations = interpreter(GATES, layer(customization_of(given.value, given))).of(WIDGET)
    found = {}
    for name in ("replica", "components", "dependencies", "health"):
        with pytest.raises(InterpretError) as caught:
            getattr(operations, name)(WIDGET)
        found[name] = str(caught.value)
    assert operations.revise is not None
    with pytest.raises(InterpretError) as caught:
        operations.revise(WIDGET, 1)
    return {**found, "revise": str(caught.value)}


def test_an_error_names_the_line_of_the_file() -> None:
    of = "of ResourceInterpreterCustomization widgets: "
    expected = {
        "replica": (11, 11, "GetReplicas", "attempt to index a nil value (field 'nope')"),
        "components": (25, 9, "GetComponents", "<goto a> at line 1 jumps into the scope of local 'x'"),
        "dependencies": (16, 18, "GetDependencies", "it returns nil where dependencies should be"),
        "health": (21, 18, "InterpretHealth", "the script defines no function InterpretHealth"),
        "revise": (14, 18, "ReviseReplica", "it raises a table instead of a message"),
    }
    assert failures() == {
        name: f"lua/widgets.yaml:{line}:{column}: {function} {of}{text}"
        for name, (line, column, function, text) in expected.items()
    }


def test_without_a_file_the_line_of_the_script_is_named() -> None:
    operation = widget(replicaResource='\n\nerror("boom")').replica
    assert operation is not None
    with pytest.raises(InterpretError, match=r"GetReplicas of .* widgets, line 3: boom"):
        operation(WIDGET)


def test_without_lua_every_script_is_an_error_that_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(scripts, "lua_module", lambda: None)
    found = interpret(WIDGET, interpreter(GATES, layer(customization(replicaResource="return 1"))), GATES)
    assert found.error.endswith("it needs Lua, which is not installed: pip install 'krender[lua]'")


def test_without_customizations_nothing_of_lua_is_imported() -> None:
    import subprocess
    import sys

    code = (
        "import sys; from renderer.interpret.lua.customized import customized_layer\n"
        "from renderer.model.gates import FeatureGates\n"
        f"assert customized_layer((), now={NOW!r}, gates=FeatureGates()) == {{}}\n"
        "assert not [name for name in sys.modules if 'lupa' in name or 'lua.machine' in name]"
    )
    root = Path(__file__).parents[3]
    subprocess.run([sys.executable, "-c", code], check=True, cwd=root)
