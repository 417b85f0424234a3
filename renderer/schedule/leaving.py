"""Clusters that work is leaving: they keep what was published there until the eviction task ends.

What only follows the work stays with it. Karmada takes dependencies away at once, though the workload that
needs them still runs; in Git that would be a deletion ahead of time.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from renderer.model.binding import Binding
from renderer.model.plan import Manifest, Rendering
from renderer.schedule.failover import left_behind

_Left = Mapping[tuple[str, str], tuple[str, ...]]  # binding -> clusters


def with_leaving(renderings: Sequence[Rendering]) -> tuple[Rendering, ...]:
    """The renderings with the clusters that they, or what needs them, are leaving."""
    bindings = [rendering.binding for rendering in renderings if rendering.binding is not None]
    left = {binding.key: left_behind(binding.graceful_eviction_tasks) for binding in bindings}
    if not any(left.values()):
        return tuple(renderings)
    return tuple(_one(rendering, left) for rendering in renderings)


def _one(rendering: Rendering, left: _Left) -> Rendering:
    binding = rendering.binding
    names = _leaving(binding, left) if binding else ()
    if not names:
        return rendering
    return replace(rendering, leaving=(Manifest(clusters=names, identity=rendering.template.identity),))


def _leaving(binding: Binding, left: _Left) -> tuple[str, ...]:
    keys: Iterable[tuple[str, str]] = (
        binding.key,
        *((item.namespace, item.name) for item in binding.required_by),
    )
    current = {target.name for target in binding.target_clusters}
    names = dict.fromkeys(name for key in keys for name in left.get(key, ()))
    return tuple(sorted(name for name in names if name not in current))
