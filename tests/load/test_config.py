"""Tests of krender.yaml."""

from __future__ import annotations

import json
from dataclasses import fields

import pytest

from renderer.document.limits import Limits
from renderer.document.values import dig
from renderer.load.config import read_config
from renderer.load.schemas import schema_text
from renderer.model.config import Claims, Namespaces, Orphans, Output, ReleasedFiles, WorkspaceConfig
from renderer.model.delivery import (
    ArgoSettings,
    ArgoSource,
    Autoscaled,
    Delivery,
    Destination,
    FluxSettings,
    FluxSource,
    Generator,
    ServiceAccounts,
    Tenant,
    UnitOf,
)
from renderer.model.delivery_engine import Engine
from renderer.model.failover import FailoverSettings
from renderer.model.gates import FeatureGates
from renderer.model.guards import GUARDS, Budget, GuardSettings, Waiver
from tests.load.workspaces import lines

HEAD = "apiVersion: krender.io/v1alpha1\nkind: Workspace\n"


def wrong(text: str) -> list[str]:
    """The problems of a krender.yaml."""
    config, problems = read_config(text.encode())
    assert config == WorkspaceConfig()
    return lines(problems)


def test_without_settings_there_are_defaults() -> None:
    assert read_config(HEAD.encode()) == (WorkspaceConfig(), ())
    assert read_config((HEAD + "spec: {}\n").encode()) == (WorkspaceConfig(), ())
    # With the schema's defaults.
    parts = "failover: {}, featureGates: {}, output: {}, delivery: {}, guards: {}, limits: {}"
    assert read_config((HEAD + f"spec: {{{parts}}}\n").encode()) == (WorkspaceConfig(), ())


