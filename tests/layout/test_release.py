"""Objects that are to outlive their files: kept with marks first, let go in a second, explicit step."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from renderer.document.problem import InputError
from renderer.layout.marks import marked
from renderer.model.engine_keys import COMPARE_OPTIONS, PRUNE, SYNC_OPTIONS
from renderer.model.plan import Plan
from renderer.model.previous import NOTHING, Previous
from renderer.model.released import Release
from renderer.model.tree import Blob, placed
from renderer.pipeline import render
from renderer.schedule.previous import read_previous
from tests.workspaces import FLEET, NAMESPACE, POLICY, SHOP, WEB, files_of, workspace

PRESERVING: Final = POLICY.replace("spec:\n", "spec:\n  preserveResourcesOnDeletion: true\n")
BASE: Final = {**SHOP, "policy.yaml": PRESERVING}
DELETED: Final = {"web.yaml": "# gone\n"}
ELSEWHERE: Final = {"policy.yaml": PRESERVING.replace("stage: prod", "stage: test")}
LETTING_GO: Final = {
    "krender.yaml": "apiVersion: krender.io/v1alpha1\nkind: Workspace\nspec: {released: prune}\n"
}
WEB_FILE: Final = "shop/deployment.apps.web.yaml"
HOME: Final = "_cluster/namespace.shop.yaml"
Files = Mapping[str, str]


def history(*steps: Files, base: Files = BASE) -> list[Plan]:
    """The plans of the steps, each rendered on what the one before published."""
    plans: list[Plan] = []
    previous = NOTHING
    for files in steps:
        made = workspace({**base, **files})
        plans.append(render(made, previous))
        previous = read_previous(plans[-1].tree)
    return plans


def east(plan: Plan) -> dict[str, str]:
    """The files of the cluster east."""
    start = "clusters/east/"
    return {path.removeprefix(start): text for path, text in files_of(plan).items() if path.startswith(start)}


def told(plan: Plan) -> dict[str, Release]:
    """What is kept on the cluster east, and how far it is."""
    return {item.path: item.release for item in plan.released if "east" in item.clusters}


@pytest.mark.parametrize(
    "gone",
    [
        pytest.param(DELETED, id="the-template-is-deleted"),
        pytest.param(ELSEWHERE, id="the-cluster-is-no-target-any-more"),
        pytest.param({**DELETED, "policy.yaml": "# gone\n"}, id="policy-and-template-are-deleted"),
        pytest.param(
            {
                "policy.yaml": "# gone\n",
                "krender.yaml": LETTING_GO["krender.yaml"].replace("released", "orphans"),
            },
            id="an-orphan-is-pruned",
        ),
        pytest.param({"policy.yaml": POLICY.replace("prod", "test")}, id="and-is-not-preserved-any-more"),
    ],
)
def test_a_file_is_marked_before_it_goes(gone: Files) -> None:
    published, marked_now, still, letting_go, after = history({}, gone, gone, {**LETTING_GO, **gone}, gone)
    assert "prune" not in east(published)[WEB_FILE]
    for plan in (marked_now, still):
        assert f"{SYNC_OPTIONS}: Prune=false" in east(plan)[WEB_FILE]
        assert f"{COMPARE_OPTIONS}: IgnoreExtraneous" in east(plan)[WEB_FILE]
        assert f"{PRUNE}: disabled" in east(plan)[WEB_FILE]
    assert told(marked_now)[WEB_FILE] is Release.MARKED
    assert told(still)[WEB_FILE] is Release.READY
    assert files_of(still) == files_of(marked_now)
    if "orphans" in gone.get("krender.yaml", ""):
        return  # one setting file at a time
    assert WEB_FILE not in east(letting_go)
    assert WEB_FILE not in east(after)
    assert ".krender/released.yaml" not in files_of(after)


def test_letting_go_needs_the_marks_published_first() -> None:
    first, second = history({}, {**DELETED, **LETTING_GO})
    assert WEB_FILE in east(first)
    assert told(second)[WEB_FILE] is Release.MARKED


def test_what_is_not_to_be_preserved_just_goes() -> None:
    _, after = history({}, DELETED, base=SHOP)
    assert list(east(after)) == [".keep"]
    assert after.released == ()


def test_the_namespace_of_a_kept_object_is_kept_too() -> None:
    _, kept, _, let_go = history({}, DELETED, DELETED, {**DELETED, **LETTING_GO})
    assert told(kept) == {WEB_FILE: Release.MARKED, HOME: Release.MARKED}
    assert f"{PRUNE}: disabled" in east(kept)[HOME]
    assert list(east(let_go)) == [".keep"]


def test_a_namespace_that_is_still_needed_is_kept_when_its_time_comes() -> None:
    other = {
        "other.yaml": WEB.replace("name: web, namespace", "name: other, namespace"),
        "more.yaml": POLICY.replace("name: web", "name: other").replace(
            "kind: Deployment, name: web", "kind: Deployment, name: other"
        ),
    }
    gone = {**other, **DELETED}
    plans = history(other, gone, {**gone, **LETTING_GO}, {**DELETED, **LETTING_GO}, {**DELETED, **LETTING_GO})
    _, kept, let_go, emptied, done = plans
    assert told(kept) == {WEB_FILE: Release.MARKED}
    assert PRUNE not in east(let_go)[HOME]
    assert told(let_go) == {HOME: Release.HOME}
    # Nothing is left in Git that needs it, and still something lives in it.
    assert [item.release for item in emptied.released] == [Release.HOME, Release.MARKED]
    assert f"{PRUNE}: disabled" in east(emptied)[HOME]
    assert list(east(done)) == [".keep"]


def test_what_is_wanted_again_is_as_it_was() -> None:
    first, _, back = history({}, DELETED, {})
    assert east(back) == east(first)
    assert back.released == ()


def test_a_template_that_comes_back_elsewhere_leaves_the_kept_one_alone() -> None:
    _, _, moved = history({}, DELETED, ELSEWHERE)
    assert told(moved)[WEB_FILE] is Release.READY


RENAMING: Final = """\
apiVersion: policy.karmada.io/v1alpha1
kind: OverridePolicy
metadata: {name: named, namespace: shop}
spec:
  overrideRules:
  - targetCluster: {clusterNames: [east]}
    overriders: {plaintext: [{path: /metadata/name, operator: replace, value: front}]}
