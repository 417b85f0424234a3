"""Answers of earlier runs that looked at what Git tracks only, so that the next one need not look again.

They lie in the user's cache, one for each question: what was asked, and where. An answer holds as long as
Git has the same files there, and they are as Git has them.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from dataclasses import dataclass
from pathlib import Path

from renderer.edge.cache import cache

_FORMAT = "krender.io/answer/v1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What `version` of krender said of a rendered directory, and the state that Git had all files in."""

    version: str
    target: str
    state: str
    text: str


def question(command: str, root: Path, output: Path | None) -> str:
    """What is asked here: an answer names paths as they were typed."""
    return "\0".join((command, str(Path.cwd()), str(root), "" if output is None else str(output)))


def note(asked: str, answer: Answer) -> None:
    """Note an answer down; where that cannot be, nothing is lost."""
    if "\n" in answer.target:
        return
    place = _place(asked)
    draft = place.with_suffix(f".{os.getpid()}")
    with contextlib.suppress(OSError):
        lines = (_FORMAT, answer.version, answer.target, answer.state, answer.text)
        place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        draft.write_text("\n".join(lines), encoding="utf-8")
        draft.replace(place)


def noted(asked: str) -> Answer | None:
    """The last answer to the question. Raises OSError or ValueError where it cannot be read."""
    form, version, target, state, text = _place(asked).read_text(encoding="utf-8").split("\n", 4)
    return Answer(version=version, target=target, state=state, text=text) if form == _FORMAT else None


def _place(asked: str) -> Path:
    name = hashlib.sha256(os.fsencode(asked)).hexdigest()
    return cache() / "answers" / name[:32]
