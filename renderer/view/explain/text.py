"""The facts about a template as it is read: the answer first, then who decided, the arithmetic below."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from renderer.document.values import Object, Value, mapping, sequence, text
from renderer.view.explain.adapting import adaptation_block
from renderer.view.explain.arithmetic import scheduling_block
from renderer.view.explain.changes import override_block
from renderer.view.explain.page import Block, Line, Page, Table, Tone, count, names

_ALIKE: Final = 4  # clusters that get nothing for one and the same reason are told in one row
_ROWS: Final = 40  # clusters listed one by one; more are counted where they have the same answer


def object_page(facts: Object) -> Page:
    """The whole explanation of one template."""
    return (
        tuple(_head(facts)),
        cluster_block([mapping(item) for item in sequence(facts.get("clusters"))]),
        tuple(scheduling_block(facts)),
        tuple(override_block(facts)),
        tuple(adaptation_block(facts)),
    )


def named(identity: Object) -> str:
    """An object by kind, namespace and name."""
    kind, namespace, name = (text(identity.get(key)) for key in ("kind", "namespace", "name"))
    return f"{kind} {namespace}/{name}" if namespace else f"{kind} {name}"


def cluster_block(rows: Sequence[Object]) -> Block:
    """One row a cluster, those that get something first; many are counted by their answer."""
    runs = any("replicas" in row for row in rows)
    taken = sorted(cells(row) for row in rows if row.get("gets"))
    refused = sorted(cells(row) for row in rows if not row.get("gets"))
    grouped, rest = _bounded(taken)
    left_out, unlisted = _bounded(refused)
    tones = (*(Tone.GOOD for _ in grouped), *(Tone.PLAIN for _ in left_out))
    header = ("CLUSTER", "REPLICAS" if runs else "GETS", "WHY")
    lines = [Line(_more(rest + unlisted), tone=Tone.QUIET)] if rest + unlisted else []
    return (Table(header, (*grouped, *left_out), tones=tones), *lines)


def cells(item: Object) -> tuple[str, str, str]:
    """Name, replicas and reasons of one cluster; a dash where it gets nothing."""
    because = [text(reason) for reason in sequence(item.get("because"))]
    if item.get("as"):
        because.append(f"as {named(mapping(item.get('as')))}")
    if not item.get("gets"):
        return text(item.get("cluster")), "-", "; ".join(because)
    replicas = item.get("overriddenReplicas", item.get("replicas"))
    return text(item.get("cluster")), "yes" if replicas is None else str(replicas), "; ".join(because)


def _head(facts: Object) -> Iterator[Line]:
    yield Line(named(mapping(facts.get("object"))), source=text(facts.get("source")), tone=Tone.TITLE)
    yield from _verdict(facts)
    yield from claim_lines(mapping(facts.get("claim")))
    for item in map(mapping, sequence(facts.get("requiredBy"))):
        on = count(len(sequence(item.get("clusters"))), "cluster")
        yield Line(f"needed by {text(item.get('object'))}, which goes to {on}")


def _verdict(facts: Object) -> Iterator[Line]:
    """What has become of it, in a line or two."""
    if facts.get("error"):
        yield Line(f"error: {text(facts.get('error'))}", tone=Tone.BAD)
    condition, message = text(facts.get("condition")), text(facts.get("message"))
    if condition not in ("", "Success"):
        yield Line(f"not scheduled: {condition}: {message}", tone=Tone.BAD)
    rows = [mapping(item) for item in sequence(facts.get("clusters"))]
    getting = [row for row in rows if row.get("gets")]
    standing = _STANDINGS.get(text(facts.get("standing")), "")
    told = _reach(rows, getting) + (_replicas(facts, getting) if getting else "")
    tone = Tone.GOOD if getting else Tone.BAD
    yield Line(told + (f": {standing}" if standing else ""), tone=tone)


def _reach(rows: Sequence[Object], getting: Sequence[Object]) -> str:
    """On how many clusters it is; on a single one, whether it is."""
    if len(rows) == 1:
        return f"{'on' if getting else 'not on'} {text(rows[0].get('cluster'))}"
    return f"on {len(getting)} of {count(len(rows), 'cluster')}" if getting else "on no cluster"


def _replicas(facts: Object, getting: Sequence[Object]) -> str:
    """The replicas that run after this render, and those wanted where that is something else."""
    wanted = facts.get("replicas")
    if not isinstance(wanted, int):
        return ""
    running = sum(_number(row.get("overriddenReplicas", row.get("replicas"))) for row in getting)
    if facts.get("divided") and wanted != running:
        return f", {running} of {count(wanted, 'replica')}"
    return f", {count(running, 'replica')}" + (" in all" if len(getting) > 1 else "")


def _number(value: Value) -> int:
    return value if isinstance(value, int) else 0


_STANDINGS: Final = {
    "follows": "no policy places it, it goes where the templates go that need it",
    "namespace": "no policy places it, a Namespace goes where something lives in it",
    "orphan": "no policy claims it any more, and its files stay as last published",
    "held": "it cannot be decided now, and its files stay as last published",
}


def claim_lines(claim: Object) -> Iterator[Line]:
    """Who claims it, who lost, and who nearly does."""
    policy = mapping(claim.get("policy"))
    if policy:
        verb = "claimed by" if claim.get("outcome") == "claimed" else f"{text(claim.get('outcome'))}:"
        yield Line(
            f"{verb} {named(policy)}, which {text(claim.get('because'))}", source=text(policy.get("source"))
        )
    else:
        yield Line(f"not claimed: {text(claim.get('detail', claim.get('outcome')))}")
    for name in sequence(claim.get("missingOverrides")):
        yield Line(f"missing: override policy {text(name)}", indent=2)
    for loss in map(mapping, sequence(claim.get("lost"))):
        told = f"{named(loss)} lost: {text(loss.get('because'))}"
        yield Line(told, indent=2, source=text(loss.get("source")))
    for miss in map(mapping, sequence(claim.get("nearMisses"))):
        differences = " and ".join(map(text, sequence(miss.get("differences"))))
        yield Line(f"{named(miss)} is near: {differences}", indent=2, source=text(miss.get("source")))


_Row = tuple[str, str, str]


def _bounded(rows: Sequence[_Row]) -> tuple[list[_Row], int]:
    """At most so many rows, clusters with one answer in one; and how many clusters are left out."""
    groups: dict[tuple[str, str], list[str]] = {}
    for name, replicas, why in rows:
        groups.setdefault((replicas, why), []).append(name)
    if len(rows) <= _ROWS and (len(groups) > 1 or len(rows) < _ALIKE or rows[0][1] != "-"):
        return list(rows), 0
    most = _ROWS if len(rows) <= _ROWS else 3
    listed = [(names(group, most), *answer) for answer, group in groups.items()]
    return listed[:_ROWS], sum(len(group) for group in [*groups.values()][_ROWS:])


def _more(number: int) -> str:
    return f"and {count(number, 'cluster')} more: --cluster NAME tells one, --format json all"
