"""Publishers that are killed leave the old commit or the new one; publishers at once lose nothing.

With KRENDER_THOROUGH=1 in the environment many more are killed.
"""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import count
from pathlib import Path

from renderer.edge.git import GitRepository
from renderer.model.owned import OWNED_PATH
from renderer.model.published import Tip
from renderer.model.tree import EMPTY_TREE, Blob, Tree, placed, tree_of
from renderer.publish.message import Origin
from renderer.publish.publisher import publish
from tests.killing import THOROUGH, Killer, moments
from tests.repositories import contents, files_on, git, is_sound, new_repository

KILLS = 200 if THOROUGH else 50
PUBLISHERS = 20
ORIGIN = Origin(version="0.1.0", input_digest="d", date=1_700_000_000)


def state(number: int) -> Tree:
    """One of many states: most files differ from one to the next, some stay, some come and go."""
    return tree_of(
        {f"clusters/c{c}/ns/{n}.yaml": b"%d" % (number if n % 3 else 0) for c in range(10) for n in range(12)}
        | {f"clusters/only-{number}/x.yaml": b"x"}
    )


def put(path: str, number: str) -> None:
    """What the victim does."""
    with GitRepository(Path(path)) as repository:
        publish(repository, repository.tip(), state(int(number)), ORIGIN)


def on_branch(repository: Path) -> str:
    """The id of what lies on the branch."""
    return git(repository, "rev-parse", "rendered^{tree}")


def test_a_killed_publisher_leaves_the_old_or_the_new_commit(tmp_path: Path) -> None:
    repository = new_repository(tmp_path / "repository")
    untouched = git(repository, "status", "--porcelain=v2", "--branch")
    with Killer("tests.publish.test_kill:put") as killer:
        numbers = count(1)
        outcomes = [0, 0]
        for seed in range(KILLS // 10):
            # Measured again and again, because the machine is as busy as it is.
            duration = killer.run(str(repository), str(next(numbers)))
            for delay in moments(10, duration, seed):
                number, before = next(numbers), on_branch(repository)
                tip = git(repository, "rev-parse", "rendered")
                # Every other time git's own processes live on, as they do where krender alone is killed.
                killer.run(str(repository), str(number), after=delay, alone=bool(number % 2))
                moved = on_branch(repository) != before
                assert git(repository, "rev-parse", "rendered~" if moved else "rendered") == tip
                assert not moved or _is_state(repository, number)
                outcomes[moved] += 1
                _clear_locks(repository)
                assert not THOROUGH or is_sound(repository)
            assert is_sound(repository)
        assert all(outcomes), f"old and new state: {outcomes}; the moments were badly chosen"
        killer.run(str(repository), "0")
    assert _is_state(repository, 0)
    assert is_sound(repository)
    assert git(repository, "status", "--porcelain=v2", "--branch") == untouched
    assert not list((repository / ".git").glob("fast_import_crash_*"))
    refs = git(repository, "for-each-ref", "--format=%(refname)").split()
    assert refs == ["refs/heads/main", "refs/heads/rendered"]


def _is_state(repository: Path, number: int) -> bool:
    """Whether the branch holds exactly that state."""
    files = files_on(repository, "rendered")
    return files.pop(OWNED_PATH) is not None and files == contents(state(number))


def _clear_locks(repository: Path) -> None:
    """Remove the lock that a git leaves which is killed while it moves the branch; users are told to."""
    (repository / ".git/refs/heads/rendered.lock").unlink(missing_ok=True)


def add_own(path: str, name: str) -> None:
    """A publisher of its own cluster, on what lies there."""

    def plan(onto: Tip | None) -> Tree:
        clusters = onto.tree.child("clusters") if onto else None
        tree = Tree({"clusters": clusters or EMPTY_TREE})
        return placed(tree, f"clusters/{name}/x.yaml", Blob(name.encode()))

    with GitRepository(Path(path)) as repository:
        onto = repository.tip()
        publish(repository, onto, plan(onto), ORIGIN, plan_again=plan, tries=50)


def all_at_once(path: str, *names: str) -> None:
    """Start a publisher for each name, and print how each ended."""
    children = []
    for name in names:
        child = os.fork()
        if not child:
            add_own(path, name)
            os._exit(0)
        children.append(child)
    print(*(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children))


def test_publishers_at_once_lose_nothing(tmp_path: Path) -> None:
    repository = new_repository(tmp_path / "repository")
    script = "import sys; from tests.publish.test_kill import all_at_once; all_at_once(*sys.argv[1:])"
    names = [f"c{number}" for number in range(PUBLISHERS)]
    done = subprocess.run(
        [sys.executable, "-c", script, str(repository), *names], capture_output=True, text=True, check=False
    )
    assert done.stdout.split() == ["0"] * PUBLISHERS, done.stderr
    files = files_on(repository, "rendered")
    del files[OWNED_PATH]
    assert files == {f"clusters/{name}/x.yaml": name.encode() for name in names}
    assert git(repository, "rev-list", "--count", "rendered") == str(PUBLISHERS)
    for commit in git(repository, "rev-list", "rendered").split():
        assert git(repository, "rev-parse", f"{commit}^{{tree}}") in git(repository, "show", "-s", commit)
    assert is_sound(repository)
