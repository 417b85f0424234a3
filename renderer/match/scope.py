"""Which kinds live in a namespace and which belong to the cluster, without asking an API server.

The built-in table holds what Kubernetes and Karmada serve; CustomResourceDefinitions of the workspace
add theirs; of anything else the scope is unknown.
Source: `kubectl api-resources` of Kubernetes 1.36 and Karmada 1.19.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from renderer.document.values import Object, dig, text
from renderer.model.identity import group_of
from renderer.model.scope import Kind as Kind
from renderer.model.scope import Scope as Scope

_NAMESPACED_KINDS: Final = {
    "": "Binding ConfigMap Endpoints Event LimitRange PersistentVolumeClaim Pod PodTemplate "
    "ReplicationController ResourceQuota Secret Service ServiceAccount",
    "apps": "ControllerRevision DaemonSet Deployment ReplicaSet StatefulSet",
    "authorization.k8s.io": "LocalSubjectAccessReview",
    "autoscaling": "HorizontalPodAutoscaler",
    "autoscaling.k8s.io": "VerticalPodAutoscaler VerticalPodAutoscalerCheckpoint",
    "batch": "CronJob Job",
    "coordination.k8s.io": "Lease LeaseCandidate",
    "discovery.k8s.io": "EndpointSlice",
    "events.k8s.io": "Event",
    "extensions": "DaemonSet Deployment Ingress NetworkPolicy ReplicaSet",
    "gateway.networking.k8s.io": "BackendTLSPolicy GRPCRoute Gateway HTTPRoute ReferenceGrant TCPRoute "
    "TLSRoute UDPRoute",
    "multicluster.x-k8s.io": "ServiceExport ServiceImport",
    "networking.k8s.io": "Ingress NetworkPolicy",
    "policy": "PodDisruptionBudget",
    "rbac.authorization.k8s.io": "Role RoleBinding",
    "resource.k8s.io": "ResourceClaim ResourceClaimTemplate",
    "storage.k8s.io": "CSIStorageCapacity",
    "autoscaling.karmada.io": "CronFederatedHPA FederatedHPA",
    "networking.karmada.io": "MultiClusterIngress MultiClusterService",
    "policy.karmada.io": "FederatedResourceQuota OverridePolicy PropagationPolicy",
    "work.karmada.io": "ResourceBinding Work",
    "operator.karmada.io": "Karmada",
}

_CLUSTER_KINDS: Final = {
    "": "ComponentStatus Namespace Node PersistentVolume",
    "admissionregistration.k8s.io": "MutatingAdmissionPolicy MutatingAdmissionPolicyBinding "
    "MutatingWebhookConfiguration ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding "
    "ValidatingWebhookConfiguration",
    "apiextensions.k8s.io": "CustomResourceDefinition",
    "apiregistration.k8s.io": "APIService",
    "authentication.k8s.io": "SelfSubjectReview TokenReview",
    "authorization.k8s.io": "SelfSubjectAccessReview SelfSubjectRulesReview SubjectAccessReview",
    "certificates.k8s.io": "CertificateSigningRequest ClusterTrustBundle",
    "flowcontrol.apiserver.k8s.io": "FlowSchema PriorityLevelConfiguration",
    "gateway.networking.k8s.io": "GatewayClass",
    "internal.apiserver.k8s.io": "StorageVersion",
    "networking.k8s.io": "IPAddress IngressClass ServiceCIDR",
    "node.k8s.io": "RuntimeClass",
    "policy": "PodSecurityPolicy",
    "rbac.authorization.k8s.io": "ClusterRole ClusterRoleBinding",
    "resource.k8s.io": "DeviceClass DeviceTaintRule ResourceSlice",
    "scheduling.k8s.io": "PriorityClass",
    "storage.k8s.io": "CSIDriver CSINode StorageClass VolumeAttachment VolumeAttributesClass",
    "storagemigration.k8s.io": "StorageVersionMigration",
    "apps.karmada.io": "WorkloadRebalancer",
    "cluster.karmada.io": "Cluster",
    "config.karmada.io": "ResourceInterpreterCustomization ResourceInterpreterWebhookConfiguration",
    "policy.karmada.io": "ClusterOverridePolicy ClusterPropagationPolicy ClusterTaintPolicy",
    "remedy.karmada.io": "Remedy",
    "search.karmada.io": "ResourceRegistry",
    "work.karmada.io": "ClusterResourceBinding",
}


def _pairs(table: Mapping[str, str], scope: Scope) -> dict[Kind, Scope]:
    return {(group, kind): scope for group, kinds in table.items() for kind in kinds.split()}


_BUILT_IN: Final = _pairs(_NAMESPACED_KINDS, Scope.NAMESPACED) | _pairs(_CLUSTER_KINDS, Scope.CLUSTER)


def scope_of(api_version: str, kind: str, crds: Mapping[Kind, Scope] | None = None) -> Scope:
    """The scope of a kind; `crds` are the scopes that `crd_scopes` found in the workspace."""
    key = (group_of(api_version), kind)
    return _BUILT_IN.get(key) or (crds or {}).get(key, Scope.UNKNOWN)


def crd_scopes(bodies: Iterable[Object]) -> dict[Kind, Scope]:
    """The scopes that CustomResourceDefinitions among the given objects declare."""
    scopes: dict[Kind, Scope] = {}
    for body in bodies:
        if body.get("kind") != "CustomResourceDefinition":
            continue
        scope = dig(body, "spec", "scope")
        kind = (text(dig(body, "spec", "group")), text(dig(body, "spec", "names", "kind")))
        if scope in (Scope.NAMESPACED.value, Scope.CLUSTER.value) and kind[1]:
            scopes[kind] = Scope(text(scope))
    return scopes
