"""`krender explain` on the command line: paths that open, JSON in one document, terminals, exit codes."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.workspaces import POLICY


class Terminal:
    """A standard output that is a terminal, and remembers what was written."""

    encoding = "utf-8"

    def __init__(self) -> None:
        self.text = ""

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> int:
        self.text += text
        return len(text)

    def flush(self) -> None:
        """Everything is there already."""


@pytest.mark.parametrize("where", ["inside", "above"])
def test_places_can_be_opened_from_where_the_user_stands(
    run: Run, shop: Path, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    inside = where == "inside"
    monkeypatch.chdir(shop if inside else shop.parent)
    ran = run("explain", "deploy/web", *(() if inside else ("shop",)))
    place = ran.out.splitlines()[0].partition("(")[2].rstrip(")")
    assert place == ("web.yaml:1:1" if inside else f"shop{os.sep}web.yaml:1:1")
    assert Path(place.partition(":")[0]).is_file()


def test_a_workspace_of_one_file(run: Run, shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = shop.parent / "all.yaml"
    one.write_text("---\n".join(path.read_text() for path in sorted(shop.glob("*.yaml"))), encoding="utf-8")
    monkeypatch.chdir(shop.parent)
    ran = run("explain", "deploy/web", "all.yaml")
    assert ran.out.startswith("Deployment shop/web  (all.yaml:")


def test_json_is_one_document(run: Run, shop: Path) -> None:
    document = json.loads(run("explain", "deploy/web", shop, "--format", "json").out)
    assert document["subject"] == "deploy/web"
    assert [item["cluster"] for item in document["objects"][0]["clusters"]] == ["east", "north", "west"]


def test_one_cluster_and_one_field(run: Run, shop: Path) -> None:
    ran = run("explain", "deploy/web", shop, "--cluster", "east", "--field", "spec.replicas")
    assert ran.out == (
        f"Deployment shop/web  /spec/replicas  ({shop}/web.yaml:1:1)\n\n"
        "east: 2\n"
        "  its share of the replicas: an equal share among 2\n"
        f"  over 4, from the template  ({shop}/web.yaml:5:3)\n"
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        pytest.param(["deploy/web", "--cluster", "eats"], "fix: ask for east", id="cluster"),
        pytest.param(["deploy/web", "--field", "spec.replica"], "fix: ask for spec.replicas", id="field"),
        pytest.param(["cluster/eats"], "fix: ask for cluster/east", id="subject"),
    ],
)
def test_a_typo_is_told_with_what_was_meant(run: Run, shop: Path, arguments: list[str], said: str) -> None:
    ran = run("explain", arguments[0], shop, *arguments[1:])
    assert (ran.code, ran.out) == (1, "")
    assert said in ran.err


@pytest.mark.parametrize("subject", ["web", "/web", "deployment/"])
def test_a_subject_has_a_kind_and_a_name(run: Run, shop: Path, subject: str) -> None:
    ran = run("explain", subject, shop)
    assert (ran.code, ran.out) == (2, "")
    assert "KIND/NAME" in ran.err


def test_what_was_left_out_is_said(run: Run, shop: Path) -> None:
    (shop / "policy.yaml").write_text(POLICY.replace("clusterAffinity", "clusterAfinity"), encoding="utf-8")
    ran = run("explain", "deploy/web", shop)
    assert "on 3 of 3 clusters" in ran.out, "the misspelt field, and nothing else, is absent"
    assert ran.err == (
        f"1 error in the workspace: what is refused counts as absent; `krender check {shop}` tells more\n"
    )


@pytest.mark.parametrize(
    ("variables", "coloured"),
    [
        pytest.param({}, True, id="in-colour"),
        pytest.param({"NO_COLOR": "1"}, False, id="NO_COLOR"),
        pytest.param({"TERM": "dumb"}, False, id="a-dumb-terminal"),
    ],
)
def test_a_terminal(
    run: Run, shop: Path, monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], *, coloured: bool
) -> None:
    for name in ("NO_COLOR", "TERM", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "60")
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    terminal = Terminal()
    monkeypatch.setattr(sys, "stdout", terminal)
    run("explain", "deploy/web", shop)
    assert ("\x1b[" in terminal.text) is coloured
    if not coloured:
        paths = [line for line in terminal.text.splitlines() if "/" in line and " " not in line.strip()]
        rest = [line for line in terminal.text.splitlines() if line not in paths]
        assert max(map(len, rest)) <= 60


def test_a_pipe_pays_for_no_table(run: Run, shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "rich.table", raising=False)
    run("explain", "deploy/web", shop)
    assert "rich.table" not in sys.modules
