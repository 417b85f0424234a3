"""The structs of Karmada's policy kinds.

Source: Karmada pkg/apis/policy/v1alpha1, k8s.io/api core/v1, k8s.io/apimachinery meta/v1.
"""

from __future__ import annotations

from dataclasses import replace

from renderer.load.typed import (
    BOOL,
    INT,
    INT32,
    INT64,
    TEXT,
    Anything,
    ListOf,
    Pointer,
    Struct,
    TextMap,
    Time,
    may,
    need,
    word,
)

OWNER_REFERENCE = Struct(
    "v1.OwnerReference",
    (
        need("apiVersion"),
        need("kind"),
        need("name"),
        need("uid", word("types.UID")),
        may("controller", Pointer(BOOL)),
        may("blockOwnerDeletion", Pointer(BOOL)),
    ),
)

OBJECT_META = Struct(
    "v1.ObjectMeta",
    (
        may("name"),
        may("generateName"),
        may("namespace"),
        may("selfLink"),
        may("uid", word("types.UID")),
        may("resourceVersion"),
        may("generation", INT64),
        may("creationTimestamp", Time()),
        may("deletionTimestamp", Pointer(Time())),
        may("deletionGracePeriodSeconds", Pointer(INT64)),
        may("labels", TextMap()),
        may("annotations", TextMap()),
        may("ownerReferences", ListOf(OWNER_REFERENCE)),
        may("finalizers", ListOf(TEXT)),
        may("managedFields", ListOf(Anything())),
    ),
)

LABEL_SELECTOR = Struct(
    "v1.LabelSelector",
    (
        may("matchLabels", TextMap()),
        may(
            "matchExpressions",
            ListOf(
                Struct(
                    "v1.LabelSelectorRequirement",
                    (
                        need("key"),
                        need("operator", word("v1.LabelSelectorOperator")),
                        may("values", ListOf(TEXT)),
                    ),
                )
            ),
        ),
    ),
)

RESOURCE_SELECTOR = Struct(
    "v1alpha1.ResourceSelector",
    (
        need("apiVersion"),
        need("kind"),
        may("namespace"),
        may("name"),
        may("labelSelector", Pointer(LABEL_SELECTOR)),
    ),
)

FIELD_SELECTOR = Struct(
    "v1alpha1.FieldSelector",
    (
        may(
            "matchExpressions",
            ListOf(
                Struct(
                    "v1.NodeSelectorRequirement",
                    (
                        need("key"),
                        need("operator", word("v1.NodeSelectorOperator")),
                        may("values", ListOf(TEXT)),
                    ),
                )
            ),
        ),
    ),
)

_AFFINITY_FIELDS = (
    may("labelSelector", Pointer(LABEL_SELECTOR)),
    may("fieldSelector", Pointer(FIELD_SELECTOR)),
    may("clusterNames", ListOf(TEXT)),
    may("exclude", ListOf(TEXT)),
)
CLUSTER_AFFINITY = Struct("v1alpha1.ClusterAffinity", _AFFINITY_FIELDS)
_EMBEDDED_AFFINITY = tuple(replace(field, embedded="ClusterAffinity") for field in _AFFINITY_FIELDS)
OVERFLOW_AFFINITY = Struct("v1alpha1.OverflowClusterAffinity", (need("affinityName"), *_EMBEDDED_AFFINITY))
CLUSTER_AFFINITY_TERM = Struct(
    "v1alpha1.ClusterAffinityTerm",
    (need("affinityName"), *_EMBEDDED_AFFINITY, may("overflowAffinities", ListOf(OVERFLOW_AFFINITY))),
)

TOLERATION = Struct(
    "v1.Toleration",
    (
        may("key"),
        may("operator", word("v1.TolerationOperator")),
        may("value"),
        may("effect", word("v1.TaintEffect")),
        may("tolerationSeconds", Pointer(INT64)),
    ),
)

SPREAD_CONSTRAINT = Struct(
    "v1alpha1.SpreadConstraint",
    (
        may("spreadByField", word("v1alpha1.SpreadFieldValue")),
        may("spreadByLabel"),
        may("maxGroups", INT),
        may("minGroups", INT),
    ),
)

STATIC_WEIGHT = Struct(
    "v1alpha1.StaticClusterWeight", (need("targetCluster", CLUSTER_AFFINITY), need("weight", INT64))
)

REPLICA_SCHEDULING = Struct(
    "v1alpha1.ReplicaSchedulingStrategy",
    (
        may("replicaSchedulingType", word("v1alpha1.ReplicaSchedulingType")),
        may("replicaDivisionPreference", word("v1alpha1.ReplicaDivisionPreference")),
        may(
            "weightPreference",
            Pointer(
                Struct(
                    "v1alpha1.ClusterPreferences",
                    (
                        may("staticWeightList", ListOf(STATIC_WEIGHT)),
                        may("dynamicWeight", word("v1alpha1.DynamicWeightFactor")),
                    ),
                )
            ),
        ),
    ),
)

WORKLOAD_AFFINITY = Struct(
    "v1alpha1.WorkloadAffinity",
    (
        may("affinity", Pointer(Struct("v1alpha1.WorkloadAffinityTerm", (need("groupByLabelKey"),)))),
        may("antiAffinity", Pointer(Struct("v1alpha1.WorkloadAntiAffinityTerm", (need("groupByLabelKey"),)))),
    ),
)

