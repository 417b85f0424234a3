"""What one cluster gets and does not get, what is known of it, and the overrides that touch it, as facts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from renderer.document.values import Object, Value
from renderer.model.cluster import Cluster, ResourceSummary
from renderer.model.override_result import Overridden
from renderer.model.places import CLUSTERS
from renderer.model.plan import Rendering
from renderer.model.quantity import Quantity
from renderer.view.explain.facts import answers_for
from renderer.view.explain.overriding import applied, rule_facts
from renderer.view.explain.placing import Placing
from renderer.view.explain.reading import Reading, identity_facts, is_among
from renderer.view.units import unit_facts


def cluster_facts(reading: Reading, cluster: Cluster) -> Object:
    """All about one cluster."""
    answers = [_answer(reading, rendering, cluster) for rendering in reading.plan.renderings]
    gets = [answer for answer in answers if answer["gets"]]
    return {
        "cluster": cluster.name,
        "source": reading.place(cluster.document),
        "directory": f"{CLUSTERS}/{cluster.slug}",
        "facts": _known(cluster),
        "counts": {"templates": len(answers), "gets": len(gets)},
        "units": [unit_facts(unit) for unit in reading.plan.units if unit.cluster.name == cluster.name],
        "gets": [*gets],
        "getsNot": [answer for answer in answers if not answer["gets"]],
        "overrides": list(_overrides(reading, cluster)),
    }


def _answer(reading: Reading, rendering: Rendering, cluster: Cluster) -> Object:
    placing = Placing(reading, rendering, [cluster])
    (answer,) = answers_for(reading, rendering, placing, [cluster])
    facts = {key: value for key, value in answer.items() if key != "cluster"}
    return {"object": identity_facts(rendering.template.identity), **facts}


def _known(cluster: Cluster) -> Object:
    """The cluster's facts, without those that nobody knows."""
    facts: dict[str, Value] = {
        "labels": dict(cluster.labels),
        "provider": cluster.provider,
        "region": cluster.region,
        "zones": list(cluster.zones),
        "taints": [str(taint) for taint in cluster.taints],
        "syncMode": cluster.sync_mode,
        "server": cluster.server,
        "kubernetesVersion": cluster.kubernetes_version,
        "conditions": [
            {
                "type": item.type,
                "status": item.status,
                "reason": item.reason,
                "message": item.message,
                "since": item.last_transition_time,
            }
            for item in cluster.conditions
        ],
        "resources": list(_resources(cluster.resource_summary)),
        "resourceModels": [model.grade for model in cluster.resource_models],
        "apis": sum(len(kinds) for _, kinds in cluster.api_enablements) if cluster.apis_known else None,
        "deletionTimestamp": cluster.deletion_timestamp,
        "paused": cluster.paused,
        "frozen": cluster.frozen,
        "protected": cluster.protected,
        "wave": cluster.wave,
        "observedAt": cluster.observed_at,
        "observedSource": cluster.observed_source,
    }
    return {key: value for key, value in facts.items() if value or (key == "apis" and value is not None)}


def _resources(summary: ResourceSummary | None) -> Iterator[Object]:
    """What the cluster has of each resource and what is taken, as quantities."""
    if summary is None:
        return
    taken = {"allocated": dict(summary.allocated), "allocating": dict(summary.allocating)}
    for name, amount in summary.allocatable:
        used: dict[str, Quantity | None] = {word: entries.get(name) for word, entries in taken.items()}
        spelled: dict[str, Value] = {word: str(item) for word, item in used.items() if item is not None}
        yield {"resource": name, "allocatable": str(amount), **spelled}


def _overrides(reading: Reading, cluster: Cluster) -> Iterator[Object]:
    """Every rule that is applied to something on the cluster, with the objects, in the order of rules."""
    touched: dict[str, tuple[Object, list[Value]]] = {}
    for rendering in reading.plan.renderings:
        for manifest in rendering.manifests:
            result = manifest.overridden
            if result is None or not is_among(cluster.name, manifest.clusters):
                continue
            for rule in applied(result):
                entry = touched.setdefault(str(rule), (rule_facts(reading, rule), []))
                entry[1].append(_touched(rendering, result, rule.key))
    for facts, objects in (touched[name] for name in sorted(touched)):
        yield {**facts, "objects": objects}


def _touched(rendering: Rendering, result: Overridden, key: Sequence[object]) -> Object:
    """One object that a rule is applied to, and what it changed there."""
    steps = [step for step in result.steps if step.rule.key == key]
    facts: dict[str, Value] = {
        "object": identity_facts(rendering.template.identity),
        "changed": [step.path for step in steps if step.changed],
    }
    failure = result.failure
    if failure is not None and failure.rule.key == key:
        facts["failed"] = failure.problem.what
    return facts
