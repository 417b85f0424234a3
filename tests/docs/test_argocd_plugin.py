"""The plugin of docs/argocd-plugin.md does what Argo CD asks of one: its commands are run as they stand."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.crds import faults
from tests.docs.yaml_blocks import ROOT, objects_in, of_kind

PAGE = "argocd-plugin.md"
PLUGIN = yaml.safe_load(of_kind(PAGE, "ConfigMap")["data"]["plugin.yaml"])["spec"]
BUILD_ENVIRONMENT = {  # what Argo CD sets in any case
    "ARGOCD_APP_NAME": "us",
    "ARGOCD_APP_NAMESPACE": "argocd",
    "ARGOCD_APP_PROJECT_NAME": "default",
    "ARGOCD_APP_REVISION": "0123456789abcdef0123456789abcdef01234567",
    "ARGOCD_APP_SOURCE_PATH": "workspace",
    "ARGOCD_APP_SOURCE_REPO_URL": "https://git.example/fleet.git",
    "ARGOCD_APP_SOURCE_TARGET_REVISION": "main",
    "KUBE_VERSION": "1.33",
}


@pytest.fixture
def sidecar(tmp_path: Path) -> Path:
    """A workspace as a plugin gets it, without its repository, beside a `krender`."""
    shutil.copytree(ROOT / "policies" / "quickstart", tmp_path / "workspace")
    program = tmp_path / "bin" / "krender"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m renderer "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    return tmp_path


def run(sidecar: Path, step: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """A command of the plugin in the application's directory, with nothing else in its environment."""
    command = PLUGIN[step]
    return subprocess.run(
        [*command["command"], *command.get("args", [])],
        cwd=sidecar / "workspace",
        env={
            "PATH": f"{sidecar / 'bin'}:{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT),
            **BUILD_ENVIRONMENT,
            **variables,
        },
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("variables", "cluster"),
    [
        pytest.param({"PARAM_CLUSTER": "eu", "ARGOCD_ENV_CLUSTER": "lab"}, "eu", id="a-parameter-first"),
        pytest.param({"ARGOCD_ENV_CLUSTER": "eu"}, "eu", id="then-a-variable"),
        pytest.param({"PARAM_CLUSTER": "", "ARGOCD_ENV_CLUSTER": ""}, "us", id="then-the-applications-name"),
    ],
)
def test_the_plugin_prints_what_the_cluster_gets(
    sidecar: Path, variables: dict[str, str], cluster: str
) -> None:
    ran = run(sidecar, "generate", **variables)
    assert (ran.returncode, ran.stderr) == (0, "")
    rendered = sidecar / "out"
    krender = [sys.executable, "-m", "renderer", "render", str(sidecar / "workspace"), "-o", str(rendered)]
    subprocess.run(krender, cwd=ROOT, check=True, capture_output=True)
    files = sorted(path for path in (rendered / "clusters" / cluster).rglob("*.yaml"))
    assert list(yaml.safe_load_all(ran.stdout)) == [yaml.safe_load(path.read_bytes()) for path in files]


@pytest.mark.parametrize(
    "name", ["fleet", "", "us; echo kind: Pod", "$(echo us)", "--allow-empty", "../us"], ids=repr
)
def test_a_name_that_is_no_cluster_fails_and_prints_nothing(sidecar: Path, name: str) -> None:
    ran = run(sidecar, "generate", ARGOCD_APP_NAME=name)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert "cluster" in ran.stderr


def test_a_broken_workspace_fails_and_prints_nothing(sidecar: Path) -> None:
    (sidecar / "workspace" / "broken.yaml").write_text("kind: [", encoding="utf-8")
    ran = run(sidecar, "generate")
    assert (ran.returncode, ran.stdout, "broken.yaml:1" in ran.stderr) == (1, "", True)


def test_the_first_command_prints_no_manifest(sidecar: Path) -> None:
    ran = run(sidecar, "init")
    assert (ran.returncode, ran.stdout) == (0, "")
    assert ran.stderr.startswith("krender ")


def test_the_parameter_that_is_announced_is_the_one_that_is_read() -> None:
    (parameter,) = PLUGIN["parameters"]["static"]
    assert f"PARAM_{parameter['name'].upper()}" in PLUGIN["generate"]["args"][0]


def test_the_example_is_an_applicationset_by_its_crd() -> None:
    (example,) = [item for item in objects_in(PAGE) if item.get("kind") == "ApplicationSet"]
    assert list(faults(example)) == []
    source = example["spec"]["template"]["spec"]["source"]
    assert source["plugin"]["name"] == of_kind(PAGE, "ConfigMap")["metadata"]["name"].removesuffix("-plugin")
