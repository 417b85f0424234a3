"""What changes in the decisions: claims, clusters and replicas of each template."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from renderer.document.values import Object, Value, dig, text
from renderer.match.claims import CLUSTER_POLICY_NAME, POLICY_NAME, POLICY_NAMESPACE
from renderer.model.identity import Identity, annotations_of
from renderer.model.memory_keys import ORPHANED
from renderer.model.previous import Key, Remembered
from renderer.view.diff.side import Side

_MOVES = 5  # told one by one; more are told together

Replicas = Mapping[str, int]


def placement_changes(old: Side, new: Side) -> Iterator[tuple[Identity, list[Value]]]:
    """For each template that is decided otherwise, what changes, in the order in which to tell it."""
    for key in sorted({**old.bindings, **new.bindings}):
        before, after = old.bindings.get(key), new.bindings.get(key)
        if before and after and before.raw == after.raw and not new.renamed:
            continue
        changes: list[Value] = [*_changes(key, before, after, new)]
        known = after or before
        if changes and known:
            yield known.identity, changes


def _changes(key: Key, before: Remembered | None, after: Remembered | None, new: Side) -> Iterator[Object]:
    was, now = _claim(before), _claim(after)
    if before and after and was != now:
        yield _stated(change="claim", before=was or None, after=now or None, source=new.why.policy_place(key))
    if (
        after
        and after.condition not in ("", "Success")
        and (not before or before.condition != after.condition)
    ):
        yield _stated(change="unscheduled", condition=after.condition, message=after.message)
    one, other = _replicas(before, new.renamed), _replicas(after)
    if one == other:
        return
    if not one or not other:
        yield _whole(key, one, other, new, divided=_is_divided(before or after))
        return
    if _is_divided(before) or _is_divided(after):
        yield from _divided(key, one, other, new)
    else:
        yield from _duplicated(key, one, other, new)


def _whole(key: Key, before: Replicas, after: Replicas, new: Side, *, divided: bool) -> Object:
    """A template that was nowhere, or is nowhere any more."""
    clusters = sorted(after or before)
    replicas = sum((after or before).values()) if divided else None
    if after:
        return _stated(change="placed", clusters=[*clusters], replicas=replicas)
    because = new.why.left(key, clusters[0])
    return _stated(change="nowhere", clusters=[*clusters], replicas=replicas, because=because)


def _divided(key: Key, before: Replicas, after: Replicas, new: Side) -> Iterator[Object]:
    """Replicas that move, and those that come or go."""
    total, wanted = sum(before.values()), sum(after.values())
    scheduled = new.why.scheduled(key)
    if before and after and total != wanted:
        yield _stated(change="scaled", before=total, after=wanted, because=scheduled)
    less = {name: count - after.get(name, 0) for name, count in before.items() if count > after.get(name, 0)}
    more = {name: count - before.get(name, 0) for name, count in after.items() if count > before.get(name, 0)}
    moves = list(_pairs(less, more))
    if len(moves) > _MOVES:
        yield _stated(
            change="moved",
            replicas=sum(number for number, _, _ in moves),
            sources=[*dict.fromkeys(source for _, source, _ in moves)],
            targets=[*dict.fromkeys(target for _, _, target in moves)],
            because=scheduled,
        )
    for number, source, target in moves if len(moves) <= _MOVES else ():
        because = (new.why.left(key, source) if source not in after else "") or scheduled
        yield _stated(change="moved", replicas=number, source=source, target=target, because=because)
    if total != wanted:
        yield from _counts(key, before, after, new)


def _counts(key: Key, before: Replicas, after: Replicas, new: Side) -> Iterator[Object]:
    """Replicas of each cluster where they are others; clusters with the same change stand together."""
    alike: dict[tuple[int, int, str], list[Value]] = {}
    for name in sorted({**before, **after}):
        was, now = before.get(name, 0), after.get(name, 0)
        if was != now:
            because = new.why.left(key, name) if name not in after else ""
            alike.setdefault((was, now, because), []).append(name)
    for (was, now, because), names in alike.items():
        yield _stated(change="replicas", clusters=names, before=was, after=now, because=because)


def _pairs(less: Replicas, more: Replicas) -> Iterator[tuple[int, str, str]]:
    """How many replicas go from where to where: the first that leave go to the first that wants some."""
    left, wanted = dict(sorted(less.items())), dict(sorted(more.items()))
    for source in left:
        for target in wanted:
            number = min(left[source], wanted[target])
            if number:
                left[source] -= number
                wanted[target] -= number
                yield number, source, target


def _duplicated(key: Key, before: Replicas, after: Replicas, new: Side) -> Iterator[Object]:
    """Clusters that come and go; each runs all the replicas."""
    come = sorted(name for name in after if name not in before)
    gone = sorted(name for name in before if name not in after)
    if come:
        yield _stated(change="joins", clusters=[*come], because=new.why.scheduled(key))
    by_reason: dict[str, list[Value]] = {}
    for name in gone:
        by_reason.setdefault(new.why.left(key, name), []).append(name)
    for because, names in by_reason.items():
        yield _stated(change="leaves", clusters=names, because=because)
    stay = [name for name in before if name in after and before[name] != after[name]]
    for was, now in dict.fromkeys((before[name], after[name]) for name in stay):
        names = [name for name in stay if (before[name], after[name]) == (was, now)]
        yield _stated(change="scaledEach", clusters=[*names], before=was, after=now)


def _replicas(binding: Remembered | None, renamed: Mapping[str, str] | None = None) -> Replicas:
    names = renamed or {}
    return {
        names.get(target.name, target.name): target.replicas or sum(count for _, count in target.components)
        for target in (binding.clusters if binding else ())
    }


def _is_divided(binding: Remembered | None) -> bool:
    scheduling = dig(binding.raw, "spec", "placement", "replicaScheduling") if binding else None
    return text(dig(scheduling, "replicaSchedulingType")) == "Divided" and bool(binding and binding.replicas)


def _claim(binding: Remembered | None) -> str:
    """The policy that a binding was made by, as messages name it; empty for none."""
    notes = annotations_of(binding.raw) if binding else {}
    if notes.get(ORPHANED):
        return ""
    if CLUSTER_POLICY_NAME in notes:
        return f"ClusterPropagationPolicy {notes[CLUSTER_POLICY_NAME]}"
    if POLICY_NAME in notes:
        return f"PropagationPolicy {notes.get(POLICY_NAMESPACE, '')}/{notes[POLICY_NAME]}"
    return ""


def _stated(**facts: Value | Sequence[Value]) -> Object:
    """The facts that say something."""
    return {key: value for key, value in facts.items() if value is not None and value not in ("", [])}