PLACEMENT = Struct(
    "v1alpha1.Placement",
    (
        may("clusterAffinity", Pointer(CLUSTER_AFFINITY)),
        may("clusterAffinities", ListOf(CLUSTER_AFFINITY_TERM)),
        may("clusterTolerations", ListOf(TOLERATION)),
        may("spreadConstraints", ListOf(SPREAD_CONSTRAINT)),
        may("replicaScheduling", Pointer(REPLICA_SCHEDULING)),
        may("workloadAffinity", Pointer(WORKLOAD_AFFINITY)),
    ),
)

STATE_PRESERVATION = Struct(
    "v1alpha1.StatePreservation",
    (
        need(
            "rules",
            ListOf(Struct("v1alpha1.StatePreservationRule", (need("aliasLabelName"), need("jsonPath")))),
        ),
    ),
)

APPLICATION_FAILOVER = Struct(
    "v1alpha1.ApplicationFailoverBehavior",
    (
        need(
            "decisionConditions",
            Struct("v1alpha1.DecisionConditions", (may("tolerationSeconds", Pointer(INT32)),)),
        ),
        may("purgeMode", word("v1alpha1.PurgeMode")),
        may("gracePeriodSeconds", Pointer(INT32)),
        may("statePreservation", Pointer(STATE_PRESERVATION)),
    ),
)

FAILOVER = Struct(
    "v1alpha1.FailoverBehavior",
    (
        may("application", Pointer(APPLICATION_FAILOVER)),
        may(
            "cluster",
            Pointer(
                Struct(
                    "v1alpha1.ClusterFailoverBehavior",
                    (
                        may("purgeMode", word("v1alpha1.PurgeMode")),
                        may("statePreservation", Pointer(STATE_PRESERVATION)),
                    ),
                )
            ),
        ),
    ),
)

SUSPENSION = Struct(
    "v1alpha1.Suspension",
    (
        may("dispatching", Pointer(BOOL)),
        may(
            "dispatchingOnClusters",
            Pointer(Struct("v1alpha1.SuspendClusters", (may("clusterNames", ListOf(TEXT)),))),
        ),
    ),
)

SCHEDULE_PRIORITY = Struct(
    "v1alpha1.SchedulePriority",
    (need("priorityClassSource", word("v1alpha1.PriorityClassSource")), need("priorityClassName")),
)

PROPAGATION_SPEC = Struct(
    "v1alpha1.PropagationSpec",
    (
        need("resourceSelectors", ListOf(RESOURCE_SELECTOR)),
        may("association", BOOL),
        may("propagateDeps", BOOL),
        may("placement", PLACEMENT),
        may("priority", Pointer(INT32)),
        may("preemption", word("v1alpha1.PreemptionBehavior")),
        may("dependentOverrides", ListOf(TEXT)),
        may("schedulerName"),
        may("failover", Pointer(FAILOVER)),
        may("conflictResolution", word("v1alpha1.ConflictResolution")),
        may("activationPreference", word("v1alpha1.ActivationPreference")),
        may("suspension", Pointer(SUSPENSION)),
        may("preserveResourcesOnDeletion", Pointer(BOOL)),
        may("schedulePriority", Pointer(SCHEDULE_PRIORITY)),
    ),
)

_OPERATOR = word("v1alpha1.OverriderOperator")

IMAGE_OVERRIDER = Struct(
    "v1alpha1.ImageOverrider",
    (
        may("predicate", Pointer(Struct("v1alpha1.ImagePredicate", (need("path"),)))),
        need("component", word("v1alpha1.ImageComponent")),
        need("operator", _OPERATOR),
        may("value"),
    ),
)

_COMMAND_ARGS = ListOf(
    Struct(
        "v1alpha1.CommandArgsOverrider",
        (need("containerName"), need("operator", _OPERATOR), may("value", ListOf(TEXT))),
    )
)
_LABELS_ANNOTATIONS = ListOf(
    Struct("v1alpha1.LabelAnnotationOverrider", (need("operator", _OPERATOR), need("value", TextMap())))
)
_PATCH_FIELDS = (need("subPath"), need("operator", _OPERATOR), may("value", Anything()))

OVERRIDERS = Struct(
    "v1alpha1.Overriders",
    (
        may(
            "plaintext",
            ListOf(
                Struct(
                    "v1alpha1.PlaintextOverrider",
                    (need("path"), need("operator", _OPERATOR), may("value", Anything())),
                )
            ),
        ),
        may("imageOverrider", ListOf(IMAGE_OVERRIDER)),
        may("commandOverrider", _COMMAND_ARGS),
        may("argsOverrider", _COMMAND_ARGS),
        may("labelsOverrider", _LABELS_ANNOTATIONS),
        may("annotationsOverrider", _LABELS_ANNOTATIONS),
        may(
            "fieldOverrider",
            ListOf(
                Struct(
                    "v1alpha1.FieldOverrider",
                    (
                        need("fieldPath"),
                        may("json", ListOf(Struct("v1alpha1.JSONPatchOperation", _PATCH_FIELDS))),
                        may("yaml", ListOf(Struct("v1alpha1.YAMLPatchOperation", _PATCH_FIELDS))),
                    ),
                )
            ),
        ),
    ),
)

OVERRIDE_SPEC = Struct(
    "v1alpha1.OverrideSpec",
    (
        may("resourceSelectors", ListOf(RESOURCE_SELECTOR)),
        may(
            "overrideRules",
            ListOf(
                Struct(
                    "v1alpha1.RuleWithCluster",
                    (may("targetCluster", Pointer(CLUSTER_AFFINITY)), need("overriders", OVERRIDERS)),
                )
            ),
        ),
        may("targetCluster", Pointer(CLUSTER_AFFINITY)),
        need("overriders", OVERRIDERS),
    ),
)
