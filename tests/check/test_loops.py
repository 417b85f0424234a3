"""Loops and conflicts: each with an example that has one, and one close to it that has none."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from renderer.check.rules import findings
from renderer.document.problem import Problem, Severity
from tests.check.loops import LOOPS, SECRET, delivered, labelled, selecting
from tests.check.test_rules import override, patch
from tests.check.traps import SETTINGS
from tests.workspaces import FLEET, SHOP, WEB, files_of, plan


def found(files: Mapping[str, str], rule: str) -> list[Problem]:
    """The findings of a rule in the shop with other files."""
    return [problem for problem in findings(plan({**SHOP, **files})) if problem.rule == rule]


def told(files: Mapping[str, str], rule: str) -> list[str]:
    """What is told of a rule."""
    return [problem.what for problem in found(files, rule)]


@pytest.mark.parametrize(
    ("field", "key", "is_told"),
    [
        pytest.param("labels", "propagationpolicy.karmada.io/permanent-id", True, id="a-claimed-template"),
        pytest.param("labels", "clusterpropagationpolicy.karmada.io/permanent-id", True, id="cluster-wide"),
        pytest.param("annotations", "propagationpolicy.karmada.io/name", True, id="the-policys-name"),
        pytest.param("labels", "karmada.io/managed", True, id="exported-from-a-member"),
        pytest.param("annotations", "resourcetemplate.karmada.io/uid", True, id="uid-of-the-template"),
        pytest.param("annotations", "policy.karmada.io/applied-overrides", True, id="overridden-already"),
        pytest.param("annotations", "work.karmada.io/conflict-resolution", False, id="what-users-write"),
        pytest.param("labels", "resourcetemplate.karmada.io/retain-replicas", False, id="what-users-mean"),
        pytest.param("annotations", "karmada.io.example/managed", False, id="somebody-elses"),
    ],
)
def test_marks_of_a_live_karmada(field: str, key: str, is_told: bool) -> None:
    assert bool(found({"web.yaml": labelled(field, key)}, "KR801")) is is_told


def test_a_live_karmada_is_an_error_at_its_label() -> None:
    (problem,) = found(LOOPS["KR801"], "KR801")
    assert problem.severity is Severity.ERROR
    assert (problem.where.file, problem.where.line) == ("web.yaml", 3)
    assert problem.what == (
        "Deployment shop/web is managed by a live Karmada: "
        "it has the label propagationpolicy.karmada.io/permanent-id"
    )


def test_the_claim_of_another_control_plane_keeps_a_template_back() -> None:
    names = "propagationpolicy.karmada.io/name: gone, propagationpolicy.karmada.io/namespace: shop"
    label = "labels: {propagationpolicy.karmada.io/permanent-id: 7b3c}"
    web = WEB.replace("labels: {app: web}}\nspec", f"annotations: {{{names}}}, {label}}}\nspec")
    (unclaimed,) = found({"web.yaml": web}, "KR103")
    assert unclaimed.fix == "remove what Karmada wrote, or write takeOver: true in spec of krender.yaml"
    assert len(found({"web.yaml": web}, "KR801")) == 1
    assert found({"web.yaml": web, "krender.yaml": f"{SETTINGS}takeOver: true\n"}, "KR103") == []


def test_what_is_taken_over_loses_the_marks_and_nothing_else() -> None:
    files = {**LOOPS["KR801"], "krender.yaml": f"{SETTINGS}takeOver: true\n"}
    assert findings(plan(files)) == ()
    assert (
        files_of(plan(files))["clusters/east/shop/deployment.apps.web.yaml"]
        == (files_of(plan(SHOP))["clusters/east/shop/deployment.apps.web.yaml"])
    )


def test_a_map_of_marks_alone_is_gone_when_taken_over() -> None:
    web = labelled("annotations", "propagationpolicy.karmada.io/name")
    files = {**SHOP, "web.yaml": web, "krender.yaml": f"{SETTINGS}takeOver: true\n"}
    assert "annotations" not in files_of(plan(files))["clusters/east/shop/deployment.apps.web.yaml"]


def test_an_override_that_removes_the_mark_on_every_cluster_is_enough() -> None:
    rule = override("{labelsOverrider: [{operator: remove, value: {karmada.io/managed: x}}]}")
    web = labelled("labels", "karmada.io/managed")
    assert found({"web.yaml": web, "o.yaml": rule}, "KR801") == []
    rule = rule.replace("  - overriders", "  - targetCluster: {clusterNames: [east]}\n    overriders")
    assert len(found({"web.yaml": web, "o.yaml": rule}, "KR801")) == 1


HELM = "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: shop, namespace: shop}\n"
HELM_API = "helm.toolkit.fluxcd.io/v2 HelmRelease"


@pytest.mark.parametrize(
    ("field", "key", "value", "what"),
    [
        pytest.param(
            "annotations",
            "argocd.argoproj.io/tracking-id",
            "shop:apps/Deployment:shop/web",
            "the annotation argocd.argoproj.io/tracking-id, which Argo CD writes",
            id="argo-cd",
        ),
        pytest.param(
            "labels",
            "kustomize.toolkit.fluxcd.io/name",
            "apps",
            "the label kustomize.toolkit.fluxcd.io/name, which Flux writes",
            id="flux",
        ),
        pytest.param(
            "annotations",
            "meta.helm.sh/release-name",
            "shop",
            "the annotation meta.helm.sh/release-name, which Helm writes",
            id="helm",
        ),
        pytest.param(
            "annotations",
            "kubectl.kubernetes.io/last-applied-configuration",
            "{}",
            "the annotation kubectl.kubernetes.io/last-applied-configuration, which kubectl writes",
            id="kubectl",
        ),
        pytest.param("labels", "app.kubernetes.io/managed-by", "Helm", "", id="what-helm-template-writes"),
        pytest.param("labels", "app.kubernetes.io/instance", "shop", "", id="the-recommended-label"),
    ],
)
def test_notes_of_other_tools(field: str, key: str, value: str, what: str) -> None:
    assert told({"web.yaml": labelled(field, key, value)}, "KR802") == (
        [f"Deployment shop/web has {what}"] if what else []
    )


@pytest.mark.parametrize(
    ("clusters", "severity"),
    [("[east, west]", Severity.ERROR), ("[west]", Severity.WARNING)],
    ids=["both-on-one-cluster", "each-on-its-own"],
)
def test_a_release_that_is_sent_along_writes_too(clusters: str, severity: Severity) -> None:
    policy = selecting(HELM_API).replace("{}", f"{{clusterAffinity: {{clusterNames: {clusters}}}}}")
    web = labelled("labels", "helm.toolkit.fluxcd.io/name", "shop")
    (problem,) = found({"web.yaml": web, "h.yaml": HELM, "p.yaml": policy}, "KR802")
    assert problem.severity is severity
    assert problem.what.endswith("HelmRelease shop/shop has it applied on east, too") is (
        severity is Severity.ERROR
    )


APPLICATION = """\
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: shop, namespace: argocd}
spec:
  project: default
  source: {repoURL: https://git.example/other.git, path: shop}
  destination: {name: %s}
"""


@pytest.mark.parametrize(("cluster", "is_error"), [("east", True), ("south", False)])
def test_an_application_writes_where_it_is_told_to(cluster: str, is_error: bool) -> None:
    web = labelled("annotations", "argocd.argoproj.io/tracking-id", "argocd_shop:apps/Deployment:shop/web")
    (problem,) = found({"web.yaml": web, "a.yaml": APPLICATION % cluster}, "KR802")
    assert (problem.severity is Severity.ERROR) is is_error


OWNED = 'ownerReferences: [{apiVersion: v1, kind: %s, name: boss, uid: "1", controller: %s}]}\nspec'


@pytest.mark.parametrize(("controller", "is_told"), [("true", True), ("false", False)])
def test_what_has_an_owner_is_made_by_it(controller: str, is_told: bool) -> None:
    web = WEB.replace("labels: {app: web}}\nspec", OWNED % ("Boss", controller))
    assert told({"web.yaml": web}, "KR803") == (
        ["Deployment shop/web is made by Boss boss, whose controller owns it"] if is_told else []
    )


def made(api_version: str, kind: str, name: str, spec: str, annotation: str = "a") -> dict[str, str]:
    """A Secret and something else, on every cluster."""
    metadata = f"{{name: {name}, namespace: shop, annotations: {{{annotation}: x}}}}"
    other = f"apiVersion: {api_version}\nkind: {kind}\nmetadata: {metadata}\n"
    policy = selecting("v1 Secret", f"{api_version} {kind}")
    return {"s.yaml": SECRET, "other.yaml": f"{other}spec: {spec}\n", "p.yaml": policy}


@pytest.mark.parametrize(
    ("files", "maker"),
    [
        pytest.param(
            made("bitnami.com/v1alpha1", "SealedSecret", "db", "{}"), "SealedSecret shop/db", id="sealed"
        ),
        pytest.param(made("bitnami.com/v1alpha1", "SealedSecret", "other", "{}"), "", id="another-name"),
        pytest.param(
            made("external-secrets.io/v1", "ExternalSecret", "e", "{target: {name: db}}"),
            "ExternalSecret shop/e",
            id="external",
        ),
        pytest.param(
            made("external-secrets.io/v1", "ExternalSecret", "db", "{target: {creationPolicy: Merge}}"),
            "",
            id="external-that-merges",
        ),
        pytest.param(
            made("cert-manager.io/v1", "Certificate", "c", "{secretName: db}"),
            "Certificate shop/c",
            id="certificate",
        ),
        pytest.param(made("cert-manager.io/v1", "Certificate", "c", "{}"), "", id="certificate-of-no-secret"),
        pytest.param(
            made(
                "networking.k8s.io/v1", "Ingress", "i", "{tls: [{secretName: db}]}", "cert-manager.io/issuer"
            ),
            "Ingress shop/i",
            id="ingress-with-an-issuer",
        ),
        pytest.param(
            made("networking.k8s.io/v1", "Ingress", "i", "{tls: [{secretName: db}]}"), "", id="ingress"
        ),
        pytest.param(
            made("isindir.github.com/v1alpha3", "SopsSecret", "s", "{secretTemplates: [{name: db}]}"),
            "SopsSecret shop/s",
            id="sops-operator",
        ),
        pytest.param(
            made(
                "secrets.hashicorp.com/v1beta1",
                "VaultStaticSecret",
                "v",
                "{destination: {name: db, create: true}}",
            ),
            "VaultStaticSecret shop/v",
            id="vault",
        ),
        pytest.param(
            made("secrets.hashicorp.com/v1beta1", "VaultAuth", "v", "{destination: {name: db}}"),
            "",
            id="vault-that-makes-none",
        ),
    ],
)
def test_a_secret_that_a_controller_makes(files: Mapping[str, str], maker: str) -> None:
    assert told(files, "KR803") == (
        [f"Secret shop/db is rendered, and {maker} has it made, on east, north, west"] if maker else []
    )


def test_makers_on_other_clusters_make_nothing_here() -> None:
    files = made("bitnami.com/v1alpha1", "SealedSecret", "db", "{}")
    sealed = selecting("bitnami.com/v1alpha1 SealedSecret").replace("name: all", "name: sealed")
    placed = {
        "p.yaml": selecting("v1 Secret").replace("{}", "{clusterAffinity: {clusterNames: [east]}}"),
        "q.yaml": sealed.replace("{}", "{clusterAffinity: {clusterNames: [west]}}"),
    }
    assert told({**files, **placed}, "KR803") == []


SERVICE = "apiVersion: v1\nkind: %s\nmetadata: {name: db, namespace: shop}\n"


@pytest.mark.parametrize(("selector", "is_told"), [("{app: db}", True), ("{}", False)])
def test_endpoints_of_a_service_with_a_selector(selector: str, is_told: bool) -> None:
    files = {
        "service.yaml": f"{SERVICE % 'Service'}spec: {{selector: {selector}, ports: [{{port: 5432}}]}}\n",
        "endpoints.yaml": f"{SERVICE % 'Endpoints'}subsets: []\n",
        "p.yaml": selecting("v1 Service", "v1 Endpoints"),
    }
    assert bool(told(files, "KR803")) is is_told


STAYS = "it is applied with everything else, in no order, and stays: nothing deletes it when it is done"


@pytest.mark.parametrize(
    ("hook", "engine", "what"),
    [
        pytest.param(
            "pre-install", "none", "(pre-install), and nobody runs it as one on east, north", id="anybody"
        ),
        pytest.param(
            "pre-install", "flux", "(pre-install), and nobody runs it as one on east, north", id="flux"
        ),
        pytest.param("pre-install,pre-upgrade", "argocd", "", id="argo-cd-has-a-phase"),
        pytest.param(
            "test",
            "argocd",
            "(test) that Argo CD does not know, so it never reaches east, north",
            id="argo-cd-test",
        ),
        pytest.param("crd-install", "argocd", "", id="argo-cd-applies-it-as-it-is"),
    ],
)
def test_helm_hooks(hook: str, engine: str, what: str) -> None:
    files = {"web.yaml": labelled("annotations", "helm.sh/hook", hook), "krender.yaml": delivered(engine)}
    assert told(files, "KR804") == ([f"Deployment shop/web is a Helm hook {what}"] if what else [])


def test_two_engines_have_two_ways_with_a_hook() -> None:
    fleet = FLEET.replace("name: north,", "name: north, engine: flux,")
    web = labelled("annotations", "helm.sh/hook", "test")
    files = {"web.yaml": web, "fleet.yaml": fleet, "krender.yaml": delivered("argocd")}
    assert told(files, "KR804") == [
        "Deployment shop/web is a Helm hook (test) that Argo CD does not know, so it never reaches east",
        "Deployment shop/web is a Helm hook (test), and nobody runs it as one on north",
    ]


def test_what_argo_cd_would_do_is_said() -> None:
    (problem,) = found({"web.yaml": labelled("annotations", "helm.sh/hook", "pre-install")}, "KR804")
    assert problem.why == (
        f"only Helm does, and Argo CD (PreSync, in every sync); by kubectl or Flux {STAYS}"
    )


@pytest.mark.parametrize(("engine", "is_told"), [("flux", True), ("argocd", False), ("none", False)])
def test_argo_cd_hooks(engine: str, is_told: bool) -> None:
    web = labelled("annotations", "argocd.argoproj.io/hook", "PreSync")
    assert bool(told({"web.yaml": web, "krender.yaml": delivered(engine)}, "KR804")) is is_told


@pytest.mark.parametrize(("value", "is_told"), [("true", True), ("", True), ("false", False)])
def test_local_configuration(value: str, is_told: bool) -> None:
    web = labelled("annotations", "config.kubernetes.io/local-config", value)
    assert bool(told({"web.yaml": web}, "KR805")) is is_told


SLICE = "apiVersion: discovery.k8s.io/v1\nkind: EndpointSlice\naddressType: IPv4\nendpoints: []\n"


@pytest.mark.parametrize(("engine", "is_told"), [("argocd", True), ("flux", False), ("none", False)])
def test_kinds_that_argo_cd_excludes(engine: str, is_told: bool) -> None:
    files = {
        "slice.yaml": f"{SLICE}metadata: {{name: db, namespace: shop}}\n",
        "p.yaml": selecting("discovery.k8s.io/v1 EndpointSlice"),
        "krender.yaml": delivered(engine),
    }
    assert told(files, "KR805") == (
        ["EndpointSlice shop/db goes to east, north, west, and Argo CD leaves out every EndpointSlice"]
        if is_told
        else []
    )


CONFIG = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c, namespace: shop}\n"


@pytest.mark.parametrize(
    ("data", "engine", "line"),
    [
        pytest.param("data:\n  a: '# +argocd:skip-file-rendering'\n", "none", 5, id="in-a-value"),
        pytest.param("binaryData:\n  +argocd:skip-file-rendering: x\n", "argocd", 5, id="in-a-key"),
        pytest.param("data:\n  a: '# +argocd:skip-file-rendering'\n", "flux", 0, id="flux-does-not-look"),
        pytest.param("data:\n  a: b  # +argocd:skip-file-rendering\n", "argocd", 0, id="comments-stay-here"),
    ],
)
def test_a_text_that_argo_cd_takes_for_an_order(data: str, engine: str, line: int) -> None:
    files = {
        "c.yaml": f"{CONFIG}{data}",
        "p.yaml": selecting("v1 ConfigMap"),
        "krender.yaml": delivered(engine),
    }
    assert [problem.where.line for problem in found(files, "KR805")] == ([line] if line else [])


@pytest.mark.parametrize(
    ("container", "what"),
    [
        pytest.param("env: [{name: A, value: a}, {name: B}, {name: A}]", "the variable A", id="variable"),
        pytest.param("env: [{name: A, value: a}, {name: a, value: b}]", "", id="case-counts"),
        pytest.param("env: [{name: [A]}, {name: [A]}, 3]", "", id="what-is-no-name"),
        pytest.param(
            "ports: [{containerPort: 80}, {containerPort: 80, protocol: TCP}]", "the port 80/TCP", id="port"
        ),
        pytest.param(
            "ports: [{containerPort: 53, protocol: UDP}, {containerPort: 53, protocol: TCP}]",
            "",
            id="ports-of-two-protocols",
        ),
    ],
)
def test_entries_that_are_there_twice(container: str, what: str) -> None:
    web = WEB.replace("image:", f"{container}, image:")
    assert told({"web.yaml": web}, "KR806") == (
        [f"Deployment shop/web has {what} of container web twice"] if what else []
    )


@pytest.mark.parametrize(("name", "is_told"), [("A", True), ("B", False)])
def test_an_override_that_adds_an_entry_again_is_blamed(name: str, is_told: bool) -> None:
    web = WEB.replace("image:", "env: [{name: A, value: a}], image:")
    rule = override(patch("/spec/template/spec/containers/0/env/-", "add", f"{{name: {name}, value: b}}"))
    problems = found({"web.yaml": web, "o.yaml": rule}, "KR806")
    twice = "Deployment shop/web has the variable A of container web twice"
    assert [(problem.where.file, problem.what) for problem in problems] == (
        [("o.yaml", f"OverridePolicy shop/o, rule 1: {twice}")] if is_told else []
    )


def test_finalizers_of_an_export_are_nobodys_wish() -> None:
    metadata = "finalizers: [shop.example/wait], uid: 1c0f}\nspec"
    web = WEB.replace("labels: {app: web}}\nspec", metadata)
    assert told({"web.yaml": web}, "KR807") == []


SCALER = """\
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web, namespace: shop}
spec: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}, maxReplicas: 9}
"""
RETAINED = labelled("labels", "resourcetemplate.karmada.io/retain-replicas", "true")


@pytest.mark.parametrize(
    ("files", "is_told"),
    [
        pytest.param({}, True, id="nobody-scales-it"),
        pytest.param({"web.yaml": RETAINED.replace('"true"', '"false"')}, False, id="not-to-be-kept"),
        pytest.param({"web.yaml": RETAINED.replace("  replicas: 4\n", "")}, False, id="no-replicas"),
        pytest.param({"hpa.yaml": SCALER}, True, id="nobody-delivers"),
        pytest.param({"hpa.yaml": SCALER, "krender.yaml": delivered("argocd")}, False, id="dropped"),
    ],
)
def test_replicas_that_are_to_be_kept(files: Mapping[str, str], is_told: bool) -> None:
    scaled = {"web.yaml": RETAINED, "p.yaml": selecting("autoscaling/v2 HorizontalPodAutoscaler"), **files}
    assert bool(told(scaled, "KR809")) is is_told
