"""The two states that `krender diff` compares: workspaces, plan files, and what is published."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

import click

from renderer.check.failures import failures
from renderer.cli.inputs import clock, located, read, shown_path
from renderer.cli.memory import published_tree, remembered
from renderer.cli.target import Target, opened, shown_target
from renderer.document.problem import InputError
from renderer.edge.git import GitRepository
from renderer.edge.place import is_in_repository
from renderer.edge.plan_files import is_plan, read_plan
from renderer.edge.progress import step
from renderer.edge.published import read_owned, read_published
from renderer.model.errors import StoppedError
from renderer.model.plan import Plan
from renderer.model.published import Tip
from renderer.model.tree import EMPTY_TREE, Tree
from renderer.model.workspace import Workspace
from renderer.pipeline import render
from renderer.publish.ownership import settle
from renderer.publish.plan_reader import decode
from renderer.publish.publisher import published_at
from renderer.schedule.renamed import moved_directories
from renderer.view.diff.reasons import OfPlan, OfRecord
from renderer.view.diff.side import Side

# Old state, new state, and how both name objects.
Sides: TypeAlias = tuple[Side, Side, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What the command line says about a comparison."""

    target: Target
    revision: str | None = None
    output: Path | None = None
    now: str | None = None
    fresh: bool = False


@contextmanager
def sides(states: tuple[Path, ...], asked: Asked) -> Iterator[Sides]:
    """The states to compare; what they need of a repository can be read as long as the block runs.

    Raises InputError where a workspace does not render.
    """
    last = states[-1] if states else Path()
    plans = [is_plan(state) for state in states]
    if len(states) == 2 and plans[0] != plans[1]:
        raise click.UsageError("compare two workspaces, or two plan files")
    if len(states) == 2:
        yield _two_plans(*states) if plans[0] else _two_workspaces(states[0], last, asked)
        return
    with _one_plan(last, asked) if any(plans) else _one_workspace(last, asked) as found:
        yield found


@contextmanager
def _one_workspace(root: Path, asked: Asked) -> Iterator[Sides]:
    """A workspace against what is published, or was."""
    loaded = read(root, [asked.output] if asked.output else ())
    settings, target = loaded.config.output, asked.target
    named = asked.revision or target.repo or target.branch or target.push
    directory = asked.output or (root / settings.directory if settings.directory and not named else None)
    if directory is not None:
        found = read_published(directory)
        plan = _rendered(loaded, root, found, asked)
        old = _published(str(directory), read_owned(directory, found))
        yield old, _planned(root, plan, plan.tree, old), "sha1"
    elif not (settings.repo or target.repo or is_in_repository(root)):
        plan = _rendered(loaded, root, EMPTY_TREE, asked)
        old = _published("nothing published", EMPTY_TREE)
        yield old, _planned(root, plan, plan.tree, old), "sha1"
    else:
        with opened(loaded, root, target, to_write=False) as repository:
            tip = repository.tip()
            plan = _rendered(loaded, root, published_at(tip, settings.path), asked)
            base = repository.at(asked.revision) if asked.revision else tip
            old = _at(base, settings.path, asked.revision or shown_target(loaded, target))
            whole = _settled(base, plan.tree, settings.path, repository)
            yield old, _planned(root, plan, whole, old), repository.algorithm


@contextmanager
def _one_plan(path: Path, asked: Asked) -> Iterator[Sides]:
    """A plan file against the commit it was made on, or a revision."""
    plan = decode(read_plan(path))
    target = replace(asked.target, branch=asked.target.branch or plan.branch)
    with opened(Workspace(), Path(), target, to_write=False) as repository:
        if target.push or target.repo:
            repository.tip()  # fetched, so that the commit is there
        revision = asked.revision or plan.tip
        base = repository.at(revision) if revision else None
        old = _at(base, plan.path, asked.revision or plan.branch)
        if repository.algorithm != plan.algorithm:
            raise _other_algorithm()
        whole = _settled(base, plan.tree, plan.path, repository)
        new = replace(_published(str(path), plan.tree), tree=whole, why=OfRecord(plan.reasons))
        yield old, new, plan.algorithm


def _two_plans(one: Path, other: Path) -> Sides:
    first, second = decode(read_plan(one)), decode(read_plan(other))
    if first.algorithm != second.algorithm:
        raise _other_algorithm()
    new = replace(_published(str(other), second.tree), why=OfRecord(second.reasons))
    return _published(str(one), first.tree), new, second.algorithm


def _two_workspaces(one: Path, other: Path, asked: Asked) -> Sides:
    """Both on the memory of the second, so that only the files make a difference."""
    first, second = read(one), read(other)
    with published_tree(second, other, target=asked.target) as before:
        plans = [_rendered(loaded, root, before, asked) for loaded, root in ((first, one), (second, other))]
        old = _planned(one, plans[0], plans[0].tree, Side(label=""))
        return old, _planned(other, plans[1], plans[1].tree, old), "sha1"


def _rendered(workspace: Workspace, root: Path, before: Tree, asked: Asked) -> Plan:
    """The plan of a workspace. Raises InputError where anything fails."""
    memory = remembered(before, fresh=asked.fresh)
    step("rendering")
    plan = render(workspace, memory, clock(asked.now, root), fresh=asked.fresh)
    failed = failures(plan)
    if failed:
        raise InputError(*located(failed, root))
    return plan


def _planned(root: Path, plan: Plan, tree: Tree, old: Side) -> Side:
    """A plan as a state: its tree, with foreign files that stay in it, and its reasons."""
    clusters = plan.workspace.clusters
    return Side(
        label=str(root),
        tree=tree,
        bindings=remembered(plan.tree, fresh=True).bindings,
        why=OfPlan(plan, shown_path(root)),
        names={cluster.slug: cluster.name for cluster in clusters},
        renamed={cluster.previous_name: cluster.name for cluster in clusters if cluster.previous_name},
        moved=moved_directories(old.tree, clusters),
    )


def _published(label: str, tree: Tree) -> Side:
    """A tree as a state."""
    return Side(label=label, tree=tree, bindings=remembered(tree, fresh=True).bindings)


def _at(tip: Tip | None, path: str, label: str) -> Side:
    """What lies at a commit as a state."""
    if tip is None:
        return _published(f"{label} (nothing published)", EMPTY_TREE)
    return _published(f"{label} ({tip.commit[:12]})", published_at(tip, path))


def _settled(tip: Tip | None, tree: Tree, path: str, repository: GitRepository) -> Tree:
    """The tree with what is foreign on the branch, so that this makes no difference."""
    there = published_at(tip, path)
    if tip is None or not there:
        return tree
    branch, algorithm = repository.branch, repository.algorithm
    return settle(replace(tip, tree=there), tree, branch=branch, algorithm=algorithm, adopt=True).tree


def _other_algorithm() -> StoppedError:
    return StoppedError(
        "the two states name objects in different ways",
        "their files cannot be compared by name",
        "make the plan anew in this repository",
    )
