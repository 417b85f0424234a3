"""Single files are looked at on their own, with the settings that hold for them."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.workspaces import FLEET, POLICY, WEB

ELSEWHERE = POLICY.replace("{name: web, namespace: shop}", "{name: web}")
SELECTING = ELSEWHERE.replace("name: web}]", "name: web, namespace: shop}]")
MISSPELT = POLICY.replace("placement", "placment")


def written(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")


@pytest.mark.parametrize(
    ("files", "told"),
    [
        pytest.param({"a.yaml": POLICY, "b.yaml": FLEET, "c.yaml": WEB}, "", id="in-order"),
        pytest.param({"a.yaml": MISSPELT}, 'no field "placment"', id="a-field-that-is-none"),
        pytest.param({"a.yaml": FLEET.replace("north", "east")}, "east", id="two-clusters-of-one-name"),
        pytest.param({"a.json": '{"apiVersion": "policy.karmada.io/v1alpha1"}'}, "kind", id="json"),
        pytest.param({"a.yaml": "x: !!python/name:none\n"}, "", id="another-programs-file"),
        pytest.param({".hidden/a.yaml": MISSPELT, ".a.yaml": MISSPELT}, "", id="hidden"),
        pytest.param({"a.yaml": "# krender.io/\na: [\n"}, "a.yaml:2", id="no-yaml"),
    ],
)
def test_each_file_is_told_of(run: Run, tmp_path: Path, files: dict[str, str], told: str) -> None:
    root = tmp_path / "fleet"
    (root / ".git").mkdir(parents=True)
    written(root, files)
    found = run("validate", *(root / name for name in files))
    assert (found.code, bool(found.out)) == (1 if told else 0, bool(told)), found.out
    assert told in found.out


def test_settings_above_a_file_hold_for_it(run: Run, tmp_path: Path) -> None:
    settings = "apiVersion: krender.io/v1alpha1\nkind: Workspace\nspec: {defaultNamespace: shop}\n"
    written(
        tmp_path, {"with/krender.yaml": settings, "with/a/b.yaml": SELECTING, "without/b.yaml": SELECTING}
    )
    assert run("validate", tmp_path / "with/a/b.yaml", tmp_path / "with/krender.yaml").code == 0
    assert "not the policy's own namespace" in run("validate", tmp_path / "without/b.yaml").out


def test_what_is_left_out_of_a_workspace_is_passed_over(run: Run, tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    written(tmp_path, {"a/.krenderignore": "/old/\n", "a/old/b.yaml": MISSPELT, "a/new/b.yaml": MISSPELT})
    assert run("validate", tmp_path / "a/old/b.yaml").code == 0
    assert run("validate", tmp_path / "a/new/b.yaml").code == 1


def test_files_are_named_as_they_were_typed_whatever_the_batch(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(tmp_path, {"a.yaml": MISSPELT, "b.yaml": MISSPELT})
    monkeypatch.chdir(tmp_path)
    both = json.loads(run("validate", "a.yaml", "b.yaml", "a.yaml", "--format", "json").out)
    one, other = (json.loads(run("validate", name, "--format", "json").out) for name in ("a.yaml", "b.yaml"))
    assert both == [*one, *other]
    assert [problem["file"] for problem in both] == ["a.yaml", "b.yaml"]
    assert run("validate", "a.yaml", "--format", "github").out.startswith("::error file=a.yaml,line=6,col=3")
    assert run("validate").code == 0


def test_what_is_no_file_is_an_error_and_no_hang(run: Run, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.yaml")
    found = run("validate", tmp_path / "pipe.yaml", tmp_path / "nowhere.yaml")
    assert (found.code, found.out.count("[KR00")) == (1, 2)
    assert run("validate", tmp_path).code == 2
