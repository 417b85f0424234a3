"""The fields of workloads, Services, Ingresses and their like, in the notation of `api_pod.py`.

Source: k8s.io/api apps/v1, batch/v1, core/v1, networking/v1, policy/v1, v0.36; sigs.k8s.io/mcs-api v0.1;
Karmada pkg/apis/work/v1alpha2 (ReplicaRequirements, NodeClaim, Component as ComponentEntry) and
pkg/apis/config/v1alpha1 (DependentObjectReference as DependencyEntry).
"""

from __future__ import annotations

from typing import Final

WORKLOAD_TYPES: Final = """\
ClientIPConfig: timeoutSeconds=int
ClusterStatus: cluster
CronJob: kind apiVersion metadata=ObjectMeta spec=CronJobSpec status=CronJobStatus
CronJobSpec: schedule timeZone startingDeadlineSeconds=int concurrencyPolicy suspend=bool
  jobTemplate=JobTemplateSpec successfulJobsHistoryLimit=int failedJobsHistoryLimit=int
CronJobStatus: active=[ObjectReference] lastScheduleTime=time lastSuccessfulTime=time
DaemonSet: kind apiVersion metadata=ObjectMeta spec=DaemonSetSpec status=DaemonSetStatus
DaemonSetCondition: type status lastTransitionTime=time reason message
DaemonSetSpec: selector=LabelSelector template=PodTemplateSpec updateStrategy=DaemonSetUpdateStrategy
  minReadySeconds=int revisionHistoryLimit=int
DaemonSetStatus: currentNumberScheduled=int numberMisscheduled=int desiredNumberScheduled=int
  numberReady=int observedGeneration=int updatedNumberScheduled=int numberAvailable=int
  numberUnavailable=int collisionCount=int conditions=[DaemonSetCondition]
DaemonSetUpdateStrategy: type rollingUpdate=RollingUpdateDaemonSet
Deployment: kind apiVersion metadata=ObjectMeta spec=DeploymentSpec status=DeploymentStatus
DeploymentCondition: type status lastUpdateTime=time lastTransitionTime=time reason message
DeploymentSpec: replicas=int selector=LabelSelector template=PodTemplateSpec strategy=DeploymentStrategy
  minReadySeconds=int revisionHistoryLimit=int paused=bool progressDeadlineSeconds=int
DeploymentStatus: observedGeneration=int replicas=int updatedReplicas=int readyReplicas=int
  availableReplicas=int unavailableReplicas=int terminatingReplicas=int conditions=[DeploymentCondition]
  collisionCount=int
DeploymentStrategy: type rollingUpdate=RollingUpdateDeployment
ComponentEntry: name replicas=int replicaRequirements=ReplicaRequirements
DependencyEntry: apiVersion kind namespace name labelSelector=LabelSelector
HTTPIngressPath: path pathType backend=IngressBackend
HTTPIngressRuleValue: paths=[HTTPIngressPath]
HorizontalPodAutoscalerStatus: observedGeneration=int lastScaleTime=time currentReplicas=int
  desiredReplicas=int
Ingress: kind apiVersion metadata=ObjectMeta spec=IngressSpec status=IngressStatus
IngressBackend: service=IngressServiceBackend resource=TypedLocalObjectReference
IngressLoadBalancerIngress: ip hostname ports=[IngressPortStatus]
IngressLoadBalancerStatus: ingress=[IngressLoadBalancerIngress]
IngressPortStatus: port=int protocol error
IngressRule: host http=HTTPIngressRuleValue
IngressServiceBackend: name port=ServiceBackendPort
IngressSpec: ingressClassName defaultBackend=IngressBackend tls=[IngressTLS] rules=[IngressRule]
IngressStatus: loadBalancer=IngressLoadBalancerStatus
IngressTLS: hosts=[string] secretName
Job: kind apiVersion metadata=ObjectMeta spec=JobSpec status=JobStatus
JobCondition: type status lastProbeTime=time lastTransitionTime=time reason message
JobSpec: parallelism=int completions=int activeDeadlineSeconds=int podFailurePolicy=PodFailurePolicy
  successPolicy=SuccessPolicy backoffLimit=int backoffLimitPerIndex=int maxFailedIndexes=int
  selector=LabelSelector manualSelector=bool template=PodTemplateSpec ttlSecondsAfterFinished=int
  completionMode suspend=bool podReplacementPolicy managedBy
JobStatus: conditions=[JobCondition] startTime=time completionTime=time active=int succeeded=int failed=int
  terminating=int completedIndexes failedIndexes uncountedTerminatedPods=UncountedTerminatedPods ready=int
JobTemplateSpec: metadata=ObjectMeta spec=JobSpec
LoadBalancerIngress: ip hostname ipMode ports=[PortStatus]
LoadBalancerStatus: ingress=[LoadBalancerIngress]
ModifyVolumeStatus: targetVolumeAttributesClassName status
PersistentVolumeClaimCondition: type status lastProbeTime=time lastTransitionTime=time reason message
PersistentVolumeClaimStatus: phase accessModes=[string] capacity={quantity}
  conditions=[PersistentVolumeClaimCondition] allocatedResources={quantity}
  allocatedResourceStatuses={string} currentVolumeAttributesClassName modifyVolumeStatus=ModifyVolumeStatus
NodeClaim: hardNodeAffinity=NodeSelector nodeSelector={string} tolerations=[Toleration]
PodDisruptionBudget: kind apiVersion metadata=ObjectMeta spec=PodDisruptionBudgetSpec
  status=PodDisruptionBudgetStatus
PodDisruptionBudgetSpec: minAvailable=int-or-string selector=LabelSelector maxUnavailable=int-or-string
  unhealthyPodEvictionPolicy
PodDisruptionBudgetStatus: observedGeneration=int disruptedPods={time} disruptionsAllowed=int
  currentHealthy=int desiredHealthy=int expectedPods=int conditions=[Condition]
PodFailurePolicy: rules=[PodFailurePolicyRule]
PodFailurePolicyOnExitCodesRequirement: containerName operator values=[int]
PodFailurePolicyOnPodConditionsPattern: type status
PodFailurePolicyRule: action onExitCodes=PodFailurePolicyOnExitCodesRequirement
  onPodConditions=[PodFailurePolicyOnPodConditionsPattern]
PortStatus: port=int protocol error
ReplicaSet: kind apiVersion metadata=ObjectMeta spec=ReplicaSetSpec status=ReplicaSetStatus
ReplicaSetCondition: type status lastTransitionTime=time reason message
ReplicaSetSpec: replicas=int minReadySeconds=int selector=LabelSelector template=PodTemplateSpec
ReplicaSetStatus: replicas=int fullyLabeledReplicas=int readyReplicas=int availableReplicas=int
  terminatingReplicas=int observedGeneration=int conditions=[ReplicaSetCondition]
ReplicaRequirements: nodeClaim=NodeClaim resourceRequest={quantity} namespace priorityClassName
RollingUpdateDaemonSet: maxUnavailable=int-or-string maxSurge=int-or-string
RollingUpdateDeployment: maxUnavailable=int-or-string maxSurge=int-or-string
RollingUpdateStatefulSetStrategy: partition=int maxUnavailable=int-or-string
Service: kind apiVersion metadata=ObjectMeta spec=ServiceSpec status=ServiceStatus
ServiceBackendPort: name number=int
ServiceImport: kind apiVersion metadata=ObjectMeta spec=ServiceImportSpec status=ServiceImportStatus
ServiceImportPort: name protocol appProtocol port=int
ServiceImportSpec: ports=[ServiceImportPort] ips=[string] type sessionAffinity
  sessionAffinityConfig=SessionAffinityConfig
ServiceImportStatus: clusters=[ClusterStatus]
ServicePort: name protocol appProtocol port=int targetPort=int-or-string nodePort=int
ServiceSpec: ports=[ServicePort] selector={string} clusterIP clusterIPs=[string] type externalIPs=[string]
  sessionAffinity loadBalancerIP loadBalancerSourceRanges=[string] externalName externalTrafficPolicy
  healthCheckNodePort=int publishNotReadyAddresses=bool sessionAffinityConfig=SessionAffinityConfig
  ipFamilies=[string] ipFamilyPolicy allocateLoadBalancerNodePorts=bool loadBalancerClass
  internalTrafficPolicy trafficDistribution
ServiceStatus: loadBalancer=LoadBalancerStatus conditions=[Condition]
SessionAffinityConfig: clientIP=ClientIPConfig
StatefulSet: kind apiVersion metadata=ObjectMeta spec=StatefulSetSpec status=StatefulSetStatus
StatefulSetCondition: type status lastTransitionTime=time reason message
StatefulSetOrdinals: start=int
StatefulSetPersistentVolumeClaimRetentionPolicy: whenDeleted whenScaled
StatefulSetSpec: replicas=int selector=LabelSelector template=PodTemplateSpec
  volumeClaimTemplates=[PersistentVolumeClaim] serviceName podManagementPolicy
  updateStrategy=StatefulSetUpdateStrategy revisionHistoryLimit=int minReadySeconds=int
  persistentVolumeClaimRetentionPolicy=StatefulSetPersistentVolumeClaimRetentionPolicy
  ordinals=StatefulSetOrdinals
StatefulSetStatus: observedGeneration=int replicas=int readyReplicas=int currentReplicas=int
  updatedReplicas=int currentRevision updateRevision collisionCount=int conditions=[StatefulSetCondition]
  availableReplicas=int
StatefulSetUpdateStrategy: type rollingUpdate=RollingUpdateStatefulSetStrategy
SuccessPolicy: rules=[SuccessPolicyRule]
SuccessPolicyRule: succeededIndexes succeededCount=int
UncountedTerminatedPods: succeeded=[string] failed=[string]
"""
