"""What is known of a workspace's repository."""

from __future__ import annotations

import subprocess
from pathlib import Path

from renderer.edge.surroundings import surroundings
from renderer.model.surroundings import UNKNOWN


def git(where: Path, *arguments: str) -> None:
    subprocess.run(["git", *arguments], cwd=where, check=True, capture_output=True)


def test_remotes_folder_branch_and_workflows(tmp_path: Path) -> None:
    shop = tmp_path / "apps" / "shop"
    workflows = tmp_path / ".github" / "workflows"
    for folder in (shop, workflows):
        folder.mkdir(parents=True)
    git(tmp_path, "init", "-q", "-b", "trunk")
    git(tmp_path, "remote", "add", "origin", "git@git.example:fleet.git")
    git(tmp_path, "remote", "add", "mirror", "https://mirror.example/fleet")
    (workflows / "b.yaml").write_text("on: push\n", encoding="utf-8")
    (workflows / "a.yml").write_text("on: [push]\n---\nmore: 1\n", encoding="utf-8")
    (workflows / "broken.yml").write_text("on: [\n", encoding="utf-8")
    (workflows / "large.yml").write_bytes(b"#" * ((1 << 20) + 1))
    (workflows / "folder.yml").mkdir()
    (workflows / "notes.txt").write_text("on: push\n", encoding="utf-8")
    found = surroundings(shop)
    assert found.addresses == ("git@git.example:fleet.git", "https://mirror.example/fleet")
    assert (found.folder, found.branch) == ("apps/shop", "trunk")
    assert [document.file for document in found.workflows] == [
        "../../.github/workflows/a.yml",
        "../../.github/workflows/b.yaml",
    ]
    assert found.from_top("./web.yaml") == "apps/shop/web.yaml"
    assert surroundings(shop / "missing.yaml").folder == "apps/shop", "a workspace may be one file"


def test_outside_of_a_repository_little_is_known(tmp_path: Path) -> None:
    assert surroundings(tmp_path) == UNKNOWN
