"""Reconcilers in the workspace: what they read, against what krender reads and writes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from renderer.check.rules import findings_around
from renderer.document.problem import Problem, Severity
from renderer.model.surroundings import UNKNOWN, Surroundings, plain_address
from tests.check.loops import OWN, application, delivered, kustomization, read, repository, selecting
from tests.check.traps import SETTINGS
from tests.workspaces import FLEET, SHOP, WEB, plan

APPS = """\
apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: apps, namespace: argocd}
spec:
  goTemplate: true
  generators:
  - matrix:
      generators:
      - clusters: {}
      - git: {repoURL: https://git.example/fleet, revision: %s, directories: [%s]}
  template:
    metadata: {name: "{{.path.basename}}"}
    spec:
      project: default
      source: {repoURL: https://git.example/fleet, targetRevision: %s, path: "%s", directory: {recurse: true}}
      destination: {name: "{{.name}}"}
"""


def apps(directories: str, revision: str = "main", path: str = "{{.path.path}}") -> str:
    return APPS % (revision, directories, revision, path)


def found(files: Mapping[str, str], rule: str, around: Surroundings = OWN) -> list[Problem]:
    """The findings of a rule in the shop with other files."""
    return [problem for problem in findings_around(plan({**SHOP, **files}), around) if problem.rule == rule]


def told(files: Mapping[str, str], rule: str, around: Surroundings = OWN) -> list[str]:
    return [problem.what for problem in found(files, rule, around)]


def in_folder(files: Mapping[str, str]) -> dict[str, str]:
    """The Deployment in a directory of its own."""
    return {"web.yaml": "# moved\n", "apps/web/deployment.yaml": WEB, **files}


@pytest.mark.parametrize(
    ("reader", "is_told"),
    [
        pytest.param(application("a", read("shop/apps/web")), True, id="its-directory"),
        pytest.param(application("a", read("./shop/apps/")), True, id="one-above"),
        pytest.param(application("a", read("shop", more="directory: {}")), False, id="not-recursing"),
        pytest.param(application("a", read("apps/web")), False, id="elsewhere-in-the-repository"),
        pytest.param(application("a", read("shop/apps/web", "rendered")), False, id="the-rendered-branch"),
        pytest.param(application("a", read("shop/apps/web", "HEAD")), True, id="the-default-branch"),
        pytest.param(
            application("a", read("shop/apps", more="directory: {recurse: true, exclude: '{web/*,x}'}")),
            False,
            id="excluded",
        ),
        pytest.param(
            application("a", read("shop/apps", more="directory: {recurse: true, include: 'api/*'}")),
            False,
            id="not-included",
        ),
        pytest.param(
            application("a", read("shop/apps/web", more="helm: {releaseName: a}")), False, id="a-chart"
        ),
        pytest.param(
            application("a", read("shop/apps/web"), "{name: west}"), False, id="on-a-cluster-that-lacks-it"
        ),
        pytest.param(
            application("a", read("shop/apps/web"), "{server: https://kubernetes.default.svc}"),
            True,
            id="on-a-hub-that-nobody-knows",
        ),
        pytest.param(
            application("a", "{repoURL: https://git.example/other.git, path: shop/apps/web}"),
            False,
            id="another-repository",
        ),
        pytest.param(
            application("a", read("x")).replace("source:", f"sources: [{read('shop/apps/web')}]\n  old:"),
            True,
            id="one-of-several-sources",
        ),
        pytest.param(
            application("a", read("x")).replace(
                "source:", f"sourceHydrator: {{drySource: {read('shop/apps/web')}}}\n  old:"
            ),
            True,
            id="a-dry-source",
        ),
        pytest.param(repository("main") + "---\n" + kustomization("k", "path: ./shop/apps"), True, id="flux"),
        pytest.param(
            repository("main", "ssh://git@git.example:22/fleet.git")
            + "---\n"
            + kustomization("k", "path: ./"),
            True,
            id="flux-at-the-top",
        ),
        pytest.param(
            repository("rendered") + "---\n" + kustomization("k", "path: ./shop/apps"),
            False,
            id="flux-rendered",
        ),
        pytest.param(kustomization("k", "path: ./"), False, id="flux-of-nobody-knows-what"),
        pytest.param(apps("{path: 'shop/apps/*'}"), True, id="a-generator"),
        pytest.param(apps("{path: 'shop/*'}"), True, id="a-generator-one-above"),
        pytest.param(apps("{path: 'other/*'}"), False, id="a-generator-elsewhere"),
        pytest.param(
            apps("{path: 'shop/apps/*'}, {path: shop/apps/web, exclude: true}"),
            False,
            id="a-generator-but-for-it",
        ),
        pytest.param(apps("{path: 'x/*'}", path="shop/apps/web"), True, id="a-path-that-nothing-generates"),
        pytest.param(apps("{path: 'x/*'}", path="{{.dir}}/apps"), False, id="a-path-that-nobody-knows"),
    ],
)
def test_templates_that_are_applied_as_they_stand(reader: str, is_told: bool) -> None:
    problems = found(in_folder({"r.yaml": reader}), "KR811")
    assert any("Deployment shop/web" in problem.what for problem in problems) is is_told
    # It is an error where the cluster is known.
    for problem in problems:
        unknown = problem.why.endswith(", unless it applies them to another cluster")
        assert problem.severity is (Severity.WARNING if unknown else Severity.ERROR)


@pytest.mark.parametrize(
    ("servers", "told"),
    [("all", []), ("some", [Severity.WARNING])],
    ids=["known-to-be-another", "may-be-one"],
)
def test_a_server_that_no_cluster_has(servers: str, told: list[Severity]) -> None:
    fleet = FLEET.replace("name: east,", "name: east, server: 'https://east.example',")
    if servers == "all":
        fleet = fleet.replace("name: north,", "name: north, server: 'https://north.example',")
        fleet = fleet.replace("name: west,", "name: west, server: 'https://west.example',")
    destination = "{server: 'https://hub.example'}"
    raw = application("a", read("shop/apps"), destination)
    files = in_folder({"a.yaml": raw, "fleet.yaml": fleet})
    assert [problem.severity for problem in found(files, "KR811")] == told
    files = {"a.yaml": application("a", read("clusters/east", "rendered"), destination), "fleet.yaml": fleet}
    assert [problem.what for problem in found(files, "KR813")] == (
        []
        if told
        else [
            "Application argocd/a applies the manifests of east on a cluster that the inventory does not have"
        ]
    )


def test_a_template_that_jinja_makes_is_read_by_nobody_else() -> None:
    files = {"web.yaml": "# moved\n", "apps/web.yaml.j2": WEB, "a.yaml": application("a", read("shop/apps"))}
    assert found(files, "KR811") == []


@pytest.mark.parametrize(
    ("around", "reader", "what"),
    [
        pytest.param(
            UNKNOWN,
            application("a", read("apps/web")),
            "Application argocd/a applies what stands in apps/web if git@git.example:fleet.git "
            "is the repository of this workspace: Deployment shop/web",
            id="no-remotes",
        ),
        pytest.param(
            replace(OWN, folder=""),
            kustomization("k", "path: apps"),
            "Kustomization flux/k applies what stands in apps if its source "
            "is the repository of this workspace: Deployment shop/web",
            id="no-source",
        ),
        pytest.param(UNKNOWN, application("a", read(".")), "", id="the-top-tells-nothing"),
    ],
)
def test_what_cannot_be_known_is_a_warning(around: Surroundings, reader: str, what: str) -> None:
    problems = found(in_folder({"r.yaml": reader}), "KR811", around)
    assert [(problem.severity, problem.what) for problem in problems] == (
        [(Severity.WARNING, what)] if what else []
    )


def both(one: str, other: str) -> dict[str, str]:
    return {"a.yaml": one, "b.yaml": other}


HERE = "{server: https://kubernetes.default.svc}"


@pytest.mark.parametrize(
    ("files", "what"),
    [
        pytest.param(
            both(application("a", read("x")), application("b", read("x"))),
            "Application argocd/b and Application argocd/a both apply x on east",
            id="the-same",
        ),
        pytest.param(
            both(application("a", read("x")), application("b", read("x/y"))),
            "Application argocd/b and Application argocd/a both apply x/y on east",
            id="one-inside-the-other",
        ),
        pytest.param(
            both(application("a", read("x", more="directory: {}")), application("b", read("x/y"))),
            "",
            id="one-that-does-not-recurse",
        ),
        pytest.param(
            both(application("a", read("x")), application("b", read("xy"))), "", id="a-name-that-begins-alike"
        ),
        pytest.param(
            both(application("a", read("x")), application("b", read("x"), "{name: west}")),
            "",
            id="other-clusters",
        ),
        pytest.param(
            both(application("a", read("x")), application("b", read("x"), "{name: east, namespace: other}")),
            "",
            id="other-namespaces",
        ),
        pytest.param(
            both(application("a", read("x"), HERE), application("b", read("x"), HERE)),
            "Application argocd/b and Application argocd/a both apply x",
            id="the-same-hub",
        ),
        pytest.param(
            both(application("a", read("x")), application("b", read("x", "release"))),
            "",
            id="other-revisions",
        ),
        pytest.param(
            both(kustomization("a", "path: ./x"), kustomization("b", "path: x/")),
            "Kustomization flux/b and Kustomization flux/a both apply x",
            id="flux",
        ),
        pytest.param(
            both(
                kustomization("a", "path: x, targetNamespace: one"),
                kustomization("b", "path: x, targetNamespace: two"),
            ),
            "",
            id="flux-makes-something-else-of-it",
        ),
        pytest.param(
            both(kustomization("a", "path: x"), kustomization("b", "path: x", "other")),
            "",
            id="other-sources",
        ),
        pytest.param(
            both(
                kustomization("a", "path: x, kubeConfig: {secretRef: {name: east-kubeconfig}}"),
                kustomization("b", "path: x, kubeConfig: {secretRef: {name: west-kubeconfig}}"),
            ),
            "",
            id="hub-and-spokes",
        ),
        pytest.param(
            {
                "a.yaml": application("a", read("x")),
                "b.yaml": kustomization("b", "path: x, kubeConfig: {secretRef: {name: east-kubeconfig}}"),
                "c.yaml": repository("main"),
            },
            "Kustomization flux/b and Application argocd/a both apply x on east (Argo CD and Flux)",
            id="two-engines",
        ),
    ],
)
def test_files_that_two_apply(files: Mapping[str, str], what: str) -> None:
    assert told(files, "KR812") == ([what] if what else [])


ALL = "Application argocd/a applies the manifests of 3 clusters from {} to one"


@pytest.mark.parametrize(
    ("reader", "engine", "what"),
    [
        pytest.param(application("a", read("clusters/east", "rendered")), "none", "", id="the-way-there"),
        pytest.param(
            application("a", read("clusters/east", "refs/heads/rendered")),
            "argocd",
            "Application argocd/a applies the manifests of east, as what krender delivers to Argo CD does",
            id="twice",
        ),
        pytest.param(
            application("a", read("clusters/east/shop", "rendered")),
            "flux",
            "Application argocd/a applies the manifests of east, as what krender delivers to Flux does",
            id="a-part-twice-by-another-engine",
        ),
        pytest.param(
            application("a", read("delivery/argocd", "rendered")), "argocd", "", id="what-is-delivered"
        ),
        pytest.param(application("a", read("clusters/east", "main")), "argocd", "", id="another-branch"),
        pytest.param(
            application("a", read("clusters", "rendered")), "none", ALL.format("clusters"), id="all-to-one"
        ),
        pytest.param(application("a", read(".", "rendered")), "none", ALL.format("the top"), id="the-top"),
        pytest.param(
            application("a", read(".", "rendered", "directory: {}")),
            "none",
            "",
            id="the-top-without-recursing",
        ),
        pytest.param(
            application("a", read("clusters/east", "rendered"), "{name: north}"),
            "none",
            "Application argocd/a applies the manifests of east on north",
            id="of-another-cluster",
        ),
        pytest.param(apps("{path: 'clusters/*'}", "rendered"), "none", "", id="a-generator"),
        pytest.param(
            apps("{path: 'clusters/*'}", "rendered"),
            "argocd",
            "ApplicationSet argocd/apps applies the manifests of east, north, west, "
            "as what krender delivers to Argo CD does",
            id="a-generator-twice",
        ),
        pytest.param(
            repository("rendered") + "---\n" + kustomization("k", "path: ./clusters/east"),
            "none",
            "",
            id="flux",
        ),
        pytest.param(
            repository("rendered") + "---\n" + kustomization("k", "path: ./clusters/east"),
            "flux",
            "Kustomization flux/k applies the manifests of east, as what krender delivers to Flux does",
            id="flux-twice",
        ),
        pytest.param(
            kustomization("k", "path: ./clusters/east", "krender").replace("flux}", "flux-system}"),
            "flux",
            "Kustomization flux-system/k applies the manifests of east, "
            "as what krender delivers to Flux does",
            id="the-source-is-krenders",
        ),
        pytest.param(
            kustomization("k", "path: ./clusters/east", "krender"), "flux", "", id="from-another-of-its-name"
        ),
    ],
)
def test_readers_of_what_is_published(reader: str, engine: str, what: str) -> None:
    problems = found({"r.yaml": reader, "krender.yaml": delivered(engine)}, "KR813")
    assert [(problem.severity, problem.what) for problem in problems] == (
        [(Severity.ERROR, what)] if what else []
    )


def test_a_result_in_the_source_branch_is_found_there() -> None:
    output = f"{SETTINGS}output: {{directory: out}}\n"
    files = {"a.yaml": application("a", read("shop/out/clusters")), "krender.yaml": output}
    assert told(files, "KR813") == [ALL.format("shop/out/clusters")]
    files = {"a.yaml": application("a", read("out/clusters")), "krender.yaml": output}
    assert told(files, "KR813") == []


def test_the_hydrator_has_another_branch() -> None:
    hydrator = "sourceHydrator: {drySource: {}, syncSource: {targetBranch: rendered, path: x}}\n  old:"
    files = {"a.yaml": application("a", read("x")).replace("source:", hydrator)}
    assert told(files, "KR813") == [
        "Application argocd/a has the source hydrator of Argo CD write the branch rendered"
    ]


KEPT = "annotations: {kustomize.toolkit.fluxcd.io/substitute: disabled}, labels: {app: web}}\nspec"


@pytest.mark.parametrize(
    ("spec", "argument", "is_told"),
    [
        pytest.param("postBuild: {substitute: {A: a}}", "${HOME}", True, id="no-value"),
        pytest.param("postBuild: {substituteStrategy: Always}", "${HOME:-/}", True, id="always"),
        pytest.param("postBuild: {substitute: {HOME: a}}", "${HOME}", False, id="a-value"),
        pytest.param(
            "postBuild: {substitute: {A: a}, substituteFrom: [{}]}", "${HOME}", False, id="who-knows"
        ),
        pytest.param("postBuild: {}", "${HOME}", False, id="no-substitution"),
        pytest.param("postBuild: {substitute: {A: a}}", "$${HOME}", False, id="escaped"),
        pytest.param("postBuild: {substitute: {A: a}}", "kill $$", True, id="of-two-one-goes"),
        pytest.param("postBuild: {substitute: {HOME: a}}", "$$${HOME}", True, id="two-before-a-variable"),
        pytest.param("postBuild: {}", "kill $$", False, id="two-without-substitution"),
        pytest.param("postBuild: {substitute: {A: a}}", "$(HOME)", False, id="of-kubernetes"),
    ],
)
def test_variables_of_flux(spec: str, argument: str, is_told: bool) -> None:
    web = WEB.replace("image:", f'args: ["{argument}"], image:')
    flux = f"{repository('rendered')}---\n{kustomization('k', f'path: clusters/east, {spec}')}"
    assert bool(found({"web.yaml": web, "f.yaml": flux}, "KR808")) is is_told
    kept = web.replace("labels: {app: web}}\nspec", KEPT)
    assert found({"web.yaml": kept, "f.yaml": flux}, "KR808") == []


@pytest.mark.parametrize(("engine", "is_told"), [("flux", True), ("argocd", False), ("none", False)])
def test_an_application_on_a_cluster_of_flux(engine: str, is_told: bool) -> None:
    files = {
        "a.yaml": application("a", read("x"), "{name: y}").replace("namespace: argocd", "namespace: shop"),
        "all.yaml": selecting("argoproj.io/v1alpha1 Application"),
        "krender.yaml": delivered(engine),
    }
    assert told(files, "KR814") == (
        ["Application shop/a has Argo CD work on east, north, west, to which Flux delivers"]
        if is_told
        else []
    )


@pytest.mark.parametrize(
    "address",
    [
        "https://Git.Example/Team/Fleet.git",
        "https://user:secret@git.example/team/fleet/",
        "ssh://git@git.example:2222/team/fleet.git",
        "git@git.example:team/fleet",
        "git@git.example:/team/fleet.git",
    ],
)
def test_ways_to_write_one_address(address: str) -> None:
    assert plain_address(address) == "git.example/team/fleet"


PER_CLUSTER = """\
apiVersion: policy.karmada.io/v1alpha1
kind: OverridePolicy
metadata: {name: o, namespace: shop}
spec:
  resourceSelectors: [{apiVersion: argoproj.io/v1alpha1, kind: Application}]
  overrideRules:
"""
RULE = """\
  - targetCluster: {{clusterNames: [{0}]}}
    overriders: {{plaintext: [{{path: /spec/source/path, operator: replace, value: clusters/{0}}}]}}
"""


@pytest.mark.parametrize(
    ("overridden", "what"),
    [
        pytest.param(["east", "north", "west"], [], id="each-its-own"),
        pytest.param(
            ["east"],
            ["Application shop/self applies the manifests of 3 clusters from clusters to one"],
            id="one-its-own",
        ),
    ],
)
def test_an_application_of_each_cluster_reads_its_own(overridden: list[str], what: list[str]) -> None:
    own = application("self", read("clusters", "rendered"), HERE).replace("argocd}", "shop}")
    files = {
        "a.yaml": own,
        "p.yaml": selecting("argoproj.io/v1alpha1 Application"),
        "o.yaml": PER_CLUSTER + "".join(map(RULE.format, overridden)),
    }
    assert told(files, "KR813") == what
    assert told(files, "KR812") == []
