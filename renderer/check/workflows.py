"""Findings about workflows of GitHub that run krender, and that its own commits start.

Source: GitHub's documentation of `on.push` and of its filter patterns. A push starts workflows that stand in
the commit that is pushed, and a push with the job's own GITHUB_TOKEN starts none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from renderer.check.finding import Rule
from renderer.document.problem import Problem
from renderer.document.source import Document
from renderer.document.values import Object, Value, dig, mapping, sequence, text
from renderer.model.plan import Plan
from renderer.model.surroundings import Surroundings

STARTS_ITSELF: Final = Rule(id="KR821", title="A workflow starts itself")

RULES: Final = (STARTS_ITSELF,)

_PUBLISHES: Final = re.compile(r"(?:\bkrender|-m\s+renderer)\s[^|;&\n]*\bpublish\b")
_ACTION: Final = re.compile(r"(?:^|/)krender(?:/[^@]*)?@")
_SAMPLES: Final = ("clusters/a/b/deployment.apps.c.yaml", ".krender/owned")
_MOST: Final = 16  # stars of a pattern that is worth the time
_FILTERS: Final = ("branches", "branches-ignore", "tags", "tags-ignore")


def workflow_findings(plan: Plan, around: Surroundings) -> Iterator[Problem]:
    """All findings of this family: one a workflow."""
    output = plan.workspace.config.output
    if output.repo or output.directory:
        return
    samples = [f"{output.path}/{sample}".lstrip("/") for sample in _SAMPLES]
    for document in around.workflows:
        workflow = mapping(document.value)
        # `on` is true where YAML is read as Kubernetes does.
        key = "on" if "on" in workflow else "true"
        pushes, push = _push(workflow.get(key))
        if pushes and _starts(push, output.branch, samples) and _publishes(workflow):
            yield _finding(document, f"/{key}/push", output.branch, shared=_shared(plan, around))


def _finding(document: Document, pointer: str, branch: str, *, shared: bool) -> Problem:
    name = document.file.rpartition("/")[2]
    saved = "a push with the job's own GITHUB_TOKEN starts nothing"
    if not shared:
        saved = f"the branch does not have this file, and {saved}"
    return STARTS_ITSELF.at(
        document,
        pointer,
        what=f"the workflow {name} publishes to the branch {branch}, and runs when something is pushed there",
        why=f"all that keeps it from starting itself, again and again, is that {saved}",
        fix=f"write paths-ignore below push for what krender writes on {branch}"
        if shared
        else "name the branches to publish from below push: branches: [main]",
    )


def _shared(plan: Plan, around: Surroundings) -> bool:
    """Whether the source lies on the branch as well."""
    output = plan.workspace.config.output
    return bool(output.path) or output.branch == around.branch


def _push(stated: Value) -> tuple[bool, Object]:
    """Whether a push starts it, and what is said of it."""
    if isinstance(stated, dict):
        return "push" in stated, mapping(stated.get("push"))
    return stated == "push" or "push" in sequence(stated), {}


def _starts(push: Object, branch: str, samples: Sequence[str]) -> bool:
    """Whether a commit of krender's on its branch passes the filters."""
    named = {name: [text(item) for item in _listed(push.get(name))] for name in _FILTERS if name in push}
    if named and not any(name.startswith("branches") for name in named):
        return False  # tags alone
    if "branches" in named and not _selected(named["branches"], branch):
        return False
    if "branches-ignore" in named and _selected(named["branches-ignore"], branch):
        return False
    paths, ignored = _listed(push.get("paths")), _listed(push.get("paths-ignore"))
    if paths and not any(_selected([text(item) for item in paths], sample) for sample in samples):
        return False
    return not (ignored and all(_selected([text(item) for item in ignored], sample) for sample in samples))


def _listed(value: Value) -> Sequence[Value]:
    return [value] if isinstance(value, str) else sequence(value)


def _selected(patterns: Sequence[str], name: str) -> bool:
    """Whether the last pattern that matches does not begin with `!`."""
    selected = False
    for pattern in patterns:
        if _matches(pattern.removeprefix("!"), name):
            selected = not pattern.startswith("!")
    return selected


def _matches(pattern: str, name: str) -> bool:
    try:
        return pattern.count("*") <= _MOST and re.fullmatch(_expression(pattern), name) is not None
    except re.error:
        return False  # it matches nothing for GitHub either


def _expression(pattern: str) -> str:
    """GitHub's pattern: `*` does not cross a slash, `**` does, `?` and `+` are about what stands before."""
    parts = re.findall(r"\*\*/|\*+|\[[^\]]*\]|[?+]|\\.|.", pattern)
    words = {"**/": "(?:.*/)?", "*": "[^/]*", "?": "?", "+": "+"}
    return "".join(
        words.get(part) or (".*" if part[0] == "*" else part if part[0] == "[" else re.escape(part[-1]))
        for part in parts
    )


def _publishes(workflow: Object) -> bool:
    """Whether a job runs krender to publish, unless it looks at what it was started for."""
    for job in map(mapping, mapping(workflow.get("jobs")).values()):
        if "github.ref" in text(job.get("if")) or "ref_name" in text(job.get("if")):
            continue
        if _ACTION.search(text(job.get("uses"))):
            return True
        for step in map(mapping, sequence(job.get("steps"))):
            guarded = "github.ref" in text(step.get("if"))
            runs = _PUBLISHES.search(text(step.get("run"))) or _ACTION.search(text(step.get("uses")))
            if runs and not guarded and dig(step, "with", "mode") != "check":
                return True
    return False
