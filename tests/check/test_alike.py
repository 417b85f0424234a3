"""Findings about manifests that are looked at as one are those that each of them would give."""

from __future__ import annotations

from dataclasses import replace

import pytest

from renderer.check.rules import FAMILIES, all_findings
from renderer.document.values import Object, Value
from renderer.model.plan import Plan
from renderer.model.tree import tree_of, walk
from renderer.model.variants import VariedManifests, alike, settled
from renderer.schedule.previous import read_previous
from tests.override.test_variants import NAME, NOTE, WEB, metadata, plaintext, workspace

POD = "/spec/template/spec/containers/0"
ENV = f"{POD}/env"
CHOOSY: Object = {
    **WEB,
    "metadata": {
        "name": "web",
        "namespace": "shop",
        "labels": {"resourcetemplate.karmada.io/retain-replicas": "true"},
        "annotations": {"helm.sh/hook": "pre-install", "config.kubernetes.io/local-config": "true"},
    },
    "spec": {
        "selector": {"matchLabels": {"app": "plain"}},
        "template": {
            "metadata": {"labels": {"app": "plain"}},
            "spec": {
                "containers": [{"name": "a", "image": "web:1", "env": [{"name": "X", "value": "plain"}]}]
            },
        },
    },
}
OTHER = metadata("labelsOverrider", team="plain")


def entry(name: str) -> Value:
    """An environment variable."""
    return {"name": name, "value": "x"}


CASES = [
    pytest.param([plaintext(f"{ENV}/0/value", NOTE, "replace")], True, id="one-value-is-as-it-was"),
    pytest.param(
        [plaintext(f"{ENV}/-", entry(NOTE)), plaintext(f"{ENV}/-", entry(NAME))], True, id="entries"
    ),
    pytest.param(
        [plaintext(f"{ENV}/-", entry("X")), metadata("labelsOverrider", a=NOTE)], True, id="an-entry"
    ),
    pytest.param([plaintext("/spec/selector/matchLabels/app", NOTE, "replace")], True, id="a-selector"),
    pytest.param([plaintext("/spec/template/metadata/labels/app", NOTE, "replace")], True, id="pod-labels"),
    pytest.param([plaintext("/spec/replicas", NOTE)], True, id="replicas"),
    pytest.param([plaintext(f"{POD}/resources", {"limits": {"cpu": NOTE}})], True, id="quantities"),
    pytest.param([plaintext("/spec/nothing", NOTE)], True, id="a-field-nobody-knows"),
    pytest.param([plaintext("/metadata/annotations", {"a": NOTE}, "replace")], True, id="a-map-replaced"),
    pytest.param(
        [OTHER, metadata("labelsOverrider", team=NOTE), metadata("labelsOverrider", team=NAME)],
        True,
        id="values-that-are-undone",
    ),
    pytest.param(
        [metadata("labelsOverrider", team=NOTE), OTHER], True, id="a-value-that-a-plain-text-may-equal"
    ),
    pytest.param(
        [metadata("annotationsOverrider", **{"argocd.argoproj.io/tracking-id": NOTE})], True, id="a-mark"
    ),
]


@pytest.mark.parametrize(("rules", "together"), CASES)
@pytest.mark.parametrize("first", [(), (OTHER,)], ids=["alone", "after-another"])
def test_together_and_apart_the_same_is_found(
    rules: list[Object], together: bool, first: tuple[Object, ...]
) -> None:
    made = workspace(CHOOSY, rules, "OverridePolicy", first)
    assert isinstance(made.renderings[0].manifests, VariedManifests) is together
    published = workspace(
        CHOOSY, [plaintext("/spec/selector/matchLabels/app", "other", "replace")], "OverridePolicy"
    )
    for plan in (made, replace(made, previous=read_previous(published.tree))):
        each = _apart(plan)
        assert [(family.__name__, *family(plan)) for family in FAMILIES] == [
            (family.__name__, *family(each)) for family in FAMILIES
        ]
        assert all_findings(plan)


def test_manifests_are_alike_where_values_equal_the_same_texts() -> None:
    made = workspace(CHOOSY, [plaintext(f"{ENV}/0/value", NOTE, "replace")], "OverridePolicy")
    manifests = made.renderings[0].manifests
    assert [item.clusters for item in alike(manifests) if item.problem is None] == [
        ("c0",),  # its note is what stood there
        tuple(f"c{number}" for number in (1, 2, 4, 5, 6, 8, 9)),
        ("c7",),  # its note looks like a hole
    ]
    assert len(alike(manifests, lambda _, path: path[-1] == "value")) == len(manifests)
    assert len(alike(manifests, lambda _, path: path[-1] == "name")) < len(manifests)


def _apart(plan: Plan) -> Plan:
    """The same plan with each manifest made by itself."""
    return replace(
        plan,
        renderings=tuple(
            replace(item, manifests=tuple(map(settled, item.manifests))) for item in plan.renderings
        ),
    )


def test_the_one_cluster_on_which_a_fixed_field_changes_is_found() -> None:
    made = workspace(CHOOSY, [], "OverridePolicy")
    files = {path: blob.data for path, blob in walk(made.tree)}
    changed = files["clusters/c7/shop/deployment.apps.web.yaml"].replace(b"app: plain", b"app: old")
    published = tree_of({**files, "clusters/c7/shop/deployment.apps.web.yaml": changed})
    found = all_findings(replace(made, previous=read_previous(published)))
    assert [item.rule for item in found if item.rule == "KR506"] == ["KR506"]
