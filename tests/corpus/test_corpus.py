"""Real manifests in, thirty clusters out: nothing is lost, and every reader reads what was meant."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from renderer.document.file import SourceFile
from renderer.document.problem import Severity
from renderer.document.read import read_stream
from renderer.document.values import Value, mapping, sequence, text
from renderer.load.workspace import load
from renderer.model.plan import Plan, Standing
from renderer.model.tree import Tree, walk
from renderer.pipeline import render
from tests.corpus.fleet import ABSENT, CLUSTERS, CORPUS, DEFINITION, HUB, workspaces

pytestmark = pytest.mark.skipif(not CORPUS.is_dir(), reason=ABSENT)


class Yaml11(yaml.CSafeLoader):
    """PyYAML, except that it takes a bare `=` for text as everybody else does."""


Yaml11.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:value"]
    for first, resolvers in yaml.CSafeLoader.yaml_implicit_resolvers.items()
}


@pytest.fixture(scope="module")
def inputs() -> tuple[tuple[SourceFile, ...], ...]:
    return workspaces()


@pytest.fixture(scope="module")
def plans(inputs: tuple[tuple[SourceFile, ...], ...]) -> tuple[Plan, ...]:
    return tuple(render(load(files)) for files in inputs)


def test_every_document_is_read(inputs: tuple[tuple[SourceFile, ...], ...], plans: tuple[Plan, ...]) -> None:
    # Names and kinds alone: PyYAML reads some values otherwise than Kubernetes does.
    written = Counter(named for files in inputs for file in files for named in _kinds_and_names(file.data))
    clusters = Counter(("Cluster", name) for _ in inputs for name in CLUSTERS)
    written -= Counter({("ClusterInventory", "fleet"): len(inputs)})
    assert Counter(_read(plans)) == written + clusters
    assert {
        file.path for files in inputs for file in files if not file.path.startswith("fleet/")
    } == _corpus_files()


def test_real_manifests_render_without_error(plans: tuple[Plan, ...]) -> None:
    told = [problem for plan in plans for problem in (*plan.workspace.problems, *plan.problems)]
    failed = [
        manifest.problem
        for plan in plans
        for r in plan.renderings
        for manifest in r.manifests
        if manifest.problem
    ]
    assert [problem for problem in told if problem.severity is Severity.ERROR] == []
    assert failed == []
    assert [rendering.error for plan in plans for rendering in plan.renderings if rendering.error] == []


def test_what_a_cluster_wide_policy_claims_reaches_its_clusters(plans: tuple[Plan, ...]) -> None:
    for plan in plans:
        for rendering in plan.renderings:
            if rendering.standing is not Standing.PLACED or rendering.claim.policy is None:
                continue
            if rendering.claim.policy.name not in ("everything", "definitions"):
                continue
            identity = rendering.template.identity
            wanted = (
                (HUB,) if (identity.api_version, identity.kind) == DEFINITION else tuple(sorted(CLUSTERS))
            )
            reached = sorted(name for manifest in rendering.manifests for name in manifest.clusters)
            assert tuple(reached) == wanted, str(identity)


def test_every_file_is_read_alike_by_krender_and_pyyaml(plans: tuple[Plan, ...]) -> None:
    for data in {
        blob.data: None for plan in plans for path, blob in walk(plan.tree) if path.endswith(".yaml")
    }:
        (document,) = read_stream(data, "emitted.yaml")
        assert _exact(document.value) == _exact(yaml.load(data, yaml.CSafeLoader))


@pytest.mark.skipif(shutil.which("kubectl") is None, reason="no kubectl on PATH")
def test_kustomize_reads_each_cluster_directory_as_the_same_objects(
    plans: tuple[Plan, ...], tmp_path: Path
) -> None:
    clusters = [node for plan in plans for node in _cluster_trees(plan) if any(_manifests(node))]
    distinct = {node.object_id("sha1"): node for node in clusters}
    for number, tree in enumerate(distinct.values()):
        directory = tmp_path / str(number)
        _written(tree, directory)
        run = subprocess.run(["kubectl", "kustomize", str(directory)], capture_output=True, check=False)
        assert run.returncode == 0, run.stderr.decode()
        built = [_exact(document.value) for document in read_stream(run.stdout, "built.yaml")]
        assert sorted(built) == sorted(_exact(_value(data)) for _, data in _manifests(tree))


def _corpus_files() -> set[str]:
    forms = (path for form in ("*.yaml", "*.yml", "*.json") for path in CORPUS.rglob(form))
    return {path.relative_to(CORPUS).as_posix() for path in forms}


def _read(plans: tuple[Plan, ...]) -> Iterator[tuple[str, str]]:
    for plan in plans:
        workspace = plan.workspace
        yield from ((template.identity.kind, template.identity.name) for template in workspace.templates)
        yield from ((policy.kind, policy.name) for policy in workspace.propagation_policies)
        yield from ((policy.kind, policy.name) for policy in workspace.override_policies)
        yield from (("Cluster", cluster.name) for cluster in workspace.clusters)


def _kinds_and_names(data: bytes) -> Iterator[tuple[str, str]]:
    for document in yaml.load_all(data, Yaml11):
        body = mapping(document)
        is_list = text(body.get("kind")).endswith("List")
        for item in map(mapping, sequence(body.get("items")) if is_list else (body,)):
            if item:
                yield text(item.get("kind")), text(mapping(item.get("metadata")).get("name"))


def _exact(value: Value) -> str:
    """Text that is equal only for equal values of equal types."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


def _cluster_trees(plan: Plan) -> Iterator[Tree]:
    clusters = plan.tree["clusters"]
    assert isinstance(clusters, Tree)
    yield from (node for node in clusters.values() if isinstance(node, Tree))


def _manifests(tree: Tree) -> Iterator[tuple[str, bytes]]:
    for path, blob in walk(tree):
        if path.endswith(".yaml") and path != "kustomization.yaml":
            yield path, blob.data


def _value(data: bytes) -> Value:
    (document,) = read_stream(data, "emitted.yaml")
    return document.value


def _written(tree: Tree, directory: Path) -> None:
    for path, data in _manifests(tree):
        target = directory / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    resources = "".join(f"- {path}\n" for path, _ in _manifests(tree))
    (directory / "kustomization.yaml").write_text(f"resources:\n{resources}")
