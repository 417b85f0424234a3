"""What is never propagated."""

from __future__ import annotations

import pytest

from renderer.match.skip import OWNER_LABEL, SkipOptions, parse_skipped_apis, skipped
from renderer.model.claim import Outcome
from renderer.model.template import Template
from tests.match.build import template


def config_map(namespace: str, name: str = "c") -> Template:
    """A ConfigMap."""
    return template(name, api_version="v1", kind="ConfigMap", namespace=namespace)


@pytest.mark.parametrize(
    ("namespace", "patterns", "outcome"),
    [
        pytest.param("kube-public", ("kube-.*",), Outcome.OBJECT_SKIPPED, id="default-pattern"),
        pytest.param("kube-", ("kube-.*",), Outcome.OBJECT_SKIPPED, id="nothing-after-the-hyphen"),
        pytest.param("kube", ("kube-.*",), None, id="no-hyphen"),
        pytest.param("xkube-a", ("kube-.*",), None, id="patterns-are-anchored"),
        pytest.param("team-ab", ("team-a|b",), Outcome.OBJECT_SKIPPED, id="but-without-a-group"),
        pytest.param("karmada-system", (), Outcome.OBJECT_SKIPPED, id="reserved"),
        pytest.param("karmada-system2", (), None, id="not-reserved"),
        pytest.param("karmada-es-east", (), Outcome.OBJECT_SKIPPED, id="execution-space"),
        pytest.param("kube-system", (), None, id="no-patterns"),
        pytest.param("", ("kube-.*",), None, id="cluster-scoped"),
    ],
)
def test_namespaces(namespace: str, patterns: tuple[str, ...], outcome: Outcome | None) -> None:
    assert skipped(config_map(namespace), SkipOptions(namespaces=patterns)) is outcome


@pytest.mark.parametrize(
    ("api_version", "kind", "option", "outcome"),
    [
        pytest.param("policy.karmada.io/v1alpha1", "OverridePolicy", "", Outcome.API_SKIPPED, id="karmada"),
        pytest.param("search.karmada.io/v1alpha1", "ResourceRegistry", "", None, id="not-all-of-karmada"),
        pytest.param("v1", "Event", "", Outcome.API_SKIPPED, id="core-events"),
        pytest.param("events.k8s.io/v1", "Event", "", Outcome.API_SKIPPED, id="events"),
        pytest.param("coordination.k8s.io/v1", "Lease", "", Outcome.API_SKIPPED, id="leases"),
        pytest.param("coordination.k8s.io/v1beta1", "Lease", "", None, id="old-leases-are-not"),
        pytest.param("apps/v1", "Deployment", "apps", Outcome.API_SKIPPED, id="group"),
        pytest.param("apps/v1", "Deployment", "batch;apps/v1", Outcome.API_SKIPPED, id="group-version"),
        pytest.param("apps/v1", "Deployment", "apps/v2", None, id="another-version"),
        pytest.param("apps/v1", "DaemonSet", "apps/v1/Job,DaemonSet", Outcome.API_SKIPPED, id="kinds"),
        pytest.param("apps/v1", "Deployment", "apps/v1/DaemonSet", None, id="another-kind"),
        pytest.param("v1", "Secret", "v1/ConfigMap,Secret", Outcome.API_SKIPPED, id="core-kinds"),
    ],
)
def test_apis(api_version: str, kind: str, option: str, outcome: Outcome | None) -> None:
    subject = template(api_version=api_version, kind=kind)
    assert skipped(subject, SkipOptions(apis=option)) is outcome


def test_an_option_with_too_many_slashes_is_refused() -> None:
    with pytest.raises(ValueError, match="none of group"):
        parse_skipped_apis("a/b/c/d")


def test_what_the_api_server_keeps_for_itself_is_skipped() -> None:
    own = config_map("kube-system", "extension-apiserver-authentication")
    assert skipped(own, SkipOptions(namespaces=())) is Outcome.OBJECT_SKIPPED


@pytest.mark.parametrize(("owner", "outcome"), [("MultiClusterService", Outcome.OWNED_ELSEWHERE), ("", None)])
def test_an_owned_template_is_left_alone(owner: str, outcome: Outcome | None) -> None:
    assert skipped(template(labels={OWNER_LABEL: owner}), SkipOptions()) is outcome
