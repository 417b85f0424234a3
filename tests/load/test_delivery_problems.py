"""What an engine could not use is said where it is written, before anything is rendered."""

from __future__ import annotations

import pytest

from tests.load.workspaces import loaded, refused

HEAD = "apiVersion: krender.io/v1alpha1\nkind: Workspace\nspec:\n"


def fleet(*clusters: str) -> str:
    """An inventory of these clusters."""
    listed = "".join(f"  - {{{cluster}}}\n" for cluster in clusters)
    return f"apiVersion: krender.io/v1alpha1\nkind: ClusterInventory\nspec:\n  clusters:\n{listed}"


def settings(text: str, *, engine: str = "flux") -> str:
    """Settings of a delivery, one on a line."""
    lines = "".join(f"    {line}\n" for line in text.splitlines())
    return f"{HEAD}  delivery:\n    engine: {engine}\n{lines}"


URL = "repoURL: https://git.example/fleet.git"
TWO = fleet("name: a", "name: b")
WAVES = fleet("name: a", "name: b, wave: 1")


@pytest.mark.parametrize(
    ("config", "clusters", "expected"),
    [
        pytest.param(
            settings(""),
            TWO,
            "krender.yaml:4:3: delivery.repoURL is not set, and Flux applies what a gets | "
            "set spec.delivery.repoURL in krender.yaml to the repository's address, as the engine reaches it",
            id="an-engine-needs-an-address",
        ),
        pytest.param(
            settings("", engine="none"),
            fleet("name: a", "name: b, engine: argocd"),
            "krender.yaml:4:3: delivery.repoURL is not set, and Argo CD applies what b gets",
            id="also-that-of-one-cluster",
        ),
        pytest.param(
            settings("flux: {source: oci, url: 'oci://r.example/fleet'}"),
            fleet("name: a", "name: b, engine: argocd"),
            "krender.yaml:4:3: delivery.repoURL is not set, and Flux applies what a gets",
            id="an-address-for-flux-is-none-for-argo-cd",
        ),
        pytest.param(
            settings("repoURL: git@git.example:team/fleet.git"),
            TWO,
            'krender.yaml:6:5: delivery.repoURL is "git@git.example:team/fleet.git" | '
            'write "ssh://git@git.example/team/fleet.git"',
            id="scps-form-is-none-of-fluxs",
        ),
        pytest.param(
            settings("repoURL: ../fleet.git"),
            TWO,
            'krender.yaml:6:5: delivery.repoURL is "../fleet.git" | write the address in one of these forms',
            id="nor-is-a-path",
        ),
        pytest.param(
            settings("repoURL: https://me:hunter2@git.example/fleet.git"),
            TWO,
            "krender.yaml:6:5: delivery.repoURL holds a password | "
            'write "https://git.example/fleet.git", and keep the password in a Secret of the engine',
            id="a-password-would-be-published",
        ),
        pytest.param(
            settings(f"{URL}\nflux: {{source: oci}}"),
            TWO,
            "krender.yaml:7:12: delivery.flux.source is oci, and no address of an artifact is set "
            '(delivery.repoURL: "https://git.example/fleet.git")',
            id="an-artifact-has-an-address-of-its-own",
        ),
        pytest.param(
            settings(f"{URL}\nflux: {{url: 'oci://r.example/fleet'}}"),
            TWO,
            'krender.yaml:7:12: delivery.flux.url is "oci://r.example/fleet"',
            id="which-is-none-of-a-repository",
        ),
        pytest.param(
            settings(f"{URL}\nflux: {{artifactGenerator: true}}"),
            WAVES,
            "krender.yaml:7:12: delivery.flux.artifactGenerator is set, and there are 2 waves",
            id="artifacts-do-not-tell-waves",
        ),
        pytest.param(
            settings(f"{URL}\nflux: {{interval: 59s500ms}}"),
            TWO,
            'krender.yaml:7:12: delivery.flux.interval is "59s500ms"',
            id="less-than-a-minute-is-too-short",
        ),
        pytest.param(
            settings(f"{URL}\nflux: {{kubeConfigSecret: hub}}"),
            TWO,
            "krender.yaml:7:12: Workspace: spec.delivery.flux.kubeConfigSecret",
            id="clusters-do-not-share-a-kubeconfig",
        ),
        pytest.param(
            settings(f"{URL}\nflux: {{interval: soon}}"),
            TWO,
            "krender.yaml:7:12: Workspace: spec.delivery.flux.interval",
            id="a-duration-is-one-of-fluxs",
        ),
    ],
)
def test_it_is_refused(config: str, clusters: str, expected: str) -> None:
    (line,) = refused({"krender.yaml": config, "zz-inventory.yaml": clusters})
    assert line.startswith(expected)


@pytest.mark.parametrize(
    ("config", "clusters"),
    [
        pytest.param(settings(URL), WAVES, id="a-repository"),
        pytest.param(settings("repoURL: ssh://git@git.example/fleet"), TWO, id="by-ssh"),
        pytest.param(settings("", engine="none"), TWO, id="no-engine-no-address"),
        pytest.param(settings("flux: {source: oci, url: 'oci://r.example/fleet'}"), TWO, id="an-artifact"),
        pytest.param(settings("repoURL: 'oci://r.example/f'\nflux: {source: oci}"), TWO, id="as-repo-url"),
        pytest.param(
            settings("repoURL: git@git.example:f.git", engine="argocd"), TWO, id="argo-cd-takes-scps-form"
        ),
        pytest.param(
            settings(f"{URL}\nflux: {{artifactGenerator: true}}"), TWO, id="artifacts-without-waves"
        ),
        pytest.param(
            settings(f"{URL}\nflux: {{artifactGenerator: true}}"),
            fleet("name: a", "name: b, wave: 1, paused: true", "name: c, wave: 2, syncMode: Pull"),
            id="nobody-waits-for-what-is-paused-or-pulls",
        ),
        pytest.param(settings(f"{URL}\nflux: {{interval: 60s}}"), TWO, id="a-minute"),
    ],
)
def test_it_is_taken(config: str, clusters: str) -> None:
    assert loaded({"krender.yaml": config, "zz-inventory.yaml": clusters}).problems == ()


def test_a_hub_is_one_cluster() -> None:
    here = "server: 'https://kubernetes.default.svc'"
    clusters = fleet(f"name: a, {here}", f"name: b, {here}", f"name: c, {here}, syncMode: Pull")
    (line,) = refused({"krender.yaml": settings(URL), "zz-inventory.yaml": clusters})
    assert line.startswith("zz-inventory.yaml:6:5: the server of b is https://kubernetes.default.svc")


def test_without_settings_the_place_is_that_of_the_cluster() -> None:
    (line,) = refused({"zz-inventory.yaml": fleet("name: a", "name: b, engine: flux")})
    assert line.startswith("zz-inventory.yaml:6:5: delivery.repoURL is not set, and Flux applies what b gets")
