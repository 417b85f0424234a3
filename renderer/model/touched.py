"""What a write did to a directory, or would do."""

from __future__ import annotations

from typing import Protocol


class Touched(Protocol):
    """Paths of files below the directory."""

    @property
    def added(self) -> tuple[str, ...]:
        """Files that were not there."""

    @property
    def changed(self) -> tuple[str, ...]:
        """Files that get other content."""

    @property
    def removed(self) -> tuple[str, ...]:
        """Files that go."""
