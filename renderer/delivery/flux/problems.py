"""What keeps Flux from being given anything, as far as only a plan tells it."""

from __future__ import annotations

from collections.abc import Iterator

from renderer.delivery.flux.accounts import Accounts
from renderer.delivery.rules import UNDELIVERED
from renderer.document.problem import Problem
from renderer.model.config import WorkspaceConfig

ARTIFACTS = 1000  # that an ArtifactGenerator takes


def unknown_plurals(accounts: Accounts, config: WorkspaceConfig) -> Iterator[Problem]:
    """Kinds that no rule can be written for."""
    for (group, kind), unit in sorted(accounts.unknown.items(), key=lambda item: item[0]):
        named = f"{kind}.{group}" if group else kind
        yield UNDELIVERED.at(
            config.document,
            "/spec/delivery",
            what=f"the plural of {named}, which {unit.cluster.name} gets, is not known",
            why=f"a role names kinds by their plurals, and {accounts.of(unit)} must be allowed this one",
            fix="add its CustomResourceDefinition to the workspace, or state it: "
            f"delivery: {{flux: {{resources: {{{named}: {kind.lower()}s}}}}}}",
        )


def too_many_artifacts(number: int, config: WorkspaceConfig) -> Iterator[Problem]:
    """More of them than one generator may have."""
    if number > ARTIFACTS:
        yield UNDELIVERED.at(
            config.document,
            "/spec/delivery/flux",
            what=f"an ArtifactGenerator would have {number:,} artifacts",
            why=f"an API server takes no more than {ARTIFACTS:,}",
            fix="set delivery.flux.hubParts to 16 or 256",
        )
