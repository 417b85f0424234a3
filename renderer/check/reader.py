"""What one source of a reconciler is: what it reads, and where it applies that."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Final

from renderer.document.source import Document
from renderer.model.delivery_engine import Engine
from renderer.model.identity import Identity
from renderer.model.surroundings import plain_address

NAMES: Final = {Engine.ARGOCD: "Argo CD", Engine.FLUX: "Flux"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """One source of one reconciler: what it reads, and where it applies that.

    `address` is empty where it is not known. `path` is seen from the top of the repository; with `patterns`
    the directories are meant that match one of these and none of `exclude`. `includes` and `excludes` are
    globs over files below it. `clusters` are those of the inventory it writes to, None where that is not
    known; `destination` tells apart what is not known. `form` is what it makes of the files. `variables` are
    what it puts in place of `${…}`, None where it does not look for them.
    """

    subject: Identity
    document: Document | None
    pointer: str
    engine: Engine
    address: str
    revision: str
    path: str
    patterns: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    includes: tuple[str, ...] = ()
    excludes: tuple[str, ...] = ()
    recurse: bool = True
    clusters: tuple[str, ...] | None = None
    destination: str = ""
    form: str = ""
    variables: tuple[str, ...] | None = None

    @property
    def shown(self) -> str:
        """The path for a message."""
        return ", ".join(self.patterns) or self.path or "the top"

    @property
    def source(self) -> tuple[str, str]:
        """What is one source to two readers: the repository, and what is followed there."""
        unknown = f"?{self.destination if self.engine is Engine.FLUX else self.subject}"
        return plain_address(self.address) if self.address else unknown, self.revision

    def reads(self, file: str) -> bool:
        """Whether it applies a manifest at a path from the top of the repository."""
        if not file.endswith((".yaml", ".yml") if self.engine is Engine.FLUX else (".yaml", ".yml", ".json")):
            return False
        folder = file.rpartition("/")[0]
        for root in self.roots(folder):
            below = file[len(root) + 1 :] if root else file
            if (self.recurse or "/" not in below) and self._takes(below):
                return True
        return False

    def roots(self, folder: str) -> Iterator[str]:
        """The directories it reads among a directory and those above it."""
        if not self.patterns:
            if is_below(folder, self.path):
                yield self.path
            return
        while folder:
            if any(map(_matcher(folder), self.patterns)) and not any(map(_matcher(folder), self.exclude)):
                yield folder
            folder = folder.rpartition("/")[0]

    def _takes(self, below: str) -> bool:
        if any(fnmatchcase(below, glob) for glob in self.excludes):
            return False
        return not self.includes or any(fnmatchcase(below, glob) for glob in self.includes)


def is_below(path: str, folder: str) -> bool:
    """Whether a path is a directory or lies below it."""
    return not folder or path == folder or path.startswith(f"{folder}/")


def _matcher(folder: str) -> _Match:
    return _Match(folder.split("/"))


@dataclass(frozen=True, slots=True)
class _Match:
    """Whether a directory matches a pattern, as Go's path.Match has it: `*` does not cross a slash."""

    parts: list[str]

    def __call__(self, pattern: str) -> bool:
        wanted = pattern.split("/")
        return len(wanted) == len(self.parts) and all(map(fnmatchcase, self.parts, wanted))
