"""Where a value comes from, for each cluster, as facts."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Final

from renderer.document.patch import ABSENT, Maybe
from renderer.document.problem import InputError, Position, Problem
from renderer.document.read import read_stream
from renderer.document.values import Object, Value
from renderer.model.cluster import Cluster
from renderer.model.identity import Identity
from renderer.model.plan import Manifest, Rendering
from renderer.model.tree import Blob
from renderer.view.explain.facts import answers_for, manifests_on
from renderer.view.explain.field_path import dot, nearest, parent, resolve
from renderer.view.explain.history import value_at
from renderer.view.explain.origin import Origins
from renderer.view.explain.placing import Placing
from renderer.view.explain.reading import Reading, identity_facts
from renderer.view.redaction import is_secret, redacted

_BODIES: Final = 200  # objects that are searched for a field that looks alike
_NAMES: Final = 8  # fields that a suggestion lists


def field_facts(reading: Reading, found: Sequence[Rendering], path: str, cluster: str = "") -> list[Object]:
    """The answer for each template that has, or had, such a field.

    Raises InputError where none of them has, naming the nearest fields that exist.
    """
    bodies: list[Value] = [
        *(item.template.body for item in found),
        *(manifest.body for item in found for manifest in item.manifests if manifest.body is not None),
    ]
    pointer = resolve(path, bodies)
    answers = [_Field(reading, item, pointer, cluster).facts() for item in found]
    known = [answer for answer in answers if _is_known(answer)]
    if not known and any(_gets(answer) for answer in answers):
        raise InputError(_missing(found, path, pointer, bodies[:_BODIES]))
    return known or answers


def _is_known(answer: Object) -> bool:
    groups = answer["answers"]
    return isinstance(groups, list) and any(group.get("history") for group in groups)


def _gets(answer: Object) -> bool:
    groups = answer["answers"]
    return isinstance(groups, list) and any(group["gets"] for group in groups)


class _Field:
    """One field of one template."""

    def __init__(self, reading: Reading, rendering: Rendering, pointer: str, cluster: str) -> None:
        self.reading = reading
        self.rendering = rendering
        self.pointer = pointer
        self.clusters = [item for item in reading.plan.workspace.clusters if cluster in ("", item.name)]
        self.placing = Placing(reading, rendering, self.clusters)
        self.manifests = manifests_on(rendering, self.clusters)
        self.origins = Origins(reading, rendering)
        self.chains: dict[int, list[Object]] = {}
        self.published: dict[bytes, Maybe] = {}

    def facts(self) -> Object:
        groups: dict[str, tuple[Object, list[Value]]] = {}
        for name, answer in self.answers():
            key = json.dumps(answer)
            groups.setdefault(key, (answer, []))[1].append(name)
        answers: list[Value] = [{"clusters": names, **answer} for answer, names in groups.values()]
        return {
            "object": identity_facts(self.rendering.template.identity),
            "source": self.reading.place(self.rendering.template.document),
            "field": self.pointer,
            "answers": answers,
        }

    def answers(self) -> Iterator[tuple[str, Object]]:
        """For each cluster the value with its history, or why there is none."""
        rows = answers_for(self.reading, self.rendering, self.placing, self.clusters)
        for cluster, row in zip(self.clusters, rows, strict=True):
            if not row["gets"]:
                yield cluster.name, {"gets": False, "because": row["because"]}
            elif "heldBack" in row:
                yield cluster.name, self.kept(row)
            else:
                yield cluster.name, self.written(cluster)

    def kept(self, row: Object) -> Object:
        """A file that stays as last published: what it holds."""
        value = self.in_file(str(row["file"]))
        facts: dict[str, Value] = {"gets": True, "heldBack": row["heldBack"]}
        event: dict[str, Value] = {"kind": "published", "detail": "the file stays as last published"}
        if value is ABSENT:
            return facts
        secret = is_secret(self.rendering.template.identity)
        shown = redacted(value, self.pointer, secret=secret)
        event |= {"value": shown} if shown is not ABSENT else {}
        return {**facts, **_valued(shown), "history": [event]}

    def in_file(self, path: str) -> Maybe:
        """The field's value in a file of the tree."""
        blob = self.reading.plan.tree.at(path)
        data = blob.data if isinstance(blob, Blob) else b""
        if data not in self.published:
            documents = read_stream(data, path)
            self.published[data] = value_at(documents[0].value, self.pointer) if documents else ABSENT
        return self.published[data]

    def written(self, cluster: Cluster) -> Object:
        """A manifest that is written now: the value, and every step to it."""
        manifest = self.manifests[cluster.name]
        if id(manifest) not in self.chains:
            self.chains[id(manifest)] = self.origins.chain(manifest, self.pointer)
        chain = [self.with_share(event, manifest, cluster) for event in self.chains[id(manifest)]]
        value = value_at(manifest.body, self.pointer)
        hide = is_secret(self.rendering.template.identity) or is_secret(manifest.identity)
        shown = redacted(value, self.pointer, secret=hide)
        return {"gets": True, **_valued(shown), **({"history": [*chain]} if chain else {})}

    def with_share(self, event: Object, manifest: Manifest, cluster: Cluster) -> Object:
        """A share of the replicas, or completions, with the reason why it is that much."""
        if event["kind"] == "completions":
            return {**event, "detail": "divided in proportion to the replicas"}
        if event["kind"] != "replicas":
            return event
        return {**event, "detail": "; ".join(self.placing.grounds(manifest, cluster))}


def _valued(value: Maybe) -> Object:
    return {} if value is ABSENT else {"value": value}


def _missing(found: Sequence[Rendering], path: str, pointer: str, bodies: Sequence[Value]) -> Problem:
    dotted = not path.startswith("/")
    near = nearest(pointer, bodies, dotted=dotted)
    above, names = parent(pointer, bodies)
    place = (dot(above) if dotted else above) or "the object"
    listed = ", ".join(names[:_NAMES]) + (", …" if len(names) > _NAMES else "")
    return Problem(
        where=Position("explain"),
        what=f"{_identities(found)} has no field {path} on any cluster, and never had",
        why=f"{place} has: {listed}" if names else f"{place} has nothing below it",
        fix=f"ask for {' or '.join(near)}" if near else "name the field as /spec/replicas or spec.replicas",
    )


def _identities(found: Sequence[Rendering]) -> str:
    identities: list[Identity] = [item.template.identity for item in found]
    return ", ".join(map(str, identities))
