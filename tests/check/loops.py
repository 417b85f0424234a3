"""Small workspaces in which an object has two writers, or is not applied as it is written."""

from __future__ import annotations

from typing import Final

from renderer.document.read import read_stream
from renderer.model.surroundings import Surroundings
from tests.check.traps import SETTINGS
from tests.workspaces import SHOP, WEB

EVERYTHING: Final = """\
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata: {name: all, namespace: shop}
spec:
  resourceSelectors: [%s]
  placement: {}
"""
SECRET: Final = "apiVersion: v1\nkind: Secret\nmetadata: {name: db, namespace: shop}\n"


def labelled(field: str, key: str, value: str = "x") -> str:
    """The Deployment with a label or annotation."""
    if field == "labels":
        return WEB.replace("labels: {app: web}}\nspec", f'labels: {{app: web, {key}: "{value}"}}}}\nspec')
    return WEB.replace("labels: {app: web}}\nspec", f'annotations: {{{key}: "{value}"}}}}\nspec')


def selecting(*kinds: str) -> str:
    """A policy that has kinds, written `apiVersion Kind`, on every cluster."""
    selectors = (f"{{apiVersion: {kind.split()[0]}, kind: {kind.split()[1]}}}" for kind in kinds)
    return EVERYTHING % ", ".join(selectors)


def delivered(engine: str) -> str:
    """Settings with an engine."""
    return f"{SETTINGS}delivery: {{engine: {engine}, repoURL: https://git.example/fleet.git}}\n"


LOOPS = {
    "KR801": {
        **SHOP,
        "web.yaml": labelled("labels", "propagationpolicy.karmada.io/permanent-id", "7b3c1f8e"),
    },
    "KR802": {**SHOP, "web.yaml": labelled("annotations", "argocd.argoproj.io/tracking-id", "a:apps")},
    "KR803": {
        **SHOP,
        "secret.yaml": SECRET,
        "sealed.yaml": "apiVersion: bitnami.com/v1alpha1\nkind: SealedSecret\n"
        "metadata: {name: db, namespace: shop}\nspec: {encryptedData: {}}\n",
        "all.yaml": selecting("v1 Secret", "bitnami.com/v1alpha1 SealedSecret"),
    },
    "KR804": {**SHOP, "web.yaml": labelled("annotations", "helm.sh/hook", "test")},
    "KR805": {**SHOP, "web.yaml": labelled("annotations", "config.kubernetes.io/local-config", "true")},
    "KR806": {
        **SHOP,
        "web.yaml": WEB.replace("image:", "env: [{name: A, value: a}, {name: A, value: b}], image:"),
    },
    "KR807": {
        **SHOP,
        "web.yaml": WEB.replace("labels: {app: web}}\nspec", "finalizers: [shop.example/wait]}\nspec"),
    },
}


def application(name: str, source: str, destination: str = "{name: east}") -> str:
    """An Application of Argo CD, with its source and destination as flow maps."""
    return (
        "apiVersion: argoproj.io/v1alpha1\nkind: Application\n"
        f"metadata: {{name: {name}, namespace: argocd}}\n"
        f"spec:\n  project: default\n  source: {source}\n  destination: {destination}\n"
    )


def kustomization(name: str, spec: str, source: str = "fleet") -> str:
    """A Kustomization of Flux, with more of its spec."""
    return (
        "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\n"
        f"metadata: {{name: {name}, namespace: flux}}\n"
        f"spec: {{interval: 1h, prune: true, sourceRef: {{kind: GitRepository, name: {source}}}, {spec}}}\n"
    )


def repository(branch: str, url: str = "https://git.example/fleet.git") -> str:
    """The GitRepository that Kustomizations name."""
    return (
        "apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\n"
        "metadata: {name: fleet, namespace: flux}\n"
        f"spec: {{interval: 1m, url: {url}, ref: {{branch: {branch}}}}}\n"
    )


def read(path: str, revision: str = "main", more: str = "directory: {recurse: true}") -> str:
    """The source of an Application in the fleet's repository."""
    return f"{{repoURL: git@git.example:fleet.git, targetRevision: {revision}, path: {path}, {more}}}"


WORKFLOW: Final = """\
on: push
jobs:
  publish:
    runs-on: ubuntu-latest
    steps:
    - run: krender publish --push
"""

OWN: Final = Surroundings(
    addresses=("https://git.example/fleet",),
    folder="shop",
    branch="main",
    workflows=read_stream(WORKFLOW.encode(), "../.github/workflows/render.yml"),
)

LOOPS |= {
    "KR808": {
        **SHOP,
        "web.yaml": WEB.replace("image:", 'args: ["${HOME}"], image:'),
        "flux.yaml": repository("rendered")
        + "---\n"
        + kustomization("east", "path: ./clusters/east, postBuild: {substitute: {A: a}}"),
    },
    "KR809": {
        **SHOP,
        "web.yaml": labelled("labels", "resourcetemplate.karmada.io/retain-replicas", "true"),
    },
    "KR811": {**SHOP, "a.yaml": application("raw", read("shop"))},
    "KR812": {
        **SHOP,
        "a.yaml": application("a", read("other")) + "---\n" + application("b", read("other/below")),
    },
    "KR813": {**SHOP, "a.yaml": application("all", read("clusters", "rendered"))},
    "KR814": {
        **SHOP,
        "a.yaml": application("a", read("other"), "{name: elsewhere}").replace(
            "namespace: argocd", "namespace: shop"
        ),
        "all.yaml": selecting("argoproj.io/v1alpha1 Application"),
        "krender.yaml": delivered("flux"),
    },
    "KR821": SHOP,
}
