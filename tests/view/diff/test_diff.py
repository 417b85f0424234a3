"""The difference of two renders: what it means, which files, which text."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from renderer.document.values import Object, Value, mapping, sequence, text
from renderer.model.differences import clusters_of
from renderer.model.plan import Plan
from renderer.model.tree import EMPTY_TREE, Tree, placed, tree_of
from renderer.schedule.previous import read_previous
from renderer.schedule.renamed import moved_directories
from renderer.view.diff.facts import diff_facts
from renderer.view.diff.fields import field_changes
from renderer.view.diff.hunks import without_secrets
from renderer.view.diff.markdown import diff_markdown
from renderer.view.diff.reasons import OfPlan, OfRecord
from renderer.view.diff.side import Side
from renderer.view.diff.text import diff_json, diff_text
from tests.workspaces import FLEET, NAMESPACE, SHOP, WEB, plan

MIRROR = """\
apiVersion: policy.karmada.io/v1alpha1
kind: OverridePolicy
metadata: {name: mirror, namespace: shop}
spec:
  resourceSelectors: [{apiVersion: apps/v1, kind: Deployment}]
  overrideRules:
  - overriders:
      imageOverrider: [{component: Tag, operator: replace, value: "9"}]
"""
SECRET = """\
apiVersion: v1
kind: Secret
metadata: {name: db, namespace: shop, annotations: {note: NOTE}}
data: {password: PASSWORD, user: dXNlcg==}
"""


def side(result: Plan, label: str = "new", old: Tree = EMPTY_TREE) -> Side:
    """A plan as a state to compare."""
    clusters = result.workspace.clusters
    return Side(
        label=label,
        tree=result.tree,
        bindings=read_previous(result.tree).bindings,
        why=OfPlan(result),
        names={cluster.slug: cluster.name for cluster in clusters},
        renamed={cluster.previous_name: cluster.name for cluster in clusters if cluster.previous_name},
        moved=moved_directories(old, clusters),
    )


def facts(before: Mapping[str, str], after: Mapping[str, str]) -> Object:
    """The second workspace rendered on what the first one published, compared with that."""
    first = plan(before)
    second = plan(after, read_previous(first.tree))
    old = Side(label="old", tree=first.tree, bindings=read_previous(first.tree).bindings)
    return diff_facts(old, side(second, old=first.tree), "sha1")


def lines(before: Mapping[str, str], after: Mapping[str, str]) -> list[str]:
    """The lines of the meaning: all before the files."""
    told = diff_text(facts(before, after)).partition("\n\nfiles\n")[0]
    return told.partition("\n\n")[2].split("\n")


def secret(password: str, note: str = "one") -> dict[str, str]:
    """The shop with a Secret."""
    policy = SHOP["policy.yaml"].replace("name: web}]", "name: web}, {apiVersion: v1, kind: Secret}]")
    body = SECRET.replace("PASSWORD", password).replace("NOTE", note)
    return {**SHOP, "policy.yaml": policy, "secret.yaml": body}


def test_no_change_is_told_as_such() -> None:
    found = facts(SHOP, SHOP)
    assert found == {"from": "old", "to": "new", "changed": False}
    assert diff_text(found) == "old -> new: nothing changes"
    assert diff_markdown(found) == "**old → new**: nothing changes\n"
    assert json.loads(diff_json(found)) == found


# The meaning


def test_replicas_that_move_are_told_with_the_reason() -> None:
    three = FLEET.replace("region: we, labels: {stage: test}", "region: we, labels: {stage: prod}")
    lost = three.replace("  - {name: east, region: eu, labels: {stage: prod}}\n", "")
    before = {**SHOP, "fleet.yaml": three, "web.yaml": WEB.replace("replicas: 4", "replicas: 3")}
    assert "  1 replica moves from east to north, because the inventory no longer has it" in lines(
        before, {**before, "fleet.yaml": lost}
    )


def test_a_policy_that_moves_work_is_the_reason() -> None:
    elsewhere = SHOP["policy.yaml"].replace("stage: prod", "stage: test")
    assert lines(SHOP, {**SHOP, "policy.yaml": elsewhere})[:5] == [
        "Namespace shop",
        "  added on west",
        "  deleted on 2 clusters: east, north",
        "Deployment shop/web",
        '  2 replicas move from east to west, because ClusterAffinity: label stage is "prod", not "test"',
    ]


def test_scaling_is_told_in_all_and_cluster_by_cluster() -> None:
    more = WEB.replace("replicas: 4", "replicas: 8")
    assert lines(SHOP, {**SHOP, "web.yaml": more}) == [
        "Deployment shop/web",
        "  replicas in all: 4 -> 8, because its replicas changed",
        "  replicas: 2 -> 4 on 2 clusters: east, north",
    ]


def test_many_moves_are_told_together() -> None:
    names = [f"c{number:02}" for number in range(20)]
    head = FLEET.partition("  - ")[0]
    fleet = head + "".join(f"  - {{name: {name}, labels: {{stage: prod}}}}\n" for name in names[:10])
    moved = head + "".join(f"  - {{name: {name}, labels: {{stage: prod}}}}\n" for name in names[10:])
    before = {**SHOP, "web.yaml": WEB.replace("replicas: 4", "replicas: 10"), "fleet.yaml": fleet}
    found = lines(before, {**before, "fleet.yaml": moved})
    assert found[0] == "10 clusters new, with 20 objects: c10, c11, c12 and 7 more"
    assert found[1] == "10 clusters gone, with 20 objects: c00, c01, c02 and 7 more"
    assert (
        "  10 replicas move from 10 clusters (c00, c01, c02 and 7 more)"
        " to 10 clusters (c10, c11, c12 and 7 more)" in "\n".join(found)
    )


def test_a_duplicated_workload_joins_and_leaves_clusters() -> None:
    policy = SHOP["policy.yaml"].partition("    replicaScheduling")[0]
    before = {**SHOP, "policy.yaml": policy}
    everywhere = policy.replace("{matchLabels: {stage: prod}}", "{}")
    joined = lines(before, {**before, "policy.yaml": everywhere})
    assert "  placed on west, too, because its placement changed" in joined
    left = lines({**before, "policy.yaml": everywhere}, before)
    assert '  placed no more on west, because ClusterAffinity: label stage is "test", not "prod"' in left
    scaled = lines(before, {**before, "web.yaml": WEB.replace("replicas: 4", "replicas: 6")})
    assert scaled == [
        "Deployment shop/web",
        "  replicas on each cluster: 4 -> 6 on 2 clusters: east, north",
    ]


def test_what_is_placed_for_the_first_time_and_what_is_gone() -> None:
    bare = {"fleet.yaml": FLEET, "namespace.yaml": NAMESPACE}
    assert "  placed with 4 replicas on 2 clusters: east, north" in lines(bare, SHOP)
    without = {name: body for name, body in SHOP.items() if name != "web.yaml"}
    gone = lines(SHOP, without)
    assert (
        "  placed nowhere any more; it was with 4 replicas on 2 clusters: east, north, "
        "because its template is gone" in gone
    )
    assert "  deleted on 2 clusters: east, north" in gone


def test_a_claim_that_changes_is_told_with_its_place() -> None:
    other = SHOP["policy.yaml"].replace("metadata: {name: web,", "metadata: {name: other,")
    assert lines(SHOP, {**SHOP, "policy.yaml": other}) == [
        "Deployment shop/web",
        "  claimed by PropagationPolicy shop/other (policy.yaml:1:1) instead of PropagationPolicy shop/web",
    ]
    cluster = (
        other.replace("PropagationPolicy", "ClusterPropagationPolicy").replace(", namespace: shop}", "}")
    ).replace("name: web}]", "name: web, namespace: shop}]")
    found = lines(SHOP, {**SHOP, "policy.yaml": cluster})
    assert found[1].startswith("  claimed by ClusterPropagationPolicy other (")
    orphaned = lines(SHOP, {**SHOP, "policy.yaml": ""})
    assert "  claimed by nobody any more; it was PropagationPolicy shop/web's" in orphaned


def test_what_cannot_be_scheduled_any_more_is_told() -> None:
    nowhere = SHOP["policy.yaml"].replace("stage: prod", "stage: none")
    found = "\n".join(lines(SHOP, {**SHOP, "policy.yaml": nowhere}))
    assert "  cannot be scheduled (NoClusterFit): " in found


def test_a_field_is_told_with_the_rule_that_set_it() -> None:
    assert lines(SHOP, {**SHOP, "mirror.yaml": MIRROR}) == [
        "Deployment shop/web",
        (
            "  spec.template.spec.containers[web].image: registry.example/team/web:1.2 -> "
            "registry.example/team/web:9 on 2 clusters: east, north, "
            "by OverridePolicy shop/mirror, rule 1 (mirror.yaml:7:5)"
        ),
    ]


def test_a_field_of_the_template_is_told_with_its_line() -> None:
    newer = WEB.replace("web:1.2", "web:1.3").replace(
        "labels: {app: web}}\nspec", "labels: {app: web, new: yep}}\nspec"
    )
    assert lines(SHOP, {**SHOP, "web.yaml": newer}) == [
        "Deployment shop/web",
        "  metadata.labels.new: yep added on 2 clusters: east, north, by web.yaml:3:59",
        (
            "  spec.template.spec.containers[web].image: registry.example/team/web:1.2 -> "
            "registry.example/team/web:1.3 on 2 clusters: east, north, by web.yaml:10:32"
        ),
    ]
    gone = lines({**SHOP, "web.yaml": newer}, {**SHOP, "web.yaml": WEB.replace("web:1.2", "web:1.3")})
    assert gone[1] == "  metadata.labels.new: yep removed on 2 clusters: east, north"


def test_ten_thousand_clusters_with_one_change_are_one_line() -> None:
    many = "".join(f"  - {{name: c{number}, labels: {{stage: prod}}}}\n" for number in range(300))
    policy = SHOP["policy.yaml"].partition("    replicaScheduling")[0]
    fleet = {**SHOP, "fleet.yaml": FLEET.partition("  - ")[0] + many, "policy.yaml": policy}
    templated = MIRROR.replace(
        "metadata: {", "metadata: {annotations: {krender.io/values: jinja2}, "
    ).replace(
        "      imageOverrider",
        '      labelsOverrider: [{operator: add, value: {at: "{{ cluster.metadata.name }}"}}]\n'
        "      imageOverrider",
    )
    found = facts(
        {**fleet, "mirror.yaml": templated}, {**fleet, "mirror.yaml": templated.replace('"9"', '"10"')}
    )
    told = diff_text(found)
    assert "on 300 clusters: c0, c1, c10 and 297 more, by OverridePolicy" in told
    assert len(sequence(found["text"])) == 1, "one text stands for all that change alike"
    assert len(told.split("\n")) < 30
    values = facts(
        {**fleet, "mirror.yaml": MIRROR}, {**fleet, "mirror.yaml": templated.replace('"10"', '"9"')}
    )
    assert "metadata.labels.at: c0 added (and 299 other values) on 300 clusters" in diff_text(values)


def test_pairs_beyond_the_bound_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("renderer.view.diff.contents._LOOKED_INTO", 1)
    east = MIRROR.replace("  - overriders", "  - targetCluster: {clusterNames: [east]}\n    overriders")
    found = diff_text(
        facts(
            {**SHOP, "web.yaml": WEB.replace("1.2", "1.1"), "mirror.yaml": east},
            {**SHOP, "mirror.yaml": east.replace('"9"', '"8"')},
        )
    )
    assert "  changed on north; too many to look into each" in found


def test_clusters_that_come_go_and_are_renamed() -> None:
    moved = FLEET.replace("name: east", "name: orient, previousName: east").replace("name: west", "name: new")
    assert lines(SHOP, {**SHOP, "fleet.yaml": moved}) == [
        "cluster east is called orient now",
        "1 cluster new, with 0 objects: new",
        "1 cluster gone, with 0 objects: west",
    ]


# Files and text


def test_files_are_listed_with_their_clusters() -> None:
    found = facts(SHOP, {**SHOP, "mirror.yaml": MIRROR})
    assert found["files"] == [
        {"change": "changed", "path": "shop/deployment.apps.web.yaml", "clusters": ["east", "north"]}
    ]
    told = diff_text(found)
    assert "files\n  changed shop/deployment.apps.web.yaml on 2 clusters: east, north\n" in told
    assert (
        "-        image: registry.example/team/web:1.2\n+        image: registry.example/team/web:9" in told
    )


def test_files_beside_the_clusters_are_told() -> None:
    first, second = plan(SHOP), plan(SHOP)
    tree = placed(second.tree, "delivery/app.yaml", tree_of({"x": b"1"})["x"])
    old = Side(label="old", tree=first.tree, bindings=read_previous(first.tree).bindings)
    found = diff_facts(old, replace(side(second), tree=tree), "sha1")
    assert found["elsewhere"] == [{"change": "added", "path": "delivery/app.yaml"}]
    assert diff_text(found) == "old -> new: 1 other file\n\nfiles\n  added   delivery/app.yaml"


def test_long_texts_and_many_files_are_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    maps = "".join(
        f"---\napiVersion: v1\nkind: ConfigMap\nmetadata: {{name: m{n:03}, namespace: shop}}\n"
        f"data: {{a: '{n}'}}\n"
        for n in range(120)
    )
    policy = SHOP["policy.yaml"].replace("name: web}]", "name: web}, {apiVersion: v1, kind: ConfigMap}]")
    after = {**SHOP, "policy.yaml": policy, "maps.yaml": maps}
    found = facts(SHOP, after)
    assert found["textsLeftOut"] == 20
    told = diff_text(found)
    assert told.endswith("and the text of 20 more files")
    assert "  and 20 more\n" in told
    monkeypatch.setattr("renderer.view.diff.hunks._LINES", 3)
    assert "… more than 3 lines" in diff_text(facts(SHOP, after))
    assert len(diff_markdown(found)) < 65_536
    short = diff_markdown(found, 5_000)
    assert len(short) <= 5_000
    assert "more parts that a comment cannot hold" in short


def test_text_can_be_left_out() -> None:
    first, second = plan(SHOP), plan({**SHOP, "mirror.yaml": MIRROR})
    found = diff_facts(side(first, "a"), side(second, "b"), "sha1", with_text=False)
    assert "text" not in found


# Secrets


@pytest.mark.parametrize("show", [diff_text, diff_json, diff_markdown])
def test_no_value_of_a_secret_is_shown(show: object) -> None:
    assert callable(show)
    for before, after in (
        (SHOP, secret("aHVudGVyMg==")),
        (secret("aHVudGVyMg=="), SHOP),
        (secret("aHVudGVyMg=="), secret("c3dvcmRmaXNo", note="other")),
    ):
        told = show(facts(before, after))
        assert "db" in told
        for hidden in ("aHVudGVyMg", "c3dvcmRmaXNo", "dXNlcg"):
            assert hidden not in told


def test_that_a_value_of_a_secret_changes_is_shown() -> None:
    found = facts(secret("aHVudGVyMg=="), secret("c3dvcmRmaXNo"))
    assert "  data.password: (redacted) -> (redacted) on 2 clusters: east, north" in diff_text(found)
    (item,) = map(mapping, sequence(found["text"]))
    assert "-  password: (redacted, before)\n+  password: (redacted, after)" in text(item["diff"])
    assert "   user: (redacted)" in text(item["diff"])


def test_a_secret_that_somebody_broke_is_not_shown() -> None:
    first = plan(secret("aHVudGVyMg=="))
    broken = placed(
        first.tree,
        "clusters/east/shop/secret.db.yaml",
        tree_of({"x": b"kind: Secret\ndata: {a: hunter2"})["x"],
    )
    found = diff_facts(replace(side(first, "a"), tree=broken), side(first, "b"), "sha1")
    assert "hunter2" not in diff_text(found)
    assert "  rewritten on east" in diff_text(found)
    assert "(not one object, so it is not shown)" in diff_text(found)


@pytest.mark.parametrize(
    ("data", "kept"),
    [
        pytest.param(b"kind: ConfigMap\n", None, id="no-secret"),
        pytest.param(b"kind: ConfigMap\nof: Secret\n", None, id="about-a-secret"),
        pytest.param(b"kind: Secret\n-", b"(not one object, so it is not shown)\n", id="broken"),
        pytest.param(
            b"apiVersion: v1\nkind: Secret\nmetadata: {name: a}\ndata: {b: Yw==}\n",
            b"apiVersion: v1\nkind: Secret\nmetadata:\n  name: a\ndata:\n  b: (redacted)\n",
            id="a-secret",
        ),
    ],
)
def test_what_a_plan_file_keeps_of_a_content(data: bytes, kept: bytes | None) -> None:
    assert without_secrets(data) == kept


# Reasons that outlive their plan


def test_what_a_plan_file_keeps_gives_the_same_answers() -> None:
    first = plan(SHOP)
    elsewhere = SHOP["policy.yaml"].replace("stage: prod", "stage: test")
    files = {**SHOP, "policy.yaml": elsewhere, "mirror.yaml": MIRROR}
    second = plan(files, read_previous(first.tree))
    old = Side(label="old", tree=first.tree, bindings=read_previous(first.tree).bindings)
    asked = OfPlan(second)
    recorded = OfRecord(asked.recorded())
    by_plan = diff_facts(old, side(second), "sha1")
    by_record = diff_facts(old, replace(side(second), why=recorded), "sha1")
    assert by_plan["objects"] == by_record["objects"]


# Fields


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        pytest.param({"a": 1}, {"a": 1.0}, [], id="the-same-number"),
        pytest.param({"a": 1}, {"a": True}, [("a", "/a")], id="a-truth-value-is-no-number"),
        pytest.param({"a": {"b.c/d": 1}}, {"a": {"b.c/d": 2}}, [('a["b.c/d"]', "/a/b.c~1d")], id="odd-keys"),
        pytest.param(
            {"c": [{"name": "x", "i": 1}, {"name": "y", "i": 1}]},
            {"c": [{"name": "y", "i": 2}, {"name": "x", "i": 1}]},
            [("c[y].i", "/c/0/i")],
            id="elements-with-names",
        ),
        pytest.param(
            {"c": [{"name": "x"}]},
            {"c": [{"name": "y"}]},
            [("c[y]", "/c/0"), ("c[x]", "/c/0")],
            id="a-new-name",
        ),
        pytest.param({"c": [1, 2]}, {"c": [1, 3]}, [("c[1]", "/c/1")], id="elements-by-place"),
        pytest.param({"c": [1, 2]}, {"c": [1]}, [("c", "/c")], id="lists-of-other-lengths"),
        pytest.param(
            {"c": [{"name": "x"}, {"name": "x"}]}, {"c": [{"name": "x"}]}, [("c", "/c")], id="names-twice"
        ),
        pytest.param({"a": {"b": 1}}, {"a": [1]}, [("a", "/a")], id="another-type"),
        pytest.param({"": 1}, {"": 2}, [('[""]', "/")], id="an-empty-key"),
    ],
)
def test_fields(before: Object, after: Object, expected: list[tuple[str, str]]) -> None:
    assert [(change.path, change.pointer) for change in field_changes(before, after)] == expected


values: st.SearchStrategy[Value] = st.recursive(
    st.none() | st.booleans() | st.integers(0, 3) | st.text("ab", max_size=2),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["name", "a", "b"]), inner),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from("abc"), values), st.dictionaries(st.sampled_from("abc"), values))
def test_there_are_changes_exactly_where_objects_differ(before: Object, after: Object) -> None:
    changes = field_changes(before, after)
    assert not field_changes(before, before)
    if not changes:
        reordered = json.dumps(before, sort_keys=True) == json.dumps(after, sort_keys=True)
        assert reordered or _has_names(before)


def _has_names(value: Value) -> bool:
    """Whether there is a list of named elements, whose order does not count."""
    if isinstance(value, dict):
        return any(map(_has_names, value.values()))
    if isinstance(value, list):
        return any(isinstance(item, dict) and "name" in item for item in value) or any(map(_has_names, value))
    return False


def test_the_clusters_of_a_tree() -> None:
    assert list(clusters_of(plan(SHOP).tree)) == ["east", "north", "west"]
    assert clusters_of(EMPTY_TREE) == {}
