"""`krender render --cluster NAME --stdout`: what one cluster gets, printed whole or not at all."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import click

from renderer.cli.inputs import clock, read
from renderer.cli.memory import remembered
from renderer.cli.planning import report
from renderer.edge.places import in_worktree
from renderer.edge.progress import step
from renderer.edge.published import read_published
from renderer.model.cluster import Cluster
from renderer.model.errors import StoppedError
from renderer.model.tree import EMPTY_TREE
from renderer.model.workspace import Workspace
from renderer.pipeline import render
from renderer.view.manifests import stream, untold

cluster_option = click.option("--cluster", metavar="NAME", help="With --stdout: the cluster.")
stdout_option = click.option(
    "--stdout", "is_printed", is_flag=True, help="Print what a cluster gets, as a YAML stream; write nothing."
)
allow_empty_option = click.option(
    "--allow-empty", is_flag=True, help="With --stdout: a cluster may get nothing at all."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Printing:
    """What is to be printed; `memory` is a rendered directory, of which nothing is written."""

    cluster: str
    memory: Path | None = None
    fresh: bool = False
    allow_empty: bool = False
    now: str | None = None


def asked_to_print(cluster: str | None, *, is_printed: bool, alone: bool) -> str:
    """The cluster; `alone` where no option was given that tells how to write. Raises UsageError."""
    if not is_printed:
        raise click.UsageError("--cluster and --allow-empty go with --stdout: a directory holds all clusters")
    if cluster is None:
        raise click.UsageError("--stdout prints what one cluster gets: name it with --cluster")
    if not alone:
        raise click.UsageError(
            "--stdout prints all of a cluster or nothing, and writes nothing: "
            "only --cluster, --allow-empty, -o, --fresh and --now go with it"
        )
    return cluster


def print_manifests(root: Path, asked: Printing) -> int:
    """Print them and return the exit code.

    Whoever applies them deletes what is not among them, so nothing is printed unless all is known. Raises
    StoppedError where something is not, and where there is nothing.
    """
    if asked.memory and not asked.memory.is_dir():
        raise click.UsageError(
            f"{asked.memory} is no directory: with --stdout, -o names what was rendered before"
        )
    loaded = read(root, [asked.memory] if asked.memory else ())
    cluster = _cluster(loaded, asked.cluster)
    output = loaded.config.output
    memory = asked.memory or in_worktree(root, directory=output.directory, path=output.path, repo=output.repo)
    previous = remembered(read_published(memory) if memory else EMPTY_TREE, fresh=asked.fresh)
    step("rendering")
    plan = render(loaded, previous, clock(asked.now, root), fresh=asked.fresh)
    if report(plan, root, keep_going=False, output=memory, stopped="nothing was printed"):
        return 1
    kept = untold(plan, cluster)
    if kept:
        raise StoppedError(
            f"what {cluster.name} has cannot be told: {', '.join(kept)}",
            "it stays there as it was published, and whoever applies the stream would delete it",
            "name the rendered directory that holds it with -o, or let it go on",
        )
    manifests = stream(plan, cluster)
    if not (manifests or asked.allow_empty):
        raise StoppedError(
            f"{cluster.name} gets nothing",
            "whoever applies an empty stream deletes everything",
            f"ask why: `krender explain cluster/{cluster.name} {root}`; if it is right, add --allow-empty",
        )
    click.echo(manifests, nl=False)
    return 0


def _cluster(workspace: Workspace, name: str) -> Cluster:
    """The cluster of that name. Raises UsageError where there is none."""
    clusters = {cluster.name: cluster for cluster in workspace.clusters}
    if name in clusters:
        return clusters[name]
    if not name:
        raise click.UsageError("--cluster names no cluster: is the variable set that it was made of?")
    from difflib import get_close_matches

    near = get_close_matches(name, clusters, n=1)
    hint = f": did you mean {near[0]!r}?" if near else f" ({len(clusters)} others are)"
    raise click.UsageError(f"the cluster {name!r} is not in the inventory{hint}")
