"""Every leaf of every manifest and every (template, cluster) pair has an answer, and it is true.

Over all worked examples, and over the small workspaces of the golden tests.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import jsonschema
import pytest

from renderer.document.patch import ABSENT
from renderer.document.problem import InputError
from renderer.document.values import Object, Value, mapping, sequence, text
from renderer.edge.files import read_workspace
from renderer.load.schemas import schema_text
from renderer.load.workspace import load
from renderer.model.identity import Identity
from renderer.model.override_result import Step, same
from renderer.model.plan import Manifest, Plan, Rendering
from renderer.model.tree import Tree, walk
from renderer.pipeline import render
from renderer.schedule.previous import read_previous
from renderer.view.explain.answer import Question, answer, pages
from renderer.view.explain.facts import object_facts
from renderer.view.explain.field import field_facts
from renderer.view.explain.history import leaves, value_at
from renderer.view.explain.page import plain
from renderer.view.explain.reading import Policy, Reading
from renderer.view.redaction import is_secret, redacted

ROOT = Path(__file__).parents[2]
EXAMPLES = [path for path in sorted((ROOT / "policies").iterdir()) if path.is_dir()]
GOLDEN = [path.parent for path in sorted((ROOT / "tests" / "golden").glob("*/in"))]
WORKSPACES = {path.name: (path, None) for path in EXAMPLES} | {
    path.name: (path / "in", path / "before" if (path / "before").is_dir() else None) for path in GOLDEN
}


@cache
def planned(name: str) -> Plan | None:
    """The plan of a workspace; None where it cannot be one at all. The worked examples have a memory."""
    workspace, before = WORKSPACES[name]
    try:
        loaded = load(read_workspace(workspace), lenient=True)
    except InputError:
        return None
    if workspace in EXAMPLES:
        return render(loaded, read_previous(render(loaded).tree))
    published = render(load(read_workspace(before))).tree if before else Tree({})
    return render(loaded, read_previous(published))


def plan_of(name: str) -> Plan:
    plan = planned(name)
    if plan is None:
        pytest.skip("this workspace cannot be read, which is what it is for")
    return plan


def named(identity: Identity) -> str:
    """How to ask for an object and no other."""
    return f"{identity.kind}{'.' + identity.group if identity.group else ''}/{identity.name}"


@pytest.mark.parametrize("name", WORKSPACES)
def test_every_pair_has_an_answer(name: str) -> None:
    plan = plan_of(name)
    reading = Reading(plan)
    files = dict.fromkeys(path for path, _ in walk(plan.tree))
    told: dict[str, None] = {}
    for rendering in plan.renderings:
        answers = [mapping(item) for item in sequence(object_facts(reading, rendering).get("clusters"))]
        assert [item["cluster"] for item in answers] == [item.name for item in plan.workspace.clusters]
        targets = {cluster for manifest in rendering.manifests for cluster in manifest.clusters}
        for item in answers:
            assert sequence(item["because"]), (rendering.template.identity, item)
            assert all(map(text, sequence(item["because"])))
            if item["gets"]:
                assert item["file"] in files
                told[text(item["file"])] = None
            if "heldBack" not in item and "written to the same file" not in str(item["because"]):
                assert item["gets"] is (item["cluster"] in targets)
    frozen = {cluster.slug for cluster in plan.workspace.clusters if cluster.frozen}
    assert live(told, frozen) == live(files, frozen)


def live(paths: Iterable[str], frozen: set[str]) -> list[str]:
    """The manifests of clusters that follow what is decided."""
    return sorted(
        path
        for path in paths
        if path.startswith("clusters/")
        and not path.endswith(("/.keep", "/kustomization.yaml"))
        and path.split("/")[1] not in frozen
    )


@pytest.mark.parametrize("name", WORKSPACES)
def test_the_clusters_told_are_those_of_the_binding(name: str) -> None:
    plan = plan_of(name)
    known = {cluster.name for cluster in plan.workspace.clusters}
    for rendering in plan.renderings:
        if rendering.binding is None:
            continue
        facts = object_facts(Reading(plan), rendering)
        taken = {
            str(item["cluster"])
            for item in map(mapping, sequence(facts.get("clusters")))
            if item["gets"] or "heldBack" in item or "same file" in str(item["because"])
        }
        assert taken == {target.name for target in rendering.binding.target_clusters} & known


@pytest.mark.parametrize("name", WORKSPACES)
def test_every_leaf_has_an_answer(name: str) -> None:
    plan = plan_of(name)
    reading = Reading(plan)
    for rendering in plan.renderings:
        bodies = [item.body for item in rendering.manifests if item.body is not None]
        for pointer in dict.fromkeys(pointer for body in bodies for pointer in leaves(body)):
            (facts,) = field_facts(reading, [rendering], pointer)
            assert facts["field"] == pointer
            for cluster, found in by_cluster(facts):
                if found["gets"] and "heldBack" not in found:
                    check(reading, rendering, cluster, pointer, found)


def by_cluster(facts: Object) -> Iterator[tuple[str, Object]]:
    for group in map(mapping, sequence(facts["answers"])):
        for cluster in sequence(group["clusters"]):
            yield text(cluster), group


def check(reading: Reading, rendering: Rendering, cluster: str, pointer: str, found: Object) -> None:
    """The value is the manifest's, and who is said to have made it did."""
    (manifest,) = (item for item in rendering.manifests if cluster in item.clusters)
    value = value_at(manifest.body, pointer)
    hide = is_secret(rendering.template.identity)
    assert ("value" in found) is (value is not ABSENT)
    if value is ABSENT:
        return
    assert found["value"] == redacted(value, pointer, secret=hide)
    last = mapping(sequence(found["history"])[-1])
    if not last.get("inside"):
        assert last["value"] == found["value"]
    adapted = [item for item in manifest.adapted if f"{item.path}/".startswith(f"{pointer}/")]
    if adapted:
        assert last["kind"] == ("adapted" if adapted[-1].changed else "ignored")
        assert last["detail"] == adapted[-1].reason
        return
    steps = (
        [step for step in manifest.overridden.steps if touches(step, pointer)] if manifest.overridden else []
    )
    if steps:
        assert last["kind"] == "override"
        assert (last["rule"], last["overrider"]) == (str(steps[-1].rule), steps[-1].overrider)
        assert last["path"] == steps[-1].path
        return
    CHECKS[text(last["kind"])](reading, rendering, manifest, pointer, value)
    if last["kind"] == "template":
        assert last["source"] == reading.place(rendering.template.document, pointer)


