"""Options and settings of the whole suite."""

from __future__ import annotations

import os

import pytest
from hypothesis import settings

# A slow example is no failure: machines are busy. CI tries the same examples on every run.
settings.register_profile("dev", deadline=None)
settings.register_profile("ci", deadline=None, max_examples=50, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "dev")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--update`, which rewrites the golden files instead of comparing with them."""
    parser.addoption(
        "--update", action="store_true", help="rewrite golden files; read the diff before you commit it"
    )
