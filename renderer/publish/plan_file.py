"""A plan as a file: reviewed in one place, published in another, or not at all if anything has moved.

The file is JSON, compressed with gzip (`gunzip -c FILE` shows it), and the same plan gives the same bytes.
Nothing of it is ever published: whoever publishes renders again, and goes on only if that gives the very
tree whose digest stands in the file. The contents are there to be read and compared.

    format, krender             what wrote it: `krender.io/plan/v1` and the version
    inputs, now, fresh, keepGoing
                                the digest of the workspace's files, and how it was rendered
    source                      the commit it was read from: commit, dirty; null outside a repository
    branch, path, tip           what it is for, and the commit that lay there: null for none
    adopt, allow                what a person has allowed: `--adopt`, and the guards that may be passed
    digest                      SHA-256 of the rendered tree, as Git computes it
    algorithm                   how the ids below are computed, as in the repository: sha1 or sha256
    root, directories           each distinct directory once: names to ids, those of directories with a slash;
                                before an id its mode, where that is not a plain file's (`100755 <id>`)
    files                       id to content; of a Secret without its values, with the id of the whole
    redacted                    the ids of those
    reasons                     why it is so: templates and override rules (`model/reasons.py`)
"""

from __future__ import annotations

import base64
import gzip
import io
import json
from collections.abc import Callable
from dataclasses import dataclass, field

from renderer.model.reasons import Reasons
from renderer.model.tree import Blob, Tree

FORMAT = "krender.io/plan/v1"
PLAIN = "100644"
SUBMODULE = "160000"

# From a file's content to what may be kept of it; None where all of it may.
Redact = Callable[[bytes], "bytes | None"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanFile:
    """A plan as it was reviewed.

    `tree` is krender's part of the branch, below `path`; in one that was read from a file, Secrets have no
    values, yet the ids they had.
    """

    version: str
    inputs: str
    now: str
    fresh: bool = False
    keep_going: bool = False
    source: str = ""
    dirty: bool = False
    branch: str
    path: str = ""
    tip: str = ""
    adopt: bool = False
    allow: tuple[str, ...] = ()
    digest: str
    algorithm: str
    tree: Tree = field(repr=False)
    reasons: Reasons = field(default_factory=Reasons, repr=False)


def encode(plan: PlanFile, redact: Redact) -> bytes:
    """The file. `redact` says what may be kept of a content."""
    listing = _Listing(plan.algorithm, redact)
    root = listing.add(plan.tree)
    document = {
        "format": FORMAT,
        "krender": plan.version,
        "inputs": plan.inputs,
        "now": plan.now,
        "fresh": plan.fresh,
        "keepGoing": plan.keep_going,
        "source": {"commit": plan.source, "dirty": plan.dirty} if plan.source else None,
        "branch": plan.branch,
        "path": plan.path,
        "tip": plan.tip or None,
        "adopt": plan.adopt,
        "allow": list(plan.allow),
        "digest": plan.digest,
        "algorithm": plan.algorithm,
        "root": root,
        "directories": listing.directories,
        "files": listing.files,
        "redacted": sorted(listing.redacted),
        "reasons": _reasons(plan.reasons),
    }
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    packed = io.BytesIO()
    with gzip.GzipFile(fileobj=packed, mode="wb", compresslevel=6, mtime=0, filename="") as file:
        file.write(text.encode())
    return packed.getvalue()


class _Listing:
    """Every distinct directory and file of a tree, once."""

    def __init__(self, algorithm: str, redact: Redact) -> None:
        self.directories: dict[str, dict[str, str]] = {}
        self.files: dict[str, object] = {}
        self.redacted: dict[str, None] = {}
        self._algorithm = algorithm
        self._redact = redact

    def add(self, tree: Tree) -> str:
        """Add a directory with all that is in it; returns its id."""
        name = tree.object_id(self._algorithm).hex()
        if name not in self.directories:
            self.directories[name] = {}
            for entry, node in tree.entries().items():
                if isinstance(node, Tree):
                    self.directories[name][f"{entry}/"] = self.add(node)
                else:
                    mode = "" if node.mode == PLAIN else f"{node.mode} "
                    self.directories[name][entry] = mode + self._file(node)
        return name

    def _file(self, blob: Blob) -> str:
        name = blob.object_id(self._algorithm).hex()
        if name not in self.files:
            kept = self._redact(blob.data)
            if kept is not None or blob.mode == SUBMODULE:
                self.redacted[name] = None
            self.files[name] = _content(blob.data if kept is None else kept)
        return name


def _content(data: bytes) -> object:
    """A content as JSON: text where it is text."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(data).decode()}


def _reasons(reasons: Reasons) -> dict[str, object]:
    return {
        "templates": [
            {
                "object": list(item.key),
                "policy": item.policy_place,
                "scheduled": item.scheduled,
                "left": [list(pair) for pair in item.left],
            }
            for item in reasons.templates
            if item.policy_place or item.scheduled or item.left
        ],
        "rules": [
            {
                "object": list(item.key),
                "clusters": list(item.clusters),
                "rules": [[rule, list(pointers)] for rule, pointers in item.rules],
            }
            for item in reasons.rules
        ],
    }
