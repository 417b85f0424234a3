"""Each change as a line for people; text and Markdown share them."""

from __future__ import annotations

import json
from collections.abc import Sequence

from renderer.document.values import Object, Value, mapping, sequence, text
from renderer.view.problems import printable

_NAMED = 3  # clusters named; more are counted
_LONGEST = 100  # characters of a value


def object_title(facts: Object) -> str:
    """`Deployment shop/web`."""
    identity = mapping(facts.get("object"))
    name, namespace = text(identity.get("name")), text(identity.get("namespace"))
    return printable(f"{text(identity.get('kind'))} {f'{namespace}/{name}' if namespace else name}")


def change_line(change: Object) -> str:
    """One change of an object."""
    return printable(f"{_told(change)}{_because(change)}")


def cluster_lines(facts: Object) -> list[str]:
    """Clusters that come, go, or are called otherwise."""
    clusters = mapping(facts.get("clusters"))
    lines = [
        f"cluster {text(item.get('from'))} is called {text(item.get('to'))} now"
        for item in map(mapping, sequence(clusters.get("renamed")))
    ]
    for key, word in (("gained", "new"), ("lost", "gone")):
        found = [mapping(item) for item in sequence(clusters.get(key))]
        if found:
            objects = sum(number for item in found if isinstance(number := item.get("objects"), int))
            names = [text(item.get("cluster")) for item in found]
            lines.append(
                f"{plural(len(found), 'cluster')} {word}, with {plural(objects, 'object')}: {some(names)}"
            )
    return [printable(line) for line in lines]


def unit_lines(facts: Object) -> list[str]:
    """What becomes of Applications and Kustomizations: `2 Applications deleted: a, b`."""
    return [printable(_unit_line(mapping(item))) for item in sequence(facts.get("units"))]


def _unit_line(item: Object) -> str:
    names = [text(name) for name in sequence(item.get("names"))]
    number = plural(len(names), text(item.get("kind")))
    if item.get("change") != "field":
        return f"{number} {text(item.get('change'))}: {some(names)}"
    before, after = (_value(item.get(end)) for end in ("before", "after"))
    return f"{number} with another {text(item.get('path'))}, {before} -> {after}: {some(names)}"


def file_line(item: Object) -> str:
    """`changed shop/service.web.yaml on 3 clusters: a, b, c`, `added   delivery/flux/rbac: 9 files`."""
    where = f" {on(sequence(item.get('clusters')))}" if "clusters" in item else ""
    where += f": {item.get('files')} files" if "files" in item else ""
    return printable(f"{text(item.get('change')):<7} {text(item.get('path'))}{where}")


def on(clusters: Sequence[Value]) -> str:
    """`on a`, `on 12 clusters: a, b, c and 9 more`."""
    names = [text(name) for name in clusters]
    return f"on {names[0]}" if len(names) == 1 else f"on {len(names)} clusters: {some(names)}"


def some(names: Sequence[str]) -> str:
    """The first few names, and how many more there are."""
    shown = ", ".join(names[:_NAMED])
    return shown if len(names) <= _NAMED else f"{shown} and {len(names) - _NAMED} more"


def plural(count: int, word: str) -> str:
    """`1 object`, `2 objects`."""
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


def _told(change: Object) -> str:
    clusters = sequence(change.get("clusters"))
    match change.get("change"):
        case "moved":
            number = change.get("replicas")
            count = plural(number, "replica") if isinstance(number, int) else "replicas"
            verb = "moves" if number == 1 else "move"
            return f"{count} {verb} from {_ends(change, 'source')} to {_ends(change, 'target')}"
        case "scaled":
            return f"replicas in all: {change.get('before')} -> {change.get('after')}"
        case "scaledEach":
            return f"replicas on each cluster: {change.get('before')} -> {change.get('after')} {on(clusters)}"
        case "replicas":
            return f"replicas: {change.get('before')} -> {change.get('after')} {on(clusters)}"
        case "placed":
            return f"placed {_with(change)}{on(clusters)}"
        case "nowhere":
            return f"placed nowhere any more; it was {_with(change)}{on(clusters)}"
        case "joins":
            return f"placed {on(clusters)}, too"
        case "leaves":
            return f"placed no more {on(clusters)}"
        case "claim":
            return _claim(change)
        case "unscheduled":
            return f"cannot be scheduled ({text(change.get('condition'))}): {text(change.get('message'))}"
        case "field":
            return _field(change, clusters)
        case "notLookedInto":
            return f"changed {on(clusters)}; too many to look into each"
        case other:
            return f"{other} {on(clusters)}"


def _ends(change: Object, end: str) -> str:
    """Where replicas leave, or go."""
    names = [text(name) for name in sequence(change.get(f"{end}s"))]
    return f"{len(names)} clusters ({some(names)})" if names else text(change.get(end))


def _with(change: Object) -> str:
    replicas = change.get("replicas")
    return f"with {plural(replicas, 'replica')} " if isinstance(replicas, int) else ""


def _claim(change: Object) -> str:
    before, after = text(change.get("before")), text(change.get("after"))
    source = f" ({text(change.get('source'))})" if change.get("source") else ""
    if not after:
        return f"claimed by nobody any more; it was {before}'s"
    return f"claimed by {after}{source}" + (f" instead of {before}" if before else "")


def _field(change: Object, clusters: Sequence[Value]) -> str:
    path, variants = text(change.get("path")), change.get("variants")
    before = _value(change["before"]) if "before" in change else ""
    after = _value(change["after"]) if "after" in change else ""
    if before and after:
        told = f"{path}: {before} -> {after}"
    else:
        told = f"{path}: {after} added" if after else f"{path}: {before} removed"
    differently = f" (and {variants - 1} other values)" if isinstance(variants, int) else ""
    return f"{told}{differently} {on(clusters)}"


def _value(value: Value) -> str:
    """A value on one line: text as it is, anything else as JSON."""
    shown = value if isinstance(value, str) and value else json.dumps(value, ensure_ascii=False)
    return shown if len(shown) <= _LONGEST else f"{shown[: _LONGEST - 1]}…"


def _because(change: Object) -> str:
    because = text(change.get("because"))
    if not because:
        return ""
    return f", by {because}" if change.get("change") == "field" else f", because {because}"
