"""Cluster affinity: which clusters a placement, an override rule or a static weight admits.

Source: Karmada pkg/util/selector.go, ClusterMatches.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Final

from renderer.match.labels import (
    NODE_OPERATORS,
    Labels,
    Test,
    all_of,
    invalid_requirement,
    predicate,
    requirement_test,
    why_not,
)
from renderer.model.cluster import Cluster
from renderer.model.placement import ClusterAffinity
from renderer.model.selectors import FieldSelector, Requirement

ClusterTest = Callable[[Cluster], bool]

ZONE: Final = "zone"  # a cluster has several, so it is no label-like field


def admits(affinity: ClusterAffinity, cluster: Cluster) -> bool:
    """Whether every field that is set admits the cluster. An invalid expression admits none."""
    return admitter(affinity)(cluster)


@lru_cache(maxsize=4096)
def admitter(affinity: ClusterAffinity) -> ClusterTest:
    """The same as a function of the cluster alone, for asking it many times."""
    names, excluded = frozenset(affinity.cluster_names), frozenset(affinity.exclude)
    tests: list[ClusterTest] = []
    if excluded:
        tests.append(lambda cluster: cluster.name not in excluded)
    if names:
        tests.append(lambda cluster: cluster.name in names)
    if affinity.field_selector is not None:
        tests.append(_fields_test(affinity.field_selector))
    if affinity.label_selector is not None:
        labelled = predicate(affinity.label_selector)
        tests.append(lambda cluster: labelled(dict(cluster.labels)))
    if not tests:
        return _always
    if len(tests) == 1:
        return tests[0]
    return lambda cluster: all(test(cluster) for test in tests)


def rejections(affinity: ClusterAffinity, cluster: Cluster) -> tuple[str, ...]:
    """Every reason why the affinity does not admit the cluster; empty where it does."""
    reasons: list[str] = []
    if cluster.name in affinity.exclude:
        reasons.append("excluded by name")
    if affinity.label_selector is not None:
        reasons.extend(why_not(affinity.label_selector, dict(cluster.labels)))
    if affinity.field_selector is not None:
        reasons.extend(_field_reasons(affinity.field_selector, cluster))
    if affinity.cluster_names and cluster.name not in affinity.cluster_names:
        reasons.append("not among clusterNames")
    return tuple(reasons)


def fields_of(cluster: Cluster) -> Labels:
    """Provider and region as field expressions see them: absent where empty."""
    pairs = (("provider", cluster.provider), ("region", cluster.region))
    return {key: value for key, value in pairs if value}


def _fields_test(selector: FieldSelector) -> ClusterTest:
    others = tuple(item for item in selector.match_expressions if item.key != ZONE)
    if any(invalid_requirement(item, NODE_OPERATORS) for item in others):
        return _never
    tests: list[ClusterTest] = [_zone_test(item) for item in selector.match_expressions if item.key == ZONE]
    if others:
        fields: Test = all_of(tuple(requirement_test(item) for item in others))
        tests.append(lambda cluster: fields(fields_of(cluster)))
    return lambda cluster: all(test(cluster) for test in tests)


def _zone_test(requirement: Requirement) -> ClusterTest:
    values = frozenset(requirement.values)
    match requirement.operator:
        case "In":
            return lambda cluster: not values.isdisjoint(cluster.zones)
        case "NotIn":
            return lambda cluster: values.isdisjoint(cluster.zones)
        case "Exists":
            return lambda cluster: bool(cluster.zones)
        case "DoesNotExist":
            return lambda cluster: not cluster.zones
        case _:
            return _never


def _field_reasons(selector: FieldSelector, cluster: Cluster) -> tuple[str, ...]:
    return tuple(reason for item in selector.match_expressions if (reason := _field_reason(item, cluster)))


def _field_reason(requirement: Requirement, cluster: Cluster) -> str:
    key = requirement.key
    if key == ZONE:
        met, actual = _zone_test(requirement)(cluster), ", ".join(cluster.zones)
    else:
        fault = invalid_requirement(requirement, NODE_OPERATORS)
        if fault:
            return f"field expression: {fault}"
        fields = fields_of(cluster)
        met, actual = requirement_test(requirement)(fields), fields.get(key, "")
    if met:
        return ""
    wanted = f"{requirement.operator} {', '.join(requirement.values)}".rstrip()
    return f"{key} is {f'{chr(34)}{actual}{chr(34)}' if actual else 'absent'}, wanted: {wanted}"


def _always(_: Cluster) -> bool:
    return True


def _never(_: Cluster) -> bool:
    return False
