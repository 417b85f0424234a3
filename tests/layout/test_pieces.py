"""Which clusters get which files: what is shared, what stays, and who comes first."""

from __future__ import annotations

from renderer.document.problem import Problem
from renderer.document.values import Object
from renderer.layout.paths import manifest_paths
from renderer.layout.pieces import Directory, directories
from renderer.model.claim import Claim, Outcome
from renderer.model.identity import Identity
from renderer.model.plan import Manifest, Rendering, Standing
from renderer.model.template import Template
from renderer.model.tree import EMPTY_TREE, Tree, tree_of, walk

OLD = tree_of({"shop/configmap.a.yaml": b"old a\n", "shop/configmap.b.yaml": b"old b\n"})


def config(name: str) -> Identity:
    """A ConfigMap of namespace shop."""
    return Identity("v1", "ConfigMap", "shop", name)


def body(name: str, value: str) -> Object:
    """The object with a value."""
    metadata: Object = {"name": name, "namespace": "shop"}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": {"v": value}}


def rendering(
    template: str,
    clusters: dict[tuple[str, ...], str],
    *,
    name: str = "",
    suspended: tuple[str, ...] = (),
    leaving: tuple[str, ...] = (),
) -> Rendering:
    """A template whose manifests have a value each; `name` is what overrides call the object."""
    identity = config(name or template)
    origin = Template(identity=config(template), body=body(template, ""))
    return Rendering(
        template=origin,
        claim=Claim(template=origin, outcome=Outcome.CLAIMED),
        standing=Standing.PLACED,
        manifests=tuple(
            Manifest(clusters=names, identity=identity, body=body(identity.name, value))
            for names, value in clusters.items()
        ),
        suspended=suspended,
        leaving=(Manifest(clusters=leaving, identity=identity),) if leaving else (),
    )


def laid(*renderings: Rendering) -> tuple[dict[str, Directory], tuple[Problem, ...]]:
    """What each cluster gets, and the problems."""
    identities = [item.identity for one in renderings for item in (*one.manifests, *one.leaving)]
    found, problems = directories(renderings, manifest_paths(dict.fromkeys(identities)))
    return dict(found), problems


def texts(tree: Tree) -> dict[str, str]:
    """File name -> its value, or the text where it is no manifest."""
    return {path: blob.data.decode().split("v: ")[-1].strip('"\n') for path, blob in walk(tree)}


A, B = "shop/configmap.a.yaml", "shop/configmap.b.yaml"


def test_clusters_that_get_the_same_share_one_directory() -> None:
    found, _ = laid(
        rendering("a", {("east", "north"): "x", ("west",): "y"}),
        rendering("b", {("east", "north", "west"): "z"}),
    )
    east, north, west = (found[name].on(EMPTY_TREE) for name in ("east", "north", "west"))
    assert east is north
    assert (texts(east), texts(west)) == ({A: "x", B: "z"}, {A: "y", B: "z"})


def test_what_is_suspended_stays_on_these_clusters_alone() -> None:
    found, _ = laid(
        rendering("a", {("east", "west"): "x"}, suspended=("east",)), rendering("b", {("east",): "y"})
    )
    assert texts(found["east"].on(OLD)) == {A: "old a", B: "y"}
    assert texts(found["east"].on(EMPTY_TREE)) == {B: "y"}
    assert texts(found["west"].on(OLD)) == {A: "x"}


def test_a_template_held_back_on_all_its_clusters_holds_back_no_other() -> None:
    found, _ = laid(
        rendering("a", {("east", "west"): "x"}, suspended=("east", "west")),
        rendering("b", {("east", "west"): "y"}),
    )
    assert texts(found["west"].on(OLD)) == {A: "old a", B: "y"}
    assert found["west"].on(OLD) is found["east"].on(OLD)


def test_the_first_template_gets_a_path_that_two_want_and_one_problem_tells_all_clusters() -> None:
    found, problems = laid(
        rendering("a", {("east",): "x", ("north",): "y"}),
        rendering("b", {("east", "west"): "z", ("north",): "w"}, name="a"),
    )
    assert {name: texts(item.on(EMPTY_TREE)) for name, item in found.items()} == {
        "east": {A: "x"},
        "north": {A: "y"},
        "west": {A: "z"},
    }
    assert [problem.what for problem in problems] == [
        "ConfigMap shop/b and ConfigMap shop/a are both ConfigMap shop/a on east and 1 more"
    ]


def test_what_is_leaving_gives_way_to_what_is_new() -> None:
    found, problems = laid(
        rendering("a", {("east",): "x"}, leaving=("west", "north")),
        rendering("b", {("west",): "y"}, name="a"),
    )
    assert texts(found["north"].on(OLD)) == {A: "old a"}
    assert texts(found["west"].on(OLD)) == {A: "y"}
    assert problems == ()
