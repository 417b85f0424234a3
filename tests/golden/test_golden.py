"""Every case renders to its golden files, byte for byte.

A case is a workspace of `policies/` (the worked examples, whose output lies here under the same name) or
a directory `CASE/in` here, which was `CASE/before` when it was last published, if there is such a directory.
`pytest tests/golden --update` rewrites the golden files: read the diff.
"""

from __future__ import annotations

import shutil
from difflib import unified_diff
from pathlib import Path

import pytest

from renderer.edge.files import read_workspace
from renderer.load.workspace import load
from renderer.model.tree import walk
from renderer.pipeline import render
from renderer.schedule.previous import read_previous
from tests.golden.outcome import PROBLEMS, TREE, outcome, stored

HERE = Path(__file__).parent
EXAMPLES = {path.name: path for path in sorted((HERE.parents[1] / "policies").iterdir()) if path.is_dir()}
CASES = EXAMPLES | {path.parent.name: path for path in sorted(HERE.glob("*/in"))}


@pytest.mark.parametrize("case", CASES)
def test_case_renders_to_its_golden_files(case: str, request: pytest.FixtureRequest) -> None:
    before = HERE / case / "before"
    expected, got = stored(HERE / case), outcome(CASES[case], before if before.is_dir() else None)
    if request.config.getoption("--update"):
        _write(HERE / case, got)
        return
    difference = "\n".join(_difference(expected, got))
    if difference:
        pytest.fail(
            f"{case} differs from its golden files (--update rewrites them):\n{difference}", pytrace=False
        )


@pytest.mark.parametrize("example", EXAMPLES)
def test_worked_example_gives_no_problem(example: str) -> None:
    assert outcome(EXAMPLES[example]).get(PROBLEMS, b"").decode() == ""


@pytest.mark.parametrize("example", EXAMPLES)
def test_worked_example_rendered_again_is_the_same_at_any_time(example: str) -> None:
    workspace = load(read_workspace(EXAMPLES[example]))
    first = render(workspace, now="2026-01-10T07:00:00Z").tree
    again = render(workspace, read_previous(first), now="2031-05-01T12:00:00Z").tree
    assert dict(walk(again)) == dict(walk(first))


def test_no_golden_directory_is_left_without_its_case() -> None:
    directories = {path.name for path in HERE.iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert directories <= CASES.keys()


def _difference(expected: dict[str, bytes], got: dict[str, bytes]) -> list[str]:
    """Lines that tell what differs, file by file; none for equal files."""
    lines: list[str] = []
    for path in sorted(expected.keys() | got.keys()):
        old, new = expected.get(path), got.get(path)
        if old == new:
            continue
        names = (
            f"golden/{path}" if old is not None else "absent",
            f"got/{path}" if new is not None else "absent",
        )
        changed = list(unified_diff(_lines(old), _lines(new), *names, lineterm=""))
        lines += changed or [f"{path}: one of the two is an empty file"]
    return lines


def _lines(data: bytes | None) -> list[str]:
    """Lines as they can be shown: line ends stay visible where they differ from a plain newline."""
    text = (data or b"").decode("utf-8", "backslashreplace")
    lines = [line if line.isprintable() else repr(line)[1:-1] for line in text.split("\n")]
    return lines[:-1] if lines[-1] == "" else [*lines, "(no newline at the end)"]


def _write(golden: Path, files: dict[str, bytes]) -> None:
    shutil.rmtree(golden / TREE, ignore_errors=True)
    (golden / PROBLEMS).unlink(missing_ok=True)
    for path, data in files.items():
        target = golden / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
