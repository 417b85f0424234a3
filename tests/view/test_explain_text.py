"""Explanations word by word: what is decisive first, the arithmetic below."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from renderer.edge.files import read_workspace
from renderer.load.workspace import load
from renderer.model.override_result import Note
from renderer.pipeline import render
from renderer.view.explain.answer import Question, answer, pages
from renderer.view.explain.changes import note
from renderer.view.explain.page import Line, Page, Table, Tone, count, names, plain
from renderer.view.explain.terminal import wrapped
from tests.view.explained import (
    AGGREGATED,
    DYNAMIC,
    EQUAL,
    FLEET,
    explained,
    override,
    patch,
    policy,
    published,
    shop,
    web,
)
from tests.workspaces import plan

QUICKSTART = Path(__file__).parents[2] / "policies" / "quickstart"

STATIC = """\
Deployment demo/web  (policies/quickstart/app/web.yaml:2:1)
on 2 of 3 clusters, 3 replicas in all
claimed by PropagationPolicy demo/web, which selects it by name  (policies/quickstart/policies/propagation.yaml:2:1)

CLUSTER  REPLICAS  WHY
eu       2         weight 2 of 3
us       1         weight 1 of 3
lab      -         ClusterAffinity: label stage is "lab", not "production"

placement: decided now, because it was not placed before
3 replicas by StaticWeight
  weights: 2 for eu; 1 for us
  seat by seat, each to the highest weight / (2 × seats held + 1)
    SEAT  TO  CLAIM        SAME CLAIM
    1     eu  2/1
    2     us  1/1
    3     eu  2/3 = 0.667

overrides, in the order in which they apply
  ClusterOverridePolicy us-mirror, rule 1
    imageOverrider replace Registry  /spec/template/spec/containers/0/image  (policies/quickstart/policies/override.yaml:19:13)
      registry.example/demo/web:1.4.2 -> mirror.example/demo/web:1.4.2  on us"""  # noqa: E501 - as it is


def test_a_worked_example() -> None:
    made = render(load(read_workspace(QUICKSTART)))
    document = answer(made, Question(subject="deploy/web"), "policies/quickstart")
    assert "\n".join(plain(page) for page in pages(document)) == STATIC


SCALED_DOWN = """\
Deployment shop/web  (web.yaml:1:1)
on 4 of 6 clusters, 5 replicas in all
claimed by PropagationPolicy shop/web, which selects it by name  (policy.yaml:1:1)

CLUSTER  REPLICAS  WHY
a1       1         ran 2 of 9, of which 5 remain
a2       1         ran 1 of 9, of which 5 remain
b1       2         ran 5 of 9, of which 5 remain
b2       1         ran 1 of 9, of which 5 remain
bare     -         fits, but runs none, and the replicas became fewer
c1       -         TaintToleration: taint gpu=yes:NoSchedule is not tolerated

placement: decided now, because its clusters had 9 replicas, and 5 are wanted
before: a1 2, a2 1, b1 5, b2 1
5 replicas by DynamicWeight, scale down
  weights: 5 for b1; 2 for a1; 1 for a2, b2
  seat by seat, each to the highest weight / (2 × seats held + 1)
    SEAT  TO  CLAIM       SAME CLAIM
    1     b1  5/1
    2     a1  2/1
    3     b1  5/3 = 1.67
    4     a2  1/1         b2, b1
    5     b2  1/1         b1
  equal claims: first who holds fewer seats, then by name, a before z
capacity, in the order of preference
  CLUSTER  ROOM  RUNS  BOUNDED BY
  b1       16    5     cpu (8000m free, 500m each); pods 20, memory 32
  a1       8     2     cpu (4000m free, 500m each); pods 20, memory 32
  a2       4     1     cpu (2000m free, 500m each); pods 20, memory 32
  b2       2     1     pods (2 allocatable); cpu 2, memory 4
  bare     0     0     pods (no resourceSummary is known)"""


def test_what_a_scaling_keeps() -> None:
    assert explained(plan(shop(DYNAMIC, 5), published(shop()))) == SCALED_DOWN


REGIONS = """\
regions; of the combinations that will do, the one of the highest total score is chosen
  REGION  CHOSEN  SCORE  ROOM  CLUSTERS
  a       yes     9000   12    a1, a2
  b       no      9000   18    b1, b2 (first 1 counted)
