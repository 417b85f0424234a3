"""What is served is what a plan lists, whichever way an engine asks for it."""

from __future__ import annotations

import json

import pytest

from renderer.document.read import read_stream
from renderer.document.values import mapping, sequence
from renderer.model.owned import OWNED_PATH, names_of
from renderer.model.plan import Plan
from renderer.model.published import Tip
from renderer.model.tree import Blob, placed, walk
from renderer.view.serve.contracts import asked_by_argocd, asked_by_flux
from renderer.view.serve.ledger import Ledger
from renderer.view.serve.snapshot import Snapshot, snapshot_of
from tests.view.serve.fleets import COMMIT
from tests.workspaces import FLEET, POLICY, SHOP, plan

TWO = SHOP["namespace.yaml"] + "---\n" + SHOP["namespace.yaml"].replace("shop", "bank")
BANK = SHOP["web.yaml"].replace("namespace: shop", "namespace: bank")
FILES = {
    **SHOP,
    "fleet.yaml": FLEET.replace("name: north", "syncMode: Pull, name: north"),
    "namespace.yaml": TWO,
    "bank.yaml": BANK,
    "bank-policy.yaml": POLICY.replace("namespace: shop", "namespace: bank"),
}
SETTINGS = """\
apiVersion: krender.io/v1alpha1
kind: Workspace
spec:
  tenants: [{name: cashiers, namespaces: [bank]}]
  delivery: {engine: %s, repoURL: "https://git.example/fleet.git", unit: %s, argocd: {generator: plugin}}
"""


def published(engine: str, unit: str) -> tuple[Plan, Snapshot]:
    found = plan({**FILES, "krender.yaml": SETTINGS % (engine, unit)})
    tree = placed(found.tree, OWNED_PATH, Blob(names_of(found.tree)))
    return found, snapshot_of(Tip(commit=COMMIT, tree=tree), "sha1")


@pytest.mark.parametrize("unit", ["cluster", "namespace"])
def test_the_sets_that_krender_publishes_get_exactly_the_applications_that_a_plan_lists(unit: str) -> None:
    found, snapshot = published("argocd", unit)
    names: list[str] = []
    for path, blob in walk(found.tree):
        if "/applicationset." not in path:
            continue
        (document,) = read_stream(blob.data, path)
        spec = mapping(mapping(document.value)["spec"])
        (generator,) = sequence(spec["generators"])
        given = mapping(mapping(generator)["plugin"]).get("input")
        asked, _ = asked_by_argocd(json.dumps({"applicationSetName": path, "input": given}).encode())
        names += [served.name for served in Ledger().units(asked, snapshot)]
    assert sorted(names) == [item.name for item in found.units if item.cluster.sync_mode == "Push"]
    assert len(names) > 1


@pytest.mark.parametrize("unit", ["cluster", "namespace"])
def test_a_flux_gets_the_units_of_its_clusters(unit: str) -> None:
    found, snapshot = published("flux", unit)
    for query, mode in (("", "Push"), ("syncMode=Pull&cluster=north", "Pull")):
        served = Ledger().units(asked_by_flux(query), snapshot)
        expected = [item for item in found.units if item.cluster.sync_mode == mode]
        assert [item.name for item in served] == [item.name for item in expected]
        assert [json.loads(item.text)["directory"] for item in served] == [item.path for item in expected]
        assert served
