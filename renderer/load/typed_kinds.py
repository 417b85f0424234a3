"""The structs of all specs that a validating webhook reads, by kind.

Source: Karmada pkg/apis/policy/v1alpha1 and pkg/apis/config/v1alpha1.
"""

from __future__ import annotations

from renderer.load.typed import TEXT, Amounts, ListOf, Pointer, Struct, may, need, word
from renderer.load.typed_policies import CLUSTER_AFFINITY, OVERRIDE_SPEC, PROPAGATION_SPEC

QUOTA_SPEC = Struct(
    "v1alpha1.FederatedResourceQuotaSpec",
    (
        need("overall", Amounts()),
        may(
            "staticAssignments",
            ListOf(
                Struct("v1alpha1.StaticClusterAssignment", (need("clusterName"), need("hard", Amounts())))
            ),
        ),
    ),
)

TAINT_SPEC = Struct(
    "v1alpha1.ClusterTaintPolicySpec",
    (
        may("targetClusters", Pointer(CLUSTER_AFFINITY)),
        *(
            may(
                name,
                ListOf(
                    Struct(
                        "v1alpha1.MatchCondition",
                        (
                            need("conditionType"),
                            need("operator", word("v1alpha1.MatchConditionOperator")),
                            need("statusValues", ListOf(word("v1.ConditionStatus"))),
                        ),
                    )
                ),
            )
            for name in ("addOnConditions", "removeOnConditions")
        ),
        need(
            "taints",
            ListOf(
                Struct(
                    "v1alpha1.Taint",
                    (need("key"), need("effect", word("v1.TaintEffect")), may("value")),
                )
            ),
        ),
    ),
)

# Field of spec.customizations -> its struct.
_RULES = {
    "retention": "LocalValueRetention",
    "replicaResource": "ReplicaResourceRequirement",
    "componentResource": "ComponentResourceRequirement",
    "replicaRevision": "ReplicaRevision",
    "statusReflection": "StatusReflection",
    "statusAggregation": "StatusAggregation",
    "healthInterpretation": "HealthInterpretation",
    "dependencyInterpretation": "DependencyInterpretation",
}
CUSTOMIZATION_SPEC = Struct(
    "v1alpha1.ResourceInterpreterCustomizationSpec",
    (
        need("target", Struct("v1alpha1.CustomizationTarget", (need("apiVersion"), need("kind")))),
        need(
            "customizations",
            Struct(
                "v1alpha1.CustomizationRules",
                tuple(
                    may(rule, Pointer(Struct(f"v1alpha1.{name}", (need("luaScript", TEXT),))))
                    for rule, name in _RULES.items()
                ),
            ),
        ),
    ),
)

SPECS = {
    "PropagationPolicy": PROPAGATION_SPEC,
    "ClusterPropagationPolicy": PROPAGATION_SPEC,
    "OverridePolicy": OVERRIDE_SPEC,
    "ClusterOverridePolicy": OVERRIDE_SPEC,
    "FederatedResourceQuota": QUOTA_SPEC,
    "ClusterTaintPolicy": TAINT_SPEC,
    "ResourceInterpreterCustomization": CUSTOMIZATION_SPEC,
}
