"""The fields of kinds that nothing interprets and every workspace has, in the notation of `api_pod.py`.

`base64` is text that encodes bytes. Source: k8s.io/api core/v1, rbac/v1, autoscaling/v2, networking/v1,
scheduling/v1, v0.36.
"""

from __future__ import annotations

from typing import Final

CORE_TYPES: Final = """\
AggregationRule: clusterRoleSelectors=[LabelSelector]
ClusterRole: kind apiVersion metadata=ObjectMeta rules=[PolicyRule] aggregationRule=AggregationRule
ClusterRoleBinding: kind apiVersion metadata=ObjectMeta subjects=[Subject] roleRef=RoleRef
ConfigMap: kind apiVersion metadata=ObjectMeta immutable=bool data={string} binaryData={base64}
ContainerResourceMetricSource: name target=MetricTarget container
CrossVersionObjectReference: kind name apiVersion
ExternalMetricSource: metric=MetricIdentifier target=MetricTarget
HPAScalingPolicy: type value=int periodSeconds=int
HPAScalingRules: stabilizationWindowSeconds=int selectPolicy policies=[HPAScalingPolicy] tolerance=quantity
HorizontalPodAutoscaler: kind apiVersion metadata=ObjectMeta spec=HorizontalPodAutoscalerSpec status=any
HorizontalPodAutoscalerBehavior: scaleUp=HPAScalingRules scaleDown=HPAScalingRules
HorizontalPodAutoscalerSpec: scaleTargetRef=CrossVersionObjectReference minReplicas=int maxReplicas=int
  metrics=[MetricSpec] behavior=HorizontalPodAutoscalerBehavior
IPBlock: cidr except=[string]
LimitRange: kind apiVersion metadata=ObjectMeta spec=LimitRangeSpec
LimitRangeItem: type max={quantity} min={quantity} default={quantity} defaultRequest={quantity}
  maxLimitRequestRatio={quantity}
LimitRangeSpec: limits=[LimitRangeItem]
MetricIdentifier: name selector=LabelSelector
MetricSpec: type object=ObjectMetricSource pods=PodsMetricSource resource=ResourceMetricSource
  containerResource=ContainerResourceMetricSource external=ExternalMetricSource
MetricTarget: type value=quantity averageValue=quantity averageUtilization=int
Namespace: kind apiVersion metadata=ObjectMeta spec=NamespaceSpec status=any
NamespaceSpec: finalizers=[string]
NetworkPolicy: kind apiVersion metadata=ObjectMeta spec=NetworkPolicySpec
NetworkPolicyEgressRule: ports=[NetworkPolicyPort] to=[NetworkPolicyPeer]
NetworkPolicyIngressRule: ports=[NetworkPolicyPort] from=[NetworkPolicyPeer]
NetworkPolicyPeer: podSelector=LabelSelector namespaceSelector=LabelSelector ipBlock=IPBlock
NetworkPolicyPort: protocol port=int-or-string endPort=int
NetworkPolicySpec: podSelector=LabelSelector ingress=[NetworkPolicyIngressRule]
  egress=[NetworkPolicyEgressRule] policyTypes=[string]
ObjectMetricSource: describedObject=CrossVersionObjectReference target=MetricTarget metric=MetricIdentifier
PodsMetricSource: metric=MetricIdentifier target=MetricTarget
PolicyRule: verbs=[string] apiGroups=[string] resources=[string] resourceNames=[string]
  nonResourceURLs=[string]
PriorityClass: kind apiVersion metadata=ObjectMeta value=int globalDefault=bool description preemptionPolicy
ResourceMetricSource: name target=MetricTarget
ResourceQuota: kind apiVersion metadata=ObjectMeta spec=ResourceQuotaSpec status=any
ResourceQuotaSpec: hard={quantity} scopes=[string] scopeSelector=ScopeSelector
Role: kind apiVersion metadata=ObjectMeta rules=[PolicyRule]
RoleBinding: kind apiVersion metadata=ObjectMeta subjects=[Subject] roleRef=RoleRef
RoleRef: apiGroup kind name
ScopeSelector: matchExpressions=[ScopedResourceSelectorRequirement]
ScopedResourceSelectorRequirement: scopeName operator values=[string]
Secret: kind apiVersion metadata=ObjectMeta immutable=bool data={base64} stringData={string} type
ServiceAccount: kind apiVersion metadata=ObjectMeta secrets=[ObjectReference]
  imagePullSecrets=[LocalObjectReference] automountServiceAccountToken=bool
Subject: kind apiGroup name namespace
"""

# apiVersion: the kinds whose fields are known
KNOWN_KINDS: Final = {
    "v1": "ConfigMap LimitRange Namespace PersistentVolumeClaim Pod ResourceQuota Secret Service "
    "ServiceAccount",
    "apps/v1": "DaemonSet Deployment ReplicaSet StatefulSet",
    "autoscaling/v2": "HorizontalPodAutoscaler",
    "batch/v1": "CronJob Job",
    "networking.k8s.io/v1": "Ingress NetworkPolicy",
    "policy/v1": "PodDisruptionBudget",
    "rbac.authorization.k8s.io/v1": "ClusterRole ClusterRoleBinding Role RoleBinding",
    "scheduling.k8s.io/v1": "PriorityClass",
}
