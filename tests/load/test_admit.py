"""What users are told about a policy that admission refuses: where, what, why, how to fix."""

from __future__ import annotations

import pytest

from renderer.load.admit import admit
from tests.load.build import document, report

HEAD = """\
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata:
  name: frontend
  namespace: web
spec:
  resourceSelectors:
  - {apiVersion: apps/v1, kind: Deployment}
"""
OVERRIDE = """\
apiVersion: policy.karmada.io/v1alpha1
kind: OverridePolicy
metadata: {name: mirror, namespace: web}
spec:
"""


def told(text: str) -> list[str]:
    """All problems of a document as a report prints them."""
    return [report(problem) for problem in admit(document(text, "p.yaml"))[1]]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            HEAD + "  placement:\n    clusterAfinity:\n      clusterNames: [east]\n",
            """\
p.yaml:10:5: PropagationPolicy web/frontend has no field "clusterAfinity" in spec.placement
    clusterAfinity:
why: without a cluster affinity it would go to every cluster
fix: write "clusterAffinity\"""",
            id="misspelt-field",
        ),
        pytest.param(
            HEAD + "  clusterAffinity: {}\n",
            """\
p.yaml:9:3: PropagationPolicy web/frontend has no field "clusterAffinity" in spec
  clusterAffinity: {}
why: an API server drops a field it does not know, so it would have no effect
fix: move it to spec.placement.clusterAffinity""",
            id="field-in-the-wrong-place",
        ),
        pytest.param(
            HEAD + "  suspension: {scheduling: true}\n",
            """\
p.yaml:9:16: PropagationPolicy web/frontend has no field "scheduling" in spec.suspension
  suspension: {scheduling: true}
why: an API server drops a field it does not know, so it would have no effect
fix: remove it, or write one of: dispatching, dispatchingOnClusters""",
            id="unknown-field",
        ),
        pytest.param(
            HEAD + "status: {}\n",
            """\
p.yaml:9:1: PropagationPolicy web/frontend has no field "status"
status: {}
why: an API server drops a field it does not know, so it would have no effect
fix: remove it, or write one of: apiVersion, kind, metadata, spec""",
            id="status",
        ),
        pytest.param(
            HEAD + '  priority: "3"\n',
            """\
p.yaml:9:3: PropagationPolicy web/frontend: spec.priority must be a whole number, not "3"
  priority: "3"
why: an API server refuses the object
fix: write it without quotes: 3""",
            id="quoted-number",
        ),
        pytest.param(
            HEAD + "  schedulerName: 5\n",
            """\
p.yaml:9:3: PropagationPolicy web/frontend: spec.schedulerName must be text, not 5
  schedulerName: 5
why: an API server refuses the object
fix: write it in quotes: "5\"""",
            id="number-for-text",
        ),
        pytest.param(
            HEAD + '  propagateDeps: "yes"\n',
            """\
p.yaml:9:3: PropagationPolicy web/frontend: spec.propagateDeps must be true or false, not "yes"
  propagateDeps: "yes"
why: an API server refuses the object
fix: write it without quotes: true""",
            id="quoted-bool",
        ),
        pytest.param(
            HEAD + "  dependentOverrides: mirror\n",
            """\
p.yaml:9:3: PropagationPolicy web/frontend: spec.dependentOverrides must be a list, not "mirror"
  dependentOverrides: mirror
why: an API server refuses the object
fix: write a list: ["mirror"]""",
            id="text-for-list",
        ),
        pytest.param(
            HEAD.replace("  - {", "    {"),
            """\
p.yaml:7:3: PropagationPolicy web/frontend: spec.resourceSelectors must be a list, not a map
  resourceSelectors:
why: an API server refuses the object
fix: write a list: put "- " before it""",
            id="map-for-list",
        ),
        pytest.param(
            HEAD + "  placement: [east]\n",
            """\
p.yaml:9:3: PropagationPolicy web/frontend: spec.placement must be a map, not a list
  placement: [east]
why: an API server refuses the object
fix: write a map""",
            id="list-for-map",
        ),
        pytest.param(
            HEAD + "  conflictResolution: overwrite\n",
            """\
p.yaml:9:3: PropagationPolicy web/frontend: spec.conflictResolution cannot be "overwrite"
  conflictResolution: overwrite
why: an API server refuses the object
fix: write "Overwrite\"""",
            id="word-in-lower-case",
        ),
        pytest.param(
            HEAD + "  preemption: maybe\n",
            """\
p.yaml:9:3: PropagationPolicy web/frontend: spec.preemption cannot be "maybe"
  preemption: maybe
why: an API server refuses the object
fix: write one of "Always", "Never\"""",
            id="word-like-none",
        ),
        pytest.param(
            HEAD + "  placement:\n    spreadConstraints:\n    - minGroups: -1\n",
            """\
p.yaml:11:7: PropagationPolicy web/frontend: spec.placement.spreadConstraints[0].minGroups is negative
    - minGroups: -1
why: there is no negative number of groups
fix: write 1 or more""",
            id="negative-groups",
        ),
        pytest.param(
            HEAD + "  placement:\n    clusterAffinity: {}\n    clusterAffinities: [{affinityName: a}]\n",
            """\
p.yaml:11:5: PropagationPolicy web/frontend: spec.placement has both clusterAffinity and clusterAffinities
    clusterAffinities: [{affinityName: a}]
why: Karmada would not know which of them decides
fix: keep clusterAffinity for one group of clusters, or clusterAffinities for several tried in order""",
            id="both-affinities",
        ),
        pytest.param(
            HEAD.replace("Deployment}", "Deployment, namespace: api}"),
            """\
p.yaml:8:45: PropagationPolicy web/frontend: spec.resourceSelectors[0].namespace is "api", not the policy's own namespace
  - {apiVersion: apps/v1, kind: Deployment, namespace: api}
why: a namespaced policy only selects in its own namespace
fix: remove it, or write a ClusterPropagationPolicy""",  # noqa: E501 - as long as it is printed
            id="foreign-namespace",
        ),
        pytest.param(
            HEAD.replace("apiVersion: apps/v1, ", ""),
            """\
p.yaml:8:5: warning: PropagationPolicy web/frontend: spec.resourceSelectors[0].apiVersion is missing
  - {kind: Deployment}
why: without an API version the selector matches nothing
fix: add "apiVersion\"""",
            id="selector-without-api-version",
        ),
        pytest.param(
            HEAD.partition("  resourceSelectors")[0] + "  priority: 1\n",
            """\
p.yaml:6:1: PropagationPolicy web/frontend: spec.resourceSelectors is missing
spec:
why: an API server refuses the object
fix: add "resourceSelectors\"""",
            id="no-selectors",
        ),
        pytest.param(
            HEAD + "  propagateDeps: false\n  failover: {application: {decisionConditions: {}}}\n",
            """\
p.yaml:10:14: PropagationPolicy web/frontend: spec.failover.application needs spec.propagateDeps
  failover: {application: {decisionConditions: {}}}
why: the application would move without the objects it refers to
fix: add "propagateDeps: true" under spec""",
            id="failover-without-dependencies",
        ),
        pytest.param(
            HEAD.replace("frontend", "Front_end"),
            """\
p.yaml:4:3: PropagationPolicy web/Front_end: metadata.name: "Front_end" is not a valid name
  name: Front_end
why: Kubernetes refuses it
fix: write lower-case letters, digits and '-'""",
            id="bad-name",
        ),
        pytest.param(
            HEAD.replace("  name: frontend\n", ""),
            """\
p.yaml:3:1: PropagationPolicy web/: metadata.name is missing
metadata:
why: an object without a name cannot be stored
fix: add "name" under metadata""",
            id="no-name",
        ),
        pytest.param(
            HEAD.replace("  namespace: web", "  labels: {tier: 1}"),
            """\
p.yaml:5:12: PropagationPolicy frontend: metadata.labels.tier must be text, not 1
  labels: {tier: 1}
why: an API server refuses the object
fix: write it in quotes: "1\"""",
            id="label-that-is-a-number",
        ),
        pytest.param(
            OVERRIDE + "  overrideRules:\n  - targetCluster: {clusterNames: [east]}\n",
            """\
p.yaml:6:5: warning: OverridePolicy web/mirror: spec.overrideRules[0].overriders is missing
  - targetCluster: {clusterNames: [east]}
why: a rule without overriders changes nothing
fix: add "overriders\"""",
            id="rule-without-overriders",
        ),
        pytest.param(
            OVERRIDE.replace("kind: ", "kind: Cluster").replace(", namespace: web", "")
            + "  overrideRules:\n  - targetCluster: {clusterNames: [east]}\n",
            """\
p.yaml:6:5: ClusterOverridePolicy mirror: spec.overrideRules[0].overriders is missing
  - targetCluster: {clusterNames: [east]}
why: an API server refuses the object
fix: add "overriders\"""",
            id="cluster-rule-without-overriders",
        ),
        pytest.param(
            OVERRIDE + "  overriders:\n    plaintext:\n    - {path: /a, op: add, value: 1}\n",
            """\
p.yaml:7:18: OverridePolicy web/mirror has no field "op" in spec.overriders.plaintext[0]
    - {path: /a, op: add, value: 1}
why: an API server drops a field it does not know, so it would have no effect
fix: write "operator\"""",
            id="misspelt-required-field-is-told-once",
        ),
        pytest.param(
            OVERRIDE + "  overriders:\n    imageOverrider:\n    - {component: Tag}\n",
            """\
p.yaml:7:7: OverridePolicy web/mirror: spec.overriders.imageOverrider[0].operator is missing
    - {component: Tag}
why: an API server refuses the object
fix: add "operator": add, remove, replace""",
            id="operator-left-out",
        ),
        pytest.param(
            OVERRIDE.replace("kind: ", "kind: Cluster") + "  overriders: {}\n",
            """\
p.yaml:3:26: warning: ClusterOverridePolicy mirror has a namespace, which its kind cannot have
metadata: {name: mirror, namespace: web}
why: an API server ignores it, so it reads as more than it does
fix: remove it""",
            id="namespace-of-a-cluster-kind",
        ),
        pytest.param(
            OVERRIDE.replace("OverridePolicy", "FederatedResourceQuota") + "  overall: {memory: lots}\n",
            """\
p.yaml:5:13: FederatedResourceQuota web/mirror: spec.overall.memory is "lots", which is no quantity
  overall: {memory: lots}
why: an API server refuses the object
fix: write a quantity such as 500m, 2 or 4Gi""",
            id="no-quantity",
        ),
        pytest.param(
            OVERRIDE.replace("OverridePolicy", "FederatedResourceQuota") + "  overall: {memory: 1.5}\n",
            """\
p.yaml:5:13: FederatedResourceQuota web/mirror: spec.overall.memory must be a whole number or text, not 1.5
  overall: {memory: 1.5}
why: an API server refuses the object
fix: write it in quotes: "1.5\"""",
            id="fraction-of-a-quantity",
        ),
        pytest.param(
            OVERRIDE.replace("OverridePolicy", "FederatedResourceQuota") + "  overall: {memory: 1e1.5}\n",
            """\
p.yaml:1:1: FederatedResourceQuota web/mirror: quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'
apiVersion: policy.karmada.io/v1alpha1
why: an API server refuses the object
fix: correct it""",  # noqa: E501 - as long as it is printed
            id="quantity-that-only-the-schema-takes",
        ),
        pytest.param(
            OVERRIDE.replace("mirror,", "mirror, annotations: {krender.io/values: jinja},"),
            """\
p.yaml:3:40: OverridePolicy web/mirror: the annotation krender.io/values cannot be "jinja"
metadata: {name: mirror, annotations: {krender.io/values: jinja}, namespace: web}
why: only Jinja2 expressions are known; the values would be taken literally
fix: write jinja2, or remove the annotation""",
            id="annotation-of-values",
        ),
        pytest.param(
            "- a\n",
            """\
p.yaml:1:1: no matches for kind "" in version ""
- a
why: an API server refuses the object
fix: write a known kind""",
            id="no-object",
        ),
        pytest.param(
            OVERRIDE.replace("OverridePolicy", "OverridingPolicy"),
            """\
p.yaml:2:1: no matches for kind "OverridingPolicy" in version "policy.karmada.io/v1alpha1"
kind: OverridingPolicy
why: an API server refuses the object
fix: write a known kind""",
            id="unknown-kind",
        ),
    ],
)
def test_one_mistake(text: str, expected: str) -> None:
    assert told(text) == [expected]


