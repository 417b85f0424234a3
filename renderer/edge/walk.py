"""Finding the files of a workspace without opening any: what to read, and what is wrong with the rest.

Links are followed after everything else was walked, so that of a file and a link to it, it is always the
link that is one too many.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from renderer.document.problem import Position, Problem
from renderer.document.rule import UNREADABLE, Rule
from renderer.load.ignore import IGNORE_FILE, IgnoreFile, ignored, parse_ignore
from renderer.load.rules import WORKSPACE

MAX_DEPTH = 100  # directories inside each other
HIDE_IT = f"delete it, or name it in {IGNORE_FILE}"

_SUFFIXES = (".yaml", ".yml", ".json")
_OWN_STATE = ".krender"
_OWN_RECORD = f"{_OWN_STATE}/owned"
_SPECIAL = {
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


def is_manifest(path: str) -> bool:
    """Whether a file of this name belongs to a workspace."""
    return path.lower().removesuffix(".j2").endswith(_SUFFIXES)


def problem(path: str, what: str, why: str, fix: str, rule: Rule = UNREADABLE) -> Problem:
    """A problem with a path of the workspace; the empty path is the workspace itself."""
    return Problem(where=Position(path or "."), what=what, why=why, fix=fix, rule=rule.id)


def special_file(path: str, mode: int) -> Problem:
    """What is neither file nor directory."""
    kind = _SPECIAL.get(stat.S_IFMT(mode), "something else")
    return problem(path, f"{path} is {kind}, not a file", "reading it could never end", HIDE_IT)


def unreadable(path: str, error: OSError) -> Problem:
    """What the system does not let us read."""
    return problem(
        path,
        f"{path or 'the workspace'} cannot be read: {error.strerror or error}",
        "what is in it would be missing from the result, and then be deleted in the clusters",
        f"make it readable, or name it in {IGNORE_FILE}",
    )


@dataclass(slots=True, kw_only=True)
class Walk:
    """One walk through a workspace; `root`, `outputs` and `only` are real paths.

    What is not in `only` does not exist, unless that is None. `read` gives the bytes of an ignore file, or
    None after it has told why not. The results are `found` (path in the workspace -> real path), `problems`,
    how many files were `passed_over` for their name, and the `folders` that were looked into.
    """

    root: Path
    read: Callable[[str, str], bytes | None]
    outputs: tuple[Path, ...] = ()
    only: frozenset[str] | None = None
    found: dict[str, str] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    passed_over: int = 0
    folders: list[str] = field(default_factory=list)  # every directory that was looked into
    linked: bool = False  # whether there are links
    _taken: dict[str, str] = field(default_factory=dict)  # real path -> path in the workspace
    _links: list[tuple[str, tuple[IgnoreFile, ...]]] = field(default_factory=list)

    def run(self) -> None:
        """Find everything; nothing where the workspace itself lies in a tree that krender has written."""
        for folder in self.root.parents:
            if (folder / _OWN_RECORD).is_file():
                self._own("", f"{folder} is a tree that krender has written, and {self.root.name} lies in it")
                return
        self._walk("", str(self.root), ())
        while self._links:
            todo, self._links = sorted(self._links, key=lambda item: item[0]), []
            for path, above in todo:
                self._link(path, above)

    def _walk(self, path: str, real: str, above: tuple[IgnoreFile, ...]) -> None:
        """Find everything below one directory; `above` are the ignore files that speak of it."""
        self._taken[real] = path
        self.folders.append(path)
        if path.count("/") >= MAX_DEPTH:
            self._problem(
                path,
                f"directories are nested more than {MAX_DEPTH} deep",
                "krender looks no deeper",
                HIDE_IT,
            )
            return
        try:
            with os.scandir(real) as listing:
                entries = sorted(filter(self._exists, listing), key=lambda entry: entry.name)
        except OSError as error:
            self.problems.append(unreadable(path, error))
            return
        if any(entry.name == _OWN_STATE and entry.is_dir(follow_symlinks=False) for entry in entries):
            self._own(path, f"this is a tree that krender has written: it has a directory {_OWN_STATE}")
            return
        below = (*above, *self._ignore_file(path, entries))
        for entry in entries:
            if not entry.name.startswith("."):
                self._visit(f"{path}/{entry.name}" if path else entry.name, entry, below)

    def _ignore_file(self, path: str, entries: Iterable[os.DirEntry[str]]) -> Iterator[IgnoreFile]:
        """The rules of the directory's own ignore file, which is an input like any other."""
        for entry in entries:
            if entry.name != IGNORE_FILE:
                continue
            name = f"{path}/{IGNORE_FILE}" if path else IGNORE_FILE
            if not entry.is_file(follow_symlinks=False):
                why = "what it leaves out would be rendered"
                self._problem(name, f"{name} is no regular file", why, "make it a file")
                continue
            data = self.read(name, entry.path)
            if data is not None:
                self.found[name] = entry.path
                parsed, problems = parse_ignore(name, data)
                self.problems.extend(problems)
                yield parsed

    def _visit(self, path: str, entry: os.DirEntry[str], above: tuple[IgnoreFile, ...]) -> None:
        """Take one entry of a directory: go into it, note it, or say what is wrong with it."""
        if entry.is_symlink():
            self.linked = True
            self._links.append((path, above))
            return
        is_directory = entry.is_dir(follow_symlinks=False)
        if not is_directory and not is_manifest(path):
            self.passed_over += 1
        elif ignored(tuple(path.split("/")), above, is_directory=is_directory) or not self._printable(path):
            return
        elif is_directory:
            self._directory(path, entry.path, above)
        elif entry.is_file(follow_symlinks=False):
            self._file(path, entry.path)
        else:
            self.problems.append(special_file(path, entry.stat(follow_symlinks=False).st_mode))

    def _file(self, path: str, real: str) -> None:
        self.found[path] = real
        self._taken[real] = path

    def _directory(self, path: str, real: str, above: tuple[IgnoreFile, ...]) -> None:
        """Go into a directory that nothing leaves out."""
        if any(output in (Path(real), *Path(real).parents) for output in self.outputs):
            return
        if is_manifest(path):
            what = f"{path} is a directory with the name of a manifest"
            self._problem(path, what, "people and tools expect a file there", "rename the directory")
        elif real in self._taken:
            self._twice(path, real)
        else:
            self._walk(path, real, above)

    def _link(self, path: str, above: tuple[IgnoreFile, ...]) -> None:
        """Follow one link, if it stays inside the workspace and names nothing that is read already."""
        place = self.root / path
        is_directory = place.is_dir()
        if ignored(tuple(path.split("/")), above, is_directory=is_directory):
            return
        if not is_directory and not is_manifest(path) and "." in place.name:
            self.passed_over += 1
            return
        if not self._printable(path):
            return
        try:
            real = place.resolve(strict=True)
            if self.only is not None and str(real) not in self.only and self.root in real.parents:
                raise FileNotFoundError  # for whoever gets what Git has
        except (OSError, RuntimeError):
            why = "what it stood for is not rendered"
            self._problem(path, f"{path} is a link to nothing", why, HIDE_IT)
            return
        if self.root != real and self.root not in real.parents:
            self._problem(
                path,
                f"{path} is a link that leaves the workspace",
                "the same workspace would render differently on another machine",
                f"copy what it points at into the workspace, or name the link in {IGNORE_FILE}",
            )
        elif is_directory:
            self._directory(path, str(real), above)
        elif not is_manifest(path):
            self.passed_over += 1
        elif str(real) in self._taken:
            self._twice(path, str(real))
        elif real.is_file():
            self._file(path, str(real))
        else:
            self.problems.append(special_file(path, real.stat().st_mode))

    def _exists(self, entry: os.DirEntry[str]) -> bool:
        return self.only is None or entry.path in self.only

    def _twice(self, path: str, real: str) -> None:
        target = self._taken[real] or "the workspace itself"
        what = f"{path} is a link to {target}, which is read anyway"
        self._problem(path, what, "every object in it would exist twice", HIDE_IT)

    def _printable(self, path: str) -> bool:
        """Whether a name can stand in reports and in Git on every machine; if not, that is a problem."""
        name = path.rpartition("/")[2]
        try:
            name.encode("utf-8")
        except UnicodeEncodeError:
            shown = os.fsencode(path).decode("utf-8", "backslashreplace")
            why = "it would be another name on another machine"
            self._problem(shown, f"the name {shown} is not UTF-8", why, "rename it")
            return False
        if name.isprintable():
            return True
        shown = path.encode("unicode_escape").decode("ascii")
        why = "reports would be misread"
        self._problem(shown, f"the name {shown} has control characters", why, "rename it")
        return False

    def _own(self, path: str, what: str) -> None:
        why = "rendered manifests would be taken for resource templates and rendered again"
        hide = f", or name this directory in {IGNORE_FILE}" if path else ""
        self._problem(path, what, why, f"name the workspace it was rendered from{hide}", WORKSPACE)

    def _problem(self, path: str, what: str, why: str, fix: str, rule: Rule = UNREADABLE) -> None:
        self.problems.append(problem(path, what, why, fix, rule))