9 replicas by Aggregated
  weights: 8 for a1; 4 for a2"""

SPREAD = (
    "spreadConstraints: [{spreadByField: region, minGroups: 1, maxGroups: 1}, "
    "{spreadByField: cluster, minGroups: 1, maxGroups: 2}]"
)
TERMS = (
    "clusterAffinities: [{affinityName: first, clusterNames: [c1]}, "
    "{affinityName: second, clusterNames: [b1]}]"
)


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        pytest.param(lambda: explained(plan(shop(f"{AGGREGATED}, {SPREAD}"))), REGIONS, id="regions"),
        pytest.param(
            lambda: explained(plan(shop(f"{TERMS}, {DYNAMIC}"))),
            "affinity term first failed: 0/6 clusters are available: 1 cluster(s) had untolerated taint "
            "{gpu=yes:NoSchedule}, 5 cluster(s) did not match the placement cluster affinity constraint.\n"
            "affinity term in force: second\n",
            id="affinity-terms-with-their-failure",
        ),
        pytest.param(
            lambda: explained(plan(shop(f"{EQUAL}, {SPREAD}"))),
            "spread constraints: ignored for static and equal weights, as Karmada does",
            id="constraints-that-do-not-count",
        ),
        pytest.param(
            lambda: explained(plan(shop("clusterAffinity: {clusterNames: [c1]}"))),
            "Deployment shop/web  (web.yaml:1:1)\n"
            "not scheduled: NoClusterFit: 0/6 clusters are available: 1 cluster(s) had untolerated taint "
            "{gpu=yes:NoSchedule}, 5 cluster(s) did not match the placement cluster affinity constraint.\n"
            "on no cluster\n",
            id="what-is-wrong-comes-first",
        ),
        pytest.param(
            lambda: explained(plan(shop(DYNAMIC, 900), published(shop()))),
            "on 4 of 6 clusters, 9 of 900 replicas\n",
            id="fewer-replicas-than-wanted",
        ),
        pytest.param(
            lambda: explained(plan(shop(policy=""))),
            "on no cluster\n"
            "not claimed: no policy selects it\n\n"
            "CLUSTER                   GETS  WHY\n"
            "a1, a2, b1, b2, bare, c1  -     no policy selects it",
            id="one-reason-for-all-in-one-row",
        ),
        pytest.param(
            lambda: explained(plan(shop(policy=policy(DYNAMIC).replace("apps/v1", "apps/v1beta1")))),
            "PropagationPolicy shop/web is near: it selects apps/v1beta1, and this is apps/v1"
            "  (policy.yaml:5:23)",
            id="the-policy-that-was-meant",
        ),
        pytest.param(
            lambda: explained(plan(shop(), published(shop()))),
            "placement: no pass was due: placement and replicas are those it was scheduled for, nobody asks "
            "for a reschedule, and no cluster of it is being deleted\nbefore: a1 2, a2 1, b1 5, b2 1",
            id="why-nothing-was-decided",
        ),
        pytest.param(
            lambda: explained(plan(shop(policy=""), published(shop()))),
            "on 4 of 6 clusters, 9 replicas in all: "
            "no policy claims it any more, and its files stay as last published",
            id="orphan",
        ),
        pytest.param(
            lambda: explained(plan(shop()), cluster="a1"), "\non a1, 2 of 9 replicas\n", id="one-cluster"
        ),
        pytest.param(lambda: explained(plan(shop()), cluster="c1"), "\nnot on c1\n", id="not-on-one-cluster"),
        pytest.param(
            lambda: explained(plan(shop("", 1, web=web(1).replace("  replicas: 1\n", "")))),
            "on 5 of 6 clusters, 5 replicas in all",
            id="replicas-that-an-api-server-would-default",
        ),
        pytest.param(
            lambda: explained(plan(shop(o=override(patch("/spec/replicas", "replace", "7"))))),
            "a1       7         weight 8 of 30; overrides make it 7",
            id="replicas-that-an-override-wrote",
        ),
    ],
)
def test_text_holds(told: Callable[[], str], expected: str) -> None:
    assert expected in told()


def test_near_misses_are_told_the_nearest_first() -> None:
    far = policy("", selector="name: webs, namespace: shop").replace("{name: web, n", "{name: far, n")
    near = (
        policy("", selector="name: Web")
        .replace("apps/v1", "apps/v1beta1")
        .replace("{name: web, n", "{name: a, n")
    )
    told = explained(plan(shop(policy=near, far=far)))
    assert [line.split()[1] for line in told.splitlines()[3:5]] == ["shop/far", "shop/a"]


def test_seats_by_the_uid_of_the_template() -> None:
    def with_uid(uid: str) -> str:
        return explained(
            plan(shop(EQUAL, 2, web=web(2).replace("{app: web}}\nspec", f"{{app: web}}, uid: {uid}}}\nspec")))
        )

    assert "by name, z before a, as the template's uid decides" in with_uid("b")
    assert "by name, a before z, as the template's uid decides" in with_uid("a")


def test_many_seats_are_told_as_runs() -> None:
    text = explained(plan(shop("clusterAffinity: {clusterNames: [b1, a2]}, " + DYNAMIC, 20)))
    assert "    b1 ×2, a2, b1 ×4, a2, b1 ×4, a2, b1 ×4, a2, b1 ×2\n" in text


def test_too_many_seats_are_not_told() -> None:
    assert "500 seats by Webster's method, too many to list" in explained(plan(shop(EQUAL, 500)))


def test_overrides_step_by_step() -> None:
    rules = (
        patch("/spec/template/metadata/labels/app", "replace", "shop"),
        patch("/spec/template/metadata/labels/app", "replace", "web"),
        "overriders: {argsOverrider: [{containerName: nobody, operator: add, value: [x]}]}",
        f"targetCluster: {{clusterNames: [c1]}}, {patch('/spec/replicas', 'remove')}",
        "overriders: {}",
    )
    text = explained(plan(shop("", o=override(*rules))))
    assert text.partition("overrides, ")[2] == (
        "in the order in which they apply\n"
        "  OverridePolicy shop/o, rule 1\n"
        "    plaintext replace  /spec/template/metadata/labels/app  (o.yaml:7:31)\n"
        "      web -> shop  on a1, a2, b1, b2, bare\n"
        "        undone by OverridePolicy shop/o, rule 2\n"
        "  OverridePolicy shop/o, rule 2\n"
        "    plaintext replace  /spec/template/metadata/labels/app  (o.yaml:8:31)\n"
        "      shop -> web  on a1, a2, b1, b2, bare\n"
        "  OverridePolicy shop/o, rule 3\n"
        "    argsOverrider add  (o.yaml:9:35)\n"
        "      (absent), unchanged  on a1, a2, b1, b2, bare\n"
        "        no container has that name; there are: web\n"
        "  OverridePolicy shop/o, rule 5  (o.yaml:11:6)\n"
        "    does nothing\n"
        "  OverridePolicy shop/o, rule 4: not for any of its clusters  (o.yaml:10:43)"
    )


def test_one_cluster_has_its_own_overrides_alone() -> None:
    rules = [
        f"targetCluster: {{clusterNames: [{name}]}}, {patch('/spec/replicas', 'replace', '7')}"
        for name in ("a1", "a2")
    ]
    told = explained(plan(shop("", o=override(*rules))), cluster="a2")
    assert "      9 -> 7  on a2" in told
    assert "on a1" not in told


def test_rules_are_told_in_their_order_whoever_they_are_for() -> None:
    first = f"targetCluster: {{clusterNames: [b1]}}, {patch('/spec/replicas', 'replace', '7')}"
    second = f"targetCluster: {{clusterNames: [a1]}}, {patch('/spec/replicas', 'replace', '8')}"
    told = explained(plan(shop("", o=override(first, second))))
    assert told.index("rule 1\n") < told.index("rule 2\n")


def test_clusters_that_get_it_have_a_row_each() -> None:
    told = explained(plan(shop(fleet=FLEET.replace("stage: test", "stage: prod"), policy=policy(""))))
    assert [line.split()[0] for line in told.splitlines()[4:10]] == [
        "CLUSTER",
        "a1",
        "a2",
        "b1",
        "b2",
        "bare",
    ]


def test_a_rule_that_fails_is_told_before_all_others() -> None:
    failing = f"targetCluster: {{clusterNames: [a1]}}, {patch('/spec/no/x', 'add', '1')}"
    text = explained(plan(shop("", o=override(failing))))
    assert text.partition("\n\nfailed on a1: ")[2] == (
        'OverridePolicy shop/o, rule 1: plaintext 1 "/spec/no/x" cannot be applied to Deployment shop/web: '
        'there is no "no" in "/spec"\n'
        "overrides, in the order in which they apply\n"
        "  OverridePolicy shop/o, rule 1\n"
        "    fails  (o.yaml:7:43)\n"
        "      on a1"
    )


@pytest.mark.parametrize("remark", Note)
def test_every_remark_has_words(remark: Note) -> None:
    told = note({"note": remark.value, "details": ["WHAT"]})
    assert told
    assert told != "WHAT"


def test_a_large_fleet_is_grouped() -> None:
    names_of = [f"n{number:03}" for number in range(300)]
    listed = "".join(f"  - {{name: {name}, labels: {{odd: o{int(name[1:]) % 2}}}}}\n" for name in names_of)
    fleet = FLEET.partition("  - {name: a1")[0] + listed
    text = explained(
        plan(
            shop(
                "clusterAffinity: {labelSelector: {matchLabels: {odd: o1}}}",
                fleet=fleet,
                o=override(
                    "overriders: {labelsOverrider: [{operator: add, "
                    'value: {at: "{{ cluster.metadata.name }}"}}]}'
                ).replace("namespace: shop}", "namespace: shop, annotations: {krender.io/values: jinja2}}"),
            )
        )
    )
    assert text.splitlines()[4:7] == [
        "CLUSTER                        REPLICAS  WHY",
        "n001, n003, n005 and 147 more  9         9 on each cluster (Duplicated)",
        'n000, n002, n004 and 147 more  -         ClusterAffinity: label odd is "o0", not "o1"',
    ]
    assert text.endswith("      and other values on 130 clusters")


def test_answers_of_their_own_are_cut() -> None:
    listed = "".join(f"  - {{name: n{number:03}, labels: {{own: v{number}}}}}\n" for number in range(100))
    fleet = FLEET.partition("  - {name: a1")[0] + listed
    text = explained(plan(shop("clusterAffinity: {labelSelector: {matchLabels: {own: none}}}", fleet=fleet)))
    assert "\nand 60 clusters more: --cluster NAME tells one, --format json all" in text


def test_names_and_counts() -> None:
    assert names("abc", 3) == "a, b, c"
    assert names("abcd", 3) == "a, b, c and 1 more"
    assert [count(1, "policy"), count(2, "policy"), count(0, "cluster")] == [
        "1 policy",
        "2 policies",
        "0 clusters",
    ]


PAGE: Page = [
    [
        Line("Deployment shop/web", source="a/long/path/to/web.yaml:1:1", tone=Tone.TITLE),
        Line("a line that is too long for forty columns", indent=2),
    ],
    [
        Table(
            ("NAME", "WHY"),
            (("x", "because it is so and so and so and so"), ("\x1b[31m", "red")),
            2,
            (Tone.BAD,),
        )
    ],
    [Table(("EMPTY",), ())],
    [Line("last"), Table(("EMPTY",), ())],
]


def test_the_plain_form_has_one_line_a_row_and_no_control_characters() -> None:
    assert plain(PAGE) == (
        "Deployment shop/web  (a/long/path/to/web.yaml:1:1)\n"
        "  a line that is too long for forty columns\n"
        "\n"
        "  NAME      WHY\n"
        "  x         because it is so and so and so and so\n"
        "  \\x1b[31m  red\n"
        "\n"
        "last"
    )


def test_a_terminal_is_filled_and_not_exceeded() -> None:
    text = wrapped(PAGE, 10, colour=False)
    assert text == (
        "Deployment shop/web\n"
        "    (a/long/path/to/web.yaml:1:1)\n"
        "  a line that is too long for forty\n"
        "      columns\n"
        "\n"
        "  NAME      WHY\n"
        "  x         because it is so and so and\n"
        "            so and so\n"
        "  \\x1b[31m  red\n"
        "\n"
        "last"
    )
    assert "\x1b" not in text


def test_colour_is_only_where_it_is_wanted() -> None:
    text = wrapped(PAGE, 80, colour=True)
    assert "\x1b[1mDeployment shop/web" in text
    assert "\x1b[1;31m" in text