def test_every_setting_is_read() -> None:
    text = HEAD + (
        "metadata: {name: fleet}\n"
        "spec:\n"
        "  values: {a: {b: [1, null]}}\n"
        "  defaultNamespace: shop\n"
        "  claims: sticky\n"
        "  namespaces: never\n"
        "  orphans: prune\n"
        "  released: prune\n"
        "  failover: {taintNotReady: true, noExecuteEviction: true, purgeMode: Directly,\n"
        "    gracefulEvictionSeconds: 60, allowNoExecuteTaintPolicies: true}\n"
        "  featureGates: {Failover: true, PropagateDeps: false}\n"
        "  output: {branch: b, repo: r, path: p, directory: d}\n"
        "  delivery:\n"
        "    {engine: flux, repoURL: https://git.example/fleet, revision: main, unit: namespace,\n"
        "    prefix: shop-, autoscaled: keep,\n"
        "    argocd: {namespace: cd, generator: directories, source: kustomize,\n"
        "    destination: server, project: p, prune: false, selfHeal: false, rollingSync: true,\n"
        "    preserveResourcesOnDeletion: false, failOnSharedResource: false, plugin: q},\n"
        "    flux: {namespace: flux, source: oci, sourceName: s,\n"
        "    sourceInterval: 2m, secret: credentials, interval: 10m, retryInterval: 1m, timeout: 3m,\n"
        "    prune: false, wait: true, deletionPolicy: Delete, kubeConfigSecret: 'k-{cluster}',\n"
        "    substitution: true, artifactGenerator: true, url: 'oci://r/f', tag: v1, serviceAccounts: all,\n"
        "    resources: {Widget.acme.example: widgets}, hubParts: 16}}\n"
        "  tenants:\n"
        "  - {name: web, namespaces: [shop], clusters: [eu-*], kinds: [Deployment.apps],\n"
        "    owners: ['@org/web'], paths: [apps/web/]}\n"
        "  skippedPropagatingNamespaces: ['team-a|b', 'x{2}']\n"
        "  skippedPropagatingAPIs: [batch, apps/v1/Deployment, 'v1/Secret,ConfigMap']\n"
        "  enableEmptyWorkloadPropagation: true\n"
        "  limits: {fileBytes: 1000, depth: 10, documents: 5, expandedNodes: 99}\n"
    )
    config, problems = read_config(text.encode())
    assert not problems
    assert config == WorkspaceConfig(
        name="fleet",
        values={"a": {"b": [1, None]}},
        default_namespace="shop",
        claims=Claims.STICKY,
        namespaces=Namespaces.NEVER,
        orphans=Orphans.PRUNE,
        released=ReleasedFiles.PRUNE,
        failover=FailoverSettings(
            taint_not_ready=True,
            no_execute_eviction=True,
            purge_mode="Directly",
            graceful_eviction_seconds=60,
            allow_no_execute_taint_policies=True,
        ),
        feature_gates=FeatureGates(failover=True, propagate_deps=False),
        output=Output(branch="b", repo="r", path="p", directory="d"),
        delivery=Delivery(
            engine=Engine.FLUX,
            repo_url="https://git.example/fleet",
            revision="main",
            unit=UnitOf.NAMESPACE,
            prefix="shop-",
            autoscaled=Autoscaled.KEEP,
            argocd=ArgoSettings(
                namespace="cd",
                generator=Generator.DIRECTORIES,
                source=ArgoSource.KUSTOMIZE,
                destination=Destination.SERVER,
                project="p",
                prune=False,
                self_heal=False,
                preserve_resources_on_deletion=False,
                rolling_sync=True,
                fail_on_shared_resource=False,
                plugin="q",
            ),
            flux=FluxSettings(
                namespace="flux",
                source=FluxSource.OCI,
                source_name="s",
                source_interval="2m",
                secret="credentials",
                interval="10m",
                retry_interval="1m",
                timeout="3m",
                prune=False,
                wait=True,
                deletion_policy="Delete",
                kube_config_secret="k-{cluster}",
                substitution=True,
                artifact_generator=True,
                url="oci://r/f",
                tag="v1",
                service_accounts=ServiceAccounts.ALL,
                resources=(("Widget.acme.example", "widgets"),),
                hub_parts=16,
            ),
        ),
        tenants=(
            Tenant(
                name="web",
                namespaces=("shop",),
                clusters=("eu-*",),
                kinds=("Deployment.apps",),
                owners=("@org/web",),
                paths=("apps/web/",),
            ),
        ),
        skipped_propagating_namespaces=("team-a|b", "x{2}"),
        skipped_propagating_apis="batch;apps/v1/Deployment;v1/Secret,ConfigMap",
        enable_empty_workload_propagation=True,
        limits=Limits(max_bytes=1000, depth=10, documents=5, expanded_nodes=99),
    )


def test_guards_are_set_one_by_one() -> None:
    text = HEAD + (
        "spec:\n"
        "  guards:\n"
        "    deletions: {percent: 5}\n"
        "    lostClusters: {free: 2}\n"
        "    directoryBytes: 5\n"
        "    weights: {StatefulSet: 3, ConfigMap: 0}\n"
        "    waivers:\n"
        "    - {guard: plaintext-secrets, objects: ['Secret shop/*'], reason: test data}\n"
        "    - {guard: lost-clusters, objects: ['Cluster a'], clusters: [a], reason: sold}\n"
    )
    config, problems = read_config(text.encode())
    assert not problems
    assert config.guards == GuardSettings(
        deletions=Budget(free=10, percent=5, most=1000),
        lost_clusters=Budget(free=2, percent=0, most=0),
        directory_bytes=5,
        weights=(
            ("Namespace", 10),
            ("CustomResourceDefinition", 10),
            ("PersistentVolumeClaim", 10),
            ("StatefulSet", 3),
            ("ConfigMap", 0),
        ),
        waivers=(
            Waiver(guard="plaintext-secrets", objects=("Secret shop/*",), reason="test data"),
            Waiver(guard="lost-clusters", objects=("Cluster a",), clusters=("a",), reason="sold"),
        ),
    )


