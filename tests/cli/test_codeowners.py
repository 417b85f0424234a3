"""`krender codeowners`, end to end."""

from __future__ import annotations

from pathlib import Path

from tests.check.teams import teams
from tests.cli.conftest import Run

TEAM = teams("name: shop, namespaces: [shop], owners: ['@org/shop']")


def test_a_codeowners_file(run: Run, shop: Path, tmp_path: Path) -> None:
    (shop / "krender.yaml").write_text(TEAM, encoding="utf-8")
    owners = tmp_path / "CODEOWNERS"
    owners.write_text("* @org/platform\n", encoding="utf-8")
    assert "/web.yaml @org/shop\n" in run("codeowners", shop).out
    assert run("codeowners", shop, "-o", owners, "--check").code == 1
    assert run("codeowners", shop, "-o", owners).out == f"{owners}: written\n"
    assert owners.read_text(encoding="utf-8").startswith("* @org/platform\n\n# krender")
    assert run("codeowners", shop, "-o", owners, "--check").out == f"{owners}: up to date\n"


def test_nobody_owns_anything(run: Run, shop: Path) -> None:
    ran = run("codeowners", shop)
    assert (ran.code, ran.out) == (0, "")
    assert ran.err == "no team of krender.yaml has owners and sources of its own\n"


def test_check_needs_a_file(run: Run, shop: Path) -> None:
    assert run("codeowners", shop, "--check").code == 2
