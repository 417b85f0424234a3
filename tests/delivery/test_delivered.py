"""Which Applications and Kustomizations come, go and change, by what two published trees say of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import pytest

from renderer.delivery.delivered import unit_changes
from renderer.model.differences import by_id
from renderer.model.plan import Plan
from renderer.model.tree import EMPTY_TREE, Tree
from renderer.schedule.previous import read_previous
from tests.delivery.argocd import fleet as argocd
from tests.delivery.flux import fleet as flux
from tests.workspaces import plan

Fleet = Callable[..., Mapping[str, str]]

LOST: Final = "  - {name: south, wave: 2}\n"
PAUSED: Final = "wave: 1, paused: true"


def told(old: Tree, new: Tree) -> dict[str, str]:
    """What becomes of each unit, in a word or by its fields."""
    found = {}
    for unit in unit_changes(old, new, by_id("sha1")):
        fields = ", ".join(f"{name} {before} -> {after}" for name, before, after in unit.fields)
        word = (
            "comes" if not unit.before else "goes" if not unit.after else "moves" if unit.moved else "stays"
        )
        found[unit.name] = f"{word}: {fields}" if fields else word
    return found


def changed(files: Mapping[str, str], **edited: Callable[[str], str]) -> dict[str, str]:
    """What becomes of the units when files of the workspace are edited."""
    before = plan(files)
    texts = {f"{name}.yaml": edit(files[f"{name}.yaml"]) for name, edit in edited.items()}
    return told(before.tree, plan({**files, **texts}, read_previous(before.tree)).tree)


def test_all_come_at_first_and_none_changes_after_that() -> None:
    result: Plan = plan(argocd.files())
    names = [unit.name for unit in result.units]
    assert told(EMPTY_TREE, result.tree) == dict.fromkeys(sorted(names), "comes")
    assert told(result.tree, result.tree) == {}


@pytest.mark.parametrize(
    "files", [pytest.param(argocd.files, id="argocd"), pytest.param(flux.files, id="flux")]
)
@pytest.mark.parametrize(
    ("edit", "expected"),
    [
        pytest.param(
            lambda text: text.replace("name: north,", "name: polar, previousName: north,"),
            {"north": "goes", "polar": "comes"},
            id="a-cluster-gets-another-name",
        ),
        pytest.param(
            lambda text: text.replace(PAUSED, "wave: 3"),
            {"north": "stays: wave 1 -> 3, paused True -> False"},
            id="a-cluster-goes-on-later",
        ),
        pytest.param(
            lambda text: text.replace("name: west, syncMode: Pull", "name: west, server: 'https://w'"),
            {"west": "moves: syncMode Pull -> Push"},
            id="a-hub-takes-over",
        ),
        pytest.param(
            lambda text: text.replace("name: north,", "name: north, engine: none,"),
            {"north": "goes"},
            id="nobody-applies-it-any-more",
        ),
    ],
)
def test_what_becomes_of_units(files: Fleet, edit: Callable[[str], str], expected: Mapping[str, str]) -> None:
    found = changed(files(), clusters=edit)
    assert {name: word.replace("server  -> https://w, ", "") for name, word in found.items()} == expected


def test_another_prefix_is_another_application() -> None:
    found = changed(argocd.files(), krender=lambda text: text.replace("engine:", "prefix: p-, engine:"))
    assert found["east"] == "goes"
    assert found["p-east"] == "comes"


def test_what_a_generator_makes_is_another_application_than_one_that_is_written_down() -> None:
    found = changed(
        argocd.files("argocd: {generator: applications}"),
        krender=lambda text: text.replace("generator: applications", "generator: files"),
    )
    assert found["east"] == "moves"
    assert "west" not in found
