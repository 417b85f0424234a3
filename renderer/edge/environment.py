"""What git is run with, the same on every machine.

Variables that point Git at some repository, index or object store are taken out of the environment: a hook
sets them, and the repository krender works on is the one it was told. Settings that would change what
is written (case folding, commit encoding) are overridden; all else of the user's configuration holds.

A run that has nothing to do imports this, so it imports next to nothing.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

# `git rev-parse --local-env-vars` less what only carries configuration, and the namespace of refs.
REDIRECTING = (
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_CONFIG",
    "GIT_DIR",
    "GIT_GRAFT_FILE",
    "GIT_IMPLICIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_INTERNAL_SUPER_PREFIX",
    "GIT_NAMESPACE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_PREFIX",
    "GIT_QUARANTINE_PATH",
    "GIT_REPLACE_REF_BASE",
    "GIT_SHALLOW_FILE",
    "GIT_WORK_TREE",
)
_ALWAYS = {
    "GIT_NO_REPLACE_OBJECTS": "1",  # what is published is what the objects say
    "GIT_OPTIONAL_LOCKS": "0",  # `git status` must not write the user's index
    "LC_ALL": "C",  # messages are matched
}
_SETTINGS = ("core.ignoreCase=false", "core.quotePath=false", "i18n.commitEncoding=UTF-8")


def command_line(*arguments: str) -> Sequence[str]:
    """The whole command line of a git command."""
    return ["git", *(part for setting in _SETTINGS for part in ("-c", setting)), *arguments]


def variables() -> Mapping[str, str]:
    """The environment that git runs in."""
    return {name: value for name, value in os.environ.items() if name not in REDIRECTING} | _ALWAYS
