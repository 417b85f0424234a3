"""Plan files: what is written is read back, and nothing else is believed."""

from __future__ import annotations

import contextlib
import gzip
import json
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from renderer.model.errors import StoppedError
from renderer.model.reasons import Reasons, RulesUsed, TemplateReasons
from renderer.model.tree import EMPTY_TREE, Blob, Tree, digest, placed, tree_of, walk
from renderer.publish.plan_file import PlanFile, encode
from renderer.publish.plan_reader import decode

TREE = tree_of(
    {
        "clusters/a/shop/x.yaml": b"1",
        "clusters/b/shop/x.yaml": b"1",
        "clusters/b/shop/secret.db.yaml": b"hunter2",
        "clusters/b/shop/odd": b"\xff\xfe",
        ".krender/bindings/x": "ü".encode(),
    }
)
REASONS = Reasons(
    templates=(
        TemplateReasons(
            key=("apps", "Deployment", "shop", "web"),
            policy_place="p.yaml:1:1",
            scheduled="its placement changed",
            left=(("a", "tainted"),),
        ),
    ),
    rules=(
        RulesUsed(
            key=("", "Secret", "shop", "db"), clusters=("a", "b"), rules=(("OverridePolicy o", ("/x",)),)
        ),
    ),
)
PLAN = PlanFile(
    version="0.1.0",
    inputs="a" * 64,
    now="2026-01-01T00:00:00Z",
    fresh=True,
    keep_going=True,
    source="b" * 40,
    dirty=True,
    branch="rendered",
    path="out",
    tip="c" * 40,
    adopt=True,
    allow=("deletions",),
    digest=digest(TREE),
    algorithm="sha1",
    tree=TREE,
    reasons=REASONS,
)


def redact(data: bytes) -> bytes | None:
    """Keep nothing of the one secret."""
    return b"(redacted)" if b"hunter2" in data else None


def document(plan: PlanFile = PLAN) -> dict[str, object]:
    """What a plan file says."""
    read = json.loads(gzip.decompress(encode(plan, redact)))
    assert isinstance(read, dict)
    return read


def packed(value: object) -> bytes:
    """A document as a plan file."""
    return gzip.compress(json.dumps(value).encode())


def refused(data: bytes, *, most: int = 1 << 30) -> str:
    """What is wrong with a file."""
    with pytest.raises(StoppedError) as caught:
        decode(data, most=most)
    return caught.value.what.removeprefix("this is no plan file that krender can use: ")


@pytest.mark.parametrize("algorithm", ["sha1", "sha256"])
def test_what_is_written_is_read_back(algorithm: str) -> None:
    length = {"sha1": 40, "sha256": 64}[algorithm]
    plan = replace(PLAN, algorithm=algorithm, tip="c" * length)
    read = decode(encode(plan, redact))
    assert replace(read, tree=TREE) == plan
    assert read.tree.object_id(algorithm) == TREE.object_id(algorithm)
    contents = {path: blob.data for path, blob in walk(read.tree)}
    assert contents == {path: redact(blob.data) or blob.data for path, blob in walk(TREE)}


def test_a_plan_for_nothing_is_one() -> None:
    plan = replace(
        PLAN, tree=EMPTY_TREE, digest=digest(EMPTY_TREE), source="", dirty=False, tip="", reasons=Reasons()
    )
    assert decode(encode(plan, redact)) == plan


def test_the_same_plan_gives_the_same_bytes() -> None:
    again = replace(PLAN, tree=tree_of(dict(reversed([(path, blob) for path, blob in walk(TREE)]))))
    assert encode(again, redact) == encode(PLAN, redact)


def test_no_secret_is_written() -> None:
    assert b"hunter2" not in gzip.decompress(encode(PLAN, redact))


def test_equal_directories_and_files_are_written_once() -> None:
    one = tree_of({"x": b"1" * 100})
    fleet = Tree({"clusters": Tree({f"c{number}": one for number in range(1000)})})
    assert len(encode(replace(PLAN, tree=fleet), redact)) < 10_000
    assert json.dumps(document(replace(PLAN, tree=fleet))["files"]).count("1" * 100) == 1


