"""Where krender keeps what it could find out again: below the user's cache directory."""

from __future__ import annotations

import os

TYPE_CHECKING = False  # a run that has nothing to do imports this, and next to nothing
if TYPE_CHECKING:
    from pathlib import Path


def cache() -> Path:
    """The directory, which need not exist, and may be removed at any time."""
    from pathlib import Path

    return Path(cache_path())


def cache_path() -> str:
    """The same as text."""
    stated = os.environ.get("XDG_CACHE_HOME", "")
    base = stated if stated.startswith("/") else os.path.expanduser("~/.cache")  # noqa: PTH111 - as above
    return f"{base}/krender"