def touches(step: Step, pointer: str) -> bool:
    """Whether a step changed what stands at a pointer; the examples insert at the end of lists only."""
    if not step.changed or not (pointer == step.path or pointer.startswith(f"{step.path}/")):
        return False
    below = pointer[len(step.path) :]
    before, after = (ABSENT if v is ABSENT else value_at(v, below) for v in (step.before, step.after))
    return step.sub_path is not None or not same(before, after)


def stated(rendering: Rendering, pointer: str) -> object:
    document = rendering.template.document
    assert document is not None
    return value_at(document.value, pointer)


def is_stated(_: Reading, rendering: Rendering, __: Manifest, pointer: str, value: Value) -> None:
    assert same(value, stated(rendering, pointer))  # type: ignore[arg-type]


def is_share(_: Reading, __: Rendering, manifest: Manifest, ___: str, value: Value) -> None:
    assert value == manifest.replicas


def is_completions(_: Reading, __: Rendering, manifest: Manifest, pointer: str, value: Value) -> None:
    assert (pointer, value) == ("/spec/completions", manifest.completions)


def is_default_namespace(
    reading: Reading, rendering: Rendering, _: Manifest, pointer: str, value: Value
) -> None:
    assert (pointer, value) == ("/metadata/namespace", reading.plan.workspace.config.default_namespace)
    assert stated(rendering, pointer) is ABSENT


CHECKS = {
    "template": is_stated,
    "replicas": is_share,
    "completions": is_completions,
    "namespace": is_default_namespace,
}


@pytest.mark.parametrize("name", WORKSPACES)
def test_every_explanation_fits_the_schema(name: str) -> None:
    plan = plan_of(name)
    schema = jsonschema.Draft202012Validator(json.loads(schema_text("explain")))
    for question in questions(plan):
        document = answer(plan, question, "somewhere")
        schema.validate(json.loads(json.dumps(document)))
        for page in pages(document):
            assert plain(page)


def questions(plan: Plan) -> Iterator[Question]:
    for rendering in plan.renderings:
        identity = rendering.template.identity
        yield Question(subject=named(identity), namespace=identity.namespace)
        yield Question(subject=named(identity), namespace=identity.namespace, field="/metadata")
    for cluster in plan.workspace.clusters:
        yield Question(subject=f"cluster/{cluster.name}")
    policies: list[Policy] = [*plan.workspace.propagation_policies, *plan.workspace.override_policies]
    for policy in policies:
        yield Question(subject=f"{policy.kind}/{policy.name}", namespace=policy.namespace)
    for refused in plan.workspace.refused:
        if refused.identity.kind.endswith("Policy") and refused.identity.name:
            yield Question(subject=f"policy/{refused.identity.name}")
