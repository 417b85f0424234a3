"""Workspaces to be explained: a fleet with capacities, one Deployment, one policy."""

from __future__ import annotations

from collections.abc import Mapping

from renderer.document.values import Object, mapping, sequence, text
from renderer.model.plan import Plan
from renderer.model.previous import NOTHING, Previous
from renderer.schedule.previous import read_previous
from renderer.view.explain.answer import Question, answer, pages
from renderer.view.explain.page import plain
from tests.workspaces import NAMESPACE, WEB, plan

FLEET = """\
apiVersion: krender.io/v1alpha1
kind: ClusterInventory
metadata: {name: fleet}
spec:
  clusters:
  - {name: a1, region: a, labels: {stage: prod}, capacity: {cpu: 4, memory: 8Gi, pods: 20}}
  - {name: a2, region: a, labels: {stage: prod}, capacity: {cpu: 2, memory: 8Gi, pods: 20}}
  - {name: b1, region: b, labels: {stage: prod}, capacity: {cpu: 8, memory: 8Gi, pods: 20}}
  - {name: b2, region: b, labels: {stage: prod}, capacity: {cpu: 1, memory: 1Gi, pods: 2}}
  - name: c1
    region: c
    labels: {stage: test}
    capacity: {cpu: 8, memory: 64Gi, pods: 110}
    taints: [{key: gpu, value: "yes", effect: NoSchedule}]
  - {name: bare, labels: {stage: prod}}
"""

DYNAMIC = (
    "replicaScheduling: {replicaSchedulingType: Divided, replicaDivisionPreference: Weighted, "
    "weightPreference: {dynamicWeight: AvailableReplicas}}"
)
AGGREGATED = "replicaScheduling: {replicaSchedulingType: Divided, replicaDivisionPreference: Aggregated}"
EQUAL = "replicaScheduling: {replicaSchedulingType: Divided, replicaDivisionPreference: Weighted}"


def weights(**named: int) -> str:
    """A static weight for each of some clusters."""
    listed = ", ".join(
        f"{{targetCluster: {{clusterNames: [{name}]}}, weight: {weight}}}" for name, weight in named.items()
    )
    return f"{EQUAL[:-1]}, weightPreference: {{staticWeightList: [{listed}]}}}}"


def web(replicas: object = 9) -> str:
    """Deployment shop/web, half a core and 256Mi a replica."""
    requests = 'web:1.2", resources: {requests: {cpu: 500m, memory: 256Mi}}}]'
    return WEB.replace('web:1.2"}]', requests).replace("replicas: 4", f"replicas: {replicas}")


def policy(placement: str, *, extra: str = "", selector: str = "name: web") -> str:
    """PropagationPolicy shop/web with this placement, given as YAML in one line."""
    return f"""\
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata: {{name: web, namespace: shop}}
spec:
  resourceSelectors: [{{apiVersion: apps/v1, kind: Deployment, {selector}}}]
{extra}  placement: {{{placement}}}
"""


def override(*rules: str, name: str = "o", kind: str = "Deployment", api: str = "apps/v1") -> str:
    """OverridePolicy with these rules, each given as YAML in one line."""
    listed = "".join(f"  - {{{rule}}}\n" for rule in rules)
    return f"""\
apiVersion: policy.karmada.io/v1alpha1
kind: OverridePolicy
metadata: {{name: {name}, namespace: shop}}
spec:
  resourceSelectors: [{{apiVersion: {api}, kind: {kind}}}]
  overrideRules:
{listed}"""


def patch(path: str, operator: str, value: str = "") -> str:
    """The overriders of one plaintext operation."""
    given = f", value: {value}" if value else ""
    return f"overriders: {{plaintext: [{{path: {path}, operator: {operator}{given}}}]}}"


def shop(placement: str = DYNAMIC, replicas: object = 9, **files: str) -> dict[str, str]:
    """The workspace; further files by name, without `.yaml`. An empty one is left out."""
    workspace = {
        "fleet": FLEET,
        "web": web(replicas),
        "policy": policy(placement),
        "ns": NAMESPACE,
        **files,
    }
    return {f"{name}.yaml": content for name, content in workspace.items() if content}


def published(files: Mapping[str, str], before: Previous = NOTHING) -> Previous:
    """The memory that a render of a workspace leaves."""
    return read_previous(plan(files, before).tree)


def explained(made: Plan, subject: str = "deployment/web", **asked: str) -> str:
    """The text of an answer."""
    document = answer(made, Question(subject=subject, **asked))
    return "\n\n".join(plain(page) for page in pages(document))


def the_object(made: Plan, subject: str = "deployment/web", **asked: str) -> Object:
    """The facts about one template."""
    (facts,) = sequence(answer(made, Question(subject=subject, **asked))["objects"])
    return mapping(facts)


def because(made: Plan, subject: str = "deployment/web") -> dict[str, str]:
    """Cluster -> a plus or a minus for what it gets, and the reasons."""
    rows = map(mapping, sequence(the_object(made, subject)["clusters"]))
    return {
        text(
            row["cluster"]
        ): f"{'+' if row['gets'] else '-'} {'; '.join(map(text, sequence(row['because'])))}"
        for row in rows
    }
