"""Kinds of other projects, as the scripts that Karmada ships read them."""

from __future__ import annotations

import pytest

from renderer.document.values import Object, Value
from renderer.interpret.interpret import interpret, interpreter
from renderer.interpret.operations import Operations
from renderer.interpret.shipped.values import number, replicas_of, returned, without_empty
from renderer.model.gates import FeatureGates
from renderer.model.interpretation import InterpretError
from tests.interpret.build import container, thing

GATES = FeatureGates()
KRUISE = "apps.kruise.io/v1alpha1"
FLUX = "source.toolkit.fluxcd.io/v1beta2"
POD: Object = {
    "spec": {
        "containers": [
            {
                **container(requests={"cpu": "1500m", "memory": "100M"}),
                "envFrom": [{"configMapRef": {"name": "c"}}],
            }
        ],
        "serviceAccountName": "sa",
    }
}
NEEDS: Object = {"resourceRequest": {"cpu": "1500m", "memory": "100M"}}


def asked(body: Object) -> Operations:
    """The operations of the object's kind."""
    return interpreter(GATES).of(body)


def clone_set(**spec: Value) -> Object:
    """A CloneSet."""
    return thing("CloneSet", api_version=KRUISE, spec={"template": POD, **spec})


def replicas(body: Object) -> tuple[int, Object | None]:
    """Replicas and requirements, as JSON."""
    operation = asked(body).replica
    assert operation is not None
    workload = operation(body)
    return workload.replicas, workload.requirements.raw if workload.requirements else None


def names(body: Object) -> list[str]:
    """Kind and name of each dependency."""
    operation = asked(body).dependencies
    assert operation is not None
    return [f"{item.kind}/{item.name}" for item in operation(body)]


def components(body: Object) -> list[tuple[str, int, Object | None]]:
    """Name, replicas and requirements of each component."""
    operation = asked(body).components
    assert operation is not None
    return [
        (item.name, item.replicas, item.replica_requirements.raw if item.replica_requirements else None)
        for item in operation(body)
    ]


def revised(body: Object, count: int) -> Value:
    """The spec with other replicas."""
    operation = asked(body).revise
    assert operation is not None
    return operation(body, count)["spec"]


def workers(*counts: int | None) -> list[Value]:
    """Ray worker groups."""
    return [{} if count is None else {"replicas": count} for count in counts]


def ray(kind: str, cluster: Object, **spec: Value) -> Object:
    """A Ray object around a cluster."""
    field = {"RayJob": "rayClusterSpec", "RayService": "rayClusterConfig"}.get(kind)
    return thing(kind, api_version="ray.io/v1", spec={field: cluster, **spec} if field else cluster)


