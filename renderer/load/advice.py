"""What a user is told about the errors of validating webhooks: what, why, how to fix.

One row for each rule of Karmada; the last row answers what has no row of its own.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from renderer.load.field import FieldError


@dataclass(frozen=True, slots=True)
class Advice:
    """The words for one rule. `{field}`, `{value}`, `{kind}` and the pattern's groups are filled in.

    `below` names the part of the field that the position should point at, `instead` a place elsewhere.
    """

    pattern: str
    what: str
    why: str
    fix: str
    below: str = ""
    instead: str = ""


_OVERFLOW = "replicas can only overflow where they are divided by what clusters have free"
_FIELD_SELECTOR = "Karmada knows no other facts of a cluster to select by"
_LABEL_KEY = "it becomes a label key, and Kubernetes refuses this one"
_POINTER = "a JSON pointer starts at the root of the object"

_TABLE = (
    Advice(
        "clusterAffinities cannot co-exist with clusterAffinity",
        "{field} has both clusterAffinity and clusterAffinities",
        "Karmada would not know which of them decides",
        "keep clusterAffinity for one group of clusters, or clusterAffinities for several tried in order",
        "/clusterAffinities",
    ),
    Advice(
        "overflowAffinities can only be used together with dynamic weight",
        "{field} needs aggregated or dynamically weighted division",
        _OVERFLOW,
        'add "replicaScheduling: {{replicaSchedulingType: Divided, replicaDivisionPreference: Aggregated}}" '
        "under placement, or remove overflowAffinities",
    ),
    Advice(
        "overflowAffinities can only be used together with the inline",
        "{field} overflows from a group that selects no clusters",
        "the first group would be every cluster, so nothing could overflow",
        'add "clusterNames" or "labelSelector" beside it',
    ),
    Advice(
        'unsupported key "(.*)", must be provider, region, or zone',
        '{field} selects by "{1}"',
        _FIELD_SELECTOR,
        "write provider, region or zone; for names write clusterNames, for labels a labelSelector",
    ),
    Advice(
        'unsupported operator "(.*)", must be In or NotIn',
        '{field} uses the operator "{1}"',
        "cluster facts can only be compared with a list of values",
        "write In or NotIn, with values",
    ),
    Advice(
        "each affinity term in a policy must have a unique name",
        "{field} has two groups of the same name",
        "Karmada remembers by name which group was used",
        "give every group an affinityName of its own",
    ),
    Advice(
        "overflow affinity name must be unique",
        "{field} repeats the name {value}",
        "Karmada remembers by name which group was used",
        "give the overflow group an affinityName of its own",
    ),
    Advice(
        "spreadByLabel should not co-exist with spreadByField",
        "{field} has both spreadByField and spreadByLabel",
        "one constraint can count one kind of group only",
        "remove spreadByLabel",
        "/spreadByLabel",
    ),
    Advice(
        "(minGroups|maxGroups) lower than 0 is not allowed",
        "{field}.{1} is negative",
        "there is no negative number of groups",
        "write 1 or more",
        "/{1}",
    ),
    Advice(
        "maxGroups lower than minGroups is not allowed",
        "{field}.maxGroups is lower than its minGroups",
        "no number of groups can be both",
        "raise maxGroups, or lower minGroups",
        "/maxGroups",
    ),
    Advice(
        "multiple (.*) spread constraints are not allowed",
        "{field} has more than one constraint for {1}",
        "Karmada would not know which of them counts",
        "merge them into one",
    ),
    Advice(
        "the cluster spread constraint must be enabled",
        "{field} has no constraint for cluster",
        "groups of clusters are chosen first, then clusters in them",
        'add "- spreadByField: cluster" with maxGroups, the most clusters to use',
    ),
    Advice(
        "affinity and antiAffinity must not use the same groupByLabelKey",
        "{field} uses one label key to keep workloads together and apart",
        "nothing could satisfy both",
        "give one of them another groupByLabelKey",
    ),
    Advice(
        'supported values: "", "Exists", "Equal"',
        "{field} cannot be {value}",
        "clusters are compared with taints by equality only",
        "write Exists or Equal",
    ),
    Advice(
        "application failover is set, propagateDeps must be true",
        "spec.failover.application needs spec.propagateDeps",
        "the application would move without the objects it refers to",
        'add "propagateDeps: true" under spec',
        instead="/spec/failover/application",
    ),
    Advice(
        "only takes effect when purgeMode is gracefully",
        "{field} is given though purgeMode is not Gracefully",
        "only a graceful removal waits",
        "remove gracePeriodSeconds, or write purgeMode: Gracefully",
    ),
    Advice(
        "must be greater than (or equal to )?0",
        "{field} is {value}",
        "a negative amount means nothing",
        "write a number of at least {least}",
    ),
    Advice(
        "namespace of resource selector must be the same",
        "{field} is {value}, not the policy's own namespace",
        "a namespaced policy only selects in its own namespace",
        "remove it, or write a Cluster{kind}",
    ),
    Advice(
        "name cannot be empty if preemption is Always",
        "{field} is missing though preemption is Always",
        "every object of the kind would be taken from its policy",
        'add "name", or write preemption: Never',
    ),
    Advice(
        "suspension dispatching cannot co-exist",
        "spec.suspension holds back all clusters and names some",
        "dispatching: true already holds back every cluster",
        "remove dispatching or dispatchingOnClusters",
    ),
    Advice(
        "overrideRules and (targetCluster|overriders) can't co-exist",
        "spec has both overrideRules and {1}",
        "{1} is the old form of a single rule, and Karmada refuses a mixture",
        "move it into a rule of overrideRules",
    ),
    Advice(
        "FieldOverrider has both YAML and JSON set",
        "{field} has both json and yaml",
        "the field's text is one of them",
        "keep the one that the text is written in",
    ),
    Advice(
        "FieldOverrider must have either JSON or YAML set",
        "{field} has neither json nor yaml",
        "there is nothing to change in the field",
        'add "json" or "yaml" with operations',
    ),
    Advice(
        "value is required for add or replace operation",
        "{field} is missing",
        "add and replace need something to write, and null counts as nothing",
        'add "value"',
    ),
    Advice(
        "value is not allowed for remove operation",
        "{field} is given for a removal",
        "remove takes what is there, whatever it is",
        "remove the value",
    ),
    Advice(
        "JSON pointer must be empty or start with",
        "{field} is {value}, which is no JSON pointer",
        _POINTER,
        'write it with a leading "/", for example "/{raw}"',
    ),
    Advice(
        "assignment resourceName is not exist in overall",
        "{field} is not part of spec.overall",
        "a share of nothing cannot be assigned",
        "add it to spec.overall, or remove it here",
    ),
    Advice(
        "overall is less than assignments",
        "{field} is less than its assignments add up to",
        "clusters were promised more than there is",
        "raise it, or lower the assignments",
    ),
    Advice(
        "must be an integer",
        "{field} is {value}",
        "the resource is counted in whole pieces",
        "write a whole number",
    ),
    Advice(
        "must be a standard resource",
        "{field} is no resource a quota knows",
        "Karmada would count nothing against it",
        "write a standard name such as cpu, memory or requests.storage, or one with a domain",
    ),
    Advice(
        r"conflicting with InterpreterOperation\((.*)\) of existing ResourceInterpreterCustomization\((.*)\)",
        "{field}: the customization {2} answers the same question",
        "only one customization may answer {1} for a kind",
        "remove one of the two scripts",
    ),
    Advice(
        r"InterpreterOperation\((.*)\) Lua script error: (.*)",
        "{field} does not compile: {2}",
        "Karmada could not interpret the kind",
        "correct the script",
    ),
    Advice(
        "Configuring taint with NoExecute effect is not allowed",
        "{field} has the effect NoExecute",
        "Karmada refuses it unless its webhook is started with a flag of its own",
        "write effect: NoSchedule, or set failover.allowNoExecuteTaintPolicies in krender.yaml",
        "/effect",
    ),
    Advice(
        "name or generateName is required",
        "{field} is missing",
        "an object without a name cannot be stored",
        'add "name" under metadata',
    ),
    Advice(
        "name part |prefix part |a valid label key ",
        "{field}: {value} is not a valid label key",
        _LABEL_KEY,
        "write letters, digits, '-', '_' and '.', at most 63 characters, after an optional domain and '/'",
    ),
    Advice(
        "a valid label must be ",
        "{field}: {value} is not a valid label value",
        "Kubernetes refuses it",
        "write letters, digits, '-', '_' and '.', at most 63 characters",
    ),
    Advice(
        "a lowercase RFC 1123 |must not contain dots|must be no more than",
        "{field}: {value} is not a valid name",
        "Kubernetes refuses it",
        "write lower-case letters, digits and '-'",
    ),
    Advice("", "{field}: {detail}", "an API server refuses the object", "correct it"),
)


# What people write who want another value on each cluster.
_BRACES: Final = ("{{", "{%", "${", "$(")
_PER_CLUSTER: Final = (
    'for a value of each cluster annotate the policy with "krender.io/values: jinja2", '
    'and write "{{ cluster.metadata.name }}"'
)


@dataclass(frozen=True, slots=True)
class Words:
    """What is told about one error, and where."""

    pointer: str
    what: str
    why: str
    fix: str


def advise(error: FieldError, shown: str, kind: str) -> Words:
    """The words for an error of an object of that kind; `shown` is the wrong value as text."""
    row, match = next((row, found) for row in _TABLE if (found := re.match(row.pattern, error.detail)))
    groups = {str(number): text or "" for number, text in enumerate(match.groups(), 1)}

    def fill(template: str) -> str:
        literal = {number: text.replace("{", "{{").replace("}", "}}") for number, text in groups.items()}
        filled = re.sub(r"\{([0-9])\}", lambda found: literal[found.group(1)], template)
        return filled.format(
            field=error.field,
            value=shown,
            raw=error.value,
            kind=kind,
            detail=error.detail or error.message,
            least=0 if "or equal" in error.detail else 1,
        )

    pointer = row.instead or error.pointer + fill(row.below)
    fix = fill(row.fix)
    if kind.endswith("OverridePolicy") and any(mark in shown for mark in _BRACES):
        fix = _PER_CLUSTER
    return Words(pointer, fill(row.what), fill(row.why), fix)
