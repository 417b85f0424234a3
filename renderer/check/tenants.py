"""Findings about teams: what one has that it may not have, and sources that are not its own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from renderer.check.finding import Rule, some
from renderer.document.problem import Problem, Severity
from renderer.document.source import Document
from renderer.match.tenants import ANYTHING, Tenants, is_source_of, may_be_on, may_have
from renderer.model.delivery import Tenant, UnitOf
from renderer.model.identity import Identity
from renderer.model.plan import Plan, Rendering
from renderer.model.variants import alike

OUTSIDE: Final = Rule(id="KR901", title="A team has what it may not have", severity=Severity.ERROR)
FOREIGN: Final = Rule(
    id="KR902", title="A team's sources hold what is not the team's", severity=Severity.ERROR
)
TOGETHER: Final = Rule(id="KR903", title="Teams share what an engine applies as one")
UNFIT: Final = Rule(id="KR904", title="What is said of a team fits nothing")

RULES: Final = (OUTSIDE, FOREIGN, TOGETHER, UNFIT)


def tenant_findings(plan: Plan) -> Iterator[Problem]:
    """All findings of this family."""
    config = plan.workspace.config
    if not config.tenants:
        return
    tenants = Tenants(config.tenants)
    for rendering in plan.renderings:
        yield from _outside(rendering, tenants)
    for subject, namespace, document in _sources(plan):
        for tenant in config.tenants:
            if document and is_source_of(tenant, document.file) and tenants.of(namespace) is not tenant:
                yield _foreign(tenant, subject, namespace, document)
    yield from _unfit(plan)
    if plan.units and config.delivery.unit is UnitOf.CLUSTER:
        yield TOGETHER.at(
            config.document,
            "/spec/tenants",
            what="spec.delivery.unit is cluster, and there are teams",
            why="one Application or Kustomization applies a whole cluster, with the rights for all of it",
            fix="set delivery: {unit: namespace} in krender.yaml",
        )


def _unfit(plan: Plan) -> Iterator[Problem]:
    """Names of namespaces and clusters that there are none of: mistyped, more often than not.

    A pattern is often there for what is to come.
    """
    namespaces = {one.template.identity.namespace for one in plan.renderings}
    namespaces |= {item.identity.namespace for one in plan.renderings for item in alike(one.manifests)}
    clusters = [cluster.name for cluster in plan.clusters]
    config = plan.workspace.config
    for index, tenant in enumerate(config.tenants):
        known = (("namespaces", tenant.namespaces, namespaces), ("clusters", tenant.clusters, clusters))
        for field, patterns, names in known:
            for number, pattern in enumerate(patterns):
                if not pattern.endswith(ANYTHING) and pattern not in names:
                    yield UNFIT.at(
                        config.document,
                        f"/spec/tenants/{index}/{field}/{number}",
                        what=f"the {field} of {tenant.name}: {pattern} fits nothing",
                        why="the workspace has none of that name, so nothing is the team's for it",
                        fix="correct it, if it is mistyped",
                    )


def _outside(rendering: Rendering, tenants: Tenants) -> Iterator[Problem]:
    found: dict[tuple[str, Identity], list[str]] = {}
    for manifest in alike(rendering.manifests):
        tenant = tenants.of(manifest.identity.namespace)
        if tenant is None or manifest.body is None:
            continue
        identity = manifest.identity
        if not may_have(tenant, identity.group, identity.kind):
            found.setdefault((_KIND, identity), []).extend(manifest.clusters)
        elif denied := [name for name in manifest.clusters if not may_be_on(tenant, name)]:
            found.setdefault((_PLACE, identity), []).extend(denied)
    for (what, identity), clusters in found.items():
        tenant = tenants.of(identity.namespace)
        if tenant is None:
            continue
        on = some(sorted(clusters))
        kind = f"{identity.kind}.{identity.group}" if identity.group else identity.kind
        says = f"{tenant.name} may not have {kind}" if what == _KIND else f"{tenant.name} may not be there"
        yield OUTSIDE.at(
            rendering.template.document,
            what=f"{identity} is on {on}, and {says}",
            why="its project and account are made for what the team may have: the engine refuses the rest",
            fix=f"place it elsewhere, or let {tenant.name} have it in spec.tenants of krender.yaml",
        )


_KIND, _PLACE = "kind", "place"


def _sources(plan: Plan) -> Iterator[tuple[str, str, Document | None]]:
    """What the workspace states, with its namespace and place."""
    workspace = plan.workspace
    for template in workspace.templates:
        yield str(template.identity), template.identity.namespace, template.document
    for policy in workspace.propagation_policies:
        yield str(policy), policy.namespace, policy.document
    for rule in workspace.override_policies:
        yield str(rule), rule.namespace, rule.document
    for cluster in workspace.clusters:
        yield f"Cluster {cluster.name}", "", cluster.document


def _foreign(tenant: Tenant, subject: str, namespace: str, document: Document) -> Problem:
    place = f"the namespace {namespace}" if namespace else "no namespace"
    return FOREIGN.at(
        document,
        what=f"{subject} is in {place}, and lies among the sources of {tenant.name}",
        why="who may change these files would decide about more than the team's own",
        fix="move it out of there, or let the team have the namespace",
    )