HEAD: Object = {"template": POD}
FLINK = "flink.apache.org/v1beta1"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param(clone_set(replicas=3), (3, NEEDS), id="clone-set"),
        pytest.param(clone_set(replicas=3.7), (3, NEEDS), id="fractions-are-cut-off"),
        pytest.param(
            thing("BroadcastJob", api_version=KRUISE, spec={"template": POD}), (1, NEEDS), id="one-by-default"
        ),
        pytest.param(
            thing(
                "UnitedDeployment",
                api_version=KRUISE,
                spec={"replicas": 2, "template": {"statefulSetTemplate": {}}},
            ),
            (2, None),
            id="a-template-that-is-no-pod-template-needs-nothing",
        ),
        pytest.param(
            thing("SidecarSet", api_version=KRUISE, spec={}), (0, None), id="a-sidecar-set-has-none"
        ),
        pytest.param(
            thing("Workflow", api_version="argoproj.io/v1alpha1", spec={"nodeSelector": {"a": "b"}}),
            (1, {"nodeClaim": {"nodeSelector": {"a": "b"}}}),
            id="workflow",
        ),
        pytest.param(
            thing("Notebook", api_version="kubeflow.org/v1", spec={"template": POD}),
            (1, NEEDS),
            id="notebook",
        ),
        pytest.param(
            ray(
                "RayService",
                {
                    "headGroupSpec": HEAD,
                    "workerGroupSpecs": [
                        {
                            "replicas": 2,
                            "template": {"spec": {"containers": [container(requests={"cpu": "2"})]}},
                        }
                    ],
                },
            ),
            (3, {"resourceRequest": {"cpu": "2", "memory": "100M"}}),
            id="ray-service-the-most-demanding",
        ),
        pytest.param(ray("RayService", {}), (0, None), id="ray-service-without-a-head"),
        pytest.param(
            ray("RayService", {"headGroupSpec": HEAD, "workerGroupSpecs": workers(None, 2)}),
            (3, NEEDS),
            id="ray-workers-without-a-template",
        ),
        pytest.param(
            ray("RayService", {"headGroupSpec": {"template": {}}, "workerGroupSpecs": workers(1)}),
            (2, None),
            id="ray-service-whose-head-needs-nothing",
        ),
        pytest.param(
            thing(
                "FlinkDeployment",
                api_version=FLINK,
                spec={
                    "jobManager": {"resource": {"cpu": 1, "memory": "1Gi"}},
                    "taskManager": {"resource": {"cpu": 2, "memory": "2048m"}},
                    "job": {"parallelism": 5},
                    "flinkConfiguration": {"taskmanager.numberOfTaskSlots": "2"},
                    "podTemplate": {"spec": {"nodeSelector": {"a": "b"}, "priorityClassName": "high"}},
                },
            ),
            (
                4,
                {
                    "nodeClaim": {"nodeSelector": {"a": "b"}},
                    "resourceRequest": {"cpu": "2", "memory": "1Gi"},
                    "namespace": "shop",
                    "priorityClassName": "high",
                },
            ),
            id="flink",
        ),
        pytest.param(
            thing(
                "FlinkDeployment",
                api_version=FLINK,
                spec={"taskManager": {"replicas": 2, "resource": {"cpu": 1, "memory": "1Gi"}}},
            ),
            (3, {"resourceRequest": {"cpu": "1", "memory": "1Gi"}, "namespace": "shop"}),
            id="flink-with-one-of-two",
        ),
    ],
)
def test_replicas(body: Object, expected: tuple[int, Object | None]) -> None:
    assert replicas(body) == expected


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(clone_set(), id="no-replicas"),
        pytest.param(clone_set(replicas="3"), id="text"),
        pytest.param(clone_set(replicas=True), id="boolean"),
        pytest.param(thing("CloneSet", api_version=KRUISE, spec={"replicas": 1}), id="no-template"),
        pytest.param(thing("CloneSet", api_version=KRUISE), id="no-spec"),
        pytest.param(
            thing(
                "CloneSet",
                api_version=KRUISE,
                spec={"replicas": 1, "template": {"spec": {"hostNetwork": "x"}}},
            ),
            id="a-template-that-does-not-fit",
        ),
        pytest.param(
            ray("RayService", {"headGroupSpec": HEAD, "workerGroupSpecs": [{"replicas": "2"}]}),
            id="ray-workers",
        ),
        pytest.param(
            thing(
                "FlinkDeployment",
                api_version=FLINK,
                spec={
                    "jobManager": {"resource": {"cpu": "x"}},
                    "taskManager": {"resource": {"cpu": 1}},
                },
            ),
            id="flink-cpu",
        ),
        pytest.param(
            thing(
                "FlinkDeployment",
                api_version=FLINK,
                spec={
                    "jobManager": {"resource": {"memory": 1}},
                    "taskManager": {"resource": {"memory": "1Gi"}},
                },
            ),
            id="flink-memory",
        ),
        pytest.param(
            thing("FlinkDeployment", api_version=FLINK, spec={"taskManager": {"resource": {"cpu": "1x"}}}),
            id="a-request-that-is-no-quantity",
        ),
    ],
)
def test_errors(body: Object) -> None:
    assert interpret(body, interpreter(GATES), GATES).error


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param(clone_set(), {"template": POD, "replicas": 5}, id="written-even-if-absent"),
        pytest.param(
            thing("BroadcastJob", api_version=KRUISE, spec={}), {"parallelism": 5}, id="of-a-broadcast-job"
        ),
        pytest.param(
            ray("RayService", {"workerGroupSpecs": workers(1)}),
            {"rayClusterConfig": {"workerGroupSpecs": workers(4)}},
            id="one-group-gets-all-but-the-head",
        ),
        pytest.param(
            ray("RayService", {"workerGroupSpecs": workers(1, 3)}),
            {"rayClusterConfig": {"workerGroupSpecs": workers(1, 3)}},
            id="in-proportion",
        ),
        pytest.param(
            ray(
                "RayService",
                {"workerGroupSpecs": [{"groupName": "a"}, {"groupName": "b"}, {"groupName": "c"}]},
            ),
            {
                "rayClusterConfig": {
                    "workerGroupSpecs": [
                        {"groupName": "a", "replicas": 2},
                        {"groupName": "b", "replicas": 1},
                        {"groupName": "c", "replicas": 1},
                    ]
                }
            },
            id="evenly-from-nothing",
        ),
        pytest.param(ray("RayService", {"x": 1}), {"rayClusterConfig": {"x": 1}}, id="no-groups"),
    ],
)
def test_revised(body: Object, expected: Value) -> None:
    assert revised(body, 5) == expected


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(thing("CloneSet", api_version=KRUISE, spec=[]), id="a-spec-that-is-no-map"),
        pytest.param(ray("RayService", {"workerGroupSpecs": ["x"]}), id="a-group-that-is-no-map"),
    ],
)
def test_what_cannot_be_revised(body: Object) -> None:
    with pytest.raises(InterpretError):
        revised(body, 5)