def test_the_schema_offers_every_guard_with_its_default() -> None:
    schema = json.loads(schema_text("workspace"))
    guards = schema["properties"]["spec"]["properties"]["guards"]["properties"]
    waiver = guards["waivers"]["items"]["properties"]
    assert sorted(waiver["guard"]["enum"]) == sorted(GUARDS)
    for name in ("deletions", "emptiedClusters", "lostClusters", "movedReplicas"):
        offered = {key: value["default"] for key, value in guards[name]["properties"].items()}
        field = "".join(f"_{char.lower()}" if char.isupper() else char for char in name)
        assert Budget(**offered) == getattr(GuardSettings(), field)
    assert guards["directoryBytes"]["default"] == GuardSettings().directory_bytes


def test_no_namespace_at_all_can_be_skipped() -> None:
    config, _ = read_config((HEAD + "spec: {skippedPropagatingNamespaces: []}\n").encode())
    assert config.skipped_propagating_namespaces == ()


def test_the_schema_offers_every_gate_with_its_default() -> None:
    schema = json.loads(schema_text("workspace"))
    gates = dig(schema, "properties", "spec", "properties", "featureGates", "properties")
    assert isinstance(gates, dict)
    offered = {name.replace("_", "").lower(): dig(gate, "default") for name, gate in gates.items()}
    assert offered == {gate.name.replace("_", ""): gate.default for gate in fields(FeatureGates)}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            "",
            "krender.yaml: krender.yaml is empty | "
            "write apiVersion: krender.io/v1alpha1 and kind: Workspace, or delete the file",
            id="empty",
        ),
        pytest.param(
            HEAD + "---\n" + HEAD,
            "krender.yaml:4:1: krender.yaml has 2 documents | move the other documents to files of their own",
            id="two-documents",
        ),
        pytest.param(
            "spec: {}\n",
            'krender.yaml:1:1: the document: apiVersion is missing | add "apiVersion"',
            id="no-apiversion",
        ),
        pytest.param(
            HEAD.replace("Workspace", "Workspaces"),
            'krender.yaml:2:1: Workspaces: kind cannot be "Workspaces" | write "Workspace"',
            id="another-kind",
        ),
        pytest.param(
            HEAD + "spec: {guards: {waivers: [{guard: deletions, objects: [a]}]}}\n",
            'krender.yaml:3:27: Workspace: spec.guards.waivers[0].reason is missing | add "reason"',
            id="a-waiver-without-a-reason",
        ),
        pytest.param(
            HEAD + "spec: {defaultNamspace: x}\n",
            'krender.yaml:3:8: Workspace has no field "defaultNamspace" in spec | write "defaultNamespace"',
            id="a-slip-in-a-field",
        ),
        pytest.param(
            HEAD + "spec: {claims: sometimes}\n",
            'krender.yaml:3:8: Workspace: spec.claims cannot be "sometimes" | '
            'write one of "afresh", "sticky"',
            id="another-value",
        ),
        pytest.param(
            HEAD + "spec: {featureGates: {FailOver: true}}\n",
            'krender.yaml:3:23: Workspace has no field "FailOver" in spec.featureGates | write "Failover"',
            id="a-slip-in-a-gate",
        ),
        pytest.param(
            HEAD + "spec: {enableEmptyWorkloadPropagation: 'yes'}\n",
            "krender.yaml:3:8: Workspace: spec.enableEmptyWorkloadPropagation must be true or false, "
            'not "yes" | write it without quotes: true',
            id="a-wrong-type",
        ),
        pytest.param(
            HEAD + "spec: {skippedPropagatingNamespaces: ['a[']}\n",
            'krender.yaml:3:39: skippedPropagatingNamespaces: "a[" is no regular expression: '
            'unterminated character set at position 1 | write a regular expression such as "team-.*"',
            id="no-regular-expression",
        ),
        pytest.param(
            HEAD + "spec: {skippedPropagatingNamespaces: ['(?=a)b']}\n",
            'krender.yaml:3:39: skippedPropagatingNamespaces: "(?=a)b" has something Karmada\'s regular '
            'expressions do not | write a regular expression such as "team-.*"',
            id="look-ahead",
        ),
        pytest.param(
            HEAD + "spec: {skippedPropagatingNamespaces: ['(a+)+b']}\n",
            'krender.yaml:3:39: skippedPropagatingNamespaces: "(a+)+b" repeats a group, which krender does '
            'not take | write a regular expression such as "team-.*"',
            id="a-pattern-that-takes-for-ever",
        ),
        pytest.param(
            HEAD + "spec: {skippedPropagatingNamespaces: ['a*a*a*a*a*b']}\n",
            'krender.yaml:3:39: skippedPropagatingNamespaces: "a*a*a*a*a*b" has more than 4 repetitions, '
            'which krender does not take | write a regular expression such as "team-.*"',
            id="a-pattern-that-takes-long",
        ),
        pytest.param(
            HEAD + "spec: {skippedPropagatingAPIs: [a/b/c/d]}\n",
            'krender.yaml:3:33: skippedPropagatingAPIs: "a/b/c/d" names no API | '
            "write group, group/version, group/version/Kind or v1/Kind; one entry for each",
            id="no-api",
        ),
        pytest.param(
            HEAD + 'spec: {output: {directory: "a\\0b"}}\n',
            "krender.yaml:3:17: output.directory has control characters | write it without them",
            id="a-directory-no-file-system-takes",
        ),
        *(
            pytest.param(
                HEAD + f"spec: {{output: {{path: {path}}}}}\n",
                f'krender.yaml:3:17: output.path "{path}" is no directory of a branch | '
                'write it from the top of the branch on, such as "rendered/shop"',
                id=f"path-{path}",
            )
            for path in ("/a", "../a", "a//b", "a/", "./a", "a/.GIT")
        ),
        pytest.param(
            "- a\n",
            'krender.yaml:1:1: krender.yaml is ["a"], not a map of settings | '
            "write apiVersion: krender.io/v1alpha1, kind: Workspace and spec:",
            id="a-list",
        ),
    ],
)
def test_what_is_wrong_is_told(text: str, expected: str) -> None:
    assert expected in wrong(text)


