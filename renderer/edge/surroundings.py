"""Looking around a workspace: remotes of its repository, its place there, workflows that may run krender."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from renderer.document.problem import InputError
from renderer.document.read import read_stream
from renderer.document.source import Document
from renderer.edge.command import Git
from renderer.edge.place import is_in_repository
from renderer.model.surroundings import Surroundings

_WORKFLOWS = Path(".github", "workflows")
_LARGEST = 1 << 20  # bytes of a workflow


def surroundings(workspace: Path) -> Surroundings:
    """What is known of a workspace's repository, without asking another machine."""
    root = workspace if workspace.is_dir() else workspace.parent
    if not is_in_repository(root):
        return Surroundings(workflows=tuple(_workflows(root, root)))
    git = Git(root)
    top = git.attempt("rev-parse", "--show-toplevel")[1]
    urls = git.attempt("config", "--get-regexp", r"^remote\..*\.url$")[1].splitlines()
    return Surroundings(
        addresses=tuple(sorted({line.partition(" ")[2] for line in urls})),
        folder=git.attempt("rev-parse", "--show-prefix")[1].rstrip("/"),
        branch=git.attempt("symbolic-ref", "--quiet", "--short", "HEAD")[1],
        workflows=tuple(_workflows(Path(top), root)) if top else (),
    )


def _workflows(top: Path, root: Path) -> Iterator[Document]:
    """Those that can be read: others are no input of ours, and GitHub tells what is wrong with them."""
    folder = top / _WORKFLOWS
    for path in sorted(folder.glob("*.y*ml")) if folder.is_dir() else ():
        try:
            if not path.is_file() or path.stat().st_size > _LARGEST:
                continue
            documents = read_stream(path.read_bytes(), _shown(path, root))
        except (OSError, InputError):
            continue
        yield from documents[:1]


def _shown(path: Path, root: Path) -> str:
    return Path(os.path.relpath(path.resolve(), root.resolve())).as_posix()
