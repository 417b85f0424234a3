"""What a delivery engine is asked, and what it gives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from renderer.document.problem import Problem
from renderer.match.plurals import Plurals
from renderer.model.config import WorkspaceConfig
from renderer.model.delivery import Unit
from renderer.model.tree import EMPTY_TREE, Node, Tree


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The units of one engine, by name, and what it may look at beside them.

    `directories` are those of all clusters, by slug; `published` is the tree as it was last. `plurals` are
    those of the kinds that CustomResourceDefinitions of the workspace define.
    """

    units: Sequence[Unit]
    config: WorkspaceConfig
    directories: Mapping[str, Node] = field(default_factory=dict, repr=False)
    published: Tree = field(default=EMPTY_TREE, repr=False)
    plurals: Plurals = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """The files of an engine, by path from the top of the published tree, and what stands in its way.

    Where something does, what it was given before stays: nodes of the published tree.
    """

    files: Mapping[str, bytes | Node]
    problems: tuple[Problem, ...] = ()
