"""Everything a render decided, with its reasons: what explain, check, diff and the commit message read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from renderer.document.problem import Problem
from renderer.document.values import Object
from renderer.model.adaptation import Adaptation
from renderer.model.binding import Binding
from renderer.model.claim import Claim
from renderer.model.cluster import Cluster
from renderer.model.decision import Decision
from renderer.model.delivery import Unit
from renderer.model.failover import GivenTaint
from renderer.model.identity import Identity
from renderer.model.interpretation import Interpretation
from renderer.model.override_result import Overridden
from renderer.model.previous import NOTHING, Previous
from renderer.model.released import Released
from renderer.model.template import Template
from renderer.model.tree import EMPTY_TREE, Tree
from renderer.model.workspace import Workspace


class Standing(StrEnum):
    """What a template is to this render."""

    PLACED = "placed"  # a policy claims it, and it was scheduled
    FOLLOWS = "follows"  # no placement of its own: it goes where the templates go that need it
    NAMESPACE = "namespace"  # a Namespace that goes where something lives in it
    ORPHAN = "orphan"  # placed earlier, claimed by nobody now: stays as last published
    HELD = "held"  # placed earlier and cannot be decided now (see `error`): stays as last published
    NOWHERE = "nowhere"  # reaches no cluster: unclaimed, or without a binding (see `error`)


class Stage(StrEnum):
    """The step of the chain in which something failed."""

    CLAIM = "claim"
    INTERPRET = "interpret"
    DEPENDENCIES = "dependencies"
    OVERRIDE = "override"


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """What some clusters get of one template; clusters with the same result share it.

    `clusters` are in name order. `body` is what is written; None where `problem` says why there is
    nothing to write. `identity` is the body's own, which an override may have changed. `replicas` and
    `completions` are the share of each of the clusters, before overrides. `adapted` is what was done to the
    body after them, because of the engine that applies it.
    """

    clusters: tuple[str, ...]
    identity: Identity
    replicas: int = 0
    completions: int | None = None
    adapted: tuple[Adaptation, ...] = ()
    body: Object | None = field(default=None, repr=False)
    overridden: Overridden | None = None
    problem: Problem | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendering:
    """All that was decided about one template.

    `binding` is the state after this render; None only where the standing is NOWHERE or NAMESPACE.
    `decision` is the scheduler's, None where it was not asked. `suspended` are clusters whose files stay
    as last published; `plain` are the manifests as overrides left them, where they were adapted to engines
    since. `leaving` are manifests (without body) that stay so on clusters from which the work is
    being evicted, until the task ends. `kept` is the published binding of an ORPHAN or HELD template, which
    stays too. `error` with its `stage` is why there is no binding, or no dependencies.
    """

    template: Template
    claim: Claim
    standing: Standing
    interpretation: Interpretation = field(default_factory=Interpretation)
    binding: Binding | None = None
    decision: Decision | None = None
    condition: str = ""  # reason of the Scheduled condition, remembered where nothing was due
    message: str = ""
    rebalanced_by: tuple[str, ...] = ()
    manifests: Sequence[Manifest] = ()
    plain: Sequence[Manifest] = field(default=(), repr=False)
    suspended: tuple[str, ...] = ()
    leaving: tuple[Manifest, ...] = ()
    kept: Object | None = field(default=None, repr=False)
    error: str = ""
    stage: Stage | None = None

    @property
    def keeps_files(self) -> bool:
        """Whether its files stay as last published, whatever would be rendered now."""
        return self.standing in (Standing.ORPHAN, Standing.HELD)

    def plain_body(self, manifest: Manifest) -> Object | None:
        """The body of one of its manifests as the overrides left it."""
        if not manifest.adapted:
            return manifest.body
        first = manifest.clusters[0]
        return next((plain.body for plain in self.plain if first in plain.clusters), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The result of a render. `problems` are failures of single templates; findings are `check`'s.

    `fresh` tells that `previous` did not count for placements. `clusters` are the inventory with the taints
    that count, `taints` those of them that krender gave. `released` are files that nothing asks for any more,
    and that are kept so that their objects outlive them. `units` are what the delivery engines apply, by
    name.
    """

    workspace: Workspace
    previous: Previous = NOTHING
    now: str = ""
    fresh: bool = False
    clusters: tuple[Cluster, ...] = ()
    taints: tuple[GivenTaint, ...] = ()
    released: tuple[Released, ...] = ()
    renderings: tuple[Rendering, ...] = ()
    problems: tuple[Problem, ...] = ()
    units: tuple[Unit, ...] = ()
    tree: Tree = EMPTY_TREE
