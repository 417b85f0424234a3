"""Workspaces as a dict of texts, and what loading them comes to."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from renderer.document.file import SourceFile
from renderer.document.problem import InputError, Problem
from renderer.load.workspace import load
from renderer.model.workspace import Workspace

INVENTORY = "apiVersion: krender.io/v1alpha1\nkind: ClusterInventory\nspec: {clusters: [{name: east}]}\n"


def files(texts: Mapping[str, str | bytes]) -> list[SourceFile]:
    """The files of a workspace."""
    return [
        SourceFile(path=path, data=text if isinstance(text, bytes) else text.encode())
        for path, text in texts.items()
    ]


def loaded(texts: Mapping[str, str | bytes], *, lenient: bool = False) -> Workspace:
    """The workspace; a cluster is in it, so that it has an inventory."""
    return load(files({"zz-inventory.yaml": INVENTORY, **texts}), lenient=lenient)


def refused(texts: Mapping[str, str | bytes]) -> list[str]:
    """The problems of a workspace that cannot be loaded, a line each."""
    with pytest.raises(InputError) as caught:
        loaded(texts)
    return lines(caught.value.problems)


def warned(texts: Mapping[str, str | bytes]) -> list[str]:
    """The warnings about a workspace that can be loaded, a line each."""
    return lines(loaded(texts).problems)


def lines(problems: tuple[Problem, ...]) -> list[str]:
    """Where, how severe, what, and how to fix it; every problem must say why."""
    assert all(problem.why and problem.fix for problem in problems)
    return [f"{problem.where}: {_severity(problem)}{problem.what} | {problem.fix}" for problem in problems]


def _severity(problem: Problem) -> str:
    return "" if problem.severity == "error" else f"{problem.severity}: "
