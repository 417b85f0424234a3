"""Small workspaces for tests: YAML in, a Plan out."""

from __future__ import annotations

from collections.abc import Mapping

from renderer.document.file import SourceFile
from renderer.load.workspace import load
from renderer.model.instant import EPOCH
from renderer.model.plan import Plan
from renderer.model.previous import NOTHING, Previous
from renderer.model.tree import walk
from renderer.model.workspace import Workspace
from renderer.pipeline import render

FLEET = """\
apiVersion: krender.io/v1alpha1
kind: ClusterInventory
metadata: {name: fleet}
spec:
  clusters:
  - {name: east, region: eu, labels: {stage: prod}}
  - {name: north, region: nord, labels: {stage: prod}}
  - {name: west, region: we, labels: {stage: test}}
"""

WEB = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop, labels: {app: web}}
spec:
  replicas: 4
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers: [{name: web, image: "registry.example/team/web:1.2"}]
"""

POLICY = """\
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata: {name: web, namespace: shop}
spec:
  resourceSelectors: [{apiVersion: apps/v1, kind: Deployment, name: web}]
  placement:
    clusterAffinity: {labelSelector: {matchLabels: {stage: prod}}}
    replicaScheduling: {replicaSchedulingType: Divided, replicaDivisionPreference: Weighted}
"""

NAMESPACE = "apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n"

SHOP = {"fleet.yaml": FLEET, "web.yaml": WEB, "policy.yaml": POLICY, "namespace.yaml": NAMESPACE}


def workspace(files: Mapping[str, str], *, lenient: bool = False) -> Workspace:
    """The workspace that these files make."""
    sources = [SourceFile(path=path, data=text.encode()) for path, text in files.items()]
    return load(sources, lenient=lenient)


def plan(files: Mapping[str, str], previous: Previous = NOTHING, now: str = EPOCH) -> Plan:
    """The render of a workspace."""
    return render(workspace(files), previous, now)


def files_of(result: Plan) -> dict[str, str]:
    """Path -> text of everything a plan would write."""
    return {path: blob.data.decode() for path, blob in walk(result.tree)}
