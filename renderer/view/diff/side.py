"""One of the two states that are compared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from renderer.model.previous import Key, Remembered
from renderer.model.tree import EMPTY_TREE, Tree
from renderer.view.diff.reasons import OfRecord, Why

_NOBODY: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """A published tree with the bindings in it, and whom to ask for reasons.

    `label` names it for people. `names` are the clusters' names by directory, where they are known;
    `renamed` leads from the clusters' names of the other side to those of this one.
    """

    label: str
    tree: Tree = EMPTY_TREE
    bindings: Mapping[Key, Remembered] = field(default_factory=dict)
    why: Why = field(default_factory=OfRecord)
    names: Mapping[str, str] = field(default_factory=dict)
    renamed: Mapping[str, str] = field(default_factory=dict)
    moved: Mapping[str, str] = field(default_factory=dict)

    def name(self, directory: str) -> str:
        """The name of the cluster that has a directory."""
        return self.names.get(directory, directory)
