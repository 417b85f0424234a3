"""What lies around a workspace, as far as it is known: its repository, and who runs krender there."""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass
from typing import Final

from renderer.document.source import Document

_ADDRESS: Final = re.compile(
    r"(?:[a-z][a-z0-9+.-]*://)?(?:[^/@]*@)?(?P<host>[^/:]+)(?::\d+(?=/))?[:/]+(?P<path>.+)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """The repository of a workspace.

    `addresses` are those of its remotes, `folder` is where in it the workspace lies (empty: at its top),
    `branch` what is checked out. `workflows` are those for GitHub, their files as seen from the workspace.
    """

    addresses: tuple[str, ...] = ()
    folder: str = ""
    branch: str = ""
    workflows: tuple[Document, ...] = ()

    def is_own(self, address: str) -> bool | None:
        """Whether an address is this repository's; None where nobody can tell."""
        if not address or not self.addresses:
            return None
        return plain_address(address) in map(plain_address, self.addresses)

    def from_top(self, path: str) -> str:
        """A path of the workspace as seen from the top of the repository."""
        return plain_path(posixpath.join(self.folder, path))


UNKNOWN: Final = Surroundings()


def plain_address(address: str) -> str:
    """Host and path alone, so that the ways to write one address are equal."""
    found = _ADDRESS.fullmatch(address.strip())
    if found is None:
        return address
    path = found["path"].strip("/").removesuffix(".git")
    return f"{found['host'].lower()}/{path.lower()}"


def plain_path(path: str) -> str:
    """A path below the top of a repository, without a slash at either end; empty for the top."""
    cleaned = posixpath.normpath("/" + path).lstrip("/")
    return "" if cleaned == "." else cleaned