def test_nothing_is_told_of_what_is_in_order() -> None:
    assert told(HEAD) == []


def test_all_mistakes_are_told_at_once() -> None:
    """Also those that a live server would only find once the others are corrected."""
    lines = [
        "  priority: high",
        "  placement:",
        "    clusterTolerations: [{key: 1}, {operator: Gt}]",
        "    spreadConstraints: [{minGroups: -1}]",
        "    zones: []",
    ]
    wheres = [problem.splitlines()[0] for problem in told(HEAD + "\n".join(lines) + "\n")]
    assert [where.replace("PropagationPolicy web/frontend", "P") for where in wheres] == [
        'p.yaml:9:3: P: spec.priority must be a whole number, not "high"',
        "p.yaml:11:27: P: spec.placement.clusterTolerations[0].key must be text, not 1",
        'p.yaml:11:37: P: spec.placement.clusterTolerations[1].operator cannot be "Gt"',
        "p.yaml:12:26: P: spec.placement.spreadConstraints[0].minGroups is negative",
        'p.yaml:13:5: P has no field "zones" in spec.placement',
    ]


def test_what_is_inside_something_of_the_wrong_type_is_not_told() -> None:
    (problem,) = told(HEAD + "  schedulerName: {name: x}\n")
    assert "spec.schedulerName must be text, not a map" in problem


