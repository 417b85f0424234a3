"""docs/serve.md is what a new user types, and names what there is."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pytest

from renderer.cli.serve import command
from renderer.view.metrics.families import FAMILIES
from renderer.view.serve.contracts import asked_by_flux
from renderer.view.serve.counts import SERVE_FAMILIES
from renderer.view.serve.question import KEYS, question
from renderer.view.serve.refused import REASONS
from renderer.view.serve.site import INPUTS, METHODS
from tests.crds import faults
from tests.docs.yaml_blocks import ROOT, objects_in

PAGE = "serve.md"
TEXT = (ROOT / "docs" / PAGE).read_text(encoding="utf-8")


def named(kind: str, name: str) -> dict[str, Any]:
    (found,) = [
        item for item in objects_in(PAGE) if item.get("kind") == kind and item["metadata"]["name"] == name
    ]
    return found


def rows(*cells: str) -> list[list[str]]:
    """The rows of the table with these heads."""
    table = TEXT.split(f"| {' | '.join(cells)} |\n", 1)[1].split("\n\n")[0]
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in table.split("\n")[1:]]


def code(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@pytest.mark.skipif(
    not (shutil.which("curl") and shutil.which("openssl")), reason="curl and openssl are typed"
)
def test_a_new_user_types_it_from_an_empty_directory(tmp_path: Path) -> None:
    (script,) = re.findall(r"^```sh\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
    program = tmp_path / "bin" / "krender"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m renderer "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    (tmp_path / "empty").mkdir()
    typed = f"set -e\n{script.replace('8080', str(free_port()))}\nkill -TERM $!\nwait $!\n"
    process = subprocess.Popen(
        ["sh", "-c", typed],
        cwd=tmp_path / "empty",
        env={
            "PATH": f"{program.parent}:{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT),
            "HOME": str(tmp_path),
            **{f"GIT_{role}_NAME": "Ada" for role in ("AUTHOR", "COMMITTER")},
            **{f"GIT_{role}_EMAIL": "ada@example.com" for role in ("AUTHOR", "COMMITTER")},
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        out, err = process.communicate(timeout=120)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
    assert process.returncode == 0, err
    answer = json.loads(out.splitlines()[-1])
    assert [unit["name"] for unit in answer["output"]["parameters"]] == ["eu-1"]


def test_the_server_of_the_deployment_starts() -> None:
    (container,) = named("Deployment", "krender-serve")["spec"]["template"]["spec"]["containers"]
    assert container["args"][0] == "serve"
    with command.make_context("serve", container["args"][1:]) as context:
        given = context.params
    mounts = {mount["mountPath"] for mount in container["volumeMounts"]}
    assert {str(given["token_file"].parent), str(given["state"].parent)} <= mounts
    for probe in ("readinessProbe", "livenessProbe"):
        assert container[probe]["httpGet"]["path"] in METHODS


def test_secrets_and_ports_fit_together() -> None:
    server, config = named("Deployment", "krender-serve")["spec"]["template"], named("ConfigMap", "krender")
    secret = named("Service", "krender-serve")["metadata"]["name"]
    assert config["data"]["token"] == f"${secret}:token"
    assert config["data"]["baseUrl"].startswith(f"http://{secret}.")
    for item in (named("Service", "krender-serve"), named("NetworkPolicy", "krender-serve")):
        selected = item["spec"].get("selector") or item["spec"]["podSelector"]["matchLabels"]
        assert selected.items() <= server["metadata"]["labels"].items()


def test_the_questions_of_the_examples_can_be_asked() -> None:
    (generator,) = named("ApplicationSet", "canaries")["spec"]["generators"]
    question(generator["plugin"]["input"]["parameters"].items(), "argocd")
    provider = named("ResourceSetInputProvider", "fleet")["spec"]
    path, _, query = provider["url"].partition("?")
    assert path.endswith(INPUTS)
    asked_by_flux(query)
    assert provider["filter"]["limit"] == 10_000


def test_the_examples_are_what_their_crds_describe() -> None:
    assert list(faults(named("ApplicationSet", "canaries"))) == []
    (kustomization,) = named("ResourceSet", "fleet")["spec"]["resources"]
    assert list(faults(kustomization)) == []


def test_every_parameter_is_explained() -> None:
    assert [code(cell)[0] for cell, _ in rows("parameter", "selects units")] == list(KEYS)


def test_every_metric_is_explained() -> None:
    told = {
        code(name)[0]: (tuple(code(labels)), kind)
        for name, labels, kind, _ in rows("metric", "labels", "type", "meaning")
    }
    assert told == {
        f"{family.name}_total" if family.kind.value == "counter" else family.name: (
            family.labels,
            family.kind.value,
        )
        for family in SERVE_FAMILIES
    }
    for reason in REASONS:
        assert f"`{reason}`" in TEXT
    assert not {family.name for family in SERVE_FAMILIES} & {family.name for family in FAMILIES}


def test_alerts_are_of_metrics_that_there_are() -> None:
    (rules,) = [item["groups"][0]["rules"] for item in objects_in(PAGE) if "groups" in item]
    known = [code(name)[0] for name, *_ in rows("metric", "labels", "type", "meaning")]
    for rule in rules:
        (metric,) = re.findall(r"krender_\w+", rule["expr"])
        assert metric in known


def test_every_option_is_explained() -> None:
    for option in command.params:
        assert isinstance(option, click.Option)
        assert option.help
    names = {name for option in command.params for name in option.opts if name.startswith("--")}
    assert {name for name in names if name not in TEXT} == set()
