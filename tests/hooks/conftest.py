"""A repository with a workspace and its rendered directory, and pre-commit installed in it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.repositories import git, isolate_git
from tests.workspaces import POLICY, SHOP, WEB

ROOT = Path(__file__).parents[2]
API = WEB.replace("name: web", "name: api").replace("app: web", "app: api")
SETTINGS = "apiVersion: krender.io/v1alpha1\nkind: Workspace\nspec: {output: {directory: ../rendered}}\n"


@dataclass(frozen=True, slots=True)
class Committed:
    """How a git command ended, and all that it said."""

    code: int
    said: str


@dataclass(frozen=True, slots=True)
class Shop:
    """The repository; its workspace is `fleet`, its result `rendered`; and where the hooks come from."""

    root: Path
    hooks: Path

    def write(self, path: str, text: str) -> None:
        """Make a file hold a text."""
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text, encoding="utf-8")

    def replace(self, path: str, old: str, new: str) -> None:
        """Edit a file."""
        text = (self.root / path).read_text(encoding="utf-8")
        assert old in text
        self.write(path, text.replace(old, new))

    def git(self, *arguments: str) -> str:
        """Run git, which must not fail."""
        return git(self.root, *arguments)

    def attempt(self, *line: str, directory: Path | None = None) -> Committed:
        """Run a command that may fail."""
        done = subprocess.run(line, cwd=directory or self.root, capture_output=True, text=True, check=False)
        return Committed(done.returncode, f"{done.stdout}{done.stderr}")

    def commit(self, *arguments: str) -> Committed:
        """Commit, with the hooks."""
        return self.attempt("git", "commit", "-q", "-m", "Change", *arguments)

    def shell(self, line: str) -> None:
        """Type what a message says."""
        done = self.attempt("sh", "-c", line)
        assert not done.code, done.said

    def install(self, *hooks: str) -> None:
        """Have the hooks run on every commit, with this krender instead of an installation of its own."""
        listed = "".join(f"  - id: {hook}\n    language: unsupported\n" + _ARGUMENTS[hook] for hook in hooks)
        rev = git(self.hooks, "rev-parse", "HEAD")
        self.write(
            ".pre-commit-config.yaml", f"repos:\n- repo: {self.hooks}\n  rev: {rev}\n  hooks:\n{listed}"
        )
        self.shell("pre-commit install && git add .pre-commit-config.yaml")
        self.git("commit", "-q", "--no-verify", "-m", "Hooks")


_ARGUMENTS = {
    "krender-check": "    args: [fleet]\n",
    "krender-render": "    args: [fleet]\n",
    "krender-validate": "",
}


@pytest.fixture(scope="session")
def once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where things are that all tests share: a repository of the hooks, pre-commit's clone of it, a shop."""
    return tmp_path_factory.mktemp("once")


@pytest.fixture
def shop(once: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shop:
    """The shop's workspace and what it renders to, committed."""
    isolate_git(monkeypatch, tmp_path / "home")
    for name in [name for name in os.environ if name.startswith("PRE_COMMIT")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PRE_COMMIT_HOME", str(once / "pre-commit"))
    monkeypatch.setenv("VIRTUALENV_NO_PERIODIC_UPDATE", "1")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    for role in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{role}_NAME", "Ada")
        monkeypatch.setenv(f"GIT_{role}_EMAIL", "ada@example.com")
    if not (once / "shop").exists():
        _make(once)
    shutil.copytree(once / "shop", tmp_path / "shop", symlinks=True)
    return Shop(tmp_path / "shop", once / "krender")


def _make(once: Path) -> None:
    hooks = once / "krender"
    hooks.mkdir()
    shutil.copy(ROOT / ".pre-commit-hooks.yaml", hooks)
    for line in ("init -q", "add .", "commit -q -m Hooks"):
        git(hooks, *line.split())
    shop = Shop(once / "shop", hooks)
    files = SHOP | {
        "api.yaml": API,
        "policy.yaml": POLICY.replace(", name: web", ""),
        "krender.yaml": SETTINGS,
    }
    for name, text in files.items():
        shop.write(f"fleet/{name}", text)
    shop.git("init", "-q", "-b", "main")
    shop.git("add", ".")
    shop.shell("krender render fleet --tracked && git add .")
    shop.git("commit", "-q", "-m", "Shop")
