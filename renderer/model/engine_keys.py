"""Annotations by which Argo CD and Flux are told how to treat one object, and Argo CD's lists of options.

Sources: Argo CD docs/user-guide/sync-options.md, compare-options.md; Flux docs for Kustomization, spec.prune.
"""

from __future__ import annotations

from typing import Final

SYNC_OPTIONS: Final = "argocd.argoproj.io/sync-options"
COMPARE_OPTIONS: Final = "argocd.argoproj.io/compare-options"
FLUX: Final = "kustomize.toolkit.fluxcd.io"
PRUNE: Final = f"{FLUX}/prune"

NO_PRUNE: Final = "Prune=false"
NOT_MISSED: Final = "IgnoreExtraneous"  # beside it: else an Application whose file is gone is out of sync


def options_of(stated: str) -> list[str]:
    """The options of a comma-separated list."""
    return [option.strip() for option in stated.split(",") if option.strip()]


def option_name(option: str) -> str:
    """`Prune` of `Prune=false`."""
    return option.partition("=")[0]


def insisted(stated: str, option: str) -> str:
    """The list with an option in the place of any other value of it, and the rest as it is."""
    options = options_of(stated)
    if [item for item in options if option_name(item) == option_name(option)] == [option]:
        return stated
    return ",".join([*(item for item in options if option_name(item) != option_name(option)), option])
