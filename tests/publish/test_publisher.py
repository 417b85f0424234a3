"""Publishing to real repositories."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import pytest

from renderer.edge.errors import OutsideError, StoppedError
from renderer.edge.git import GitRepository
from renderer.edge.place import source_of
from renderer.model.owned import OWNED_PATH
from renderer.model.published import Tip
from renderer.model.tree import EMPTY_TREE, Blob, Tree, placed, tree_of
from renderer.publish.changes import Changes
from renderer.publish.message import Origin
from renderer.publish.publisher import Proposal, Published, propose, publish
from renderer.publish.trailers import trailers
from tests.repositories import commit, contents, files_on, git, is_sound, new_repository

ONE = tree_of({"clusters/a/x": b"1", "clusters/b/x": b"1"})
TWO = tree_of({"clusters/a/x": b"2", "clusters/c/x": b"1"})
ORIGIN = Origin(version="0.1.0", input_digest="d", date=1_700_000_000)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    return new_repository(tmp_path / "repository")


def run(path: Path, tree: Tree, *, adopt: bool = False, origin: Origin = ORIGIN) -> Published:
    """Publish as a command does."""
    with GitRepository(path) as opened:
        return publish(opened, opened.tip(), tree, origin, adopt=adopt)


def rendered(path: Path) -> dict[str, bytes]:
    """What the branch holds but the record."""
    files = files_on(path, "rendered")
    del files[OWNED_PATH]
    return files


def test_publishing_twice_makes_one_commit(repository: Path) -> None:
    first = run(repository, ONE)
    again = run(repository, ONE)
    assert first.commit is not None
    assert again.commit is None
    assert again.changes == Changes()
    assert git(repository, "rev-list", "rendered").split() == [first.commit]
    assert rendered(repository) == contents(ONE)


def test_the_same_history_has_the_same_ids_everywhere(tmp_path: Path) -> None:
    commits = []
    for name in ("one", "two"):
        path = new_repository(tmp_path / name)
        source = source_of(path)
        assert source is not None
        origin = Origin(version="0.1.0", input_digest="d", date=source.date, source=source)
        commits.append([run(path, tree, origin=origin).commit for tree in (ONE, TWO, ONE)])
    assert commits[0] == commits[1]
    assert len(set(commits[0])) == 3


def test_dates_never_go_backwards(repository: Path) -> None:
    run(repository, ONE)
    run(repository, TWO, origin=Origin(version="0.1.0", input_digest="d", date=5))
    assert git(repository, "log", "--format=%ct", "rendered").split() == ["1700000000", "1700000000"]


def test_the_message_leads_back_to_the_source(repository: Path) -> None:
    source = source_of(repository)
    assert source is not None
    run(repository, ONE, origin=Origin(version="0.1.0", input_digest="d", date=source.date, source=source))
    text = git(repository, "show", "-s", "--format=%B", "rendered")
    assert trailers(text)["Krender-Source-Commit"] == git(repository, "rev-parse", "main")
    assert trailers(text)["Krender-Tree"] == git(repository, "rev-parse", "rendered^{tree}")


def test_a_proposal_writes_nothing(repository: Path) -> None:
    with GitRepository(repository) as opened:
        proposal = propose(opened, None, ONE, ORIGIN)
    assert proposal.is_change
    assert proposal.changes.counts == (2, 0, 0)
    assert git(repository, "for-each-ref", "--format=%(refname)") == "refs/heads/main"


def test_foreign_files_stay(repository: Path) -> None:
    run(repository, ONE)
    by_hand(repository, {"README.md": "mine", "clusters/b/notes": "mine"})
    outcome = run(repository, TWO)
    assert outcome.proposal.foreign == ("README.md", "clusters/b/notes")
    assert rendered(repository) == contents(TWO) | {"README.md": b"mine", "clusters/b/notes": b"mine"}
    assert outcome.changes.counts == (1, 1, 1)
    assert run(repository, TWO).commit is None
    assert run(repository, EMPTY_TREE).commit is not None
    assert rendered(repository) == {"README.md": b"mine", "clusters/b/notes": b"mine"}
    assert is_sound(repository)


def by_hand(repository: Path, files: dict[str, str], start: str = "rendered") -> None:
    """Put files on the branch as a person would."""
    hand = repository.parent / "hand"
    git(repository, "worktree", "add", "-q", "--detach", str(hand), start)
    for path, text in files.items():
        (hand / path).parent.mkdir(parents=True, exist_ok=True)
        (hand / path).write_text(text)
    git(hand, "add", "-A")
    commit(hand, "by hand", 1_700_000_001)
    made = git(hand, "rev-parse", "HEAD")
    git(repository, "worktree", "remove", str(hand))
    git(repository, "branch", "-f", "rendered", made)


def test_an_edit_by_hand_is_rendered_over_and_stays_in_the_history(repository: Path) -> None:
    run(repository, ONE)
    by_hand(repository, {"clusters/a/x": "edited"})
    assert run(repository, ONE).changes.counts == (0, 1, 0)
    assert rendered(repository) == contents(ONE)
    assert files_on(repository, "rendered~")["clusters/a/x"] == b"edited"


def test_a_branch_of_somebody_else_needs_adoption(repository: Path) -> None:
    by_hand(repository, {"clusters/a/x": "theirs"}, start="main")
    with pytest.raises(StoppedError, match="was not created by krender"):
        run(repository, ONE)
    assert run(repository, ONE, adopt=True).proposal.foreign == ("policy.yaml",)
    assert rendered(repository) == contents(ONE) | {"policy.yaml": b"kind: Policy\n"}
    assert run(repository, ONE).commit is None


def test_the_source_itself_is_never_the_target(repository: Path) -> None:
    git(repository, "checkout", "-q", "--detach")
    source = source_of(repository)
    assert source is not None
    origin = Origin(version="0.1.0", input_digest="d", date=source.date, source=source)
    with GitRepository(repository, "main") as opened, pytest.raises(StoppedError, match="was read from"):
        publish(opened, opened.tip(), ONE, origin, adopt=True)


def test_the_source_stays_the_source_when_it_moves_on(repository: Path) -> None:
    source = source_of(repository)
    assert source is not None
    git(repository, "checkout", "-q", "--detach")
    git(repository, "commit", "-q", "--allow-empty", "-m", "Later")
    git(repository, "branch", "-f", "main")
    origin = Origin(version="0.1.0", input_digest="d", date=source.date, source=source)
    with GitRepository(repository, "main") as opened, pytest.raises(StoppedError, match="was read from"):
        publish(opened, opened.tip(), ONE, origin, adopt=True)


# Below a path


def below(path: Path, tree: Tree, at: str, *, adopt: bool = False, branch: str = "rendered") -> Published:
    """Publish to a directory of the branch."""
    with GitRepository(path, branch) as opened:
        return publish(opened, opened.tip(), tree, ORIGIN, adopt=adopt, path=at)


def test_workspaces_share_a_branch_each_below_its_path(repository: Path) -> None:
    below(repository, ONE, "teams/red")
    blue = below(repository, TWO, "teams/blue")
    assert blue.changes.counts == (2, 0, 0)
    assert blue.proposal.foreign == ()
    assert below(repository, ONE, "teams/red").commit is None
    below(repository, TWO, "teams/red")
    files = files_on(repository, "rendered")
    for team in ("red", "blue"):
        assert files.pop(f"teams/{team}/{OWNED_PATH}")
        for path, data in contents(TWO).items():
            assert files.pop(f"teams/{team}/{path}") == data
    assert not files
    text = git(repository, "show", "-s", "--format=%B", "rendered")
    assert trailers(text)["Krender-Path"] == "teams/red"
    assert trailers(text)["Krender-Tree"] == git(repository, "rev-parse", "rendered:teams/red")
    assert is_sound(repository)


def test_a_path_on_the_branch_of_the_source_is_no_other_branch(repository: Path) -> None:
    git(repository, "checkout", "-q", "--detach")
    assert below(repository, ONE, "out", branch="main").commit is not None
    assert below(repository, ONE, "out", branch="main").commit is None
    files = files_on(repository, "main")
    assert files.pop(f"out/{OWNED_PATH}")
    assert files == {"policy.yaml": b"kind: Policy\n"} | {f"out/{k}": v for k, v in contents(ONE).items()}


@pytest.mark.parametrize(
    ("folder", "path", "refused"),
    [
        pytest.param("apps", "apps", True, id="the-workspace-itself"),
        pytest.param("apps/shop", "apps", True, id="around-the-workspace"),
        pytest.param("apps", "apps/out", False, id="inside-which-is-not-read"),
        pytest.param("apps", "out", False, id="beside"),
        pytest.param("apps", "app", False, id="a-name-that-begins-alike"),
        pytest.param("", "out", False, id="the-whole-repository"),
    ],
)
def test_input_and_output_of_one_branch_do_not_overlap(
    repository: Path, folder: str, path: str, *, refused: bool
) -> None:
    git(repository, "checkout", "-q", "--detach")
    source = source_of(repository)
    assert source is not None
    origin = Origin(
        version="0.1.0", input_digest="d", date=source.date, source=replace(source, folder=folder)
    )
    with GitRepository(repository, "main") as opened:
        expected = pytest.raises(StoppedError, match="has in apps what") if refused else nullcontext()
        with expected:
            publish(opened, opened.tip(), ONE, origin, path=path)
    with GitRepository(repository) as opened:  # another branch has nothing to do with it
        publish(opened, opened.tip(), ONE, origin, path=path)


def test_a_directory_of_somebody_else_needs_adoption(repository: Path) -> None:
    by_hand(repository, {"out/clusters/a/x": "theirs", "out/mine": "mine"}, start="main")
    with pytest.raises(StoppedError, match="rendered:out was not created by krender"):
        below(repository, ONE, "out")
    assert below(repository, ONE, "out", adopt=True).proposal.foreign == ("mine",)
    assert files_on(repository, "rendered")["out/clusters/a/x"] == b"1"


def test_a_file_in_the_place_of_the_path_is_never_overwritten(repository: Path) -> None:
    by_hand(repository, {"out": "mine"}, start="main")
    with pytest.raises(StoppedError, match="has a file in the place of the directory"):
        below(repository, ONE, "out/here", adopt=True)
    with pytest.raises(StoppedError, match="has a file in the place of the directory"):
        below(repository, ONE, "out", adopt=True)


def test_a_guard_stops_it_before_anything_is_written(repository: Path) -> None:
    run(repository, ONE)

    def guard(proposal: Proposal) -> None:
        assert proposal.onto is not None
        raise StoppedError(f"{proposal.changes.counts[2]} objects would be deleted")

    with GitRepository(repository) as opened, pytest.raises(StoppedError, match="1 objects"):
        publish(opened, opened.tip(), TWO, ORIGIN, guard=guard)
    assert rendered(repository) == contents(ONE)


# Races


def test_a_plan_on_an_old_tip_is_planned_again(repository: Path) -> None:
    with GitRepository(repository) as mine, GitRepository(repository) as theirs:
        tip = mine.tip()
        publish(theirs, tip, ONE, ORIGIN)

        def plan_again(onto: Tip | None) -> Tree:
            assert onto is not None
            return placed(tree_of({"clusters": onto.tree["clusters"]}), "clusters/mine", Blob(b"m"))

        outcome = publish(mine, tip, tree_of({"clusters/mine": b"m"}), ORIGIN, plan_again=plan_again)
    assert outcome.tries == 2
    assert rendered(repository) == contents(ONE) | {"clusters/mine": b"m"}


def test_without_another_plan_a_moved_branch_is_an_error(repository: Path) -> None:
    with GitRepository(repository) as opened:
        tip = opened.tip()
        run(repository, ONE)
        with pytest.raises(OutsideError, match="moved"):
            publish(opened, tip, TWO, ORIGIN)
    assert rendered(repository) == contents(ONE)


def test_a_branch_that_never_rests_is_given_up(repository: Path) -> None:
    run(repository, ONE)
    moves = iter(range(100))

    def plan_again(_: Tip | None) -> Tree:
        run(repository, tree_of({"clusters/busy": b"%d" % next(moves)}))
        return TWO

    with GitRepository(repository) as opened:
        run(repository, tree_of({"clusters/busy": b"first"}))
        with pytest.raises(OutsideError, match="3 tries"):
            publish(opened, None, TWO, ORIGIN, plan_again=plan_again, tries=3)
    assert rendered(repository) == {"clusters/busy": b"1"}
