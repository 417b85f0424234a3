"""Every error of the input has a rule, with an example that breaks it and a section in the docs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from renderer.check.errors import ERRORS
from renderer.check.failures import failures
from renderer.document.problem import InputError
from renderer.edge.files import read_workspace
from renderer.model.tree import Blob, tree_of
from renderer.pipeline import render
from renderer.schedule.previous import read_previous
from tests.workspaces import FLEET, POLICY, SHOP, WEB, workspace

DOCS = Path(__file__).parents[2] / "docs" / "rules.md"
OVERRIDE = """\
apiVersion: policy.karmada.io/v1alpha1
kind: OverridePolicy
metadata: {name: o, namespace: shop, annotations: {krender.io/values: jinja2}}
spec:
  overrideRules:
  - overriders: {plaintext: [{path: PATH, operator: replace, value: VALUE}]}
"""


def override(path: str, value: str) -> str:
    """An override policy with one patch."""
    return OVERRIDE.replace("PATH", path).replace("VALUE", value)


BREAKING = {
    "KR001": {**SHOP, "x.yaml": "a: [\n"},
    "KR002": {**SHOP, "fleet.yaml": "# no cluster\n"},
    "KR003": {
        **SHOP,
        "krender.yaml": "apiVersion: krender.io/v1alpha1\nkind: Workspace\nspec: {strict: true}\n",
    },
    "KR004": {**SHOP, "x.yaml.j2": "{{ nope }}\n"},
    "KR005": {**SHOP, "x.yaml": "apiVersion: v1\n"},
    "KR006": {**SHOP, "fleet.yaml": FLEET.replace("name: east", "name: north")},
    "KR007": {**SHOP, "twice.yaml": WEB},
    "KR008": {**SHOP, "policy.yaml": POLICY.replace("placement", "plcement")},
    "KR011": {**SHOP, "policy.yaml": POLICY.replace("spec:", "spec:\n  dependentOverrides: [nope]")},
    "KR012": {**SHOP, "o.yaml": override("/spec/nope/x", "1")},
    "KR013": {**SHOP, "o.yaml": override("/spec/paused", '"{{ cluster.spec.nope }}"')},
    "KR014": {**SHOP, "web.yaml": WEB + "sops: {mac: x, version: y}\n"},
    "KR015": {
        **SHOP,
        "api.yaml": WEB.replace("name: web, namespace", "name: api, namespace"),
        "policy.yaml": POLICY.replace(", name: web", ""),
        "o.yaml": override("/metadata/name", "web"),
    },
    "KR017": {
        **SHOP,
        "krender.yaml": (
            "apiVersion: krender.io/v1alpha1\nkind: Workspace\n"
            "spec: {delivery: {engine: argocd, repoURL: x, argocd: {destination: server}}}\n"
        ),
    },
}


@pytest.mark.parametrize("rule", BREAKING)
def test_the_example_breaks_its_rule(rule: str) -> None:
    loaded = workspace(BREAKING[rule], lenient=True)
    told = [*loaded.problems, *failures(render(loaded))]
    assert [problem.rule for problem in told] == [rule] * len(told)
    assert told


def test_every_error_is_tried_and_documented() -> None:
    documented = re.findall(r"^### (KR0\d+) (.+)$", DOCS.read_text(encoding="utf-8"), re.MULTILINE)
    assert documented == [(rule.id, rule.title) for rule in ERRORS]
    assert {rule.id for rule in ERRORS} == {*BREAKING, "KR016", "KR021"}


def test_a_binding_that_is_none_breaks_its_rule() -> None:
    published = tree_of({".krender/bindings/shop/x.yaml": Blob(b"kind: ConfigMap\n")})
    with pytest.raises(InputError) as caught:
        read_previous(published)
    assert {problem.rule for problem in caught.value.problems} == {"KR016"}


@pytest.mark.parametrize(
    ("data", "rule"),
    [
        pytest.param(None, "KR002", id="nothing-to-read"),
        pytest.param(b"", "KR002", id="an-output"),
        pytest.param(b"/nowhere", "KR001", id="a-link-that-leaves"),
    ],
)
def test_what_a_directory_has_wrong_is_told_by_its_rule(
    tmp_path: Path, data: bytes | None, rule: str
) -> None:
    if data == b"":
        (tmp_path / "clusters" / ".krender").mkdir(parents=True)
    elif data:
        (tmp_path / "x.yaml").symlink_to(data.decode())
    with pytest.raises(InputError) as caught:
        read_workspace(tmp_path)
    assert [problem.rule for problem in caught.value.problems] == [rule]
