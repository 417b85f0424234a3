"""The step: exactly one policy, or none, for each template; afresh, or as the last claims have it."""

from __future__ import annotations

from renderer.match.claims import claim
from renderer.match.kept_claims import Stored, keep_claims
from renderer.match.skip import SkipOptions
from renderer.model.claim import Claim
from renderer.model.claim_memory import ClaimMemory
from renderer.model.config import Claims
from renderer.model.previous import NOTHING, Previous
from renderer.model.workspace import Workspace


def claim_all(
    workspace: Workspace, previous: Previous, stored: Stored, *, fresh: bool = False
) -> tuple[tuple[Claim, ...], ClaimMemory | None]:
    """The claim of each template, and what the next render must know where claims are sticky.

    `stored` reads a published binding as a whole. `fresh` forgets earlier claims.
    """
    config = workspace.config
    overrides = [(policy.namespace, policy.name) for policy in workspace.override_policies]
    options = SkipOptions(
        namespaces=config.skipped_propagating_namespaces, apis=config.skipped_propagating_apis
    )
    if config.claims is Claims.AFRESH:
        return claim(workspace.templates, workspace.propagation_policies, overrides, options), None
    return keep_claims(
        workspace.templates,
        workspace.propagation_policies,
        overrides,
        options,
        NOTHING if fresh else previous,
        stored,
        preemption=config.feature_gates.propagation_policy_preemption,
    )
