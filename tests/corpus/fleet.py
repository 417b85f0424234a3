"""The corpus as workspaces: real manifests, with an inventory and policies made for the purpose.

The corpus is Online Boutique, kube-prometheus and Karmada's samples. Some samples are alternatives to each
other (the same objects, versions apart): what cannot be in one workspace together goes into a further one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from renderer.document.file import SourceFile
from renderer.document.read import read_stream
from renderer.document.values import mapping, sequence, text
from renderer.model.identity import Identity, identity_of

CORPUS = Path(__file__).parents[3] / "shared" / "corpus"
ABSENT = "no ../shared/corpus here: it holds other projects' manifests and is no part of the repository"

CLUSTERS = tuple(f"member{number}" for number in range(1, 31))
HUB = CLUSTERS[0]  # the only one that gets the CustomResourceDefinitions, which are 4 of 6 MB
DEFINITION = ("apiextensions.k8s.io/v1", "CustomResourceDefinition")
_IMAGES = ("Deployment", "DaemonSet", "StatefulSet", "Job")
_FORMS = (".yaml", ".yml", ".json")


def workspaces(corpus: Path = CORPUS) -> tuple[tuple[SourceFile, ...], ...]:
    """The files of each workspace; every file of the corpus is in exactly one of them."""
    samples: list[SourceFile] = []
    others: list[SourceFile] = []
    for path in sorted(path for path in corpus.rglob("*") if path.suffix in _FORMS and path.is_file()):
        file = SourceFile(path=path.relative_to(corpus).as_posix(), data=path.read_bytes())
        (samples if file.path.startswith("karmada-samples/") else others).append(file)
    layers = [*_layers(others), *_layers(samples)]
    return tuple((*files, *_fleet(identities)) for files, identities in layers)


def _layers(files: Iterable[SourceFile]) -> list[tuple[list[SourceFile], set[Identity]]]:
    """Files that have no object in common go together, each into the first layer it fits."""
    layers: list[tuple[list[SourceFile], set[Identity]]] = []
    for file in files:
        identities = set(_identities(file))
        fitting = [layer for layer in layers if not identities & layer[1]]
        if not fitting:
            fitting = [([], set())]
            layers += fitting
        fitting[0][0].append(file)
        fitting[0][1].update(identities)
    return layers


def _identities(file: SourceFile) -> Iterator[Identity]:
    for document in read_stream(file.data, file.path):
        body = mapping(document.value)
        is_list = text(body.get("kind")).endswith("List")
        for item in sequence(body.get("items")) if is_list else (body,):
            identity = identity_of(mapping(item))
            yield Identity(
                identity.api_version, identity.kind, identity.namespace or "default", identity.name
            )


def _fleet(identities: set[Identity]) -> Iterator[SourceFile]:
    kinds = sorted({(identity.api_version, identity.kind) for identity in identities})
    yield SourceFile(path="fleet/clusters.yaml", data=_inventory().encode())
    yield SourceFile(path="fleet/policies.yaml", data=_policies(kinds).encode())


def _inventory() -> str:
    return _object(
        "krender.io/v1alpha1",
        "ClusterInventory",
        "fleet",
        "  clusters:",
        *(f"    - {{name: {name}, region: r{index % 3}}}" for index, name in enumerate(CLUSTERS)),
    )


def _policies(kinds: list[tuple[str, str]]) -> str:
    """Definitions to the hub, everything else everywhere, images from a mirror in one region."""
    own = [kind for kind in kinds if "karmada.io/" not in kind[0]]
    others = [kind for kind in own if kind != DEFINITION]
    policies = [_policy("ClusterPropagationPolicy", "everything", others, "  placement: {}")]
    if DEFINITION in own:
        placement = f"  placement: {{clusterAffinity: {{clusterNames: [{HUB}]}}}}"
        policies.append(_policy("ClusterPropagationPolicy", "definitions", [DEFINITION], placement))
    workloads = [kind for kind in own if kind[1] in _IMAGES]
    mirror = (
        "  overrideRules:",
        "    - targetCluster:",
        "        fieldSelector: {matchExpressions: [{key: region, operator: In, values: [r1]}]}",
        "      overriders:",
        "        imageOverrider: [{component: Registry, operator: replace, value: mirror.example}]",
    )
    return "---\n".join([*policies, _policy("ClusterOverridePolicy", "mirror", workloads, *mirror)])


def _policy(kind: str, name: str, selected: list[tuple[str, str]], *lines: str) -> str:
    selectors = (f"    - {{apiVersion: {version}, kind: {kind}}}" for version, kind in selected)
    return _object("policy.karmada.io/v1alpha1", kind, name, "  resourceSelectors:", *selectors, *lines)


def _object(api_version: str, kind: str, name: str, *spec: str) -> str:
    head = (f"apiVersion: {api_version}", f"kind: {kind}", "metadata:", f"  name: {name}", "spec:")
    return "\n".join([*head, *spec]) + "\n"
