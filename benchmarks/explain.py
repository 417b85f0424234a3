"""What an explanation costs in a large fleet: `python -m benchmarks.explain [CLUSTERS]`.

Four Deployments: copies with a value of each cluster's own, dynamic weights, Aggregated over regions, equal
shares. CPU seconds of the render, then of each question with its text, of one run.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator

from renderer.document.file import SourceFile
from renderer.load.workspace import load
from renderer.model.plan import Plan
from renderer.pipeline import render
from renderer.view.explain.answer import Question, answer, pages
from renderer.view.explain.page import plain

DIVIDED = "replicaSchedulingType: Divided, replicaDivisionPreference"
SHAPES = {
    "copies": "",
    "dynamic": f"replicaScheduling: {{{DIVIDED}: Weighted, "
    "weightPreference: {dynamicWeight: AvailableReplicas}}",
    "regions": f"replicaScheduling: {{{DIVIDED}: Aggregated}}, spreadConstraints: "
    "[{spreadByField: region, minGroups: 3, maxGroups: 5}, "
    "{spreadByField: cluster, minGroups: 10, maxGroups: 40}]",
    "equal": f"replicaScheduling: {{{DIVIDED}: Weighted}}",
}
QUESTIONS = (
    *(Question(subject=f"deployment/{name}") for name in SHAPES),
    Question(subject="deployment/dynamic", cluster="edge-00042"),
    Question(subject="deployment/dynamic", field="spec.replicas"),
    Question(subject="deployment/copies", field="spec.template.spec.containers[0].env"),
    Question(subject="namespace/shop"),
    Question(subject="cluster/edge-00042"),
    Question(subject="policy/regions"),
    Question(subject="policy/names"),
)


def files(clusters: int) -> Iterator[tuple[str, str]]:
    """The workspace: an inventory of one line a cluster, and a file for each Deployment with its policy."""
    listed = "".join(
        f"  - {{name: edge-{place:05}, region: r{place % 30}, "
        f"labels: {{stage: {'test' if place % 10 else 'prod'}}}, "
        f"capacity: {{cpu: {4 + place % 13}, memory: 16Gi, pods: 110}}}}\n"
        for place in range(clusters)
    )
    yield (
        "fleet.yaml",
        (
            "apiVersion: krender.io/v1alpha1\nkind: ClusterInventory\nmetadata: {name: fleet}\n"
            f"spec:\n  clusters:\n{listed}"
        ),
    )
    yield "namespace.yaml", "apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n"
    yield "names.yaml", NAMES
    for name, placement in SHAPES.items():
        comma = ", " if placement else ""
        yield (
            f"{name}.yaml",
            (
                DEPLOYMENT.format(name=name, replicas=clusters // 2)
                + POLICY.format(name=name, placement=comma + placement)
            ),
        )


DEPLOYMENT = """\
apiVersion: apps/v1
kind: Deployment
metadata: {{name: {name}, namespace: shop}}
spec:
  replicas: {replicas}
  selector: {{matchLabels: {{app: web}}}}
  template:
    metadata: {{labels: {{app: web}}}}
    spec:
      containers:
      - {{name: web, image: "web:1", resources: {{requests: {{cpu: 500m}}}}, env: [{{name: A, value: b}}]}}
---
"""
POLICY = """\
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata: {{name: {name}, namespace: shop}}
spec:
  resourceSelectors: [{{apiVersion: apps/v1, kind: Deployment, name: {name}}}]
  placement: {{clusterAffinity: {{labelSelector: {{matchLabels: {{stage: test}}}}}}{placement}}}
"""
NAMES = """\
apiVersion: policy.karmada.io/v1alpha1
kind: OverridePolicy
metadata: {name: names, namespace: shop, annotations: {krender.io/values: jinja2}}
spec:
  resourceSelectors: [{apiVersion: apps/v1, kind: Deployment, name: copies}]
  overrideRules:
  - overriders:
      plaintext:
      - path: /spec/template/spec/containers/0/env/-
        operator: add
        value: {name: CLUSTER, value: "{{ cluster.metadata.name }}"}
"""


def main() -> None:
    """Measure."""
    clusters = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    start = time.process_time()
    plan: Plan = render(load([SourceFile(path=path, data=text.encode()) for path, text in files(clusters)]))
    print(f"{clusters} clusters, load and render: {time.process_time() - start:.2f} s")
    for question in QUESTIONS:
        start = time.process_time()
        text = "\n".join(plain(page) for page in pages(answer(plan, question)))
        asked = " ".join(filter(None, (question.subject, question.cluster, question.field)))
        print(f"{asked}: {time.process_time() - start:.2f} s, {len(text.splitlines())} lines")


if __name__ == "__main__":
    main()
