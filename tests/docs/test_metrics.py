"""The page on metrics, the alerts and the dashboard name what there is, and all of it."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from renderer.model.plan import Standing
from renderer.view.metrics.families import FAMILIES
from renderer.view.metrics.reasons import REASONS
from tests.docs.monitoring import FOLDER, alerts, annotated, code, dashboard, named, panels, queries, rows

COMMON = frozenset(("command", "workspace", "instance", "job"))  # the last two are Prometheus' own
LABELS = {family.name: COMMON | set(family.labels) for family in FAMILIES}
OTHERS = {"node_textfile_mtime_seconds": COMMON | {"file"}}  # node_exporter's

promtool = shutil.which("promtool")
with_promtool = pytest.mark.skipif(promtool is None, reason="promtool is not installed (Debian: prometheus)")


def tool(*arguments: object) -> str:
    """Run promtool, which has nothing to complain of."""
    line = [str(promtool), *map(str, arguments)]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_page_has_every_metric_with_its_labels() -> None:
    told = {code(metric)[0]: tuple(code(labels)) for metric, labels, _, _ in rows("What there is")}
    assert told == {family.name: family.labels for family in FAMILIES}


def test_the_page_has_every_state_and_reason() -> None:
    assert [code(state)[0] for state, _ in rows("States")] == [state.value for state in Standing]
    assert sorted(code(reason)[0] for reason, _ in rows("Reasons")) == sorted(REASONS)


def test_the_page_says_what_to_do_about_every_alert() -> None:
    assert [code(name)[0] for name, _ in rows("Alerts")] == [alert["alert"] for alert in alerts()]


@pytest.mark.parametrize("alert", alerts(), ids=lambda alert: str(alert["alert"]))
def test_an_alert_is_of_metrics_and_labels_that_there_are(alert: Mapping[str, object]) -> None:
    asked = list(named(str(alert["expr"])))
    assert asked
    for item in asked:
        assert item.labels <= {**LABELS, **OTHERS}[item.metric], item.metric
    assert annotated(alert) <= frozenset().union(*(item.labels for item in asked))


@pytest.mark.parametrize("query", queries())
def test_a_panel_is_of_metrics_and_labels_that_there_are(query: str) -> None:
    for item in named(query):
        assert item.labels <= {**LABELS, **OTHERS}[item.metric], item.metric


def test_every_metric_is_on_the_dashboard() -> None:
    assert {item.metric for query in queries() for item in named(query)} == {*LABELS, *OTHERS}


def test_the_first_reasons_are_those_that_are_worth_an_alert() -> None:
    (alert,) = [alert for alert in alerts() if alert["alert"] == "KrenderTemplatesUnscheduled"]
    watched = re.findall(r'reason=~"([^"]*)"', str(alert["expr"]))[0].split("|")
    assert watched == [code(reason)[0] for reason, _ in rows("Reasons")][: len(watched)]
    assert set(watched) <= set(REASONS)
    (panel,) = [query for query in queries() if "reason=~" in query]
    assert "|".join(watched) in panel


def test_panels_have_ids_of_their_own_and_do_not_overlap() -> None:
    taken: set[tuple[int, int]] = set()
    for panel in panels():
        place = panel["gridPos"]
        assert isinstance(place, dict)
        cells = {
            (x, y)
            for x in range(place["x"], place["x"] + place["w"])
            for y in range(place["y"], place["y"] + place["h"])
        }
        assert not cells & taken
        assert place["x"] + place["w"] <= 24
        assert panel["description"]
        taken |= cells
    assert len({str(panel["id"]) for panel in panels()}) == len(panels())
    assert dashboard()["uid"] == "krender"


@with_promtool
def test_alerts_fire_when_they_should_and_only_then() -> None:
    tool("check", "rules", FOLDER / "alerts.yaml")
    tool("test", "rules", FOLDER / "alerts_test.yaml")


def test_every_alert_is_tested() -> None:
    text = (FOLDER / "alerts_test.yaml").read_text(encoding="utf-8")
    fires = set(re.findall(r"alertname: (\w+)\n +exp_alerts", text))
    assert fires == {alert["alert"] for alert in alerts()}


@with_promtool
def test_prometheus_can_read_the_panels(tmp_path: Path) -> None:
    recorded = "".join(
        f"      - record: panel_{number}\n        expr: {query.replace('$workspace', '.*')!r}\n"
        for number, query in enumerate(queries())
    )
    (tmp_path / "rules.yaml").write_text(f"groups:\n  - name: panels\n    rules:\n{recorded}")
    tool("check", "rules", tmp_path / "rules.yaml")
