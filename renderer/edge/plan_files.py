"""Plan files on the disk."""

from __future__ import annotations

from pathlib import Path

from renderer.edge.errors import OutsideError, telling

_MOST = 2 << 30  # bytes, compressed


def read_plan(path: Path) -> bytes:
    """The bytes of a plan file. Raises OutsideError where it cannot be read."""
    with telling(f"read {path}"):
        if not path.is_file():
            raise OutsideError(f"there is no plan file {path}", "", "make one with `krender plan -o FILE`")
        if path.stat().st_size > _MOST:
            raise OutsideError(f"{path} is larger than {_MOST:,} bytes", "no plan is", "name a plan file")
        return path.read_bytes()


def is_plan(path: Path) -> bool:
    """Whether a path is that of a file which may be a plan: compressed, where a workspace is a directory."""
    try:
        with path.open("rb") as file:
            return file.read(2) == b"\x1f\x8b"
    except OSError:
        return False
