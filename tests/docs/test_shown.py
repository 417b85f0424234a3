"""Every command that the documentation shows is typed, and prints what stands there.

`pytest --update` writes down what it prints.
"""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from renderer.cli.main import main
from tests.docs.shown import rewritten, shown
from tests.workspaces import FLEET

ROOT = Path(__file__).parents[2]
DOCUMENTS = [
    path
    for path in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
    if shown(path.read_text(encoding="utf-8"))
]

# The fleet of which the README shows a mistake.
MISTAKEN = """\
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata:
  name: web
  namespace: web
spec:
  resourceSelectors:
    - apiVersion: apps/v1
      kind: Deployment
  placement:
    clusterAfinity:
      clusterNames: [east]
"""

Type = Callable[[str], str]


@pytest.fixture
def typed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Type:
    """Type a command in a directory that has the worked examples, and give what it prints."""
    shutil.copytree(ROOT / "policies", tmp_path / "policies")
    (tmp_path / "my-fleet" / "policies").mkdir(parents=True)
    (tmp_path / "my-fleet" / "policies" / "web.yaml").write_text(MISTAKEN, encoding="utf-8")
    (tmp_path / "my-fleet" / "fleet.yaml").write_text(FLEET, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)

    def call(command: str) -> str:
        program, *arguments = shlex.split(command)
        if program == "diff":
            return subprocess.run([program, *arguments], capture_output=True, text=True, check=False).stdout
        assert program == "krender", f"no document should show {program}"
        monkeypatch.setattr(sys, "argv", [program, *arguments])
        with pytest.raises(SystemExit):
            main()
        printed = capsys.readouterr()
        return f"{printed.out}{printed.err}"

    return call


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_what_is_shown_is_what_is_printed(
    document: Path, typed: Type, request: pytest.FixtureRequest
) -> None:
    text = document.read_text(encoding="utf-8")
    if request.config.getoption("--update"):
        document.write_text(rewritten(text, typed), encoding="utf-8")
        return
    for item in shown(text):
        assert item.output == typed(item.command).rstrip(), f"$ {item.command}: --update writes it down"


def test_every_worked_example_is_explained() -> None:
    commands = [item.command for item in shown((ROOT / "docs" / "examples.md").read_text(encoding="utf-8"))]
    for example in sorted(path.name for path in (ROOT / "policies").iterdir() if path.is_dir()):
        assert any("explain" in command and f"policies/{example}" in command for command in commands)


BOTH = """\
text

    $ krender a
    one

    two
    $ krender b

```console
$ krender c
x

$ krender d
```
end
"""


def test_commands_are_found_in_fenced_and_in_indented_blocks() -> None:
    assert [(item.command, item.output) for item in shown(BOTH)] == [
        ("krender a", "one\n\ntwo"),
        ("krender b", ""),
        ("krender c", "x"),
        ("krender d", ""),
    ]


def test_what_is_rewritten_is_found_again() -> None:
    again = rewritten(BOTH, lambda command: f"{command} says\n\nhello\n")
    assert [(item.command, item.output) for item in shown(again)] == [
        (f"krender {name}", f"krender {name} says\n\nhello") for name in "abcd"
    ]
    assert (again.startswith("text\n\n"), again.endswith("```\nend\n")) == (True, True)
    assert rewritten(again, lambda command: f"{command} says\n\nhello\n") == again
