"""Applications and Kustomizations that come, go and change are told as such, their files as a few lines."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from renderer.view.diff.markdown import diff_markdown
from renderer.view.diff.text import diff_text
from tests.delivery.argocd import fleet as argocd
from tests.delivery.flux import fleet as flux
from tests.view.diff.test_diff import facts, lines


@pytest.mark.parametrize(
    ("edit", "expected"),
    [
        pytest.param(
            lambda text: text.replace("name: north,", "name: polar, previousName: north,"),
            [
                "cluster north is called polar now",
                "1 KIND deleted: north",
                "1 KIND added: polar",
            ],
            id="another-name",
        ),
        pytest.param(
            lambda text: text.replace("wave: 2", "wave: 3"),
            ["NUMBER with another wave, 2 -> 3: NAMES"],
            id="another-wave",
        ),
        pytest.param(
            lambda text: text.replace(", paused: true", ""),
            ["1 KIND with another paused, true -> false: north"],
            id="no-pause-any-more",
        ),
    ],
)
@pytest.mark.parametrize("engine", ["argocd", "flux"])
def test_what_becomes_of_them_is_told(edit: Callable[[str], str], expected: list[str], engine: str) -> None:
    files = argocd.files() if engine == "argocd" else flux.files()
    words = {
        "KIND": "Application" if engine == "argocd" else "Kustomization",
        "NUMBER": "1 Application" if engine == "argocd" else "2 Kustomizations",
        "NAMES": "south" if engine == "argocd" else "hub, south",
    }
    for word, text in words.items():
        expected = [line.replace(word, text) for line in expected]
    told = lines(files, {**files, "clusters.yaml": edit(files["clusters.yaml"])})
    assert [line for line in told if not line.startswith(("files", "  "))][: len(expected)] == expected


def test_a_fleet_that_comes_is_a_line() -> None:
    number = 300
    fleet = "".join(f"  - {{name: c{index:03}, labels: {{stage: prod}}}}\n" for index in range(number))
    head = argocd.CLUSTERS.partition("  - ")[0]
    files = argocd.files("unit: namespace")
    found = facts(
        {**files, "clusters.yaml": head + "  - {name: c000}\n"}, {**files, "clusters.yaml": head + fleet}
    )
    told = diff_text(found)
    assert "899 Applications added: c000.cluster-scoped, c000.shop, c001.cluster-scoped and 896 more" in told
    assert "\n  added   delivery/argocd/parameters: 899 files\n" in told
    assert len(told.partition("\n\nfiles")[2].partition("\n\n")[0].splitlines()) < 10
    assert "899 Applications added" in diff_markdown(found)
