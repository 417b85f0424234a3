"""What is wrong with `spec.tenants` of `krender.yaml`, beyond its shape."""

from __future__ import annotations

from collections.abc import Iterator

from renderer.document.problem import Problem
from renderer.document.source import Document
from renderer.document.values import Object, dig, mapping, sequence, text
from renderer.load.wording import show, told
from renderer.match.tenants import ANYTHING, meet

_PATTERNS = ("namespaces", "clusters", "kinds")


def tenant_problems(document: Document, value: Object) -> Iterator[Problem]:
    """Names that are there twice, patterns that cannot be, and namespaces of two teams."""
    teams = [mapping(team) for team in sequence(dig(value, "spec", "tenants"))]
    names: dict[str, int] = {text(dig(value, "spec", "delivery", "argocd", "project")) or "krender": -1}
    owners: list[tuple[str, str]] = []  # pattern and team
    for index, team in enumerate(teams):
        name, pointer = text(team.get("name")), f"/spec/tenants/{index}"
        if name in names:
            yield _named_twice(document, pointer, name, earlier=names[name])
        names.setdefault(name, index)
        yield from _patterns(document, pointer, team)
        yield from _paths(document, pointer, team)
        for number, namespace in enumerate(map(text, sequence(team.get("namespaces")))):
            rival = next((item for item in owners if item[1] != name and meet(item[0], namespace)), None)
            if rival:
                yield _two_owners(document, f"{pointer}/namespaces/{number}", namespace, name, rival)
            owners.append((namespace, name))


def _named_twice(document: Document, pointer: str, name: str, earlier: int) -> Problem:
    other = "the project of what belongs to no team" if earlier < 0 else "another team"
    return told(
        document,
        f"{pointer}/name",
        f"the team {show(name)} has the name of {other}",
        why="projects and accounts are made by name: the two would be one",
        fix="give it another name",
    )


def _two_owners(
    document: Document, pointer: str, namespace: str, name: str, rival: tuple[str, str]
) -> Problem:
    return told(
        document,
        pointer,
        f"the namespace {show(namespace)} of {name} can be {show(rival[0])} of {rival[1]}",
        why="what lives there would belong to two teams",
        fix="write patterns that no one namespace can fit both",
    )


def _patterns(document: Document, pointer: str, team: Object) -> Iterator[Problem]:
    for field in _PATTERNS:
        for number, pattern in enumerate(map(text, sequence(team.get(field)))):
            if ANYTHING in pattern[:-1]:
                yield told(
                    document,
                    f"{pointer}/{field}/{number}",
                    f"{show(pattern)} has a * that is not at its end",
                    why="it would stand for itself, and fit nothing",
                    fix="write a name, or the beginning of names and a *",
                )


def _paths(document: Document, pointer: str, team: Object) -> Iterator[Problem]:
    for number, path in enumerate(map(text, sequence(team.get("paths")))):
        parts = path.rstrip("/").split("/")
        if any(part in ("", ".", "..") for part in parts) or not path.isprintable():
            yield told(
                document,
                f"{pointer}/paths/{number}",
                f"{show(path)} is no path of the workspace",
                why="no file of the workspace could lie there",
                fix="write a directory or file as seen from the workspace, such as apps/web",
            )
