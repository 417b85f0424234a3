"""What the hooks let pass, and what they stop, on commits as people make them."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.hooks.conftest import ROOT, SETTINGS, Shop
from tests.workspaces import WEB

CART = WEB.replace("name: web", "name: cart").replace("app: web", "app: cart")
MANIFEST = ROOT / ".pre-commit-hooks.yaml"


def test_the_manifest_is_one() -> None:
    line = [sys.executable, "-m", "pre_commit", "validate-manifest", str(MANIFEST)]
    subprocess.run(line, check=True)
    hooks = yaml.safe_load(MANIFEST.read_text(encoding="utf-8"))
    assert [hook["id"] for hook in hooks] == ["krender-check", "krender-render", "krender-validate"]
    whole = [hook for hook in hooks if hook["id"] != "krender-validate"]
    assert all(hook["always_run"] and hook["require_serial"] and not hook["pass_filenames"] for hook in whole)
    assert all(hook["stages"] == ["pre-commit", "pre-push", "manual"] for hook in hooks)


def changed(shop: Shop) -> None:
    shop.replace("fleet/web.yaml", "team/web:1.2", "team/web:1.3")


def added(shop: Shop) -> None:
    shop.write("fleet/cart.yaml", CART)


def deleted(shop: Shop) -> None:
    (shop.root / "fleet/web.yaml").unlink()


def edited_by_hand(shop: Shop) -> None:
    shop.replace("rendered/clusters/east/shop/deployment.apps.web.yaml", "web:1.2", "web:9.9")


def lost(shop: Shop) -> None:
    (shop.root / "rendered/clusters/east/shop/deployment.apps.web.yaml").unlink()


@pytest.mark.parametrize(
    ("change", "told"),
    [
        pytest.param(changed, "outdated   clusters/east/shop/deployment.apps.web.yaml", id="changed"),
        pytest.param(added, "missing    clusters/east/shop/deployment.apps.cart.yaml", id="added"),
        pytest.param(deleted, "left over  clusters/east/shop/deployment.apps.web.yaml", id="only-deleted"),
        pytest.param(edited_by_hand, "outdated   clusters/east/shop/deployment.apps.web.yaml", id="by-hand"),
        pytest.param(lost, "missing    clusters/east/shop/deployment.apps.web.yaml", id="result-lost"),
    ],
)
def test_what_leaves_the_result_behind_is_stopped_until_one_types_the_fix(
    shop: Shop, change: object, told: str
) -> None:
    shop.install("krender-check", "krender-validate")
    assert callable(change)
    change(shop)
    shop.git("add", ".")
    stopped = shop.commit()
    assert (stopped.code, told in stopped.said) == (1, True), stopped.said
    fix = re.search(r"fix: (krender render fleet --tracked.* && git add --all -- rendered)", stopped.said)
    assert fix, stopped.said
    line = fix[1].replace("--tracked", "--tracked --overwrite") if change is edited_by_hand else fix[1]
    shop.shell(line)
    assert shop.commit().code == (1 if change in (edited_by_hand, lost) else 0)  # nothing is left to commit
    assert not shop.git("status", "--porcelain")


def test_a_commit_that_has_its_result_passes(shop: Shop) -> None:
    shop.install("krender-check", "krender-render", "krender-validate")
    changed(shop)
    shop.shell("krender render fleet --tracked && git add .")
    assert shop.commit().code == 0
    shop.write("README.md", "no input\n")
    shop.git("add", ".")
    assert shop.commit().code == 0


def test_what_git_does_not_track_is_no_input(shop: Shop) -> None:
    shop.install("krender-check", "krender-render")
    shop.write("fleet/draft.yaml", CART)
    shop.write("fleet/broken.yaml", "a: [")
    shop.write("fleet/old/clusters/x.yaml", "a: 1\n")
    shop.write("fleet/old/.krender/owned", "")
    shop.write("README.md", "no input\n")
    shop.git("add", "README.md")
    assert shop.commit().code == 0


def test_what_is_not_staged_is_no_input_and_is_there_again_afterwards(shop: Shop) -> None:
    shop.install("krender-check", "krender-render")
    changed(shop)
    shop.write("README.md", "no input\n")
    shop.git("add", "README.md")
    passed = shop.commit()
    assert (passed.code, "Restored changes" in passed.said) == (0, True), passed.said
    assert shop.git("status", "--porcelain") == " M fleet/web.yaml"


def test_half_of_a_file_is_staged(shop: Shop) -> None:
    shop.install("krender-check")
    changed(shop)
    shop.shell("krender render fleet --tracked && git add .")
    shop.replace("fleet/web.yaml", "replicas: 4", "replicas: 6")
    assert shop.commit().code == 0
    assert "replicas: 6" in (shop.root / "fleet/web.yaml").read_text()


@pytest.mark.parametrize("new", [False, True], ids=["changed", "new"])
def test_a_commit_of_some_paths_is_looked_at_by_its_own_index(shop: Shop, new: bool) -> None:
    shop.install("krender-check")
    (added if new else changed)(shop)
    shop.shell("krender render fleet && git add .")
    stopped = shop.commit("fleet")
    assert (stopped.code, "rendered files are not what the workspace gives" in stopped.said) == (1, True)
    assert ("not in Git" in stopped.said) == new, stopped.said
    assert shop.commit("fleet", "rendered").code == 0
    assert not shop.git("status", "--porcelain")


def test_commit_all_is_looked_at_by_its_own_index(shop: Shop) -> None:
    shop.install("krender-check")
    changed(shop)
    assert shop.commit("-a").code == 1
    shop.shell("krender render fleet")
    assert shop.commit("-a").code == 0


def test_rendering_fails_as_long_as_the_result_is_not_added(shop: Shop) -> None:
    shop.install("krender-render")
    added(shop)
    shop.git("add", ".")
    first = shop.commit()
    assert (first.code, "+ clusters/east/shop/deployment.apps.cart.yaml" in first.said) == (1, True)
    second = shop.commit()
    assert second.code == 1, second.said
    shop.shell(re.findall("fix: (git add .*)", second.said)[0])
    assert shop.commit().code == 0
    assert not shop.git("status", "--porcelain")


def test_new_files_alone_that_are_not_added_are_told(shop: Shop) -> None:
    shop.install("krender-render", "krender-check")
    shop.shell("git rm -q --cached rendered/clusters/west/.keep")
    stopped = shop.commit()
    assert (stopped.code, stopped.said.count("clusters/west/.keep")) == (1, 2), stopped.said


def test_rendering_takes_away_what_a_commit_that_only_deletes_leaves_over(shop: Shop) -> None:
    shop.install("krender-render")
    shop.git("rm", "-q", "fleet/web.yaml")
    stopped = shop.commit()
    assert (stopped.code, "- clusters/east/shop/deployment.apps.web.yaml" in stopped.said) == (1, True)
    shop.git("add", "--all", "--", "rendered")
    assert shop.commit().code == 0


def test_single_files_are_validated_with_the_settings_above_them(shop: Shop) -> None:
    shop.install("krender-validate")
    shop.replace("fleet/policy.yaml", "placement", "placment")
    shop.write("mkdocs.yaml", "theme: !!python/name:none\n")
    shop.git("add", ".")
    stopped = shop.commit()
    assert stopped.code == 1
    assert 'fleet/policy.yaml:6:3: PropagationPolicy shop/web has no field "placment"' in stopped.said


def test_a_linked_worktree_and_a_push_are_looked_at(shop: Shop) -> None:
    shop.install("krender-check")
    shop.git("worktree", "add", "-q", "-b", "other", "../other")
    other = Shop(shop.root.parent / "other", shop.hooks)
    changed(other)
    other.git("add", ".")
    assert other.commit().code == 1
    other.shell("krender render fleet --tracked && git add --all -- rendered")
    assert other.commit().code == 0
    other.git("init", "-q", "--bare", "../remote.git")
    other.git("remote", "add", "origin", "../remote.git")
    other.shell("pre-commit install --hook-type pre-push")
    assert other.attempt("git", "push", "-q", "origin", "other").code == 0
    changed_back = ("fleet/web.yaml", "web:1.3", "web:1.4")
    other.replace(*changed_back)
    other.git("commit", "-q", "--no-verify", "-a", "-m", "Past the hook")
    assert other.attempt("git", "push", "-q", "origin", "other").code == 1


def test_a_submodule_is_a_repository_like_any_other(shop: Shop) -> None:
    above = Shop(shop.root.parent / "above", shop.hooks)
    above.root.mkdir()
    above.git("init", "-q")
    above.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(shop.root), "shop")
    inner = Shop(above.root / "shop", shop.hooks)
    inner.install("krender-check")
    changed(inner)
    inner.git("add", ".")
    assert inner.commit().code == 1
    inner.shell("krender render fleet --tracked && git add --all -- rendered")
    assert inner.commit().code == 0


def test_a_result_beside_its_source_by_path_is_looked_at(shop: Shop) -> None:
    shop.write(
        "fleet/krender.yaml", SETTINGS.replace("directory: ../rendered", "path: rendered, branch: main")
    )
    shop.install("krender-check", "krender-render")
    changed(shop)
    shop.git("add", ".")
    assert shop.commit().code == 1
    shop.git("add", ".")
    assert shop.commit().code == 0


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="an archive is no repository to install hooks from")
def test_pre_commit_installs_krender_and_runs_it(shop: Shop, tmp_path: Path) -> None:
    source = tmp_path / "source"
    files = subprocess.run(
        ["git", "ls-files", "-z", "--", "renderer", "schemas", "pyproject.toml", "README.md", "LICENSE",
         "docs/rules.md", MANIFEST.name],
        cwd=ROOT, capture_output=True, text=True, check=True,
    ).stdout.split("\0")  # fmt: skip
    for name in {MANIFEST.name, *filter(None, files)}:
        if (ROOT / name).is_file():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, source / name)
    for line in ("init -q", "add .", "commit -q -m Source", "tag v1.2.3"):
        subprocess.run(["git", *line.split()], cwd=source, check=True)
    hook = f"- repo: {source}\n  rev: v1.2.3\n  hooks: [{{id: krender-check, args: [fleet]}}]\n"
    shop.write(".pre-commit-config.yaml", f"repos:\n{hook}")
    changed(shop)
    shop.git("add", ".")
    ran = shop.attempt("pre-commit", "run", "--all-files", "--verbose")
    if "Could not find a version" in ran.said or "No matching distribution" in ran.said:
        pytest.skip("no package index can be reached")
    assert (ran.code, "outdated   clusters/east/shop/deployment.apps.web.yaml" in ran.said) == (1, True)
    assert sys.prefix not in ran.said
