"""When each directory of a branch last changed, from its history along first parents.

Whole trees are compared, never files: a commit costs what one directory with a name for each cluster costs,
however much it changed. It is looked into as few commits as it takes, and no further than the oldest that
is known here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Final

from renderer.edge.command import Git

MOST_COMMITS: Final = 5_000  # about 15 s for ten thousand clusters of which one never changes

_PAIR = re.compile(r"[0-9a-f]{40,64} [0-9a-f]{40,64}")


def last_changes(
    git: Git, commit: str, path: str, wanted: Iterable[str], most: int = MOST_COMMITS
) -> Mapping[str, int]:
    """Name of a directory below `path` to the date of the last commit that changed it, as far as is known.

    Dates are the committers', in seconds since 1970. Of what did not change in the last `most` commits that
    touched the path, and of what is older than a shallow history, nothing is known.
    """
    missing, found = dict.fromkeys(wanted), dict[str, int]()
    where = ("--", f":(top,literal){path}")
    listed = git.ask("rev-list", "--first-parent", "--timestamp", f"-n{most + 1}", commit, *where)
    commits = [line.split(" ") for line in listed.split("\n") if line]
    begin, step = 0, 1
    while missing and begin < len(commits) - 1:
        chunk = commits[begin : begin + step + 1]  # the last of it is what the one before is compared with
        differences = _differences(git, [name for _, name in chunk], path)
        for (date, _), names in zip(chunk[:-1], differences, strict=True):
            for name in filter(missing.__contains__, names):
                del missing[name]
                found[name] = int(date)
        begin, step = begin + step, step * 2
    if missing and commits and len(commits) <= most and _began(git, commits[-1][1]):
        found |= dict.fromkeys(missing, int(commits[-1][0]))
    return found


def _differences(git: Git, commits: Sequence[str], path: str) -> list[list[str]]:
    """For each commit but the last, the names below `path` that differ from the next one."""
    asked = "".join(f"{commit}:{path}\n" for commit in commits).encode()
    nothing = git.ask("hash-object", "-t", "tree", "--stdin")
    objects = git.ask("cat-file", "--batch-check=%(objecttype) %(objectname)", given=asked).split("\n")
    trees = [line[5:] if line.startswith("tree ") else nothing for line in objects]
    pairs = "".join(f"{new} {old}\n" for new, old in pairwise(trees)).encode()
    names: list[list[str]] = []
    for line in git.ask("diff-tree", "--stdin", "--name-only", given=pairs).split("\n"):
        if _PAIR.fullmatch(line):
            names.append([])
        else:
            names[-1].append(line)
    return names


def _began(git: Git, commit: str) -> bool:
    """Whether a commit made the path; where a shallow history ends, nobody knows what the commit changed."""
    has_parent = re.match(r"tree .*\nparent ", git.ask("cat-file", "commit", commit)) is not None
    return not has_parent or not git.attempt("rev-parse", "--verify", "--quiet", f"{commit}^")[0]
