"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from renderer.edge.errors import telling


def write_whole(path: Path, data: bytes) -> None:
    """Put the bytes in the place of a file, readable as the user's mask says.

    Raises OutsideError where that cannot be; what was there is there still.
    """
    mask = os.umask(0)
    os.umask(mask)
    with telling(f"write {path}"):
        replace(path, data, 0o666 & ~mask)


def replace(path: Path, data: bytes, mode: int) -> None:
    """Put the bytes in the place of a file in one step; where `path` is a link, it stays one.

    Until it is whole, the new file has a hidden name that ends in `.tmp`. Raises OSError.
    """
    target = Path(os.path.realpath(path))
    descriptor, name = tempfile.mkstemp(prefix=f".{target.name[:100]}.", suffix=".tmp", dir=target.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            os.fchmod(file.fileno(), mode)
        Path(name).replace(target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
