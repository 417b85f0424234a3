"""What a render wrote, for people and for programs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Protocol

from renderer.model.plan import Plan
from renderer.model.touched import Touched
from renderer.view.unchanged import not_written


class Writing(Touched, Protocol):
    """What writing a tree did."""

    @property
    def kept_foreign(self) -> tuple[str, ...]:
        """Files that are not krender's, and were left alone."""


def written_text(
    plan: Plan, written: Writing, target: str, *, dry_run: bool = False, listed: bool = False
) -> str:
    """One line for a person: how much lies where, and what changed; a dry run lists it."""
    total = total_of(plan)
    changes = ", ".join(
        f"{len(paths)} {word}"
        for word, paths in (
            ("added", written.added),
            ("changed", written.changed),
            ("removed", written.removed),
        )
        if paths
    )
    if not changes:
        return not_written(target, total)
    lines = [f"{target}: {total}, {changes}" + (" (dry run: nothing was written)" if dry_run else "")]
    if dry_run or listed:
        lines += _listed("+", written.added) + _listed("~", written.changed) + _listed("-", written.removed)
    return "\n".join(lines)


def written_json(plan: Plan, written: Writing, target: str, *, dry_run: bool = False) -> str:
    """The same for a program: the paths below the target."""
    return json.dumps(
        {
            "target": target,
            "dryRun": dry_run,
            "clusters": [cluster.name for cluster in plan.workspace.clusters],
            "added": list(written.added),
            "changed": list(written.changed),
            "removed": list(written.removed),
            "foreign": list(written.kept_foreign),
        },
        indent=2,
        ensure_ascii=False,
    )


def total_of(plan: Plan) -> str:
    """How much lies where, in words."""
    manifests = sum(
        len(manifest.clusters) for rendering in plan.renderings for manifest in rendering.manifests
    )
    return f"{_count(manifests, 'manifest')} on {_count(len(plan.workspace.clusters), 'cluster')}"


def _listed(mark: str, paths: Sequence[str]) -> list[str]:
    return [f"  {mark} {path}" for path in paths]


def _count(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
