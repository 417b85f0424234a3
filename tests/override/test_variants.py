"""Manifests that are made together, with holes for values, are those that would be made one by one."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest

from renderer import pipeline
from renderer.document.file import SourceFile
from renderer.document.values import Object, Value
from renderer.layout.files import manifest_file
from renderer.load.workspace import load
from renderer.model.holes import Hole, LeakError, holes
from renderer.model.plan import Manifest, Plan
from renderer.model.tree import Filled, walk
from renderer.model.variants import Variant, VariedManifests
from renderer.override import targets

NAME = "{{ cluster.metadata.name }}"
NOTE = "{{ cluster.metadata.annotations.note }}"
NOTES = (
    "plain",
    "true",
    "1e3",
    "",
    " led by a space",
    "two\nlines\n",
    "ü: #",
    "krenderHole0z",
    "web:1",
    "None",
)

WEB: Object = {
    "apiVersion": "apps/v1",
    "kind": "Deployment",
    "metadata": {"name": "web", "namespace": "shop", "labels": {"app": "web"}},
    "spec": {
        "replicas": 2,
        "template": {
            "spec": {
                "containers": [
                    {"name": "a", "image": "web:1", "args": ["web:1"], "env": [{"name": "X", "value": "x"}]}
                ]
            }
        },
    },
}
SERVICE: Object = {
    "apiVersion": "v1",
    "kind": "Service",
    "metadata": {"name": "web", "namespace": "shop"},
    "spec": {"clusterIP": "10.0.0.1", "ports": [{"port": 80}]},
}
VOLUME: Object = {
    "apiVersion": "v1",
    "kind": "PersistentVolumeClaim",
    "metadata": {"name": "data", "namespace": "shop", "annotations": {"a": "b"}},
    "spec": {"accessModes": ["ReadWriteOnce"]},
}
LOOKALIKE: Object = {
    **WEB,
    "metadata": {"name": "web", "namespace": "shop", "labels": {"a": "krenderHole1z"}},
}


def plaintext(path: str, value: Value, operator: str = "add") -> Object:
    """Overriders that write a value."""
    return {"plaintext": [{"operator": operator, "path": path, "value": value}]}


def metadata(field: str, operator: str = "add", **values: Value) -> Object:
    """Overriders of labels or annotations."""
    return {field: [{"operator": operator, "value": values}]}


def workspace(template: Object, rules: Sequence[Object], kind: str, first: Sequence[Object] = ()) -> Plan:
    """A template on ten clusters, overridden by a templated policy, and before it by a plain one."""
    selected: Object = {"apiVersion": template["apiVersion"], "kind": template["kind"]}
    policies = [_policy("b-own", rules, selected, kind, jinja=True)]
    if first:
        policies.append(_policy("a-first", first, selected, kind, jinja=False))
    claim: Object = {
        "apiVersion": "policy.karmada.io/v1alpha1",
        "kind": "PropagationPolicy",
        "metadata": {"name": "all", "namespace": "shop"},
        "spec": {"resourceSelectors": [selected], "placement": {}},
    }
    clusters: list[Object] = [
        {
            "apiVersion": "cluster.karmada.io/v1alpha1",
            "kind": "Cluster",
            "metadata": {"name": f"c{number}", "annotations": {"note": note} if number != 3 else {}},
            "spec": {"syncMode": "Push", "region": f"r{number % 2}"},
            "status": {
                "apiEnablements": [
                    {
                        "groupVersion": template["apiVersion"],
                        "resources": [{"name": "any", "kind": template["kind"]}],
                    }
                ]
            },
        }
        for number, note in enumerate(NOTES)
    ]
    documents = (template, claim, *policies, *clusters)
    return pipeline.render(
        load([SourceFile(path=f"{n}.json", data=json.dumps(one).encode()) for n, one in enumerate(documents)])
    )


def _policy(name: str, rules: Sequence[Object], selected: Object, kind: str, *, jinja: bool) -> Object:
    about: dict[str, Value] = {"name": name}
    if kind == "OverridePolicy":
        about["namespace"] = "shop"
    if jinja:
        about["annotations"] = {"krender.io/values": "jinja2"}
    stated: list[Value] = [{"overriders": rule} for rule in rules]
    return {
        "apiVersion": "policy.karmada.io/v1alpha1",
        "kind": kind,
        "metadata": about,
        "spec": {"resourceSelectors": [selected], "overrideRules": stated},
    }


def facts(manifest: Manifest) -> tuple[object, ...]:
    """All there is to know of a manifest."""
    result = manifest.overridden
    assert result is not None
    return (
        manifest.clusters,
        manifest.identity,
        manifest.replicas,
        manifest.completions,
        manifest.body,
        manifest.problem,
        result.body,
        result.rules,
        [rule.overriders for rule in result.rules],
        result.steps,
        result.failure,
    )


CASES = [
    pytest.param(WEB, [metadata("labelsOverrider", store=NAME)], True, id="a-label"),
    pytest.param(
        WEB, [metadata("annotationsOverrider", note=NOTE)], True, id="texts-that-need-quotes-or-lines"
    ),
    pytest.param(
        WEB, [metadata("labelsOverrider", "replace", app=NAME, none=NAME)], True, id="a-replaced-label"
    ),
    pytest.param(WEB, [metadata("labelsOverrider", "remove", app=NAME)], True, id="a-removed-label"),
    pytest.param(
        WEB, [plaintext("/spec/x", {"a": [NOTE, NAME], "b": f"{NAME}-{NOTE}"})], True, id="in-a-value"
    ),
    pytest.param(
        WEB,
        [metadata("labelsOverrider", store=NAME), plaintext("/spec/x", NOTE), plaintext("/spec/y", "plain")],
        True,
        id="several-rules",
    ),
    pytest.param(
        WEB,
        [plaintext("/spec/x", NOTE), plaintext("/spec/x", "plain", "replace")],
        True,
        id="a-value-that-a-later-rule-overwrites",
    ),
    pytest.param(
        WEB,
        [plaintext("/spec/x", NOTE), {"plaintext": [{"operator": "remove", "path": "/spec/x"}]}],
        True,
        id="a-value-that-a-later-rule-removes",
    ),
    pytest.param(WEB, [plaintext("/spec/none/x", NOTE)], False, id="a-path-that-is-not-there"),
    pytest.param(WEB, [plaintext("/metadata/name", NAME, "replace")], False, id="a-name"),
    pytest.param(WEB, [plaintext("/metadata", {"name": NAME}, "replace")], False, id="a-name-in-a-map"),
    pytest.param(WEB, [plaintext("/kind", NAME, "replace")], False, id="a-kind"),
    pytest.param(
        WEB,
        [{"imageOverrider": [{"component": "Registry", "operator": "add", "value": f"{NAME}.example"}]}],
        False,
        id="an-image",
    ),
    pytest.param(
        WEB,
        [
            plaintext("/spec/template/spec/containers/0/image", NOTE, "replace"),
            {"imageOverrider": [{"component": "Tag", "operator": "replace", "value": "2"}]},
        ],
        False,
        id="an-image-that-a-later-rule-looks-at",
    ),
    pytest.param(
        WEB,
        [
            plaintext("/spec/template/spec/containers/0/args/0", NOTE, "replace"),
            {"argsOverrider": [{"containerName": "a", "operator": "remove", "value": ["web:1"]}]},
        ],
        False,
        id="words-that-a-later-rule-compares",
    ),
    pytest.param(
        WEB,
        [{"argsOverrider": [{"containerName": "a", "operator": "remove", "value": [NOTE]}]}],
        False,
        id="words-that-are-removed",
    ),
    pytest.param(
        SERVICE, [plaintext("/spec/clusterIP", NOTE, "replace")], False, id="what-a-kind-is-pruned-by"
    ),
    pytest.param(SERVICE, [metadata("labelsOverrider", store=NAME)], True, id="a-label-of-such-a-kind"),
    pytest.param(
        VOLUME,
        [
            {
                "annotationsOverrider": [
                    {"operator": "add", "value": {"volume.kubernetes.io/selected-node": NOTE}}
                ]
            }
        ],
        False,
        id="an-annotation-that-is-looked-at",
    ),
    pytest.param(LOOKALIKE, [metadata("labelsOverrider", store=NAME)], False, id="what-looks-like-a-hole"),
]


@pytest.mark.parametrize("kind", ["OverridePolicy", "ClusterOverridePolicy"])
@pytest.mark.parametrize(("template", "rules", "together"), CASES)
def test_made_together_or_apart_all_is_the_same(
    template: Object, rules: list[Object], together: bool, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = (metadata("labelsOverrider", first="yes"),)
    one = workspace(template, rules, kind, first)
    monkeypatch.setattr(targets, "with_holes", lambda *_: ())
    other = workspace(template, rules, kind, first)
    made, expected = one.renderings[0].manifests, other.renderings[0].manifests
    assert isinstance(made, VariedManifests) is (together and kind == "OverridePolicy")
    assert not isinstance(expected, VariedManifests)
    assert list(map(facts, made)) == list(map(facts, expected))
    assert [item.body and list(item.body) for item in made] == [
        item.body and list(item.body) for item in expected
    ]
    assert {path: blob.data for path, blob in walk(one.tree)} == {
        path: blob.data for path, blob in walk(other.tree)
    }
    assert one.tree.object_id("sha1") == other.tree.object_id("sha1")


def test_manifests_that_differ_in_values_are_a_sequence_of_manifests() -> None:
    made = workspace(WEB, [plaintext("/spec/x", NOTE)], "OverridePolicy").renderings[0].manifests
    assert len(made) == len(NOTES)  # the one without a note cannot be made
    assert [item.clusters for item in made] == [(f"c{number}",) for number in range(len(NOTES))]
    assert made[1] == next(iter(made[1:])) == [*made][1]
    assert made[3].problem is not None or made[3].body is None
    assert sum(isinstance(item, Variant) for item in made) == len(NOTES) - 1


def test_their_files_share_what_they_have_in_common() -> None:
    plan = workspace(WEB, [metadata("labelsOverrider", store=NAME)], "OverridePolicy")
    template = plan.renderings[0].template
    files = {
        path: blob for path, blob in walk(plan.tree) if "/deployment" in path and path.startswith("clusters/")
    }
    for item in plan.renderings[0].manifests:
        blob = files[f"clusters/{item.clusters[0]}/shop/deployment.apps.web.yaml"]
        assert isinstance(blob, Filled)
        assert item.body is not None
        assert blob.data == b"".join(blob.parts) == manifest_file(item.body, template).data


@pytest.mark.parametrize("value", [f"a{Hole(1)}", {Hole(1): "a"}, [{"a": [f"{Hole(1)}b"]}]])
def test_a_hole_that_was_made_something_of_is_noticed(value: Value) -> None:
    with pytest.raises(LeakError):
        list(holes(value))
