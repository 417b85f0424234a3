"""Where krender keeps what it could find out again: below the user's cache directory."""

from __future__ import annotations

import os
from pathlib import Path


def cache() -> Path:
    """The directory, which need not exist, and may be removed at any time."""
    stated = os.environ.get("XDG_CACHE_HOME", "")
    base = Path(stated) if stated.startswith("/") else Path.home() / ".cache"
    return base / "krender"