VOLUMES: list[Value] = [
    {"configMap": {"name": "vc"}},
    {"secret": {"secretName": "vs", "name": "odd"}},
    {"projected": {"sources": [{"configMap": {"name": "pc"}}, {"secret": {"name": "ps"}}]}},
    {"persistentVolumeClaim": {"claimName": "claim"}, "csi": {"nodePublishSecretRef": {"name": "csi"}}},
]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param(clone_set(replicas=1), ["ConfigMap/c", "ServiceAccount/sa"], id="clone-set"),
        pytest.param(
            thing("DaemonSet", api_version=KRUISE, spec={"template": {"spec": {}}}),
            [],
            id="a-daemon-set-may-have-none",
        ),
        pytest.param(
            thing(
                "AdvancedCronJob",
                api_version=KRUISE,
                spec={"template": {"broadcastJobTemplate": {"spec": {"template": POD}}}},
            ),
            ["ConfigMap/c", "ServiceAccount/sa"],
            id="cron-job",
        ),
        pytest.param(
            thing(
                "SidecarSet",
                api_version=KRUISE,
                spec={
                    "containers": [
                        {
                            "env": [
                                {"valueFrom": {"configMapKeyRef": {"name": "ec"}}},
                                {"valueFrom": {"secretKeyRef": {"name": "es"}}},
                                {"value": "x"},
                            ],
                            "envFrom": [{"secretRef": {"name": "es"}}],
                        }
                    ],
                    "volumes": VOLUMES,
                },
            ),
            ["ConfigMap/ec", "ConfigMap/pc", "ConfigMap/vc", "Secret/es", "Secret/ps", "Secret/vs"],
            id="sidecar-set",
        ),
        pytest.param(
            thing(
                "Workflow",
                api_version="argoproj.io/v1alpha1",
                spec={
                    "executor": {"serviceAccountName": "exec"},
                    "volumeClaimTemplates": [{"metadata": {"name": "work"}}, {"metadata": {}}],
                    "volumes": VOLUMES,
                    "imagePullSecrets": [{"name": "pull"}],
                    "serviceAccountName": "default",
                },
            ),
            [
                "ConfigMap/pc",
                "ConfigMap/vc",
                "PersistentVolumeClaim/claim",
                "PersistentVolumeClaim/work",
                "Secret/csi",
                "Secret/odd",
                "Secret/ps",
                "Secret/pull",
                "ServiceAccount/exec",
            ],
            id="workflow-with-the-wrong-field-of-secret-volumes",
        ),
        pytest.param(
            ray(
                "RayJob",
                {"headGroupSpec": HEAD, "workerGroupSpecs": [{"template": {"spec": {"volumes": VOLUMES}}}]},
                submitterPodTemplate={"spec": {"serviceAccountName": "submit"}},
            ),
            [
                "ConfigMap/c",
                "ConfigMap/pc",
                "ConfigMap/vc",
                "PersistentVolumeClaim/claim",
                "Secret/csi",
                "Secret/ps",
                "Secret/vs",
                "ServiceAccount/sa",
                "ServiceAccount/submit",
            ],
            id="ray-job",
        ),
        pytest.param(
            thing(
                "PyTorchJob",
                api_version="kubeflow.org/v1",
                spec={
                    "pytorchReplicaSpecs": {
                        "Worker": {"template": POD},
                        "Master": {},
                        "Other": {"template": POD},
                    }
                },
            ),
            ["ConfigMap/c", "ServiceAccount/sa"],
            id="training-job",
        ),
        pytest.param(
            thing(
                "HelmRelease",
                api_version="helm.toolkit.fluxcd.io/v2beta1",
                spec={
                    "valuesFrom": [
                        {"kind": "Secret", "name": "v"},
                        {"kind": "ConfigMap", "name": "v"},
                        {"kind": "X"},
                    ],
                    "chart": {"spec": {"verify": {"secretRef": {"name": "key"}}}},
                    "kubeConfig": {"secretRef": {"name": ""}},
                    "serviceAccountName": "sa",
                },
            ),
            ["ConfigMap/v", "Secret/key", "Secret/v", "ServiceAccount/sa"],
            id="helm-release",
        ),
        pytest.param(
            thing(
                "OCIRepository", api_version=FLUX, spec={"secretRef": {"name": "s"}, "serviceAccountName": ""}
            ),
            ["Secret/s"],
            id="oci-repository",
        ),
        pytest.param(
            thing("Bucket", api_version=FLUX, spec={"secretRef": {"name": "s"}, "serviceAccountName": "x"}),
            ["Secret/s"],
            id="a-bucket-has-no-account",
        ),
    ],
)
def test_dependencies(body: Object, expected: list[str]) -> None:
    assert names(body) == expected


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(
            thing("CloneSet", api_version=KRUISE, spec={"template": {"spec": {}}}), id="none-is-an-error"
        ),
        pytest.param(thing("AdvancedCronJob", api_version=KRUISE, spec={"template": {}}), id="no-template"),
        pytest.param(
            thing("SidecarSet", api_version=KRUISE, spec={"volumes": [{"secret": {}}]}),
            id="a-secret-without-a-name",
        ),
        pytest.param(
            thing("Workflow", api_version="argoproj.io/v1alpha1", spec={"serviceAccountName": 5}),
            id="a-name-of-5",
        ),
        pytest.param(thing("OCIRepository", api_version=FLUX, spec={}), id="no-account"),
        pytest.param(
            thing("Bucket", api_version=FLUX, spec={"secretRef": {}}), id="a-reference-without-a-name"
        ),
    ],
)
def test_dependencies_that_cannot_be_told(body: Object) -> None:
    with pytest.raises(InterpretError):
        names(body)


