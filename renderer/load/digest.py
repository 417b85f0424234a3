"""One name for all input together: the same files have the same, and no others do."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from renderer.document.file import SourceFile


def digest(files: Iterable[SourceFile]) -> str:
    """SHA-256, in hexadecimal, over the names and the contents of files in order of their names."""
    whole = hashlib.sha256()
    for file in sorted(files, key=lambda file: file.path):
        whole.update(f"{file.path}\0{len(file.data)}\0".encode("utf-8", "surrogatepass"))
        whole.update(hashlib.sha256(file.data).digest())
    return whole.hexdigest()
