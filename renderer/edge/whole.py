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
    with telling(f"write {path}"):
        descriptor, name = tempfile.mkstemp(prefix=f".{path.name[:100]}.", dir=path.parent)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(data)
            mask = os.umask(0)
            os.umask(mask)
            Path(name).chmod(0o666 & ~mask)
            Path(name).replace(path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