SPARK = "sparkoperator.k8s.io/v1beta2"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param(
            ray(
                "RayCluster",
                {"headGroupSpec": HEAD, "workerGroupSpecs": [{"groupName": "gpu", "replicas": 2}, {}]},
            ),
            [("ray-head", 1, NEEDS), ("gpu", 2, None), ("worker-2", 0, None)],
            id="ray",
        ),
        pytest.param(ray("RayJob", {}), [], id="ray-without-groups"),
        pytest.param(
            thing(
                "TFJob",
                api_version="kubeflow.org/v1",
                spec={"tfReplicaSpecs": {"Worker": {"replicas": "2", "template": POD}, "PS": {}}},
            ),
            [("ps", 1, None), ("worker", 2, NEEDS)],
            id="training-job",
        ),
        pytest.param(
            thing(
                "MPIJob",
                api_version="kubeflow.org/v2beta1",
                spec={
                    "mpiReplicaSpecs": {
                        "Worker": {"template": POD},
                        "Launcher": {"template": POD, "replicas": 1},
                        "Idle": {},
                    }
                },
            ),
            [("Launcher", 1, NEEDS), ("Worker", 0, NEEDS)],
            id="mpi-job",
        ),
        pytest.param(
            thing(
                "Job",
                api_version="batch.volcano.sh/v1alpha1",
                spec={"tasks": [{"name": "a", "minAvailable": 2, "template": POD}, {"template": POD}]},
            ),
            [("a", 2, NEEDS), ("task-1", 1, NEEDS)],
            id="volcano",
        ),
        pytest.param(
            thing(
                "FlinkDeployment",
                api_version=FLINK,
                spec={
                    "jobManager": {"resource": {"cpu": 0.5, "memory": "1Gi"}},
                    "taskManager": {"replicas": 2},
                    "podTemplate": {"spec": {"tolerations": [{"key": "a"}]}},
                },
            ),
            [
                (
                    "jobmanager",
                    1,
                    {
                        "nodeClaim": {"tolerations": [{"key": "a"}]},
                        "resourceRequest": {"cpu": "500m", "memory": "1073741824"},
                    },
                ),
                ("taskmanager", 2, {"nodeClaim": {"tolerations": [{"key": "a"}]}}),
            ],
            id="flink",
        ),
        pytest.param(
            thing(
                "SparkApplication",
                api_version=SPARK,
                spec={
                    "type": "Python",
                    "driver": {
                        "memory": "512m",
                        "cores": 2,
                        "gpu": {"name": "nvidia.com/gpu", "quantity": 1},
                    },
                    "executor": {
                        "memory": "4g",
                        "memoryOverhead": "512m",
                        "affinity": {
                            "nodeAffinity": {
                                "requiredDuringSchedulingIgnoredDuringExecution": {
                                    "nodeSelectorTerms": [
                                        {"matchFields": [{"key": "a", "operator": "Exists"}]}
                                    ]
                                }
                            }
                        },
                    },
                    "dynamicAllocation": {"enabled": True, "minExecutors": 3},
                },
            ),
            [
                (
                    "driver",
                    1,
                    {"resourceRequest": {"cpu": "2", "memory": "896Mi", "nvidia.com/gpu": "1"}},
                ),
                (
                    "executor",
                    3,
                    {
                        "nodeClaim": {
                            "hardNodeAffinity": {
                                "nodeSelectorTerms": [{"matchFields": [{"key": "a", "operator": "Exists"}]}]
                            }
                        },
                        "resourceRequest": {"cpu": "1", "memory": "4608Mi"},
                    },
                ),
            ],
            id="spark",
        ),
    ],
)
def test_components(body: Object, expected: list[tuple[str, int, Object | None]]) -> None:
    assert components(body) == expected


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(thing("SparkApplication", api_version=SPARK, spec={}), id="spark-without-a-type"),
        pytest.param(
            thing("SparkApplication", api_version=SPARK, spec={"type": "Java", "driver": {"memory": "512"}}),
            id="memory-without-a-unit",
        ),
        pytest.param(
            thing(
                "Job",
                api_version="batch.volcano.sh/v1alpha1",
                spec={"tasks": [{"minAvailable": 1.5, "template": {}}]},
            ),
            id="half-a-replica",
        ),
        pytest.param(
            thing("FlinkDeployment", api_version=FLINK, spec={"jobManager": {"resource": {"memory": "-1"}}}),
            id="negative-memory",
        ),
    ],
)
def test_components_that_cannot_be_told(body: Object) -> None:
    with pytest.raises(InterpretError):
        components(body)


