"""Repositories by their address: a bare clone in the user's cache, which is only ever a means.

The remote's word is final: what a run left in the clone and did not push counts for nothing. A clone that
another run is using, or that cannot be kept, is made in a temporary directory instead.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from renderer.edge.cache import cache
from renderer.edge.command import Git
from renderer.edge.errors import OutsideError
from renderer.edge.remote import clone

_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)
_SCP = re.compile(r"[^/\\:]+:(?!//)")  # git@host:path; a slash before the colon makes it a path
_PASSWORD = re.compile(r"(?<=://)([^/@]*)@")


def is_address(text: str) -> bool:
    """Whether text is the address of a repository, as opposed to a path on this machine."""
    return bool(_SCHEME.match(text)) or (bool(_SCP.match(text)) and not Path(text).exists())


def shown_address(address: str) -> str:
    """An address without the user and password that may be in it."""
    return _PASSWORD.sub("", address)


@contextlib.contextmanager
def cloned(address: str, branch: str) -> Iterator[Path]:
    """A bare repository whose remote `origin` is that address, without a branch of that name of its own.

    Raises OutsideError where it cannot be reached.
    """
    place = cache() / "repositories" / _name(address)
    with contextlib.ExitStack() as held:
        lock = _locked(place)
        if lock is None:
            place = Path(held.enter_context(tempfile.TemporaryDirectory(prefix="krender-"))) / place.name
        else:
            held.callback(os.close, lock)
        if not _is_clone(place, address):
            _cloned(address, place)
        Git(place).attempt("update-ref", "-d", f"refs/heads/{branch}")
        yield place


def _name(address: str) -> str:
    """The directory of a clone: telling for people, unique by a digest."""
    plain = re.sub(r"[^a-zA-Z0-9]+", "-", shown_address(address))[-40:].strip("-")
    return f"{plain}-{hashlib.sha256(address.encode()).hexdigest()[:16]}.git"


def _locked(place: Path) -> int | None:
    """Take the lock of a clone; None where another process has it, or nothing can be written there."""
    try:
        place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        lock = os.open(place.with_suffix(".lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError:
        return None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(lock)
        return None
    return lock


def _is_clone(place: Path, address: str) -> bool:
    """Whether a whole clone of that address is there."""
    if not (place / "HEAD").is_file():
        return False
    code, found, _ = Git(place).attempt("config", "--get", "remote.origin.url")
    return not code and found == address


def _cloned(address: str, place: Path) -> None:
    """Make the clone beside its place, so that a killed run leaves none or all of it."""
    place.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="krender-", dir=place.parent) as folder:
        new = Path(folder) / "clone.git"
        try:
            clone(address, new)
        except OutsideError as error:
            raise OutsideError(
                f"the repository {shown_address(address)} cannot be reached",
                error.why.replace(address, shown_address(address)),
                "check the address, and that `git ls-remote` works with it",
            ) from error
        if place.exists():
            shutil.rmtree(place)
        new.rename(place)
