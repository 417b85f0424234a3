"""A writer that is killed leaves the directory in the old state or the new one."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import pytest

from renderer.edge import workbench
from renderer.edge.directory import write_directory
from renderer.model.owned import OWNED_PATH, contents_of
from renderer.model.tree import Tree, tree_of, walk
from tests.killing import THOROUGH, Killer, moments

KILLS = 200 if THOROUGH else 50


def state(number: int) -> Tree:
    """One of many states: most files differ from one to the next, some stay, some come and go."""
    return tree_of(
        {f"clusters/c{c}/ns/{n}.yaml": b"%d" % (number if n % 3 else 0) for c in range(8) for n in range(8)}
        | {f"clusters/only-{number}/x.yaml": b"x"}
    )


def write(out: str, number: str, exchange: str) -> None:
    """What the victim does."""
    if exchange == "dance":
        workbench.exchange = lambda *_: False
    write_directory(Path(out), state(int(number)))


def on_disk(out: Path) -> dict[str, bytes]:
    """Everything below a directory."""
    return {p.relative_to(out).as_posix(): p.read_bytes() for p in out.rglob("*") if p.is_file()}


def expected(number: int) -> dict[str, bytes]:
    """Everything a state has on the disk."""
    files = {path: blob.data for path, blob in walk(state(number))}
    return files | {OWNED_PATH: contents_of(state(number)), "foreign": b"mine"}


def test_a_killed_write_leaves_the_old_or_the_new_state(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with Killer("tests.edge.test_kill:write") as killer:
        killer.run(str(out), "0", "exchange")
        (out / "foreign").write_bytes(b"mine")
        numbers = count(1)
        outcomes = [0, 0]
        for seed in range(KILLS // 10):
            current = next(numbers)
            # Measured again and again, because the machine is as busy as it is.
            duration = killer.run(str(out), str(current), "exchange")
            for delay in moments(10, duration, seed):
                number = next(numbers)
                killer.run(str(out), str(number), "exchange", after=delay)
                found = on_disk(out)
                assert found in (expected(current), expected(number))
                moved = found == expected(number)
                current = number if moved else current
                outcomes[moved] += 1
        assert all(outcomes), f"old and new state: {outcomes}; the moments were badly chosen"
        killer.run(str(out), "0", "exchange")
    assert on_disk(out) == expected(0)
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


@pytest.mark.parametrize("seed", [2])
def test_where_directories_cannot_be_exchanged_the_next_run_puts_it_right(tmp_path: Path, seed: int) -> None:
    out = tmp_path / "out"
    with Killer("tests.edge.test_kill:write") as killer:
        killer.run(str(out), "0", "dance")
        (out / "foreign").write_bytes(b"mine")
        duration = killer.run(str(out), "1", "dance")
        killer.run(str(out), "0", "dance")
        for number, delay in enumerate(moments(15, duration, seed), start=1):
            killer.run(str(out), str(number), "dance", after=delay)
            killer.run(str(out), str(number), "dance")
            assert on_disk(out) == expected(number)
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
