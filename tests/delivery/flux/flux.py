"""What a Flux makes of what it is given: which Kustomizations there are where, and what each applies.

Source: kustomize-controller internal/controller; kustomize api/internal/target/kusttarget.go (resources).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from renderer.document.read import read_stream
from renderer.document.values import Object, dig, mapping, sequence, text
from renderer.model.identity import identity_of
from renderer.model.plan import Plan
from renderer.model.tree import Blob, Node, Tree

HUB = "hub"


@dataclass(frozen=True, slots=True)
class Applied:
    """A Kustomization: the API server that it is an object of, the cluster it applies to, and its objects."""

    server: str
    cluster: str
    body: Object
    objects: tuple[Object, ...]

    @property
    def name(self) -> str:
        """Its name."""
        return text(dig(self.body, "metadata", "name"))

    @property
    def needs(self) -> list[str]:
        """What it depends on."""
        return [text(mapping(item).get("name")) for item in sequence(dig(self.body, "spec", "dependsOn"))]


class Flux:
    """The Fluxes of a fleet, each after somebody applied its directory once."""

    def __init__(self, plan: Plan, top: str = "") -> None:
        """Read the tree; `top` leads to it from the top of the branch."""
        self._tree = plan.tree
        self._top = f"{top}/" if top else ""
        self.objects: dict[str, tuple[Object, ...]] = {}  # of each API server that runs a Flux
        if plan.tree.at("delivery/flux/hub"):
            self.objects[HUB] = self._followed("delivery/flux/hub")
        members = plan.tree.at("delivery/flux/members")
        for slug in members if isinstance(members, Tree) else ():
            self.objects[slug] = self._followed(f"delivery/flux/members/{slug}")

    @property
    def applied(self) -> list[Applied]:
        """All Kustomizations."""
        return [
            Applied(server, _cluster(body, server), body, self.built(self._path(body)))
            for server, objects in self.objects.items()
            for body in objects
            if body.get("kind") == "Kustomization"
        ]

    def _followed(self, path: str) -> tuple[Object, ...]:
        """What is applied in a directory, and in those that its Kustomizations lead to on the same server."""
        found: dict[object, Object] = {}
        ahead = [path]
        while ahead:
            for body in self.built(ahead.pop()):
                key = (body.get("kind"), dig(body, "metadata", "name"))
                if key not in found:
                    found[key] = body
                    own = self._path(body) if body.get("kind") == "Kustomization" else ""
                    if own.startswith(f"{path}/parts/"):
                        ahead.append(own)
        return tuple(found.values())

    def _path(self, body: Object) -> str:
        path = text(dig(body, "spec", "path"))
        assert path.startswith(f"./{self._top}")
        return path.removeprefix(f"./{self._top}")

    def built(self, path: str) -> tuple[Object, ...]:
        """The objects that a directory comes to, by its kustomization.yaml."""
        directory = self._tree.at(path)
        assert isinstance(directory, Tree), f"{path} is not there"
        return tuple(_built(directory))


def _built(directory: Tree) -> Iterator[Object]:
    (listing,) = read(directory["kustomization.yaml"])
    names = [text(name) for name in sequence(listing.get("resources"))]
    assert names == sorted(names)
    assert len(names) == len(set(names))
    for name in names:
        node = directory.at(name)
        if isinstance(node, Tree):
            yield from _built(node)
        else:
            yield from read(node)


def read(node: Node | None) -> list[Object]:
    """The objects in a file."""
    assert isinstance(node, Blob)
    return [mapping(document.value) for document in read_stream(node.data, "")]


def _cluster(body: Object, server: str) -> str:
    secret = text(dig(body, "spec", "kubeConfig", "secretRef", "name"))
    return secret.removesuffix("-kubeconfig") if secret else server


def keys(objects: tuple[Object, ...]) -> list[tuple[str, str, str, str]]:
    """The identities of objects."""
    return [identity_of(body).key for body in objects]


def by_name(applied: list[Applied], server: str = HUB) -> Mapping[str, Applied]:
    """The Kustomizations of one API server."""
    return {item.name: item for item in applied if item.server == server}
