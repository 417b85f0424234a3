"""The fields of Pods and of what they are made of, with their JSON types.

One type a paragraph: `Name: field field=type …`. A field without a type is a string; `[x]` is a list of
x, `{x}` a map from strings to x. `typed.py` reads it. Source: k8s.io/api core/v1 and meta/v1, v0.36.
"""

from __future__ import annotations

from typing import Final

POD_TYPES: Final = """\
AWSElasticBlockStoreVolumeSource: volumeID fsType partition=int readOnly=bool
Affinity: nodeAffinity=NodeAffinity podAffinity=PodAffinity podAntiAffinity=PodAntiAffinity
AppArmorProfile: type localhostProfile
AzureDiskVolumeSource: diskName diskURI cachingMode fsType readOnly=bool kind
AzureFileVolumeSource: secretName shareName readOnly=bool
CSIVolumeSource: driver readOnly=bool fsType volumeAttributes={string}
  nodePublishSecretRef=LocalObjectReference
Capabilities: add=[string] drop=[string]
CephFSVolumeSource: monitors=[string] path user secretFile secretRef=LocalObjectReference readOnly=bool
CinderVolumeSource: volumeID fsType readOnly=bool secretRef=LocalObjectReference
ClusterTrustBundleProjection: name signerName labelSelector=LabelSelector optional=bool path
Condition: type status observedGeneration=int lastTransitionTime=time reason message
ConfigMapEnvSource: name optional=bool
ConfigMapKeySelector: name key optional=bool
ConfigMapProjection: name items=[KeyToPath] optional=bool
ConfigMapVolumeSource: name items=[KeyToPath] defaultMode=int optional=bool
Container: name image command=[string] args=[string] workingDir ports=[ContainerPort]
  envFrom=[EnvFromSource] env=[EnvVar] resources=ResourceRequirements resizePolicy=[ContainerResizePolicy]
  restartPolicy restartPolicyRules=[ContainerRestartRule] volumeMounts=[VolumeMount]
  volumeDevices=[VolumeDevice] livenessProbe=Probe readinessProbe=Probe startupProbe=Probe
  lifecycle=Lifecycle terminationMessagePath terminationMessagePolicy imagePullPolicy
  securityContext=SecurityContext stdin=bool stdinOnce=bool tty=bool
ContainerExtendedResourceRequest: containerName resourceName requestName
ContainerPort: name hostPort=int containerPort=int protocol hostIP
ContainerResizePolicy: resourceName restartPolicy
ContainerRestartRule: action exitCodes=ContainerRestartRuleOnExitCodes
ContainerRestartRuleOnExitCodes: operator values=[int]
ContainerState: waiting=ContainerStateWaiting running=ContainerStateRunning
  terminated=ContainerStateTerminated
ContainerStateRunning: startedAt=time
ContainerStateTerminated: exitCode=int signal=int reason message startedAt=time finishedAt=time containerID
ContainerStateWaiting: reason message
ContainerStatus: name state=ContainerState lastState=ContainerState ready=bool restartCount=int image
  imageID containerID started=bool allocatedResources={quantity} resources=ResourceRequirements
  volumeMounts=[VolumeMountStatus] user=ContainerUser allocatedResourcesStatus=[ResourceStatus] stopSignal
ContainerUser: linux=LinuxContainerUser
DownwardAPIProjection: items=[DownwardAPIVolumeFile]
DownwardAPIVolumeFile: path fieldRef=ObjectFieldSelector resourceFieldRef=ResourceFieldSelector mode=int
DownwardAPIVolumeSource: items=[DownwardAPIVolumeFile] defaultMode=int
EmptyDirVolumeSource: medium sizeLimit=quantity
EnvFromSource: prefix configMapRef=ConfigMapEnvSource secretRef=SecretEnvSource
EnvVar: name value valueFrom=EnvVarSource
EnvVarSource: fieldRef=ObjectFieldSelector resourceFieldRef=ResourceFieldSelector
  configMapKeyRef=ConfigMapKeySelector secretKeyRef=SecretKeySelector fileKeyRef=FileKeySelector
EphemeralContainer: name image command=[string] args=[string] workingDir ports=[ContainerPort]
  envFrom=[EnvFromSource] env=[EnvVar] resources=ResourceRequirements resizePolicy=[ContainerResizePolicy]
  restartPolicy restartPolicyRules=[ContainerRestartRule] volumeMounts=[VolumeMount]
  volumeDevices=[VolumeDevice] livenessProbe=Probe readinessProbe=Probe startupProbe=Probe
  lifecycle=Lifecycle terminationMessagePath terminationMessagePolicy imagePullPolicy
  securityContext=SecurityContext stdin=bool stdinOnce=bool tty=bool targetContainerName
EphemeralVolumeSource: volumeClaimTemplate=PersistentVolumeClaimTemplate
ExecAction: command=[string]
FCVolumeSource: targetWWNs=[string] lun=int fsType readOnly=bool wwids=[string]
FileKeySelector: volumeName path key optional=bool
FlexVolumeSource: driver fsType secretRef=LocalObjectReference readOnly=bool options={string}
FlockerVolumeSource: datasetName datasetUUID
GCEPersistentDiskVolumeSource: pdName fsType partition=int readOnly=bool
GRPCAction: port=int service
GitRepoVolumeSource: repository revision directory
GlusterfsVolumeSource: endpoints path readOnly=bool
HTTPGetAction: path port=int-or-string host scheme httpHeaders=[HTTPHeader]
HTTPHeader: name value
HostAlias: ip hostnames=[string]
HostIP: ip
HostPathVolumeSource: path type
ISCSIVolumeSource: targetPortal iqn lun=int iscsiInterface fsType readOnly=bool portals=[string]
  chapAuthDiscovery=bool chapAuthSession=bool secretRef=LocalObjectReference initiatorName
ImageVolumeSource: reference pullPolicy
ImageVolumeStatus: imageRef
KeyToPath: key path mode=int
LabelSelector: matchLabels={string} matchExpressions=[LabelSelectorRequirement]
LabelSelectorRequirement: key operator values=[string]
Lifecycle: postStart=LifecycleHandler preStop=LifecycleHandler stopSignal
LifecycleHandler: exec=ExecAction httpGet=HTTPGetAction tcpSocket=TCPSocketAction sleep=SleepAction
LinuxContainerUser: uid=int gid=int supplementalGroups=[int]
LocalObjectReference: name
ManagedFieldsEntry: manager operation apiVersion time=time fieldsType fieldsV1=any subresource
NFSVolumeSource: server path readOnly=bool
NodeAffinity: requiredDuringSchedulingIgnoredDuringExecution=NodeSelector
  preferredDuringSchedulingIgnoredDuringExecution=[PreferredSchedulingTerm]
NodeAllocatableResourceClaimStatus: resourceClaimName containers=[string] resources={quantity}
NodeSelector: nodeSelectorTerms=[NodeSelectorTerm]
NodeSelectorRequirement: key operator values=[string]
NodeSelectorTerm: matchExpressions=[NodeSelectorRequirement] matchFields=[NodeSelectorRequirement]
ObjectFieldSelector: apiVersion fieldPath
ObjectMeta: name generateName namespace selfLink uid resourceVersion generation=int creationTimestamp=time
  deletionTimestamp=time deletionGracePeriodSeconds=int labels={string} annotations={string}
  ownerReferences=[OwnerReference] finalizers=[string] managedFields=[ManagedFieldsEntry]
ObjectReference: kind namespace name uid apiVersion resourceVersion fieldPath
OwnerReference: apiVersion kind name uid controller=bool blockOwnerDeletion=bool
PersistentVolumeClaim: kind apiVersion metadata=ObjectMeta spec=PersistentVolumeClaimSpec
  status=PersistentVolumeClaimStatus
PersistentVolumeClaimSpec: accessModes=[string] selector=LabelSelector resources=VolumeResourceRequirements
  volumeName storageClassName volumeMode dataSource=TypedLocalObjectReference
  dataSourceRef=TypedObjectReference volumeAttributesClassName
PersistentVolumeClaimTemplate: metadata=ObjectMeta spec=PersistentVolumeClaimSpec
PersistentVolumeClaimVolumeSource: claimName readOnly=bool
PhotonPersistentDiskVolumeSource: pdID fsType
Pod: kind apiVersion metadata=ObjectMeta spec=PodSpec status=PodStatus
PodAffinity: requiredDuringSchedulingIgnoredDuringExecution=[PodAffinityTerm]
  preferredDuringSchedulingIgnoredDuringExecution=[WeightedPodAffinityTerm]
PodAffinityTerm: labelSelector=LabelSelector namespaces=[string] topologyKey namespaceSelector=LabelSelector
  matchLabelKeys=[string] mismatchLabelKeys=[string]
PodAntiAffinity: requiredDuringSchedulingIgnoredDuringExecution=[PodAffinityTerm]
  preferredDuringSchedulingIgnoredDuringExecution=[WeightedPodAffinityTerm]
PodCertificateProjection: signerName keyType maxExpirationSeconds=int credentialBundlePath keyPath
  certificateChainPath userAnnotations={string}
PodCondition: type observedGeneration=int status lastProbeTime=time lastTransitionTime=time reason message
PodDNSConfig: nameservers=[string] searches=[string] options=[PodDNSConfigOption]
PodDNSConfigOption: name value
PodExtendedResourceClaimStatus: requestMappings=[ContainerExtendedResourceRequest] resourceClaimName
PodIP: ip
PodOS: name
PodReadinessGate: conditionType
PodResourceClaim: name resourceClaimName resourceClaimTemplateName
PodResourceClaimStatus: name resourceClaimName
PodSchedulingGate: name
PodSchedulingGroup: podGroupName
PodSecurityContext: seLinuxOptions=SELinuxOptions windowsOptions=WindowsSecurityContextOptions runAsUser=int
  runAsGroup=int runAsNonRoot=bool supplementalGroups=[int] supplementalGroupsPolicy fsGroup=int
  sysctls=[Sysctl] fsGroupChangePolicy seccompProfile=SeccompProfile appArmorProfile=AppArmorProfile
  seLinuxChangePolicy
PodSpec: volumes=[Volume] initContainers=[Container] containers=[Container]
  ephemeralContainers=[EphemeralContainer] restartPolicy terminationGracePeriodSeconds=int
  activeDeadlineSeconds=int dnsPolicy nodeSelector={string} serviceAccountName serviceAccount
  automountServiceAccountToken=bool nodeName hostNetwork=bool hostPID=bool hostIPC=bool
  shareProcessNamespace=bool securityContext=PodSecurityContext imagePullSecrets=[LocalObjectReference]
  hostname subdomain affinity=Affinity schedulerName tolerations=[Toleration] hostAliases=[HostAlias]
  priorityClassName priority=int dnsConfig=PodDNSConfig readinessGates=[PodReadinessGate] runtimeClassName
  enableServiceLinks=bool preemptionPolicy overhead={quantity}
  topologySpreadConstraints=[TopologySpreadConstraint] setHostnameAsFQDN=bool os=PodOS hostUsers=bool
  schedulingGates=[PodSchedulingGate] resourceClaims=[PodResourceClaim] resources=ResourceRequirements
  hostnameOverride schedulingGroup=PodSchedulingGroup
PodStatus: observedGeneration=int phase conditions=[PodCondition] message reason nominatedNodeName hostIP
  hostIPs=[HostIP] podIP podIPs=[PodIP] startTime=time initContainerStatuses=[ContainerStatus]
  containerStatuses=[ContainerStatus] qosClass ephemeralContainerStatuses=[ContainerStatus] resize
  resourceClaimStatuses=[PodResourceClaimStatus] extendedResourceClaimStatus=PodExtendedResourceClaimStatus
  allocatedResources={quantity} resources=ResourceRequirements
  nodeAllocatableResourceClaimStatuses=[NodeAllocatableResourceClaimStatus]
PodTemplateSpec: metadata=ObjectMeta spec=PodSpec
PortworxVolumeSource: volumeID fsType readOnly=bool
PreferredSchedulingTerm: weight=int preference=NodeSelectorTerm
Probe: exec=ExecAction httpGet=HTTPGetAction tcpSocket=TCPSocketAction grpc=GRPCAction
  initialDelaySeconds=int timeoutSeconds=int periodSeconds=int successThreshold=int failureThreshold=int
  terminationGracePeriodSeconds=int
ProjectedVolumeSource: sources=[VolumeProjection] defaultMode=int
QuobyteVolumeSource: registry volume readOnly=bool user group tenant
RBDVolumeSource: monitors=[string] image fsType pool user keyring secretRef=LocalObjectReference
  readOnly=bool
ResourceClaim: name request
ResourceFieldSelector: containerName resource divisor=quantity
ResourceHealth: resourceID health message
ResourceRequirements: limits={quantity} requests={quantity} claims=[ResourceClaim]
ResourceStatus: name resources=[ResourceHealth]
SELinuxOptions: user role type level
ScaleIOVolumeSource: gateway system secretRef=LocalObjectReference sslEnabled=bool protectionDomain
  storagePool storageMode volumeName fsType readOnly=bool
SeccompProfile: type localhostProfile
SecretEnvSource: name optional=bool
SecretKeySelector: name key optional=bool
SecretProjection: name items=[KeyToPath] optional=bool
SecretVolumeSource: secretName items=[KeyToPath] defaultMode=int optional=bool
SecurityContext: capabilities=Capabilities privileged=bool seLinuxOptions=SELinuxOptions
  windowsOptions=WindowsSecurityContextOptions runAsUser=int runAsGroup=int runAsNonRoot=bool
  readOnlyRootFilesystem=bool allowPrivilegeEscalation=bool procMount seccompProfile=SeccompProfile
  appArmorProfile=AppArmorProfile
ServiceAccountTokenProjection: audience expirationSeconds=int path
SleepAction: seconds=int
StorageOSVolumeSource: volumeName volumeNamespace fsType readOnly=bool secretRef=LocalObjectReference
Sysctl: name value
TCPSocketAction: port=int-or-string host
Toleration: key operator value effect tolerationSeconds=int
TopologySpreadConstraint: maxSkew=int topologyKey whenUnsatisfiable labelSelector=LabelSelector
  minDomains=int nodeAffinityPolicy nodeTaintsPolicy matchLabelKeys=[string]
TypedLocalObjectReference: apiGroup kind name
TypedObjectReference: apiGroup kind name namespace
Volume: name hostPath=HostPathVolumeSource emptyDir=EmptyDirVolumeSource
  gcePersistentDisk=GCEPersistentDiskVolumeSource awsElasticBlockStore=AWSElasticBlockStoreVolumeSource
  gitRepo=GitRepoVolumeSource secret=SecretVolumeSource nfs=NFSVolumeSource iscsi=ISCSIVolumeSource
  glusterfs=GlusterfsVolumeSource persistentVolumeClaim=PersistentVolumeClaimVolumeSource
  rbd=RBDVolumeSource flexVolume=FlexVolumeSource cinder=CinderVolumeSource cephfs=CephFSVolumeSource
  flocker=FlockerVolumeSource downwardAPI=DownwardAPIVolumeSource fc=FCVolumeSource
  azureFile=AzureFileVolumeSource configMap=ConfigMapVolumeSource
  vsphereVolume=VsphereVirtualDiskVolumeSource quobyte=QuobyteVolumeSource azureDisk=AzureDiskVolumeSource
  photonPersistentDisk=PhotonPersistentDiskVolumeSource projected=ProjectedVolumeSource
  portworxVolume=PortworxVolumeSource scaleIO=ScaleIOVolumeSource storageos=StorageOSVolumeSource
  csi=CSIVolumeSource ephemeral=EphemeralVolumeSource image=ImageVolumeSource
VolumeDevice: name devicePath
VolumeMount: name readOnly=bool recursiveReadOnly mountPath subPath mountPropagation subPathExpr
VolumeMountStatus: name mountPath readOnly=bool recursiveReadOnly volumeStatus=VolumeStatus
VolumeProjection: secret=SecretProjection downwardAPI=DownwardAPIProjection configMap=ConfigMapProjection
  serviceAccountToken=ServiceAccountTokenProjection clusterTrustBundle=ClusterTrustBundleProjection
  podCertificate=PodCertificateProjection
VolumeResourceRequirements: limits={quantity} requests={quantity}
VolumeStatus: image=ImageVolumeStatus
VsphereVirtualDiskVolumeSource: volumePath fsType storagePolicyName storagePolicyID
WeightedPodAffinityTerm: weight=int podAffinityTerm=PodAffinityTerm
WindowsSecurityContextOptions: gmsaCredentialSpecName gmsaCredentialSpec runAsUserName hostProcess=bool
"""
