"""The last paragraph of a commit message: what krender wrote there, and from what.

Where rendering the same input on the commit is known to give its tree again, at any time, the message says
that it is settled. Then nothing needs to be rendered as long as neither the input nor the branch has changed.
"""

from __future__ import annotations

import re

SOURCE_TRAILER = "Krender-Source-Commit"
VERSION_TRAILER = "Krender-Version"
INPUT_TRAILER = "Krender-Input-Digest"
TREE_TRAILER = "Krender-Tree"
PATH_TRAILER = "Krender-Path"
SETTLED_TRAILER = "Krender-Settled"
SETTLED = "true"


def trailers(text: str) -> dict[str, str]:
    """The trailers of a message, which are its last paragraph; empty where that is other text."""
    paragraph = text.rstrip("\n").rsplit("\n\n", 1)[-1].split("\n")
    pairs = [line.partition(": ") for line in paragraph]
    if not all(separator and re.fullmatch(r"[A-Za-z0-9-]+", key) for key, separator, _ in pairs):
        return {}
    return {key: value for key, _, value in pairs}


def is_settled(message: str, tree: str, *, version: str, inputs: str, path: str = "") -> bool:
    """Whether this krender would render that input to the very tree it is asked about, which a commit has.

    `tree` is the id of what lies at `path` of the commit, `inputs` the digest of all input. The message names
    the tree only where krender made the commit, and nothing foreign lies in it.
    """
    said = trailers(message)
    expected = {
        VERSION_TRAILER: version,
        INPUT_TRAILER: inputs,
        TREE_TRAILER: tree,
        SETTLED_TRAILER: SETTLED,
    }
    return said.get(PATH_TRAILER, "") == path and all(said.get(key) == expected[key] for key in expected)
