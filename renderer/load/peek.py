"""What must be known of `krender.yaml` before the workspace is read: where the result goes, and one limit.

Settings are taken as they stand, without the schema: whether they are right is told when all is loaded. Those
of a file that is right are the same either way.
"""

from __future__ import annotations

from dataclasses import dataclass

from renderer.document.limits import DEFAULT_LIMITS
from renderer.document.values import Value, dig, text

CONFIG_FILE = "krender.yaml"


@dataclass(frozen=True, slots=True, kw_only=True)
class Peeked:
    """The settings of `output`, empty where nothing is stated, and how many bytes a file may have."""

    branch: str = ""
    repo: str = ""
    path: str = ""
    directory: str = ""
    file_bytes: int = DEFAULT_LIMITS.max_bytes


def peek(data: bytes) -> Peeked:
    """The settings as far as they can be read; nothing is wrong with a file that cannot be."""
    # Most workspaces have no such file, and need no YAML to find their files.
    from renderer.document.problem import InputError
    from renderer.document.read import read_stream

    try:
        documents = read_stream(data, CONFIG_FILE)
    except InputError:
        return Peeked()
    spec = dig(documents[0].value, "spec") if len(documents) == 1 else None
    stated = dig(spec, "limits", "fileBytes")
    is_count = isinstance(stated, int) and not isinstance(stated, bool) and stated > 0
    return Peeked(
        branch=_place(spec, "branch"),
        repo=_place(spec, "repo"),
        path=_place(spec, "path"),
        directory=_place(spec, "directory"),
        file_bytes=stated if is_count and isinstance(stated, int) else DEFAULT_LIMITS.max_bytes,
    )


def _place(spec: Value, key: str) -> str:
    """One setting of `output`; a name that no system would take is as good as none."""
    name = text(dig(spec, "output", key))
    return name if name.isprintable() else ""
