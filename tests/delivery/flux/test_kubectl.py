"""kubectl's Kustomize reads every directory that Flux applies as the objects that are planned."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
import yaml

from renderer.document.read import read_stream
from renderer.document.values import Value, dig, text
from renderer.edge.files import read_workspace
from renderer.load.workspace import load
from renderer.model.delivery import Delivery, FluxSettings, ServiceAccounts, UnitOf
from renderer.model.delivery_engine import Engine
from renderer.model.plan import Plan
from renderer.model.tree import EMPTY_TREE, Tree, walk
from renderer.pipeline import render
from tests.delivery.flux.fleet import WAYS, fleet
from tests.delivery.flux.flux import Flux
from tests.delivery.flux.test_files import tops

pytestmark = pytest.mark.skipif(shutil.which("kubectl") is None, reason="no kubectl on PATH")

EXAMPLES = sorted(path.name for path in (Path(__file__).parents[3] / "policies").iterdir() if path.is_dir())


@cache
def example(name: str, unit: UnitOf) -> Plan:
    """A worked example, delivered by Flux to all its clusters, with accounts."""
    read = load(read_workspace(Path(__file__).parents[3] / "policies" / name))
    stated = read.config.delivery
    flux = replace(stated.flux if stated.engine is Engine.FLUX else FluxSettings())
    delivery = Delivery(
        engine=Engine.FLUX,
        repo_url="https://git.example/fleet.git",
        unit=unit,
        flux=replace(flux, service_accounts=ServiceAccounts.ALL),
    )
    clusters = tuple(replace(cluster, engine=Engine.FLUX) for cluster in read.clusters)
    return render(replace(read, clusters=clusters, config=replace(read.config, delivery=delivery)))


@pytest.mark.parametrize("unit", UnitOf)
@pytest.mark.parametrize("name", EXAMPLES)
def test_every_directory_of_an_example_is_built_as_planned(name: str, unit: UnitOf, tmp_path: Path) -> None:
    plan = example(name, unit)
    assert plan.problems == ()
    assert agree(plan, tmp_path)


@pytest.mark.parametrize("way", ["all-by-accounts", "in-parts", "below-a-path"])
def test_every_directory_is_built_as_planned(way: str, tmp_path: Path) -> None:
    assert agree(fleet(*WAYS[way]), tmp_path, tops(way))


def agree(plan: Plan, directory: Path, top: str = "") -> int:
    """How many distinct directories there are; each is built by kubectl as by our reading of it."""
    flux = Flux(plan, top)
    below = f"./{top}/" if top else "./"
    paths = {text(dig(item.body, "spec", "path")).removeprefix(below): item.objects for item in flux.applied}
    distinct = {}
    for path, objects in paths.items():
        tree = plan.tree.at(path)
        assert isinstance(tree, Tree)
        distinct[tree.object_id("sha1")] = path, tree, objects
    for number, (path, tree, objects) in enumerate(distinct.values()):
        built = _built(tree, directory / str(number))
        assert sorted(built) == sorted(map(_exact, objects)), path
    return len(distinct)


def _built(tree: Tree, directory: Path) -> Iterator[str]:
    for path, blob in walk(tree):
        (directory / path).parent.mkdir(parents=True, exist_ok=True)
        (directory / path).write_bytes(blob.data)
    run = subprocess.run(["kubectl", "kustomize", str(directory)], capture_output=True, check=False)
    assert run.returncode == 0, run.stderr.decode()
    return (_exact(document.value) for document in read_stream(run.stdout, "built.yaml"))


def _exact(value: Value) -> str:
    return json.dumps(value, sort_keys=True)


def test_a_directory_without_objects_is_built_as_nothing(tmp_path: Path) -> None:
    node = fleet("unit: namespace", "  tenants: []\n").tree.at("delivery/flux/nothing")
    assert isinstance(node, Tree)
    assert node != EMPTY_TREE
    assert [*_built(node, tmp_path)] == []
    assert yaml.safe_load(dict(walk(node))["kustomization.yaml"].data)["resources"] == []
