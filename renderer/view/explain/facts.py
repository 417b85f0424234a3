"""Everything a Plan says about one template, as a JSON document.

The text for people is made from this document, so that both tell the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from renderer.document.values import Object, Value, mapping
from renderer.model.cluster import Cluster
from renderer.model.plan import Manifest, Rendering
from renderer.view.explain.adapting import adaptation_facts
from renderer.view.explain.claiming import claim_facts
from renderer.view.explain.history import undone
from renderer.view.explain.overriding import override_facts, passed_over
from renderer.view.explain.placing import Placing
from renderer.view.explain.reading import Reading, identity_facts, is_among
from renderer.view.explain.revision import stated_replicas
from renderer.view.explain.scheduling import scheduling_facts


def object_facts(reading: Reading, rendering: Rendering, cluster: str = "") -> Object:
    """All about one template; about one cluster alone where a name is given."""
    clusters = [item for item in reading.plan.workspace.clusters if cluster in ("", item.name)]
    placing = Placing(reading, rendering, clusters)
    answers = list(answers_for(reading, rendering, placing, clusters))
    facts: dict[str, Value] = {
        "object": identity_facts(rendering.template.identity),
        "source": reading.place(rendering.template.document),
        "standing": rendering.standing.value,
        "counts": _counts(answers),
        "claim": claim_facts(reading, rendering.claim),
        "replicas": rendering.binding.replicas if _runs(rendering) and rendering.binding else None,
        "divided": rendering.binding.is_divided if _runs(rendering) and rendering.binding else None,
        "condition": rendering.condition or None,
        "message": rendering.message or None,
        "error": rendering.error or None,
        "requiredBy": _required_by(reading, rendering),
        "clusters": answers,
        "scheduling": scheduling_facts(reading.plan, rendering, placing.stages, cluster) or None,
        "overrides": list(override_facts(reading, rendering, cluster)),
        "passedOver": list(passed_over(reading, rendering)),
        "adapted": list(adaptation_facts(reading, rendering, cluster)),
    }
    return {key: value for key, value in facts.items() if value not in (None, [])}


def answers_for(
    reading: Reading, rendering: Rendering, placing: Placing, clusters: Sequence[Cluster]
) -> Iterator[Object]:
    """For each cluster what it gets, or every reason why it gets nothing."""
    manifests = manifests_on(rendering, clusters)
    written = _Written(reading, rendering)
    for cluster in clusters:
        manifest = manifests.get(cluster.name)
        if manifest is None:
            yield _left_out(reading, rendering, placing, cluster)
        else:
            yield _target(reading, rendering, placing, written, manifest, cluster)


def manifests_on(rendering: Rendering, clusters: Sequence[Cluster]) -> Mapping[str, Manifest]:
    """Cluster -> its manifest, for those of the clusters that have one."""
    if len(clusters) == 1:  # of many: look for it, instead of at all of them
        name = clusters[0].name
        found = next((item for item in rendering.manifests if is_among(name, item.clusters)), None)
        return {} if found is None else {name: found}
    return {name: item for item in rendering.manifests for name in item.clusters}


def _left_out(reading: Reading, rendering: Rendering, placing: Placing, cluster: Cluster) -> Object:
    """A cluster that the template does not go to; frozen, it may have it all the same."""
    because: list[Value] = [*placing.reasons(cluster)]
    path = reading.file(rendering.template.identity, cluster) if cluster.frozen else ""
    if not path:
        return {"cluster": cluster.name, "gets": False, "because": because}
    held: Object = {"heldBack": "frozen", "because": [*because, _HELD["frozen"]]}
    return {"cluster": cluster.name, "gets": True, "file": path, **held}


def _target(
    reading: Reading,
    rendering: Rendering,
    placing: Placing,
    written: _Written,
    manifest: Manifest,
    cluster: Cluster,
) -> Object:
    """A cluster that the template goes to, unless something holds its file back."""
    rival = reading.rival(rendering, manifest, cluster.name)
    path = "" if rival else reading.file(manifest.identity, cluster)
    held = _held_back(rendering, manifest, cluster)
    because = [*placing.grounds(manifest, cluster)]
    overridden = None if rival else written.over(manifest)
    if overridden is not None:
        because.append(f"overrides make it {overridden}")
    because += [f"{item.because} scales it" for item in manifest.adapted if item.by == "replicas"]
    if rival is not None:
        because = [f"{rival.template.identity} is written to the same file"]
    elif manifest.problem is not None:
        because = [manifest.problem.what]
    if held and rival is None:
        because.append(_HELD[held] + ("" if path else ", and there is none"))
    facts: dict[str, Value] = {
        "cluster": cluster.name,
        "gets": bool(path),
        "file": path or None,
        "replicas": manifest.replicas if _runs(rendering) else None,
        "overriddenReplicas": overridden,
        "completions": manifest.completions,
        "as": identity_facts(manifest.identity) if manifest.identity != rendering.template.identity else None,
        "heldBack": held or None,
        "because": [*because],
    }
    return {key: value for key, value in facts.items() if value is not None}


_NOT_REPLICAS = ("/metadata/", "/spec/template/")  # no kind states its replicas there
_HELD = {
    "frozen": "the cluster is frozen: its file stays as last published",
    "orphan": "its file stays as last published",
    "held": "its file stays as last published",
    "suspended": "dispatching to it is suspended: its file stays as last published",
    "failed": "with --keep-going its file stays as last published",
}


def _held_back(rendering: Rendering, manifest: Manifest, cluster: Cluster) -> str:
    """Why a cluster's file stays as last published; empty where it is written anew."""
    if cluster.frozen:
        return "frozen"
    if rendering.keeps_files:
        return rendering.standing.value
    if cluster.name in rendering.suspended:
        return "suspended"
    return "failed" if manifest.body is None else ""


class _Written:
    """Replicas that overrides wrote over those of the division."""

    def __init__(self, reading: Reading, rendering: Rendering) -> None:
        self._ask = reading.interpreter if _runs(rendering) else None
        self._counts: dict[int, int | None] = {}

    def over(self, manifest: Manifest) -> int | None:
        """What the manifest has instead of its share of the replicas; None where it has its share."""
        if id(manifest) not in self._counts:
            self._counts[id(manifest)] = self._different(manifest)
        return self._counts[id(manifest)]

    def _different(self, manifest: Manifest) -> int | None:
        result = manifest.overridden
        if self._ask is None or result is None or result.body is None:
            return None
        paths = [step.path for step in result.steps if step.changed]
        if all(path.startswith(_NOT_REPLICAS) for path in paths):
            return None
        before: Value = result.body
        for step in reversed(result.steps):
            before = undone(before, step) if step.changed else before
        was, now = (stated_replicas(mapping(body), self._ask) for body in (before, result.body))
        return now if now != was else None


def _runs(rendering: Rendering) -> bool:
    return rendering.binding is not None and rendering.binding.is_workload


def _counts(answers: Sequence[Object]) -> Object:
    getting = [item for item in answers if item["gets"]]
    return {"clusters": len(answers), "gets": len(getting)}


def _required_by(reading: Reading, rendering: Rendering) -> list[Value]:
    binding = rendering.binding
    return [
        {
            "namespace": item.namespace,
            "name": item.name,
            "object": reading.needing(item),
            "clusters": [target.name for target in item.clusters],
        }
        for item in (binding.required_by if binding else ())
    ]
