"""Real repositories for tests, whatever the user's own Git is set to."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from renderer.model.tree import Tree, walk


def isolate_git(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    """Give Git an empty home and no configuration."""
    for name in tuple(os.environ):
        if name.startswith("GIT_") or name == "EMAIL":
            monkeypatch.delenv(name)
    home.mkdir(exist_ok=True)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(home / ".gitconfig"))


def git(directory: Path, *arguments: str, given: str | None = None) -> str:
    """Run git and return what it prints."""
    done = subprocess.run(
        ["git", *arguments], cwd=directory, check=True, capture_output=True, text=True, input=given
    )
    return done.stdout.removesuffix("\n")


def new_repository(path: Path, *options: str) -> Path:
    """A repository with one commit on `main`."""
    path.mkdir(parents=True)
    git(path, "init", "-q", "-b", "main", *options)
    git(path, "config", "user.name", "Ada")
    git(path, "config", "user.email", "ada@example.com")
    (path / "policy.yaml").write_text("kind: Policy\n")
    git(path, "add", ".")
    commit(path, "First", 1_000_000_000)
    return path


def commit(path: Path, text: str, date: int) -> None:
    """Commit what is in the index, at a known time."""
    when = f"@{date} +0000"
    subprocess.run(
        ["git", "commit", "-q", "--allow-empty", "-m", text],
        cwd=path,
        check=True,
        env=os.environ | {"GIT_AUTHOR_DATE": when, "GIT_COMMITTER_DATE": when},
    )


def files_on(repository: Path, revision: str) -> dict[str, bytes]:
    """All files of a revision."""
    paths = [
        p
        for p in git(repository, "ls-tree", "--full-tree", "-r", "-z", "--name-only", revision).split("\0")
        if p
    ]
    return {
        path: subprocess.run(
            ["git", "cat-file", "blob", f"{revision}:{path}"], cwd=repository, check=True, capture_output=True
        ).stdout
        for path in paths
    }


def contents(tree: Tree) -> dict[str, bytes]:
    """All files of a tree."""
    return {path: blob.data for path, blob in walk(tree)}


def is_sound(repository: Path) -> bool:
    """Whether `git fsck` finds nothing wrong."""
    done = subprocess.run(
        ["git", "fsck", "--full", "--strict", "--no-dangling", "--no-progress"],
        cwd=repository,
        check=False,
        capture_output=True,
        text=True,
    )
    complaints = [line for line in done.stderr.splitlines() if not line.startswith("notice:")]
    return done.returncode == 0 and not done.stdout and not complaints
