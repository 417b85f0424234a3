"""What is known of the settings before a workspace is read."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from renderer.load.config import read_config
from renderer.load.peek import Peeked, peek
from renderer.model.config import WorkspaceConfig

HEAD = {"apiVersion": "krender.io/v1alpha1", "kind": "Workspace"}
DEFAULTS = WorkspaceConfig()

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
outputs = st.fixed_dictionaries(
    {}, optional={key: texts | st.none() for key in ("branch", "repo", "path", "directory")}
)
limits = st.fixed_dictionaries({}, optional={"fileBytes": st.integers(-2, 100) | st.booleans() | st.floats()})


@given(outputs, limits)
def test_of_settings_that_are_right_it_knows_what_the_loader_knows(
    output: dict[str, str | None], limit: dict[str, float]
) -> None:
    data = json.dumps({**HEAD, "spec": {"output": output, "limits": limit}}).encode()
    config, problems = read_config(data)
    peeked = peek(data)
    if not problems:
        assert (peeked.branch or DEFAULTS.output.branch) == config.output.branch
        assert (peeked.repo, peeked.path) == (config.output.repo, config.output.path)
        assert (peeked.directory, peeked.file_bytes) == (config.output.directory, config.limits.max_bytes)


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"\xff", id="no-text"),
        pytest.param(b"[", id="no-yaml"),
        pytest.param(b"", id="no-document"),
        pytest.param(b"spec: {output: {path: a}}\n---\nspec: {output: {path: a}}", id="two-documents"),
        pytest.param(b"- spec", id="a-list"),
        pytest.param(b"spec: {output: [path], limits: 3}", id="other-types"),
        pytest.param(b'spec: {output: {path: "a\\0b"}}', id="a-path-no-system-takes"),
        pytest.param(b"spec: {limits: {fileBytes: -1}}", id="a-limit-that-is-none"),
    ],
)
def test_what_is_wrong_keeps_nobody_from_looking(data: bytes) -> None:
    assert peek(data) == Peeked()
