"""A new workspace on disk."""

from __future__ import annotations

import os
import shlex
import shutil
import tempfile
from importlib.resources import as_file, files
from pathlib import Path

from renderer.edge.errors import StoppedError, telling

_GIT = ".git"


def write_scaffold(target: Path) -> tuple[str, ...]:
    """Make a workspace that renders as it is; returns the files, relative to `target`.

    A new directory appears whole or not at all; one that is empty, but for a repository without a file, stays
    the directory that it is. Raises StoppedError where there is anything else, and OutsideError where it
    cannot be written.
    """
    with telling(f"write {target}"):
        is_file = target.exists() and not target.is_dir()
        if is_file or (target.exists() and any(entry.name != _GIT for entry in target.iterdir())):
            raise StoppedError(
                f"{target} is a file" if is_file else f"{target} exists and is not empty",
                "a new workspace would be mixed with what is there",
                "name a directory that does not exist yet",
            )
        place = Path(os.path.normpath(target.absolute()))  # not resolved: a link may be meant
        place.parent.mkdir(parents=True, exist_ok=True)
        beside = Path(tempfile.mkdtemp(prefix=".krender-init-", dir=place.parent))
        try:
            with as_file(files("renderer") / "scaffold") as source:
                shutil.copytree(source, beside / "new", copy_function=shutil.copyfile)
            readme = beside / "new" / "README.md"
            text = readme.read_text(encoding="utf-8").replace("{directory}", shlex.quote(str(target)))
            readme.write_text(text, encoding="utf-8", newline="\n")
            written = sorted(
                path.relative_to(beside / "new").as_posix() for path in beside.rglob("*") if path.is_file()
            )
            if place.exists():  # not replaced: a shell in it would be left in a directory that is gone
                for entry in sorted((beside / "new").iterdir()):
                    entry.rename(place / entry.name)
            else:
                (beside / "new").rename(place)
        finally:
            shutil.rmtree(beside, ignore_errors=True)
    return tuple(written)
