"""Running the command line in this process, as a user would see it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from renderer.cli.main import main
from tests.workspaces import SHOP

# An override that cannot be applied to the Deployment on east.
FAILING = """\
apiVersion: policy.karmada.io/v1alpha1
kind: OverridePolicy
metadata: {name: o, namespace: shop}
spec:
  overrideRules:
  - targetCluster: {clusterNames: [east]}
    overriders: {plaintext: [{path: /spec/no/where, operator: add, value: 1}]}
"""


@dataclass(frozen=True, slots=True)
class Ran:
    """What a command printed and how it ended."""

    code: int
    out: str
    err: str


Run = Callable[..., Ran]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Call `krender` with arguments."""

    def call(*arguments: object) -> Ran:
        monkeypatch.setattr(sys, "argv", ["krender", *map(str, arguments)])
        with pytest.raises(SystemExit) as leaving:
            main()
        printed = capsys.readouterr()
        code = leaving.value.code
        assert isinstance(code, int)
        return Ran(code, printed.out, printed.err)

    return call


@pytest.fixture(autouse=True)
def _own_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Git without the user's settings, and with a name to commit under."""
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    for role in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{role}_NAME", "Ada")
        monkeypatch.setenv(f"GIT_{role}_EMAIL", "ada@example.com")


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A workspace that renders without findings, in a Git repository."""
    root = tmp_path / "shop"
    root.mkdir()
    for name, text in SHOP.items():
        (root / name).write_text(text, encoding="utf-8")
    git(root, "init", "-q", "-b", "main")
    git(root, "add", ".")
    git(root, "commit", "-qm", "shop")
    return root


def git(where: Path, *arguments: str) -> str:
    """Run git; its output without the last newline."""
    done = subprocess.run(["git", *arguments], cwd=where, check=True, capture_output=True, text=True)
    return done.stdout.rstrip("\n")