def test_a_label_is_told_once_whatever_is_wrong_with_it() -> None:
    (problem,) = told(HEAD.replace("  namespace: web", '  labels: {"a b": "c d"}'))
    assert '"c d" is not a valid label value' in problem


def test_metadata_that_no_schema_explains_is_told_with_the_servers_words() -> None:
    (problem,) = told(HEAD.replace("  namespace: web", "  creationTimestamp: yesterday"))
    assert problem.startswith(
        "p.yaml:3:1: PropagationPolicy frontend: json: cannot unmarshal string into Go struct field "
        "ObjectMeta.creationTimestamp"
    )


CUSTOMIZATION = """\
apiVersion: config.karmada.io/v1alpha1
kind: ResourceInterpreterCustomization
metadata: {name: widgets}
spec:
  target: {apiVersion: example.io/v1, kind: Widget}
  customizations:
    retention:
      luaScript: SCRIPT
"""


@pytest.mark.parametrize(
    ("script", "where"),
    [
        pytest.param(
            "|\n        function Retain(a, b)\n          x = = 1\n        end", "10:11", id="line-of-a-block"
        ),
        pytest.param('"x = = 1"', "8:7", id="field-of-a-line"),
    ],
)
def test_a_script_is_told_at_its_line(script: str, where: str) -> None:
    pytest.importorskip("lupa.lua51")
    (problem,) = told(CUSTOMIZATION.replace("SCRIPT", script))
    assert problem.startswith(
        f"p.yaml:{where}: ResourceInterpreterCustomization widgets: "
        "spec.customizations.retention.luaScript does not compile: line "
    )


