"""Findings about replicas that a member is to keep, and that are written all the same."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from renderer.check.finding import Rule
from renderer.document.problem import Problem
from renderer.document.values import dig
from renderer.model.carried import Mark, marks, written
from renderer.model.plan import Manifest, Plan
from renderer.model.variants import alike

WRITTEN: Final = Rule(id="KR809", title="Replicas that a cluster is to keep are written")

RULES: Final = (WRITTEN,)

# Source: Karmada pkg/util/constants.go; pkg/resourceinterpreter/default/native/retain.go.
_RETAIN: Final = Mark("labels", "resourcetemplate.karmada.io/retain-replicas", "true")
_PATH: Final = "/spec/replicas"


def retained_findings(plan: Plan) -> Iterator[Problem]:
    """All findings of this family: one a template."""
    for rendering in written(plan):
        identity = rendering.template.identity
        if (identity.api_version, identity.kind) != ("apps/v1", "Deployment"):
            continue
        if _RETAIN in marks(rendering, lambda _, key: key == _RETAIN.key) and any(
            map(_writes, alike(rendering.manifests))
        ):
            yield WRITTEN.at(
                rendering.template.document,
                _RETAIN.pointer,
                what=f"{identity} has {_RETAIN}, and its replicas are written",
                why="Karmada leaves alone what an autoscaler has set there; who applies a file sets it back",
                fix="add the autoscaler to the workspace, or leave replicas out of the template",
            )


def _writes(manifest: Manifest) -> bool:
    """Whether the engine is given replicas and not told to leave them alone."""
    ignored = any(item.ignored and item.path == _PATH for item in manifest.adapted)
    return dig(manifest.body, "spec", "replicas") is not None and not ignored