def test_what_comes_back_from_a_script() -> None:
    body: Object = {
        "null": None,
        "big": 9007199254740993,
        "whole": 3.0,
        "half": 0.5,
        "huge": 1e300,
        "flag": True,
        "map": {},
        "list": [],
        "emptied": {"a": None},
        "nested": {"emptied": {"a": None}},
        "elements": [{"either": []}, {"either": {}}, None, [1, None]],
    }
    assert returned(body) == {
        "big": 9007199254740992,
        "whole": 3,
        "half": 0.5,
        "huge": 1e300,
        "flag": True,
        "map": {},
        "list": [],
        "nested": {},
        "elements": [{"either": {}}, {"either": {}}, [1]],
    }


def test_what_a_script_puts_together_loses_what_is_empty() -> None:
    assert without_empty({"a": {}, "b": {"c": []}, "d": [{}, 1, None], "e": None}) == {"b": {}, "d": [1]}


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        pytest.param("1.5", 1.5, id="plain-decimal"),
        pytest.param(" 2 ", 2.0, id="space"),
        pytest.param("1e3", None, id="no-exponent"),
        pytest.param("", None, id="empty"),
        pytest.param(True, None, id="boolean"),
        pytest.param(3, 3.0, id="number"),
    ],
)
def test_numbers(value: Value, expected: float | None) -> None:
    assert number(value) == expected


def test_a_number_beyond_32_bits_is_the_least_one() -> None:
    assert replicas_of(float(2**40)) == -(2**31)
