"""Documents encrypted with SOPS: passed on byte for byte, or refused with what to do."""

from __future__ import annotations

import pytest

from renderer.check.failures import failures
from renderer.document.file import SourceFile
from renderer.load.workspace import load
from renderer.model.tree import walk
from renderer.pipeline import render
from tests.load.workspaces import lines, refused
from tests.workspaces import FLEET, plan

SEALED = """\
# who may read it: team-db
kind: Secret
apiVersion:   v1
metadata:
    namespace: shop
    name: db      # unusual order and spaces
    creationTimestamp: null
data:
    password: ENC[AES256_GCM,data:q8s=,iv:aa=,tag:bb=,type:str]
sops:
    age: []
    lastmodified: "2026-01-01T00:00:00Z"
    mac: ENC[AES256_GCM,data:cc=,iv:dd=,tag:ee=,type:str]
    version: 3.9.0
---
"""
POLICY = """\
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata: {name: secrets, namespace: shop}
spec:
  resourceSelectors: [{apiVersion: v1, kind: Secret}]
  placement: {clusterAffinity: {clusterNames: [east, west]}}
"""
OVERRIDE = """\
apiVersion: policy.karmada.io/v1alpha1
kind: OverridePolicy
metadata: {name: o, namespace: shop}
spec:
  resourceSelectors: [{apiVersion: v1, kind: Secret}]
  overrideRules:
  - targetCluster: {clusterNames: [east]}
    overriders: {labelsOverrider: [{operator: add, value: {a: b}}]}
  - targetCluster: {clusterNames: [west]}
    overriders: {labelsOverrider: [{operator: remove, value: {absent: b}}]}
"""
SHOP = {"fleet.yaml": FLEET, "policy.yaml": POLICY, "secret.yaml": SEALED}


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(SEALED.encode(), id="yaml"),
        pytest.param(SEALED.replace("\n", "\r\n").encode(), id="crlf"),
        pytest.param("\ufeff".encode() + SEALED.encode(), id="byte-order-mark"),
        pytest.param(b"---\n" + SEALED.encode() + b"---\n# the end", id="empty-documents-around-it"),
        pytest.param(
            b'{"sops": {"mac": "ENC[x]"}, "kind": "Secret", "apiVersion": "v1", '
            b'"metadata": {"name": "db", "namespace": "shop"}}',
            id="json",
        ),
    ],
)
def test_it_is_published_byte_for_byte(data: bytes) -> None:
    files = [
        SourceFile(path=name, data=text.encode()) for name, text in SHOP.items() if name != "secret.yaml"
    ]
    result = render(load([*files, SourceFile(path="secret.yaml", data=data)]))
    published = dict(walk(result.tree))
    for cluster in ("east", "west"):
        assert published[f"clusters/{cluster}/shop/secret.db.yaml"].data == data


def test_an_override_inside_it_fails_where_it_changes_something() -> None:
    result = plan({**SHOP, "override.yaml": OVERRIDE})
    (problem,) = failures(result)
    assert problem.what == (
        "Secret shop/db is encrypted with SOPS, and "
        "OverridePolicy shop/o, rule 1 would change /metadata/labels/a"
    )
    assert problem.why.endswith("(east)")
    assert dict(walk(result.tree))["clusters/west/shop/secret.db.yaml"].data == SEALED.encode()


def test_replicas_are_not_set_in_it() -> None:
    web = SEALED.replace("Secret", "Deployment").replace("  v1\n", "  apps/v1\n")
    web = web.replace("\ndata:", "\nspec: {replicas: 3}\ndata:")
    divided = POLICY.replace("v1, kind: Secret", "apps/v1, kind: Deployment").replace(
        "placement: {", "placement: {replicaScheduling: {replicaSchedulingType: Divided}, "
    )
    result = plan({**SHOP, "secret.yaml": web, "policy.yaml": divided})
    assert [problem.what for problem in failures(result)] == [
        "Deployment shop/db is encrypted with SOPS, and its replicas would be set"
    ] * len(failures(result))
    assert failures(result)


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        pytest.param(
            {"a.yaml": SEALED + "kind: Secret\napiVersion: v1\nmetadata: {name: b, namespace: shop}\n"},
            "a.yaml:2:1: a file encrypted with SOPS holds 2 documents | give each document a file of its own",
            id="two-documents",
        ),
        pytest.param(
            {"a.yaml": "apiVersion: v1\nkind: List\nitems: []\nsops: {mac: 'ENC[x]'}\n"},
            "a.yaml:1:1: a List is encrypted with SOPS | give each item a file of its own",
            id="a-list",
        ),
        pytest.param(
            {"a.yaml": SEALED.replace("kind: Secret", "kind: ENC[AES256_GCM,data:x]")},
            "a.yaml:2:1: kind, name or namespace of the object are encrypted | "
            "encrypt the values only: sops --encrypted-regex '^(data|stringData)$'",
            id="encrypted-whole",
        ),
        pytest.param(
            {"a.yaml.j2": SEALED},
            "a.yaml.j2:2:1: a document encrypted with SOPS cannot be a template | "
            "put it in a file without .j2",
            id="a-template",
        ),
        pytest.param(
            {"a.yaml": SEALED.replace("    namespace: shop\n", "")},
            "a.yaml:4:1: an object encrypted with SOPS must state the namespace it is in | "
            'write "namespace: default" into it and encrypt it again',
            id="without-a-namespace",
        ),
        pytest.param(
            {"a.yaml": SEALED.replace("kind: Secret", "kind: Namespace")},
            "a.yaml:4:1: an object encrypted with SOPS must state the namespace it is in | "
            "take the namespace out and encrypt it again",
            id="with-a-namespace-it-cannot-have",
        ),
    ],
)
def test_what_cannot_be_passed_on_is_refused(files: dict[str, str], expected: str) -> None:
    assert expected in refused(files)


def test_a_lenient_load_leaves_it_out() -> None:
    both = SEALED + "kind: Secret\napiVersion: v1\nmetadata: {name: b, namespace: shop}\n"
    sources = [SourceFile(path="a.yaml", data=both.encode()), SourceFile(path="f.yaml", data=FLEET.encode())]
    loaded = load(sources, lenient=True)
    assert [template.identity.name for template in loaded.templates] == ["b"]
    assert "holds 2 documents" in "".join(lines(loaded.problems))
