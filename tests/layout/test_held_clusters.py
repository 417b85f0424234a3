"""Clusters whose files the layout holds back, or puts on record."""

from __future__ import annotations

from renderer.schedule.previous import read_previous
from tests.workspaces import FLEET, SHOP, WEB, files_of, plan


def shop(east: str) -> dict[str, str]:
    """The shop with more said about the cluster east."""
    return {**SHOP, "fleet.yaml": FLEET.replace("name: east", f"name: east, {east}")}


def below(files: dict[str, str], cluster: str) -> dict[str, str]:
    """The files of one cluster."""
    start = f"clusters/{cluster}/"
    return {path.removeprefix(start): text for path, text in files.items() if path.startswith(start)}


def test_a_frozen_cluster_stays_as_published() -> None:
    published = plan(SHOP)
    thawed = {**shop("frozen: true"), "web.yaml": WEB.replace("web:1.2", "web:1.3")}
    after = files_of(plan(thawed, read_previous(published.tree)))
    assert below(after, "east") == below(files_of(published), "east")
    assert below(after, "north") != below(files_of(published), "north")


def test_a_frozen_cluster_without_anything_published_gets_nothing() -> None:
    assert list(below(files_of(plan(shop("frozen: true"))), "east")) == [".keep"]


def test_protected_clusters_are_on_record() -> None:
    assert files_of(plan(shop("protected: true")))[".krender/protected.txt"] == "east\n"
    assert ".krender/protected.txt" not in files_of(plan(SHOP))
