"""What lies in an output directory, compared with the tree it shall hold and with what krender wrote there.

Links are never followed: a link is a file of its own, and never krender's.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

from renderer.model.owned import NOTHING, OWNED_PATH, Directory, Record
from renderer.model.tree import EMPTY_TREE, Blob, Node, Tree, digest


@dataclass(slots=True, kw_only=True)
class Survey:
    """What there is to do, as `/`-separated paths below the directory, in order of their names.

    A file that is `wanted` comes from the tree, one that is `kept` from the directory as it is. `edited`
    are krender's own files that someone changed, `blocked` are places where something foreign lies.
    """

    wanted: list[tuple[str, Blob]] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)
    folders: list[str] = field(default_factory=list)  # that the new state has, parents first
    added: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    edited: list[str] = field(default_factory=list)
    blocked: list[str] = field(default_factory=list)


def survey(directory: Path, recorded: Directory, tree: Tree, *, adopt: bool = False) -> Survey:
    """Compare a directory (which may be absent) with the tree it shall hold. Raises OSError.

    With `adopt`, a foreign file in the place of one of the tree's counts as krender's.
    """
    surveyor = _Surveyor(directory, adopt)
    surveyor.folder("", recorded, tree)
    return surveyor.survey


class _Surveyor:
    """Walks the directory, the record and the tree together."""

    def __init__(self, root: Path, adopt: bool) -> None:
        self.survey = Survey()
        self._root = root
        self._adopt = adopt

    def folder(self, below: str, recorded: Directory, tree: Tree) -> bool:
        """Look at one directory; whether anything of it is still there in the new state."""
        self.survey.folders.append(below)
        position = len(self.survey.folders)
        found = self._found(below)
        remains = [
            self._entry(below + name, found.get(name), recorded.at(name), tree.child(name))
            for name in sorted({**found, **tree.entries()})
        ]
        kept = any(remains) or not (found or recorded.entries)  # a foreign empty directory is kept
        if not kept:
            del self.survey.folders[position - 1 :]
        return kept

    def _found(self, below: str) -> dict[str, os.DirEntry[str]]:
        """What lies in a directory of the target, by name."""
        try:
            with os.scandir(self._root / below) as entries:
                return {entry.name: entry for entry in entries}
        except (FileNotFoundError, NotADirectoryError):
            return {}

    def _entry(
        self, path: str, found: os.DirEntry[str] | None, record: Record | None, node: Node | None
    ) -> bool:
        """Decide about one name; whether it is there in the new state."""
        below = record if isinstance(record, Directory) else NOTHING
        is_folder = found is not None and found.is_dir(follow_symlinks=False)
        if isinstance(node, Tree):
            if found is not None and not is_folder:
                if not isinstance(record, str):
                    self.survey.blocked.append(path)
                    return True
                self._cleared(path, found, record)
            return self.folder(f"{path}/", below, node)
        if found is None:
            return node is not None and self._add(path, node)
        if is_folder:
            return self._folder_in_place(path, below, node)
        if node is None:
            return not self._cleared(path, found, record)
        return self._file(path, found, record, node)

    def _add(self, path: str, blob: Blob) -> bool:
        """A file where nothing is."""
        if path != OWNED_PATH:
            self.survey.added.append(path)
        self.survey.wanted.append((path, blob))
        return True

    def _file(self, path: str, found: os.DirEntry[str], record: Record | None, blob: Blob) -> bool:
        """A file where a file is."""
        if _content(found, len(blob.data)) == blob.data:
            self.survey.unchanged.append(path)
        elif path == OWNED_PATH:
            self.survey.wanted.append((path, blob))
        elif not isinstance(record, str) and not self._adopt:
            self.survey.blocked.append(path)
        else:
            if isinstance(record, str) and not _as_written(found, record):
                self.survey.edited.append(path)
            self.survey.changed.append(path)
            self.survey.wanted.append((path, blob))
        return True

    def _cleared(self, path: str, found: os.DirEntry[str], record: Record | None) -> bool:
        """A file that the tree does not have: remove it if it is krender's, else keep it."""
        if not isinstance(record, str):
            self.survey.foreign.append(path)
            return False
        if not _as_written(found, record):
            self.survey.edited.append(path)
        self.survey.removed.append(path)
        return True

    def _folder_in_place(self, path: str, recorded: Directory, blob: Blob | None) -> bool:
        """A directory where the tree has a file, or nothing."""
        kept = self.folder(f"{path}/", recorded, EMPTY_TREE)
        if blob is None:
            return kept
        if kept:
            self.survey.blocked.append(path)
            return True
        return self._add(path, blob)


def _content(found: os.DirEntry[str], size: int) -> bytes | None:
    """A plain file's content if it has that many bytes, else None."""
    if not found.is_file(follow_symlinks=False) or found.stat(follow_symlinks=False).st_size != size:
        return None
    return Path(found.path).read_bytes()


def _as_written(found: os.DirEntry[str], recorded: str) -> bool:
    """Whether a file is what krender wrote; a record without digest does not tell, and is believed."""
    if not found.is_file(follow_symlinks=False):
        return False
    return not recorded or digest(Blob(Path(found.path).read_bytes())) == recorded
