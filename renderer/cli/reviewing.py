"""The two jobs: a review of what would be published, and the publishing itself."""

from __future__ import annotations

import json
from collections.abc import Sequence

import click

from renderer.cli.jobs import Steps
from renderer.document.problem import Problem, Severity
from renderer.document.values import Object, mapping, sequence, text
from renderer.edge.comments import Comments, ForbiddenError
from renderer.edge.errors import OutsideError
from renderer.edge.own_runs import Ran
from renderer.view.problems import as_github
from renderer.view.review import Review, comment, step_summary

_STOPPED = 4  # exit code
_ANNOTATIONS = 10  # of each kind: GitHub shows no more of a step


def review(steps: Steps) -> int:
    """Check, plan and compare; tell it where reviewers look. Returns the exit code."""
    steps.fetch()
    problems, code = steps.problems()
    _annotate(problems)
    facts, ran, plan = steps.planned()
    diff: Object = {} if ran.code else steps.compared()
    stops = [mapping(item) for item in sequence(facts.get("stopped"))]
    told = Review(
        title=_title(steps, "review"),
        problems=problems,
        stops=stops,
        diff=diff,
        failure="" if code or not ran.code else ran.said,
        footer=_footer(steps, steps.job.head or steps.head()),
    )
    commented = steps.asked.comment and _commented(steps, told)
    _answer(
        steps, told, facts, {"commented": _word(commented), "plan-file": str(plan) if not ran.code else ""}
    )
    return code or ran.code or (_STOPPED if stops else 0)


def publish(steps: Steps) -> int:
    """Publish the newest commit of the branch. Returns the exit code."""
    steps.catch_up()
    steps.fetch()
    problems, _ = steps.problems()
    _annotate(problems)
    facts, ran = steps.committed()
    told = Review(
        title=_title(steps, "publish"),
        problems=problems if ran.code == 1 else (),
        stops=[mapping(item) for item in sequence(facts.get("stopped"))],
        failure=ran.said if ran.code not in (0, 1, _STOPPED) else "",
        commit=text(facts.get("commit")),
        message=text(facts.get("message")) if facts.get("commit") else "",
        footer=_footer(steps, steps.head()),
    )
    _answer(steps, told, facts, {"commented": "false", "plan-file": ""})
    if ran.code not in (0, _STOPPED):
        click.echo(f"::error title=krender::{_first(ran)}")
    return ran.code


def pass_over(steps: Steps) -> int:
    """Say that what was pushed is krender's own result, so that no workflow follows itself."""
    click.echo("this is what krender publishes: there is nothing to do")
    _answer(steps, Review(title=_title(steps, "publish")), {}, {"commented": "false", "plan-file": ""})
    return 0


def _answer(steps: Steps, told: Review, facts: Object, more: dict[str, str]) -> None:
    """The outputs of the step, and its summary."""
    summary = step_summary(told)
    steps.job.summarize(summary)
    place = steps.folder / "summary.md"
    place.write_text(summary, encoding="utf-8")
    clusters = mapping(facts.get("clusters"))
    sarif = str(steps.scanned()) if steps.asked.sarif and not steps.is_result else ""
    steps.job.answer(
        {
            "changed": _word(facts.get("changed") is True),
            "clusters": json.dumps([*clusters], ensure_ascii=False),
            **{name: str(_total(clusters, word)) for name, word in _COUNTS.items()},
            "blocked": _word(bool(told.stops)),
            "rendered-sha": steps.published(),
            "dry-sha": steps.head(),
            "summary-file": str(place),
            "sarif-file": sarif,
            **more,
        }
    )


_COUNTS = {"added": "added", "modified": "changed", "deleted": "removed"}


def _total(clusters: Object, word: str) -> int:
    found = (mapping(counts).get(word) for counts in clusters.values())
    return sum(number for number in found if isinstance(number, int))


def _annotate(problems: Sequence[Problem]) -> None:
    """The most severe problems beside their lines; GitHub shows no more than some."""
    for severity in Severity:
        found = [problem for problem in problems if problem.severity is severity][:_ANNOTATIONS]
        if found:
            click.echo(as_github(found))


def _commented(steps: Steps, told: Review) -> bool:
    """Keep the comment of the pull request, if there is one and it may be written."""
    here, asked = steps.job, steps.asked
    if not here.pull or not here.token:
        return False
    if here.is_fork:
        click.echo("::notice title=krender::a fork's run cannot comment: see the summary of this run")
        return False
    mark = f"<!-- krender:{asked.name} -->"
    comments = Comments(
        api=here.api, token=here.token, repository=here.repository, number=here.pull, author=asked.author
    )
    try:
        return comments.keep(mark, comment(told, mark), new=not told.is_quiet)
    except ForbiddenError as error:
        click.echo(
            f"::notice title=krender::the token may not comment ({error}): see the summary of this run"
        )
    except OutsideError as error:
        click.echo(f"::warning title=krender::{' '.join(str(error).split())}")
    return False


def _title(steps: Steps, doing: str) -> str:
    name = steps.asked.name
    return f"krender {doing}" if name == "fleet" else f"krender {doing}: {name}"


def _footer(steps: Steps, commit: str) -> str:
    return f"<sub>{commit[:12]} · [log]({steps.job.run})</sub>"


def _first(ran: Ran) -> str:
    """The line that says what happened; of a fault of krender itself that is the last one."""
    lines = [line for line in ran.said.splitlines() if line.strip()] or ["it failed"]
    line = lines[-1] if lines[0].startswith("Traceback") else lines[0]
    return line.replace("%", "%25").replace("\r", "%0D")


def _word(answer: bool) -> str:
    return "true" if answer else "false"
