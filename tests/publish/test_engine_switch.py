"""Who applies the manifests may change; no guard and no report takes that for a change of the objects."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

import pytest

from renderer.document.values import mapping, sequence
from renderer.model.places import KUSTOMIZATION, is_object
from renderer.model.tree import Tree, walk
from renderer.publish.changes import compare
from renderer.publish.guards.guards import stops
from renderer.publish.objects import objects_in
from renderer.schedule.previous import read_previous
from renderer.view.diff.facts import diff_facts
from renderer.view.diff.side import Side
from tests.publish.test_guards import base, situation
from tests.workspaces import plan

ENGINES = ("none", "flux", "none", "argocd", "flux", "none")


def delivered(engine: str, unit: str) -> Mapping[str, str]:
    """A workspace on two clusters, one of them paused, delivered by an engine."""
    config = (
        "apiVersion: krender.io/v1alpha1\nkind: Workspace\nspec:\n  delivery:\n"
        f"    engine: {engine}\n    unit: {unit}\n    repoURL: ssh://git@git.example/fleet.git\n"
    )
    return {**base(3, ("{name: a}", "{name: b, paused: true}", "{name: c}")), "krender.yaml": config}


@pytest.mark.parametrize("unit", ["cluster", "namespace"])
def test_switching_the_engine_deletes_no_object_and_stops_at_no_guard(unit: str) -> None:
    trees = [plan(delivered("none", unit)).tree]
    for engine in ENGINES[1:]:
        assert stops(situation(trees[-1], delivered(engine, unit))) == ()
        trees.append(plan(delivered(engine, unit), read_previous(trees[-1])).tree)
    for before, after in pairwise(trees):
        assert before != after
        assert objects_in(compare(before, after, "sha1")) == (0, 0, 0)
    assert trees[0]["clusters"] == trees[2]["clusters"]


@pytest.mark.parametrize("unit", ["cluster", "namespace"])
def test_a_difference_of_engines_tells_of_files_and_of_no_object(unit: str) -> None:
    first = plan(delivered("none", unit))
    second = plan(delivered("flux", unit), read_previous(first.tree))
    facts = diff_facts(Side(label="old", tree=first.tree), Side(label="new", tree=second.tree), "sha1")
    assert "objects" not in facts
    files = [mapping(item) for item in sequence(facts.get("files"))]
    assert {item["path"] for item in files} == {
        KUSTOMIZATION if unit == "cluster" else f"shop/{KUSTOMIZATION}"
    }


def test_a_directory_with_nothing_but_a_kustomization_has_no_object() -> None:
    tree = plan(delivered("flux", "namespace")).tree
    below = tree.at("clusters/a")
    assert isinstance(below, Tree)
    objects = [path for path, _ in walk(below) if is_object(path)]
    assert len(objects) == 3
    assert f"shop/{KUSTOMIZATION}" not in objects


def test_a_cluster_that_loses_its_last_object_is_emptied_whatever_lists_its_files() -> None:
    before = delivered("flux", "namespace")
    tree = plan(before).tree
    without = {name: text for name, text in before.items() if name != "maps.yaml"}
    found = stops(situation(tree, {**without, "maps.yaml": ""}))
    assert "emptied-clusters" in [stop.guard for stop in found]
