"""Fields without which an API server refuses an object of a known kind: nothing defaults them.

What is required only beside another field, or empty, is not told. Source: k8s.io/kubernetes
pkg/apis/{core,apps,batch,autoscaling,rbac,networking}/validation, v1.36.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from renderer.document.values import Object, Value
from renderer.interpret.misfits import Misfit, all_types, struct_of

_TABLE: Final = """\
CSIVolumeSource: driver
ClusterRoleBinding: roleRef
ConfigMapKeySelector: key
ConfigMapVolumeSource: name
Container: name image
ContainerPort: containerPort
CronJob: spec
CronJobSpec: schedule jobTemplate
CrossVersionObjectReference: kind name
DaemonSet: spec
DaemonSetSpec: selector template
Deployment: spec
DeploymentSpec: selector template
EnvVar: name
ExecAction: command
HTTPGetAction: port
HTTPIngressPath: pathType backend
HTTPIngressRuleValue: paths
HorizontalPodAutoscaler: spec
HorizontalPodAutoscalerSpec: scaleTargetRef maxReplicas
HostPathVolumeSource: path
IPBlock: cidr
IngressServiceBackend: name port
Job: spec
JobSpec: template
JobTemplateSpec: spec
KeyToPath: key path
LabelSelectorRequirement: key operator
NFSVolumeSource: server path
NodeSelectorRequirement: key operator
PersistentVolumeClaimVolumeSource: claimName
Pod: spec
PodAffinityTerm: topologyKey
PodSpec: containers
PodTemplateSpec: spec
PolicyRule: verbs
ReplicaSet: spec
ReplicaSetSpec: selector template
RoleBinding: roleRef
RoleRef: kind name
SecretKeySelector: key
SecretVolumeSource: secretName
ServicePort: port
StatefulSet: spec
StatefulSetSpec: selector template
Subject: kind name
TCPSocketAction: port
TopologySpreadConstraint: maxSkew topologyKey whenUnsatisfiable
Volume: name
VolumeMount: name mountPath
"""

# type: the fields it cannot do without
REQUIRED: Final[Mapping[str, tuple[str, ...]]] = {
    name: tuple(fields.split()) for name, _, fields in (line.partition(": ") for line in _TABLE.splitlines())
}


def missing(body: Object) -> Iterator[Misfit]:
    """The required fields that an object does not have; none where its kind is not known."""
    struct = struct_of(body)
    if struct is not None:
        yield from _in(body, struct.name, ())


def _in(value: Value, expression: str, tokens: tuple[str, ...]) -> Iterator[Misfit]:
    """What is missing in a value; one of another type than the expression's is a misfit of its own."""
    if isinstance(value, list) and expression[:1] == "[":
        for index, item in enumerate(value):
            yield from _in(item, expression[1:-1], (*tokens, str(index)))
    elif isinstance(value, dict) and expression in all_types():
        for name in REQUIRED.get(expression, ()):
            if value.get(name) is None:
                yield Misfit((*tokens, name), None, is_missing=True)
        fields = all_types()[expression].fields
        for name, item in value.items():
            if isinstance(item, dict | list):
                yield from _in(item, fields.get(name, ""), (*tokens, name))
