"""Published commits as values: units, their parameter files, and krender's record of them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from renderer.model.owned import OWNED_PATH, names_of
from renderer.model.published import Tip
from renderer.model.tree import Tree, placed, tree_of
from renderer.view.serve.snapshot import Snapshot, snapshot_of

COMMIT = "c0ffee0123456789c0ffee0123456789c0ffee01"


def body(name: str, **facts: object) -> dict[str, object]:
    """What a parameter file says."""
    plain = {"name": name, "cluster": name, "namespace": "", "tenant": "", "wave": "0", "syncMode": "Push"}
    return {**plain, "paused": False, **facts}


def files(names: Iterable[str], engine: str = "argocd", **facts: object) -> dict[str, bytes]:
    """The parameter files of units."""
    return {
        f"delivery/{engine}/parameters/{name}/krender.app.json": json.dumps(body(name, **facts)).encode()
        for name in names
    }


def published(contents: Mapping[str, bytes]) -> Tree:
    """A tree as krender publishes it, with its record."""
    tree = tree_of({"clusters/a/.keep": b"", **contents})
    return placed(tree, OWNED_PATH, tree_of({"x": names_of(tree)})["x"])


def tip(contents: Mapping[str, bytes], commit: str = COMMIT) -> Tip:
    """A commit with these files."""
    return Tip(commit=commit, tree=published(contents), date=1_700_000_000)


def snapshot(names: Iterable[str], engine: str = "argocd", commit: str = COMMIT, **facts: object) -> Snapshot:
    """What is served of these units."""
    return snapshot_of(tip(files(names, engine, **facts), commit), "sha1")
