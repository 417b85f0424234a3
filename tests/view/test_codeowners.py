"""Tests of the CODEOWNERS file that the teams of a workspace make."""

from __future__ import annotations

import pytest

from renderer.view.codeowners import BEGIN, END, codeowners, owned_paths, with_block
from tests.check.teams import teams
from tests.workspaces import FLEET, POLICY, WEB, workspace

SHOP = "name: shop, namespaces: [shop], owners: ['@org/shop', ada@example.com]"
BANK = "name: bank, namespaces: [bank], owners: ['@org/bank']"
OURS = POLICY.replace("namespace: shop", "namespace: bank")


def owned(files: dict[str, str], *tenants: str) -> dict[str, str]:
    """Path -> team."""
    found = owned_paths(workspace({**files, "krender.yaml": teams(*tenants)}))
    return {path: tenant.name for path, tenant in found.items()}


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        pytest.param({"a/b/web.yaml": WEB, "a/p.yaml": POLICY}, {"a/": "shop"}, id="the-largest-directory"),
        pytest.param(
            {"a/x/web.yaml": WEB, "a/y/p.yaml": OURS}, {"a/x/": "shop", "a/y/": "bank"}, id="one-each"
        ),
        pytest.param({"web.yaml": WEB, "p.yaml": OURS}, {"web.yaml": "shop", "p.yaml": "bank"}, id="files"),
        pytest.param({"a/all.yaml": f"{WEB}---\n{OURS}"}, {}, id="what-two-share-is-nobodys"),
        pytest.param(
            {"a/web.yaml": WEB, "a/fleet.yaml": FLEET}, {"a/web.yaml": "shop"}, id="clusters-are-not"
        ),
        pytest.param({"web.yaml": WEB}, {"web.yaml": "shop"}, id="never-the-workspace-itself"),
    ],
)
def test_who_owns_what(files: dict[str, str], expected: dict[str, str]) -> None:
    assert owned(files, SHOP, BANK) == expected


def test_paths_that_are_stated_count() -> None:
    files = {"a/all.yaml": f"{WEB}---\n{OURS}", "new/p.yaml": OURS.replace("{name: web, n", "{name: b, n")}
    stated = f"{SHOP}, paths: [new/, a/all.yaml, later]"
    assert owned(files, stated, BANK) == {"a/all.yaml": "shop", "later/": "shop", "new/": "shop"}


def test_the_lines() -> None:
    files = {"a b/web#1.yaml": WEB, "a b/p.yaml": OURS, "krender.yaml": teams(SHOP, BANK)}
    assert codeowners(workspace(files), "fleet") == (
        f"{BEGIN}\n/fleet/a\\ b/p.yaml @org/bank\n/fleet/a\\ b/web?1.yaml @org/shop ada@example.com\n{END}\n"
    )


def test_without_owners_there_is_nothing_to_say() -> None:
    assert (
        codeowners(workspace({"web.yaml": WEB, "krender.yaml": teams("name: a, namespaces: [shop]")}), "")
        == ""
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param("", f"{BEGIN}\nx\n{END}\n", id="a-new-file"),
        pytest.param("* @org/all\n", f"* @org/all\n\n{BEGIN}\nx\n{END}\n", id="at-the-end"),
        pytest.param(f"* a\n{BEGIN}\nold\n{END}\nz b\n", f"* a\n{BEGIN}\nx\n{END}\nz b\n", id="in-its-place"),
    ],
)
def test_a_file_with_lines_of_others(before: str, after: str) -> None:
    assert with_block(before, f"{BEGIN}\nx\n{END}\n") == after
    assert with_block(after, f"{BEGIN}\nx\n{END}\n") == after


def test_a_block_that_nobody_needs_goes() -> None:
    assert with_block(f"* a\n{BEGIN}\nold\n{END}\n", "") == "* a\n"
