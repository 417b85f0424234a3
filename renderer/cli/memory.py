"""Where the memory of earlier renders lies: a directory, or the published branch."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from renderer.edge.git import GitRepository
from renderer.edge.place import source_of
from renderer.edge.published import read_published
from renderer.model.tree import EMPTY_TREE, Tree
from renderer.model.workspace import Workspace


@contextmanager
def published_tree(workspace: Workspace, root: Path, output: Path | None = None) -> Iterator[Tree]:
    """What the next render would build on; empty outside a repository, or where nothing was published."""
    settings = workspace.config.output
    directory = output or (root / settings.directory if settings.directory else None)
    if directory is not None:
        yield read_published(directory)
    elif source_of(root) is None and not settings.repo:
        yield EMPTY_TREE
    else:
        home = root / settings.repo if settings.repo else root
        with GitRepository(home, settings.branch) as repository:
            tip = repository.tip()
            yield tip.tree if tip else EMPTY_TREE
