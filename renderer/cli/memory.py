"""Where the memory of earlier renders lies: a directory, or the published branch."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from renderer.edge.published import read_published
from renderer.model.previous import Previous
from renderer.model.tree import EMPTY_TREE, Tree
from renderer.model.workspace import Workspace
from renderer.schedule.previous import read_previous

if TYPE_CHECKING:
    from renderer.cli.target import Target


@contextmanager
def published_tree(
    workspace: Workspace, root: Path, output: Path | None = None, target: Target | None = None
) -> Iterator[Tree]:
    """What the next render would build on; empty outside a repository, or where nothing was published."""
    # Whoever renders into a directory does without a repository.
    from renderer.cli.target import Target, opened
    from renderer.edge.place import is_in_repository
    from renderer.publish.publisher import published_at

    target = target or Target()
    settings = workspace.config.output
    directory = output or (root / settings.directory if settings.directory else None)
    if directory is not None:
        yield read_published(directory)
    elif not (settings.repo or target.repo or is_in_repository(root)):
        yield EMPTY_TREE
    else:
        with opened(workspace, root, target, to_write=False) as repository:
            yield published_at(repository.tip(), settings.path)


def remembered(tree: Tree, *, fresh: bool) -> Previous:
    """The memory a published tree holds; a fresh render passes over what cannot be read.

    Raises InputError where it cannot be, and is needed.
    """
    return read_previous(tree, fresh=fresh)
