"""The commit message: what changed where, short however many clusters there are, and where it came from."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from renderer.model.published import Source
from renderer.model.tree import Tree
from renderer.publish.changes import Changes, ClusterChanges, Counts, FileChanges
from renderer.publish.trailers import (
    INPUT_TRAILER,
    PATH_TRAILER,
    SETTLED,
    SETTLED_TRAILER,
    SOURCE_TRAILER,
    TREE_TRAILER,
    VERSION_TRAILER,
)

_WIDTH = 72  # characters of a subject
_GROUPS = 20  # clusters that change alike are one group
_NAMES = 3  # clusters named of a group
_PATHS = 10  # files named of a group
# Argo CD shows these of the commit an application is at; whoever set them meant the rendered one, too.
_FORWARDED = re.compile(r"Argocd-reference-commit-[A-Za-z-]+: .+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Where a plan comes from: the version of krender, a digest of all input, the source commit if any.

    `date` becomes the commit's, in seconds since 1970. `settled` tells of the tree that will be published,
    with ids by that algorithm, whether the same input would give it again at any time; it may take as long as
    a render.
    """

    version: str
    input_digest: str
    date: int
    source: Source | None = None
    settled: Callable[[Tree, str], bool] = field(default=lambda _tree, _algorithm: False, compare=False)


def message(
    changes: Changes, origin: Origin, tree: str | None = None, path: str = "", *, settled: bool = False
) -> str:
    """The whole message. `tree` is the id of the tree, given where krender wrote all that is in it.

    `path` is where on the branch it lies, if not at the top. `settled` says that the same input gives that
    tree again.
    """
    source = origin.source
    paragraphs = [
        _cut(f"render: {_subject(changes)}"),
        *([f"Rendered from {source.commit[:12]}: {_cut(_shown(source.subject))}"] if source else []),
        *_body(changes),
        "\n".join(_trailers(origin, tree, path, settled=settled)),
    ]
    return "\n\n".join(paragraphs) + "\n"


def _subject(changes: Changes) -> str:
    """What changed, in a few words."""
    counts = _counted(changes.counts)
    names = [cluster.cluster for cluster in changes.clusters]
    moved = sum(bool(cluster.was) for cluster in changes.clusters)
    if moved:
        counts = ", ".join(filter(None, (counts, f"{_plural(moved, 'cluster')} renamed")))
    if not counts:
        return "record what krender wrote"
    if not names:
        return f"{counts} beside the clusters"
    return f"{counts} in {names[0] if len(names) == 1 else f'{len(names)} clusters'}"


def _body(changes: Changes) -> Iterator[str]:
    """A paragraph for each group of clusters that change alike, and one for what lies elsewhere."""
    groups: dict[tuple[FileChanges, bool, bool, bool], list[ClusterChanges]] = {}
    for cluster in changes.clusters:
        key = (cluster.files, cluster.new, cluster.gone, bool(cluster.was))
        groups.setdefault(key, []).append(cluster)
    ordered = sorted(groups.values(), key=lambda group: (-len(group), group[0].cluster))
    for group in ordered[:_GROUPS]:
        yield "\n".join([f"{_title(group)}:", *(_paths(group[0].files) or ["  the same files"])])
    rest = [cluster for group in ordered[_GROUPS:] for cluster in group]
    if rest:
        counts = Changes(clusters=tuple(rest)).counts
        yield f"{_plural(len(rest), 'more cluster')}: {_counted(counts)}"
    if changes.elsewhere.counts != (0, 0, 0):
        yield "\n".join(["Elsewhere:", *_paths(changes.elsewhere)])


def _title(group: Sequence[ClusterChanges]) -> str:
    """Name the clusters of a group."""
    names = ", ".join(_named(cluster) for cluster in group[:_NAMES])
    more = f" and {len(group) - _NAMES} more" if len(group) > _NAMES else ""
    state = " (new)" if group[0].new else " (gone)" if group[0].gone else ""
    return f"In {names}{more}{state}"


def _named(cluster: ClusterChanges) -> str:
    """A cluster, with the name it had."""
    return (
        f"{_shown(cluster.cluster)} (was {_shown(cluster.was)})" if cluster.was else _shown(cluster.cluster)
    )


def _paths(files: FileChanges) -> list[str]:
    """Name the files of a group."""
    lines = [
        *(("removed", path) for path in files.removed),
        *(("added", path) for path in files.added),
        *(("changed", path) for path in files.changed),
    ]
    named = [f"  {what:<7} {_shown(path)}" for what, path in lines[:_PATHS]]
    if len(lines) > _PATHS:
        named.append(f"  and {len(lines) - _PATHS} more, of all {len(lines)}: {_counted(files.counts)}")
    return named


def _trailers(origin: Origin, tree: str | None, path: str, *, settled: bool) -> Iterator[str]:
    """The last paragraph, in the form that `git interpret-trailers` reads."""
    if origin.source:
        yield f"{SOURCE_TRAILER}: {origin.source.commit}{'-dirty' if origin.source.dirty else ''}"
    yield f"{VERSION_TRAILER}: {origin.version}"
    yield f"{INPUT_TRAILER}: {origin.input_digest}"
    if path:
        yield f"{PATH_TRAILER}: {_shown(path)}"
    if tree:
        yield f"{TREE_TRAILER}: {tree}"
        if settled:
            yield f"{SETTLED_TRAILER}: {SETTLED}"
    if origin.source:
        lines = origin.source.message.rstrip("\n").rsplit("\n\n", 1)[-1].split("\n")
        yield from (_shown(line) for line in lines if _FORWARDED.fullmatch(line))


def _counted(counts: Counts) -> str:
    """`2 added, 1 removed`; empty where nothing is."""
    words = ("added", "changed", "removed")
    return ", ".join(f"{count} {word}" for count, word in zip(counts, words, strict=True) if count)


def _plural(count: int, word: str) -> str:
    """`1 cluster`, `2 clusters`."""
    return f"{count} {word}{'' if count == 1 else 's'}"


def _shown(text: str) -> str:
    """Text that may come from anywhere, on one line and printable."""
    return "".join(character if character.isprintable() else "?" for character in text)


def _cut(text: str) -> str:
    """Text of bearable length."""
    return text if len(text) <= _WIDTH else f"{text[: _WIDTH - 1]}…"
