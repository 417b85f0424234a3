"""Whatever stands where a reconciler's settings belong: findings say what they can, and nothing fails."""

from __future__ import annotations

import json
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from renderer.check.rules import findings, findings_around
from renderer.document.read import read_stream
from renderer.document.values import Value
from renderer.pipeline import render
from tests.check.loops import OWN, delivered
from tests.workspaces import SHOP, workspace

WORDS = st.sampled_from(
    (
        *("", ".", "/", "shop", "clusters", "clusters/east", "{{path}}", "east", "in-cluster", "rendered"),
        *("push", "HEAD", "https://kubernetes.default.svc", "https://git.example/fleet"),
        *("*", "[z", "{a,b", "Always", "!**"),
    )
)
VALUES: st.SearchStrategy[Value] = st.recursive(
    st.none() | st.booleans() | st.integers(-1, 3) | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=6,
)


def some_of(*fields: str) -> st.SearchStrategy[dict[str, Value]]:
    """A map with some of the fields."""
    return st.fixed_dictionaries({}, optional=dict.fromkeys(fields, VALUES))


SOURCE = some_of("repoURL", "path", "targetRevision", "directory", "chart", "kustomize") | VALUES
GENERATORS = st.lists(
    st.fixed_dictionaries({"git": some_of("repoURL", "revision", "directories") | VALUES}) | VALUES,
    max_size=2,
)
ARGO = st.fixed_dictionaries(
    {},
    optional={
        "source": SOURCE,
        "sources": st.lists(SOURCE, max_size=2) | VALUES,
        "sourceHydrator": some_of("drySource", "syncSource", "hydrateTo") | VALUES,
        "destination": some_of("name", "server", "namespace") | VALUES,
        "generators": GENERATORS | VALUES,
        "template": st.fixed_dictionaries({"spec": st.fixed_dictionaries({}, optional={"source": SOURCE})})
        | VALUES,
    },
)
FLUX = st.fixed_dictionaries(
    {"sourceRef": st.just({"kind": "GitRepository", "name": "fleet"}) | VALUES},
    optional={
        "path": VALUES,
        "kubeConfig": some_of("secretRef") | VALUES,
        "postBuild": some_of("substitute", "substituteFrom", "substituteStrategy") | VALUES,
    },
)
KINDS = {
    "argoproj.io/v1alpha1 Application": ARGO,
    "argoproj.io/v1alpha1 ApplicationSet": ARGO,
    "kustomize.toolkit.fluxcd.io/v1 Kustomization": FLUX,
    "source.toolkit.fluxcd.io/v1 GitRepository": some_of("url", "ref") | VALUES,
    "bitnami.com/v1alpha1 SealedSecret": some_of("template") | VALUES,
    "external-secrets.io/v1 ExternalSecret": some_of("target") | VALUES,
    "isindir.github.com/v1alpha3 SopsSecret": some_of("secretTemplates") | VALUES,
    "secrets.hashicorp.com/v1beta1 VaultStaticSecret": some_of("destination") | VALUES,
}
OBJECTS = st.sampled_from(sorted(KINDS)).flatmap(
    lambda kind: KINDS[kind].map(
        lambda spec: {
            "apiVersion": kind.split()[0],
            "kind": kind.split()[1],
            "metadata": {"name": "fleet", "namespace": "shop"},
            "spec": spec,
        }
    )
)
POLICY = """\
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata: {name: all, namespace: shop}
spec:
  resourceSelectors: [%s]
  placement: {}
"""
SELECTING = POLICY % ", ".join(
    f"{{apiVersion: {kind.split()[0]}, kind: {kind.split()[1]}}}" for kind in KINDS
)


@given(st.lists(OBJECTS, max_size=3, unique_by=lambda item: str(item["kind"])), st.booleans())
def test_any_settings_of_reconcilers_can_be_looked_at(objects: list[dict[str, Value]], placed: bool) -> None:
    files = {f"o{number}.json": json.dumps(item) for number, item in enumerate(objects)}
    settings = {"krender.yaml": delivered("none"), **({"all.yaml": SELECTING} if placed else {})}
    plan = render(workspace({**SHOP, **files, **settings}, lenient=True))
    findings(plan)
    findings_around(plan, OWN)


JOB = st.fixed_dictionaries(
    {},
    optional={"steps": st.lists(some_of("run", "uses", "if", "with"), max_size=2) | VALUES, "uses": VALUES},
)
WORKFLOWS = st.fixed_dictionaries(
    {},
    optional={
        "on": st.fixed_dictionaries({"push": some_of("branches", "branches-ignore", "paths", "paths-ignore")})
        | VALUES,
        "jobs": st.dictionaries(WORDS, JOB | VALUES, max_size=2) | VALUES,
    },
)
SHOP_PLAN = render(workspace(SHOP))


@given(WORKFLOWS | VALUES)
def test_any_workflow_can_be_looked_at(workflow: Value) -> None:
    documents = read_stream(json.dumps(workflow).encode(), ".github/workflows/w.yml")
    findings_around(SHOP_PLAN, replace(OWN, workflows=documents))
