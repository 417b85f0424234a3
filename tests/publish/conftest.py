"""Git without the user's configuration."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.repositories import isolate_git


@pytest.fixture(autouse=True)
def _own_git(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    home: Path = tmp_path_factory.mktemp("home")
    isolate_git(monkeypatch, home)