@pytest.mark.parametrize(
    ("tenants", "line", "what"),
    [
        pytest.param(
            "[{name: a, namespaces: [x]}, {name: a, namespaces: [z]}]",
            "krender.yaml:4:42",
            'the team "a" has the name of another team',
            id="a-name-twice",
        ),
        pytest.param(
            "[{name: krender, namespaces: [x]}]",
            "krender.yaml:4:14",
            'the team "krender" has the name of the project of what belongs to no team',
            id="the-name-of-the-project",
        ),
        pytest.param(
            "[{name: a, namespaces: [shop-*]}, {name: b, namespaces: [shop-eu]}]",
            "krender.yaml:4:69",
            'the namespace "shop-eu" of b can be "shop-*" of a',
            id="a-namespace-of-two",
        ),
        pytest.param(
            "[{name: a, namespaces: ['*-eu']}]",
            "krender.yaml:4:36",
            '"*-eu" has a * that is not at its end',
            id="a-star-in-front",
        ),
        pytest.param(
            "[{name: a, namespaces: [x], paths: [../x]}]",
            "krender.yaml:4:48",
            '"../x" is no path of the workspace',
            id="a-path-that-leaves",
        ),
    ],
)
def test_teams_that_cannot_be(tenants: str, line: str, what: str) -> None:
    _, problems = read_config((HEAD + f"spec:\n  tenants: {tenants}\n").encode())
    assert [(str(problem.where), problem.what) for problem in problems] == [(line, what)]
