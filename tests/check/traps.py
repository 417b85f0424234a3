"""Small workspaces that Karmada takes without a word, and that do not do what they seem to say."""

from __future__ import annotations

from typing import Final

from tests.workspaces import FLEET, POLICY, SHOP, WEB

EQUAL: Final = "{replicaSchedulingType: Divided, replicaDivisionPreference: Weighted}"
DYNAMIC: Final = (
    "{replicaSchedulingType: Divided, replicaDivisionPreference: Weighted, "
    "weightPreference: {dynamicWeight: AvailableReplicas}}"
)
AGGREGATED: Final = "{replicaSchedulingType: Divided, replicaDivisionPreference: Aggregated}"
ROOMY: Final = FLEET.replace("region:", "capacity: {pods: 9}, region:")
SETTINGS: Final = "apiVersion: krender.io/v1alpha1\nkind: Workspace\nmetadata: {name: w}\nspec:\n  "


def scheduled(scheduling: str, more: str = "") -> str:
    """The policy with another replicaScheduling, and more below its placement."""
    return POLICY.replace(EQUAL, scheduling) + more


def weighted(*entries: tuple[str, int]) -> str:
    """The policy with static weights: targetCluster -> weight."""
    listed = ", ".join(f"{{targetCluster: {target}, weight: {weight}}}" for target, weight in entries)
    return scheduled(f"{EQUAL[:-1]}, weightPreference: {{staticWeightList: [{listed}]}}}}")


def cluster(name: str, status: str, more: str = "") -> str:
    """A Cluster object whose Ready condition has a status."""
    return f"""\
apiVersion: cluster.karmada.io/v1alpha1
kind: Cluster
metadata: {{name: {name}, labels: {{stage: prod}}}}
spec: {{syncMode: Push{more}}}
status:
  apiEnablements: [{{groupVersion: apps/v1, resources: [{{name: deployments, kind: Deployment}}]}}]
  conditions: [{{type: Ready, status: "{status}", reason: r, message: m}}]
"""


TRAPS: Final = {
    "KR108": {
        **SHOP,
        "policy.yaml": POLICY.replace(", name: web}]", "}]"),
        "all.yaml": POLICY.replace("{name: web, ", "{name: zzz, ").replace(
            ", name: web}]", ", labelSelector: {}}]"
        ),
    },
    "KR109": {
        **SHOP,
        "policy.yaml": POLICY.replace(
            "name: web}]", "name: web}, {apiVersion: apps.example/v1, kind: Deployment}]"
        ),
        "other.yaml": WEB.replace("apps/v1", "apps.example/v1"),
    },
    "KR211": {**SHOP, "policy.yaml": weighted(("{clusterNames: [east]}", 1))},
    "KR213": {**SHOP, "policy.yaml": scheduled(DYNAMIC)},
    "KR214": {**SHOP, "cluster.yaml": cluster("south", "Unknown")},
    "KR215": {
        **SHOP,
        "policy.yaml": scheduled(DYNAMIC),
        "fleet.yaml": ROOMY.replace("name: east,", 'name: east, observedAt: "1969-12-01T00:00:00Z",'),
    },
    "KR216": {**SHOP, "web.yaml": WEB.replace("replicas: 4", "replicas: 0")},
    "KR217": {
        **SHOP,
        "fleet.yaml": ROOMY,
        "policy.yaml": scheduled(
            AGGREGATED, "    spreadConstraints: [{spreadByField: cluster, minGroups: 2, maxGroups: 2}]\n"
        ),
    },
    "KR218": {**SHOP, "policy.yaml": scheduled("{}")},
    "KR219": {**SHOP, "policy.yaml": POLICY.replace("spec:", "spec:\n  schedulerName: other")},
    "KR220": {
        **SHOP,
        "policy.yaml": POLICY.replace("kind: Deployment", "kind: StatefulSet"),
        "web.yaml": WEB.replace("kind: Deployment", "kind: StatefulSet"),
    },
    "KR221": {
        **SHOP,
        "policy.yaml": weighted(("{}", 1)).replace(
            "replicaDivisionPreference: Weighted", "replicaDivisionPreference: Aggregated"
        ),
    },
    "KR222": {
        **SHOP,
        "policy.yaml": POLICY.replace("apps/v1, kind: Deployment", "shop.example/v1, kind: Rollout"),
        "web.yaml": WEB.replace("apps/v1", "shop.example/v1").replace("Deployment", "Rollout"),
    },
    "KR223": {**SHOP, "policy.yaml": POLICY.replace("{stage: prod}", "{st age: prod}")},
    "KR224": {
        **SHOP,
        "policy.yaml": POLICY.replace(
            "clusterAffinity: {labelSelector: {matchLabels: {stage: prod}}}",
            "clusterAffinities: [{affinityName: a, clusterNames: [east]}, "
            "{affinityName: b, labelSelector: {matchLabels: {stage: none}}}]",
        ),
    },
    "KR315": {
        **SHOP,
        "o.yaml": """\
apiVersion: policy.karmada.io/v1alpha1
kind: OverridePolicy
metadata: {name: o, namespace: shop}
spec:
  overrideRules:
  - overriders: {plaintext: [{path: /spec/replicas, operator: replace}]}
""",
    },
    "KR509": {**SHOP, "web.yaml": WEB.replace("{matchLabels: {app: web}}", "{matchLabels: {app: api}}")},
    "KR508": {
        **SHOP,
        "policy.yaml": POLICY.replace("apps/v1, kind: Deployment", "batch/v1, kind: Job"),
        "web.yaml": """\
apiVersion: batch/v1
kind: Job
metadata: {name: web, namespace: shop}
spec:
  ttlSecondsAfterFinished: 60
  template: {spec: {restartPolicy: Never, containers: [{name: web, image: "registry.example/web:1"}]}}
""",
    },
    "KR314": {
        **SHOP,
        "o.yaml": """\
apiVersion: policy.karmada.io/v1alpha1
kind: OverridePolicy
metadata: {name: o, namespace: shop}
spec:
  overrideRules:
  - overriders:
      annotationsOverrider: [{operator: add, value: {on: "{{ cluster.metadata.name }}"}}]
""",
    },
    "KR507": {
        **SHOP,
        "policy.yaml": POLICY.replace("name: web}]", "name: web}, {apiVersion: v1, kind: ServiceAccount}]"),
        "account.yaml": "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: web, namespace: shop}\n"
        "secrets: [{name: web-token-abcde}]\n",
    },
    "KR313": {
        **SHOP,
        "web.yaml": WEB.replace("labels: {app: web}}\nspec", 'annotations: {c: "{ \\"a\\": 1 }"}}\nspec'),
        "o.yaml": """\
apiVersion: policy.karmada.io/v1alpha1
kind: OverridePolicy
metadata: {name: o, namespace: shop}
spec:
  resourceSelectors: [{apiVersion: apps/v1, kind: Deployment}]
  overrideRules:
  - overriders:
      fieldOverrider:
      - {fieldPath: /metadata/annotations/c, json: [{subPath: /a, operator: replace, value: 2}]}
""",
    },
}
