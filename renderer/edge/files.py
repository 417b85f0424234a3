"""Reading a workspace from disk.

Everything that is wrong with the files themselves is told at once. Nothing is read that is not a regular
file of reasonable size.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from renderer.document.file import SourceFile
from renderer.document.limits import DEFAULT_LIMITS
from renderer.document.problem import InputError, Position, Problem
from renderer.edge.standing import Watched
from renderer.edge.walk import Walk, is_manifest, problem, special_file, unreadable
from renderer.load.ignore import IGNORE_FILE
from renderer.load.peek import CONFIG_FILE, Peeked, peek
from renderer.load.rules import WORKSPACE


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadLimits:
    """Bounds of one workspace: bytes of one file and of all together, number of files.

    A `krender.yaml` may set its own bound for one file.
    """

    file_bytes: int = DEFAULT_LIMITS.max_bytes
    total_bytes: int = 1024 * 1024 * 1024
    files: int = 200_000


DEFAULT_READ_LIMITS = ReadLimits()

# Not blocking: between looking and opening, the file may have become a pipe.
_HOW = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_CHUNK = 1 << 16


def read_workspace(
    root: Path,
    *,
    outputs: Sequence[Path] = (),
    limits: ReadLimits = DEFAULT_READ_LIMITS,
    only: frozenset[str] | None = None,
) -> tuple[SourceFile, ...]:
    """Read every manifest below a directory, or the one file that `root` is, sorted by path.

    Left out are hidden files and directories, what `.krenderignore` files name, `outputs` and the output
    directory of `krender.yaml`. What is not in `only` (real paths) does not exist, unless that is None.
    Raises InputError with every problem found; positions are relative to `root`, except where the problem
    is `root` itself.
    """
    try:
        mode = root.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        raise InputError(_missing(root)) from None
    except OSError as error:
        raise InputError(unreadable(str(root), error)) from None
    if not stat.S_ISDIR(mode):
        return _read_all({root.name: str(root)}, [], limits)
    return _read_directory(root, outputs, limits, only)


def watched(root: Path, outputs: Sequence[Path] = ()) -> tuple[Watched, ...]:
    """What decides which files are read, and what is in them; nothing where that cannot all be told.

    Raises InputError where they cannot be read.
    """
    if not root.is_dir():
        return ()
    walk, settings, _ = _walked(root, outputs, DEFAULT_READ_LIMITS, [])
    if walk.linked:  # then it depends on other places, too
        return ()
    names = Watched(str(root), [*walk.folders, *walk.found])
    if not settings.path:
        return (names,)
    from renderer.edge.place import top_of

    real, top = root.resolve(), top_of(root)
    if top is None or top == real:
        return (names,) if top else ()
    # The directories that tell which repository the workspace lies in.
    above = [path for path in real.parents if path.is_relative_to(top)]
    return names, Watched(str(top), [os.path.relpath(path, top) for path in above])


def _read_directory(
    root: Path, outputs: Sequence[Path], limits: ReadLimits, only: frozenset[str] | None
) -> tuple[SourceFile, ...]:
    problems: list[Problem] = []
    walk, _, limits = _walked(root, outputs, limits, problems, only)
    if not problems and not any(is_manifest(path) for path in walk.found):
        raise InputError(_empty(root, walk.passed_over))
    return _read_all(walk.found, problems, limits)


def _walked(
    root: Path,
    outputs: Sequence[Path],
    limits: ReadLimits,
    problems: list[Problem],
    only: frozenset[str] | None = None,
) -> tuple[Walk, Peeked, ReadLimits]:
    """Look for files; returns the settings and limits for them, too."""
    real = root.resolve()
    settings = Peeked() if only is not None and str(real / CONFIG_FILE) not in only else peeked(real)
    if settings.file_bytes != DEFAULT_LIMITS.max_bytes:
        limits = replace(limits, file_bytes=settings.file_bytes)
    left_out = (*(path.resolve() for path in outputs), *_own_outputs(real, settings))
    if real in left_out:
        raise InputError(_output_is_input(root))
    walk = Walk(
        root=real,
        read=lambda path, place: _read(path, place, problems, limits),
        outputs=left_out,
        only=only,
        problems=problems,
    )
    walk.run()
    return walk, settings, limits


def _own_outputs(root: Path, output: Peeked) -> Iterator[Path]:
    """The directories that `krender.yaml` has the result written to."""
    if output.directory:
        yield (root / output.directory).resolve()
    if output.path:
        from renderer.edge.place import top_of

        top = top_of(root)
        place = (top / output.path).resolve() if top is not None else root
        if root in place.parents:  # elsewhere it is not read anyway
            yield place


def peeked(root: Path) -> Peeked:
    """What `krender.yaml` says of where the result goes, as far as it can be read."""
    place = root / CONFIG_FILE
    data = _read(CONFIG_FILE, str(place), [], DEFAULT_READ_LIMITS) if place.is_file() else None
    return Peeked() if data is None else peek(data)


def _read_all(found: dict[str, str], problems: list[Problem], limits: ReadLimits) -> tuple[SourceFile, ...]:
    """Read what was found. Raises InputError with the problems there were before, too."""
    excess = _excess(found, limits)
    if excess:
        raise InputError(*problems, excess)
    files: list[SourceFile] = []
    for path in sorted(found):
        data = _read(path, found[path], problems, limits)
        if data is not None:
            files.append(SourceFile(path=path, data=data))
    if problems:
        raise InputError(*problems)
    return tuple(files)


def _excess(found: dict[str, str], limits: ReadLimits) -> Problem | None:
    """Too many files, or too much in them."""
    if len(found) > limits.files:
        what = f"the workspace has {len(found)} manifests, more than {limits.files}"
    else:
        total = sum(_size(place) for place in found.values())
        if total <= limits.total_bytes:
            return None
        what = f"the manifests have {total} bytes together, more than {limits.total_bytes}"
    return problem(
        "", what, "this is hardly a workspace", f"name what is none of it in {IGNORE_FILE}", WORKSPACE
    )


def _read(path: str, place: str, problems: list[Problem], limits: ReadLimits) -> bytes | None:
    """The bytes of a regular file that is not too large; None after noting a problem."""
    try:
        file = os.open(place, _HOW)
        try:
            status = os.fstat(file)
            if not stat.S_ISREG(status.st_mode):
                problems.append(special_file(path, status.st_mode))
                return None
            data = _content(file, status.st_size, limits.file_bytes)
        finally:
            os.close(file)
    except OSError as error:
        problems.append(unreadable(path, error))
        return None
    if len(data) <= limits.file_bytes:
        return data
    what = f"{path} is larger than {limits.file_bytes} bytes"
    why = "an honest manifest is smaller: an API server takes 1.5 MB at most"
    fix = f"split it, name it in {IGNORE_FILE}, or raise spec.limits.fileBytes in {CONFIG_FILE}"
    problems.append(problem(path, what, why, fix))
    return None


def _content(file: int, size: int, limit: int) -> bytes:
    """All bytes of an open file of about that size, or some more than the limit."""
    # Room for as much as is expected: to ask for all that is allowed would have it allocated, too.
    data = os.read(file, min(size, limit) + 1)
    while data and len(data) != size and len(data) <= limit:
        more = os.read(file, _CHUNK)
        if not more:
            break
        data += more
    return data


def _size(place: str) -> int:
    try:
        return os.stat(place).st_size  # noqa: PTH116 - a Path for each of many files takes long
    except OSError:
        return 0  # told when it is read


def _missing(root: Path) -> Problem:
    from difflib import get_close_matches  # which takes long to import

    folder = root.parent
    readable = folder.is_dir() and os.access(folder, os.R_OK)
    names = sorted(entry.name for entry in folder.iterdir()) if readable else []
    near = get_close_matches(root.name, names, n=1)
    return Problem(
        where=Position(str(root)),
        what=f"there is no file or directory {root}",
        why="nothing can be rendered",
        fix=f"write {folder / near[0]}" if near else f"name a workspace, or make one: krender init {root}",
        rule=WORKSPACE.id,
    )


def _output_is_input(root: Path) -> Problem:
    return Problem(
        where=Position(str(root)),
        what=f"{root} is both the workspace and the output directory",
        why="the next render would take its own result for resource templates",
        fix="write the output elsewhere",
        rule=WORKSPACE.id,
    )


def _empty(root: Path, passed_over: int) -> Problem:
    others = f" (files with other names: {passed_over})" if passed_over else ""
    return Problem(
        where=Position(str(root)),
        what=f"{root} has no manifests{others}",
        why="only *.yaml, *.yml, *.json and these with .j2 are read, and nothing that is hidden or ignored",
        fix=f"put Kubernetes objects there, or start with: krender init {root}",
        rule=WORKSPACE.id,
    )