def test_a_conflict_names_the_other_customization() -> None:
    text = CUSTOMIZATION.replace("SCRIPT", "x = 1")
    other = document(text.replace("widgets", "gadgets")).value
    assert isinstance(other, dict)
    _, (problem,) = admit(document(text), existing=[other])
    assert problem.what.endswith("the customization gadgets answers the same question")
    assert problem.why == "only one customization may answer Retain for a kind"


@pytest.mark.parametrize(
    ("value", "fix"),
    [
        pytest.param("c d", "write letters, digits, '-', '_' and '.', at most 63 characters", id="a-blank"),
        pytest.param(
            "${CLUSTER}",
            'for a value of each cluster annotate the policy with "krender.io/values: jinja2", '
            'and write "{{ cluster.metadata.name }}"',
            id="a-variable",
        ),
    ],
)
def test_a_label_that_is_meant_to_vary(value: str, fix: str) -> None:
    head = HEAD.replace("PropagationPolicy", "OverridePolicy").partition("spec:")[0]
    rule = f'overriders: {{labelsOverrider: [{{operator: add, value: {{on: "{value}"}}}}]}}'
    (problem,) = told(f"{head}spec:\n  overrideRules:\n  - {rule}\n")
    assert problem.endswith(f"\nfix: {fix}")


@pytest.mark.parametrize("word", ["}", "{", "{0}", "{field}"])
def test_braces_in_what_is_wrong_are_no_places_to_fill(word: str) -> None:
    script = f"function GetReplicas(obj) local x = {word} return x, nil end"
    (problem,) = told(f"""\
apiVersion: config.karmada.io/v1alpha1
kind: ResourceInterpreterCustomization
metadata: {{name: foo}}
spec:
  target: {{apiVersion: shop.example/v1, kind: Foo}}
  customizations: {{replicaResource: {{luaScript: "{script} ]"}}}}
""")
    assert "does not compile" in problem
