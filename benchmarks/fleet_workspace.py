"""A workspace for a fleet: as many clusters and workloads as are asked for, and how much clusters differ.

- `identical`: every cluster gets the same files.
- `few`: twenty regions have registries of their own, and one cluster in a hundred values of its own.
- `all`: regions have registries, and every cluster has values of its own in every file.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

SHAPES = ("identical", "few", "all")
REGIONS = 20
EDITED = 100  # clusters that an edit of the policy concerns, in one workload
_VARIABLES = 14

_SELECTED = "resourceSelectors: [{apiVersion: apps/v1, kind: Deployment}]"
_CLAIM = f"""\
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata: {{name: everywhere, namespace: shop}}
spec:
  {_SELECTED}
  placement: {{}}
"""
_RULE = """\
  - targetCluster: {fieldSelector: {matchExpressions: [{key: region, operator: In, values: [r%d]}]}}
    overriders: {imageOverrider: [{component: Registry, operator: replace, value: r%d.mirror.example}]}
"""
_OWN = f"""\
---
apiVersion: policy.karmada.io/v1alpha1
kind: OverridePolicy
metadata: {{name: own, namespace: shop, annotations: {{krender.io/values: jinja2}}}}
spec:
  {_SELECTED}
  overrideRules:
  - targetCluster: {{labelSelector: {{matchLabels: {{own: "true"}}}}}}
    overriders:
      labelsOverrider: [{{operator: add, value: {{store: "{{{{ cluster.metadata.name }}}}"}}}}]
      plaintext:
      - path: /spec/template/spec/containers/0/env/0/value
        operator: replace
        value: "{{{{ cluster.metadata.name }}}}"
"""


def write_workspace(root: Path, clusters: int, workloads: int, shape: str) -> None:
    """Write it into a new directory."""
    (root / "apps").mkdir(parents=True)
    (root / "fleet.yaml").write_text("".join(_inventory(clusters, shape)))
    (root / "policy.yaml").write_text(_CLAIM)
    (root / "overrides.yaml").write_text("".join(_overrides(shape)))
    (root / "namespace.yaml").write_text("apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n")
    for number in range(workloads):
        (root / "apps" / f"app-{number:03}.yaml").write_text(template(number))


def edit_policy(root: Path, clusters: int, number: int) -> None:
    """Let a hundred clusters have another label in one workload; another one for each number."""
    names = ", ".join(store(place * clusters // EDITED) for place in range(min(EDITED, clusters)))
    (root / "edit.yaml").write_text(
        "apiVersion: policy.karmada.io/v1alpha1\nkind: OverridePolicy\n"
        "metadata: {name: edit, namespace: shop}\nspec:\n"
        "  resourceSelectors: [{apiVersion: apps/v1, kind: Deployment, name: app-000}]\n"
        f"  overrideRules:\n  - targetCluster: {{clusterNames: [{names}]}}\n"
        f'    overriders: {{labelsOverrider: [{{operator: add, value: {{edit: "{number}"}}}}]}}\n'
    )


def store(number: int) -> str:
    """The name of a cluster."""
    return f"store-{number:05}"


def template(number: int) -> str:
    """One workload, of 1.6 KB."""
    variables = "".join(
        f"        - {{name: SETTING_{n:02}, value: 'https://service-{(n * number) % 97:02}"
        ".shop.svc.cluster.local:8443/v1'}\n"
        for n in range(_VARIABLES)
    )
    return f"""\
apiVersion: apps/v1
kind: Deployment
metadata:
  name: app-{number:03}
  namespace: shop
  labels: {{app: app-{number:03}}}
spec:
  replicas: 2
  selector: {{matchLabels: {{app: app-{number:03}}}}}
  template:
    metadata: {{labels: {{app: app-{number:03}}}}}
    spec:
      containers:
      - name: app
        image: registry.example/team/app-{number:03}:1.2.3
        env:
{variables}        resources: {{requests: {{cpu: 100m, memory: 128Mi}}, limits: {{memory: 256Mi}}}}
"""


def _inventory(clusters: int, shape: str) -> Iterator[str]:
    yield "apiVersion: krender.io/v1alpha1\nkind: ClusterInventory\nmetadata: {name: fleet}\n"
    yield "spec:\n  clusters:\n"
    for number in range(clusters):
        own = shape == "all" or (shape == "few" and number % 100 == 0)
        labels = f'{{tier: t{number % 4}, own: "{str(own).lower()}"}}'
        yield f"  - {{name: {store(number)}, region: r{number % REGIONS}, labels: {labels}}}\n"


def _overrides(shape: str) -> Iterator[str]:
    if shape == "identical":
        return
    yield "apiVersion: policy.karmada.io/v1alpha1\nkind: OverridePolicy\n"
    yield f"metadata: {{name: mirrors, namespace: shop}}\nspec:\n  {_SELECTED}\n  overrideRules:\n"
    yield from (_RULE % (region, region) for region in range(REGIONS))
    yield _OWN