"""


def test_an_object_that_has_another_name_on_a_cluster_is_found() -> None:
    _, kept = history({"named.yaml": RENAMING}, {"named.yaml": RENAMING, **DELETED})
    assert told(kept)["shop/deployment.apps.front.yaml"] is Release.MARKED


def test_what_follows_a_preserved_workload_is_preserved() -> None:
    needs = {
        "policy.yaml": PRESERVING.replace("spec:\n", "spec:\n  propagateDeps: true\n"),
        "web.yaml": WEB.replace("image:", "envFrom: [{secretRef: {name: s}}], image:"),
        "secret.yaml": "apiVersion: v1\nkind: Secret\nmetadata: {name: s, namespace: shop}\n",
    }
    _, kept = history(needs, {**needs, **DELETED})
    assert set(told(kept)) == {WEB_FILE, HOME, "shop/secret.s.yaml"}


def test_a_frozen_cluster_keeps_its_bytes_and_the_record() -> None:
    frozen = {"fleet.yaml": FLEET.replace("name: east", "name: east, frozen: true")}
    _, kept, cold, thawed = history(
        {}, DELETED, {**DELETED, **frozen, **LETTING_GO}, {**DELETED, **LETTING_GO}
    )
    assert east(cold) == east(kept)
    assert told(cold)[WEB_FILE] is Release.READY
    assert list(east(thawed)) == [".keep"]
    _, never = history({}, {**DELETED, **frozen})
    assert PRUNE not in east(never)[WEB_FILE]


SEALED: Final = WEB + "sops: {mac: x}\n"


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(SEALED, id="sealed"),
        pytest.param("- no object\n", id="no-object"),
        pytest.param("a: [\n", id="no-yaml"),
        pytest.param(WEB + "---\n" + WEB, id="two-objects"),
        pytest.param("metadata: {annotations: 3}\n", id="annotations-that-are-none"),
    ],
)
def test_a_file_that_cannot_be_marked_stays_as_it_is(content: str) -> None:
    (first,) = history({})
    path = f"clusters/east/{WEB_FILE}"
    previous = read_previous(placed(first.tree, path, Blob(content.encode())))
    kept = render(workspace({**BASE, **DELETED}), previous)
    again = render(workspace({**BASE, **DELETED, **LETTING_GO}), read_previous(kept.tree))
    for plan in (kept, again):
        assert east(plan)[WEB_FILE] == content
        assert told(plan)[WEB_FILE] is Release.UNMARKED


@pytest.mark.parametrize(
    ("key", "stated", "expected"),
    [
        pytest.param(SYNC_OPTIONS, "", "Prune=false", id="none"),
        pytest.param(SYNC_OPTIONS, "Replace=true", "Replace=true,Prune=false", id="others-stay"),
        pytest.param(
            SYNC_OPTIONS, "Prune=confirm, Force=true", "Force=true,Prune=false", id="pruning-is-ruled-out"
        ),
        pytest.param(SYNC_OPTIONS, "Prune=false, Force=true", "Prune=false, Force=true", id="there-already"),
        pytest.param(SYNC_OPTIONS, "Prune=false,Prune=true", "Prune=false", id="contradicting-itself"),
        pytest.param(COMPARE_OPTIONS, "", "IgnoreExtraneous", id="no-comparison-stated"),
        pytest.param(
            COMPARE_OPTIONS,
            "ServerSideDiff=true",
            "ServerSideDiff=true,IgnoreExtraneous",
            id="other-comparisons-stay",
        ),
        pytest.param(COMPARE_OPTIONS, "IgnoreExtraneous", "IgnoreExtraneous", id="not-missed-already"),
    ],
)
def test_argo_cd_options_are_joined(key: str, stated: str, expected: str) -> None:
    before = WEB.replace("labels: {app: web}}\nspec", f'annotations: {{{key}: "{stated}"}}}}\nspec')
    blob = marked(Blob(before.encode()))
    assert blob is not None
    assert f"{key}: {expected}\n" in blob.data.decode()
    assert marked(blob) is blob


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"kind: Released\nfiles: 3\n", id="no-list"),
        pytest.param(b"kind: Released\nfiles: [{path: x}]\n", id="no-clusters"),
        pytest.param(b"kind: Other\n", id="another-kind"),
    ],
)
def test_a_record_of_nonsense_is_refused(data: bytes) -> None:
    with pytest.raises(InputError):
        read_previous(placed(history({}, DELETED)[1].tree, ".krender/released.yaml", Blob(data)))


paths = st.sampled_from((WEB_FILE, HOME, "", ".keep", "shop", "../x", "shop/x", "/", "_cluster/namespace.x"))
contents = st.sampled_from((WEB, NAMESPACE, NAMESPACE.replace("shop}", "shop, namespace: shop}"), "a: [", ""))


@given(st.lists(paths, min_size=1, max_size=4), contents, st.booleans())
def test_no_record_makes_a_render_fail(recorded: list[str], content: str, prune: bool) -> None:
    listed = "".join(f'- {{path: "{path}", clusters: [east, east, gone]}}\n' for path in recorded if path)
    tree = history(DELETED)[0].tree
    tree = placed(tree, ".krender/released.yaml", Blob(f"kind: Released\nfiles:\n{listed}".encode()))
    for path in (WEB_FILE, HOME):
        tree = placed(tree, f"clusters/east/{path}", Blob(content.encode()))
    previous = read_previous(tree) if listed else Previous(tree=tree)
    render(workspace({**BASE, **DELETED, **(LETTING_GO if prune else {})}), previous)