class Odd(Blob):
    """A file of another mode, as only others can have put it there."""

    @property
    def mode(self) -> str:
        return "100755"


def test_modes_are_kept() -> None:
    tree = placed(TREE, "clusters/a/run.sh", Odd(b"#!/bin/sh"))
    read = decode(encode(replace(PLAN, tree=tree), redact)).tree
    assert read.object_id("sha1") == tree.object_id("sha1")
    node = read.at("clusters/a/run.sh")
    assert isinstance(node, Blob)
    assert (node.mode, node.data) == ("100755", b"#!/bin/sh")


# What anybody may have written


@pytest.mark.parametrize(
    ("data", "what"),
    [
        pytest.param(b"", "it is cut, or something follows it", id="empty"),
        pytest.param(b"kind: Policy\n", "it is not compressed with gzip", id="another-file"),
        pytest.param(encode(PLAN, redact)[:-9], "it is cut", id="cut"),
        pytest.param(encode(PLAN, redact) + b"more", "something follows it", id="followed"),
        pytest.param(gzip.compress(b"{"), "it is no JSON", id="no-json"),
        pytest.param(gzip.compress(b"[" * 100_000), "it is nested too deeply", id="deep"),
        pytest.param(gzip.compress(b"\xff"), "it is no JSON", id="no-text"),
        pytest.param(packed([]), "it is not a map", id="a-list"),
        pytest.param(
            packed({"format": "krender.io/plan/v2"}), "it is not of the format", id="another-format"
        ),
    ],
)
def test_what_is_no_plan_file_is_refused(data: bytes, what: str) -> None:
    assert what in refused(data)


def test_what_swells_when_it_is_unpacked_is_refused() -> None:
    assert "larger than 1,000,000 bytes" in refused(gzip.compress(b"0" * 50_000_000), most=1_000_000)


def _without_files(plan: dict[str, object]) -> None:
    plan["files"] = {}


def _other_content(plan: dict[str, object]) -> None:
    files = plan["files"]
    assert isinstance(files, dict)
    files[Blob(b"1").object_id("sha1").hex()] = "2"


def _bad_base64(plan: dict[str, object]) -> None:
    files = plan["files"]
    assert isinstance(files, dict)
    files[Blob(b"\xff\xfe").object_id("sha1").hex()] = {"base64": "?"}


def _half_a_character(plan: dict[str, object]) -> None:
    files = plan["files"]
    assert isinstance(files, dict)
    files[Blob(b"1").object_id("sha1").hex()] = "\ud800"


def _entry(name: str, value: object) -> Callable[[dict[str, object]], None]:
    """Another entry in the root directory."""

    def change(plan: dict[str, object]) -> None:
        directories, root = plan["directories"], plan["root"]
        assert isinstance(directories, dict)
        directories[root][name] = value

    return change


def _loop(plan: dict[str, object]) -> None:
    plan["directories"] = {"a" * 40: {"x/": "a" * 40}}
    plan["root"] = "a" * 40


def _set(name: str, value: object) -> Callable[[dict[str, object]], None]:
    return lambda plan: plan.update({name: value})


