"""What the README shows is what the commands print."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from tests.cli.conftest import Run

ROOT = Path(__file__).parents[2]


def shown(command: str) -> str:
    """The output that the README shows below `$ <command>`."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    start = text.index(f"    $ {command}\n") + len(f"    $ {command}\n")
    lines = []
    for line in text[start:].split("\n"):
        if line and (not line.startswith("    ") or line.startswith("    $ ")):
            break
        lines.append(line)
    return textwrap.dedent("\n".join(lines)).strip("\n")


def test_the_explanation_is_what_krender_prints(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    command = "explain deployment/web -n demo policies/quickstart"
    # --fresh: a branch `rendered` of the reader's own clone would be remembered.
    printed = run(*command.split(), "--fresh").out
    assert [line.rstrip() for line in printed.strip("\n").split("\n")] == [
        line.rstrip() for line in shown(f"krender {command}").split("\n")
    ]
