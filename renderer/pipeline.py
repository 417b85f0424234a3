"""render: a workspace, what was published, and a clock, to a Plan. The chain is these calls alone."""

from __future__ import annotations

from collections.abc import Sequence

from renderer.delivery.adapt.step import adapt
from renderer.delivery.step import deliver
from renderer.interpret.bind import bind
from renderer.interpret.binding import priority_values
from renderer.interpret.interpret import interpreter
from renderer.interpret.lua.customized import customized_layer
from renderer.layout.layout import Memory, lay_out
from renderer.layout.paths import plain_path
from renderer.load.stored_binding import stored_binding
from renderer.match.plurals import crd_plurals
from renderer.match.step import claim_all
from renderer.model.cluster import Cluster
from renderer.model.config import ReleasedFiles
from renderer.model.instant import EPOCH
from renderer.model.plan import Plan
from renderer.model.previous import NOTHING, Previous
from renderer.model.workspace import Workspace
from renderer.override.step import with_manifests
from renderer.schedule.renamed import renamed
from renderer.schedule.standing import place
from renderer.schedule.taints import tainted


def render(
    workspace: Workspace,
    previous: Previous = NOTHING,
    now: str = EPOCH,
    *,
    fresh: bool = False,
    known: Plan | None = None,
) -> Plan:
    """Decide everything about a workspace.

    `previous` is what was last published; `fresh` schedules without that memory. `now` is RFC 3339 text and
    the only clock. The same three values give the same plan, byte for byte. Nothing is raised for the user's
    files: what fails is in the plan. `known` is an earlier plan of the same workspace, whose manifests are
    used again where they would be made the same: it makes a difference to the time only.
    """
    config = workspace.config
    gates = config.feature_gates
    previous = renamed(previous, workspace.clusters)
    given = () if fresh else previous.taints
    fleet = tainted(workspace.clusters, workspace.taint_policies, given, config, now)
    clusters = fleet.clusters
    ask = interpreter(gates, customized_layer(workspace.customizations, now=now, gates=gates))
    claims, remembered = claim_all(workspace, previous, stored_binding, fresh=fresh)
    bound = bind(claims, ask, gates, priority_values(workspace.templates))
    placed = place(bound, clusters, workspace.rebalancers, previous, config, now, fresh=fresh)
    made = known.renderings if known and _is_alike(known, workspace, clusters) else ()
    renderings = with_manifests(placed, clusters, workspace.override_policies, ask, config, made)
    memory = Memory(claims=remembered, taints=fleet.given)
    prune = config.released is ReleasedFiles.PRUNE
    adapted = adapt(renderings, clusters, previous, config, plain_path)
    renderings = adapted.renderings
    laid = lay_out(renderings, clusters, previous, memory, prune_released=prune)
    plurals = crd_plurals(template.body for template in workspace.templates)
    delivered = deliver(laid.tree, laid.identities, clusters, previous.tree, config, adapted, plurals)
    return Plan(
        workspace=workspace,
        previous=previous,
        now=now,
        fresh=fresh,
        clusters=clusters,
        taints=fleet.given,
        released=laid.released,
        renderings=renderings,
        problems=(*laid.problems, *delivered.problems),
        units=delivered.units,
        tree=delivered.tree,
    )


def _is_alike(known: Plan, workspace: Workspace, clusters: Sequence[Cluster]) -> bool:
    """Whether manifests of an earlier plan would be made the same; scripts may ask what time it is."""
    return known.workspace is workspace and known.clusters == clusters and not workspace.customizations
