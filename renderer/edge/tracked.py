"""What a commit would have: the files that Git tracks, whatever else lies in the worktree.

A hook is told by its environment which index the commit is made from (`git commit -a` and `git commit PATH`
have one of their own), so that environment is handed on as it is.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from renderer.edge.command import Git, refusal
from renderer.edge.environment import REDIRECTING

_SUBMODULE = "160000"
_WORKFLOWS = ":(top,literal).github/workflows"


def tracked(place: Path) -> frozenset[str]:
    """Real paths of what Git's index has at or below a place, and of the directories that hold it.

    The place itself need not exist. Raises OutsideError where Git cannot tell.
    """
    real = str(place.resolve())
    found = dict.fromkeys((real, *_listed(place, "--cached", "--recurse-submodules")))
    for file in tuple(found):
        folder = os.path.dirname(file)  # noqa: PTH120 - a Path for each of many files takes long
        while folder not in found and len(folder) > len(real):
            found[folder] = None
            folder = os.path.dirname(folder)  # noqa: PTH120 - the same
    return frozenset(found)


def unstaged(place: Path) -> tuple[str, ...]:
    """What lies below a directory, or is missing there, other than in Git's index: `/`-separated, sorted.

    Raises OutsideError where Git cannot tell.
    """
    real = place.resolve()
    found = _listed(place, "--others", "--modified")
    return tuple(sorted(dict.fromkeys(Path(file).relative_to(real).as_posix() for file in found)))


def state(root: Path, target: Path) -> str:
    """All that a run can see of a workspace and a rendered directory, in one word.

    Empty where Git's index does not have it all just so. Raises OutsideError where Git cannot tell.
    """
    import hashlib

    if _answered(root, "--modified", apart_from=target)[1]:
        return ""
    if _answered(target, "--modified", "--others", beside=(_WORKFLOWS,))[1]:
        return ""
    whole = hashlib.sha256(_repository(root).encode("utf-8", "surrogateescape"))
    for place in (root, target):
        entries = _answered(place, "--stage", "-t", beside=(_WORKFLOWS,))[1]
        if f"{_SUBMODULE} " in entries:
            return ""  # whose own index would have to be asked
        whole.update(f"{entries}\n".encode("utf-8", "surrogateescape"))
    return whole.hexdigest()


def _repository(root: Path) -> str:
    """What a repository says of itself: its branch and its remotes."""
    directory = _folder(root.resolve())
    names = Git(directory).attempt("rev-parse", "--git-path", "HEAD", "--git-path", "config")[1].split("\n")
    return "\0".join((directory / name).read_text("utf-8", "surrogateescape") for name in names)


def _listed(place: Path, *which: str) -> list[str]:
    """The real paths that `git ls-files` lists below a place."""
    directory, listed = _answered(place, *which)
    return [os.path.normpath(directory / file) for file in listed.split("\0") if file]


def _answered(
    place: Path, *which: str, apart_from: Path | None = None, beside: Sequence[str] = ()
) -> tuple[Path, str]:
    """What `git ls-files` says of a place, with paths relative to a directory."""
    real = place.resolve()
    hooked = {name: os.environ[name] for name in REDIRECTING if name in os.environ}
    here = Path.cwd().resolve()
    arguments = ("ls-files", "-z", *which, "--")
    # The first is right in a hook, where the other may be asked about another repository.
    for git in (Git(here, hooked), Git(_folder(real))):
        paths = [f":(literal){os.path.relpath(real, git.directory)}", *beside]
        if apart_from is not None:
            paths.append(f":(literal,exclude){os.path.relpath(apart_from.resolve(), git.directory)}")
        code, listed, said = git.attempt(*arguments, *paths)
        if not code:
            return git.directory, listed
    raise refusal(git.directory, arguments, said)


def _folder(place: Path) -> Path:
    """The nearest directory that is there."""
    return next(folder for folder in (place, *place.parents) if folder.is_dir())