@pytest.mark.parametrize(
    ("change", "what"),
    [
        pytest.param(_set("inputs", None), "inputs is missing, or no text", id="a-field-is-missing"),
        pytest.param(
            _set("fresh", 1), "fresh is missing, or no truth value", id="a-number-for-a-truth-value"
        ),
        pytest.param(_set("inputs", "A" * 64), "inputs is no id", id="no-hexadecimal"),
        pytest.param(_set("tip", "a" * 39), "tip is no id", id="a-short-id"),
        pytest.param(_set("branch", "a\n"), "branch has control characters", id="control-characters"),
        pytest.param(_set("now", "soon"), "now is no point in time", id="no-time"),
        pytest.param(_set("algorithm", "md5"), "algorithm 'md5' is unknown", id="another-algorithm"),
        pytest.param(_set("allow", ["everything"]), "allow names no guard: 'everything'", id="no-guard"),
        pytest.param(_set("allow", [1]), "allow holds something that is no text", id="a-number-for-a-text"),
        pytest.param(_set("source", []), "source is missing, or no map", id="a-source-that-is-none"),
        pytest.param(
            _set("source", {"commit": "x", "dirty": True}), "source.commit is no id", id="no-commit"
        ),
        pytest.param(_set("root", "a" * 40), "is not listed, or too deep", id="a-root-that-is-not-there"),
        pytest.param(_set("directories", {}), "is not listed, or too deep", id="no-directories"),
        pytest.param(_without_files, "the content of a file is missing", id="no-contents"),
        pytest.param(_other_content, "does not hold what its id says", id="another-content"),
        pytest.param(_bad_base64, "the content of a file cannot be read", id="bad-base64"),
        pytest.param(_half_a_character, "the content of a file cannot be read", id="half-a-character"),
        pytest.param(_entry("more", "a" * 40), "the content of a file is missing", id="another-file"),
        pytest.param(_entry("more", "../../x"), "the id of a file is no id", id="a-path-for-an-id"),
        pytest.param(_entry("more", "160001 " + "a" * 40), "'160001' is no mode", id="another-mode"),
        pytest.param(_entry("more", 1), "the id of 'more' is no text", id="a-number-for-an-id"),
        pytest.param(
            _entry("../x", Blob(b"1").object_id("sha1").hex()), "'../x' cannot be", id="out-of-the-tree"
        ),
        pytest.param(_entry(".git/", EMPTY_TREE.object_id("sha1").hex()), "is not listed", id="gits-own"),
        pytest.param(_entry("\ud800", Blob(b"1").object_id("sha1").hex()), "", id="a-name-that-is-no-text"),
        pytest.param(_loop, "is not listed, or too deep", id="a-directory-in-itself"),
        pytest.param(_set("reasons", {"templates": []}), "reasons.rules is missing", id="half-the-reasons"),
        pytest.param(
            _set("reasons", {"templates": [1], "rules": []}), "reasons.templates", id="a-number-for-a-reason"
        ),
        *(
            pytest.param(_set("reasons", {"templates": [], "rules": [rule]}), "reasons", id=f"rule-{number}")
            for number, rule in enumerate(
                (
                    {"object": ["a"], "clusters": [], "rules": []},
                    {"object": ["a"] * 4, "clusters": [], "rules": [["a"]]},
                    {"object": ["a"] * 4, "clusters": [], "rules": [["a", "b"]]},
                    {"object": ["a"] * 4, "clusters": [], "rules": [1]},
                )
            )
        ),
        pytest.param(
            _set(
                "reasons",
                {
                    "templates": [{"object": ["a"] * 4, "policy": "", "scheduled": "", "left": [["a"]]}],
                    "rules": [],
                },
            ),
            "left is no list of pairs",
            id="half-a-pair",
        ),
    ],
)
def test_a_hostile_file_is_one_clear_error(change: Callable[[dict[str, object]], None], what: str) -> None:
    plan = document()
    change(plan)
    assert what in refused(packed(plan))


def test_a_tree_that_swells_is_refused() -> None:
    tree: Tree = tree_of({"x": b""})
    for _ in range(12):
        tree = Tree({f"d{number}": tree for number in range(10)})
    assert "more than 50,000,000 files" in refused(encode(replace(PLAN, tree=tree), redact))


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@given(st.sampled_from(sorted(document())), json_values)
def test_any_value_in_any_field_is_read_or_refused(name: str, value: object) -> None:
    plan = {**document(), name: value}
    with contextlib.suppress(StoppedError):
        decode(packed(plan))


@given(st.binary(max_size=50))
def test_any_bytes_are_refused(data: bytes) -> None:
    assert refused(data)
