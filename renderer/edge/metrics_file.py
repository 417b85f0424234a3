"""A file of metrics, for a textfile collector."""

from __future__ import annotations

import os
from pathlib import Path

from renderer.edge.errors import OutsideError
from renderer.edge.whole import replace

_READABLE = 0o644  # by the collector, which is another user, whatever the umask


def check_metrics_file(path: Path) -> None:
    """See that the file can be written, before there is anything to write. Raises OutsideError."""
    folder = path.parent
    if path.exists() and not path.is_file():
        raise OutsideError(f"{path} is no regular file", "metrics would take its place", "name another file")
    if not folder.is_dir():
        raise OutsideError(
            f"there is no directory {folder} for the metrics", "nothing was done", "make it, or name another"
        )
    if not os.access(folder, os.W_OK | os.X_OK):
        raise OutsideError(
            f"the metrics cannot be written into {folder}", "nothing was done", "check who may write there"
        )


def write_metrics(path: Path, text: str) -> None:
    """Put the whole text in the place of what is there, in one step. Raises OutsideError.

    The collector reads `*.prom`, at any time: so the new file has another name until it is whole.
    """
    try:
        replace(path, text.encode(), _READABLE)
    except OSError as error:
        raise OutsideError(
            f"cannot write the metrics {path}: {(error.strerror or str(error)).lower()}",
            "the run itself is over: only its metrics are missing",
            "check the disk, and who may write there",
        ) from error
