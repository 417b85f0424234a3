"""Findings about overrides: rules that do nothing, and rules that do more than was meant."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from renderer.check.finding import Rule, some
from renderer.document.problem import Problem, Severity
from renderer.model.identity import Identity
from renderer.model.override_result import EffectiveRule, Note, Overridden, Remark, Step
from renderer.model.plan import Manifest, Plan, Rendering
from renderer.model.variants import alike
from renderer.override.effects import Fate, never_applied, undone, without_effect
from renderer.override.order import RuleIndex

NEVER_APPLIED: Final = Rule(id="KR301", title="An override rule is never applied")
WITHOUT_CHANGE: Final = Rule(id="KR302", title="An override rule changes nothing")
UNDONE: Final = Rule(id="KR303", title="A later rule undoes an override")
DIGEST_LOST: Final = Rule(id="KR304", title="An image override drops the digest")
KEYS_LOST: Final = Rule(id="KR305", title="An override replaces a map or a list whole")
INVALID_IMAGE: Final = Rule(
    id="KR306", title="An image override makes an invalid reference", severity=Severity.ERROR
)
IGNORED: Final = Rule(id="KR307", title="A part of an override is ignored")
GARBLED: Final = Rule(id="KR308", title="An override turns values into other text")
REPLICAS: Final = Rule(id="KR309", title="An override changes divided replicas")
REWRITTEN: Final = Rule(id="KR313", title="An override writes a whole text anew", severity=Severity.NOTE)

RULES: Final = (
    NEVER_APPLIED,
    WITHOUT_CHANGE,
    UNDONE,
    DIGEST_LOST,
    KEYS_LOST,
    INVALID_IMAGE,
    IGNORED,
    GARBLED,
    REPLICAS,
    REWRITTEN,
)

RuleKey = tuple[str, str, str, int]

# note -> rule, what it does, how to fix it; {details} are the remark's.
_NOTES: Final[dict[Note, tuple[Rule, str, str]]] = {
    Note.DIGEST_LOST: (
        DIGEST_LOST,
        "an image with tag and digest keeps the tag only ({details} is lost)",
        "leave the tag out of the template's image, or override the digest too",
    ),
    Note.KEYS_LOST: (
        KEYS_LOST,
        "the map is replaced whole, and these keys are lost: {details}",
        "write one operation a key, with the key in the path",
    ),
    Note.ENTRIES_LOST: (
        KEYS_LOST,
        "the list is replaced whole, and these entries are lost: {details}",
        'add to a list with a path that ends in "/-", or write one entry with its index in the path',
    ),
    Note.PASSED_OVER: (
        IGNORED,
        "imageOverrider looks at containers only, not at init containers: {details} keep their images",
        "add an entry with predicate.path for each, such as /spec/template/spec/initContainers/0/image",
    ),
    Note.MAP_RESET: (
        KEYS_LOST,
        "a value of the map is no text, so the map is emptied first: {details} are lost",
        "quote the value in the template",
    ),
    Note.INVALID_IMAGE: (
        INVALID_IMAGE,
        "the outcome is no valid image reference: {details}",
        "give the component a value that makes one",
    ),
    Note.NO_REGISTRY: (
        IGNORED,
        'the image has no registry part ("{details}" is part of the repository), so nothing changes',
        "write the registry into the template's image, or use operator replace",
    ),
    Note.NOT_A_TAG: (
        IGNORED,
        "{details} is neither a tag nor a digest, and is ignored",
        "write a tag, or a digest such as sha256:…",
    ),
    Note.NO_TARGET: (
        IGNORED,
        "there is nothing to work on: {details}",
        "use predicate.path for other kinds and for init containers",
    ),
    Note.NO_CONTAINER: (
        IGNORED,
        "no container has that name; there are: {details}",
        "correct containerName",
    ),
    Note.KEY_ABSENT: (
        IGNORED,
        "the key {details} is not there, and operators replace and remove pass over it",
        "use operator add",
    ),
    Note.WORD_ABSENT: (
        IGNORED,
        "no element is {details}: they are compared whole, and removed where they are equal",
        "write the whole element as it stands in the template",
    ),
    Note.EMPTY_LIST: (
        IGNORED,
        "there is nothing to remove, and an empty list is written where there was none",
        "take the entry out, or write the words into the template",
    ),
    Note.REFORMATTED: (
        REWRITTEN,
        "comments, layout and the order of keys are lost beyond what the entry is about",
        "write the text as Karmada does, if that is to be no change",
    ),
    Note.NO_EFFECT: (
        IGNORED,
        'a path that begins with "//" changes a copy that nobody sees',
        "take one slash away",
    ),
    Note.PATH_CUT: (
        IGNORED,
        'a path without a leading slash loses its first part ("{details}")',
        "put a slash in front",
    ),
    Note.NOT_TEXT: (
        GARBLED,
        "elements that are no text become Go's words for a bad verb: {details}",
        "quote them in the template",
    ),
}


def override_findings(plan: Plan) -> Iterator[Problem]:
    """All findings of this family, each told once for a rule and all that it concerns."""
    results = list(_results(plan))
    yield from _never_applied(plan, [result.overridden for result in results])
    yield from _without_change(results)
    yield from _undone(results)
    yield from _remarked(results)
    for rendering in plan.renderings:
        yield from _replicas(rendering)


@dataclass(frozen=True, slots=True)
class _Result:
    """One distinct outcome of the overrides of one template."""

    identity: Identity
    overridden: Overridden
    clusters: tuple[str, ...]


def _results(plan: Plan) -> Iterator[_Result]:
    for rendering in plan.renderings:
        for manifest in alike(rendering.manifests):
            if manifest.overridden is not None:
                yield _Result(rendering.template.identity, manifest.overridden, manifest.clusters)


def _never_applied(plan: Plan, results: Iterable[Overridden]) -> Iterator[Problem]:
    index = RuleIndex(plan.workspace.override_policies)
    unreached = _unreached(plan, index)
    for rule in never_applied(index.rules, results):
        if rule.key in unreached:
            continue
        yield NEVER_APPLIED.at(
            rule.policy.document,
            rule.rule.pointer,
            what=f"{rule} is applied to no manifest",
            why="no object that the policy selects goes to a cluster that the rule targets",
            fix="correct the selectors or targetCluster, or take the rule out",
        )


def _unreached(plan: Plan, index: RuleIndex) -> set[RuleKey]:
    """The rules that select a template of which something failed: nobody knows what they would have done."""
    rules = index.rules
    return {
        rules[position].key
        for rendering in plan.renderings
        if rendering.error or any(manifest.problem for manifest in alike(rendering.manifests))
        for select in (index.cluster_rules, index.namespaced_rules)
        for position in select(rendering.template.identity, dict(rendering.template.labels)).positions
    }


@dataclass(slots=True)
class _Group:
    """What one finding is about: the objects, and the clusters."""

    objects: dict[Identity, None] = field(default_factory=dict)
    clusters: dict[str, None] = field(default_factory=dict)

    def add(self, result: _Result) -> None:
        self.objects[result.identity] = None
        self.clusters.update(dict.fromkeys(result.clusters))

    def __str__(self) -> str:
        return f"{some(list(self.objects))} on {some(sorted(self.clusters))}"


def _without_change(results: Iterable[_Result]) -> Iterator[Problem]:
    """Rules that change none of the manifests to which they are applied."""
    idle: dict[RuleKey, tuple[EffectiveRule, _Group]] = {}
    busy: set[RuleKey] = set()
    for result in results:
        without = {rule.key for rule in without_effect(result.overridden)}
        for rule in result.overridden.rules:
            if rule.key in without:
                idle.setdefault(rule.key, (rule, _Group()))[1].add(result)
            else:
                busy.add(rule.key)
    for key, (rule, group) in idle.items():
        if key not in busy:
            yield WITHOUT_CHANGE.at(
                rule.policy.document,
                rule.rule.pointer,
                what=f"{rule} is applied and changes nothing: {group}",
                why="the manifests already are as the rule wants them, or it passes them over",
                fix="take the rule out, or correct it",
            )


def _undone(results: Iterable[_Result]) -> Iterator[Problem]:
    found: dict[tuple[str, ...], tuple[Step, Step, Fate, _Group]] = {}
    for result in results:
        for item in undone(result.overridden.steps):
            key = (*_place(item.step), *_place(item.by))
            found.setdefault(key, (item.step, item.by, item.fate, _Group()))[3].add(result)
    for step, by, fate, group in found.values():
        yield UNDONE.at(
            step.rule.policy.document,
            _pointer(step),
            what=f"{step.rule}: {step.overrider} {step.path} is {fate} by {by.rule}: {group}",
            why="ClusterOverridePolicies come first, the most specific policy comes last and wins",
            fix="leave the field to one of the two",
        )


def _remarked(results: Iterable[_Result]) -> Iterator[Problem]:
    found: dict[tuple[str, ...], tuple[Step, Remark, _Group]] = {}
    for result in results:
        for step in result.overridden.steps:
            for remark in step.remarks:
                if remark.note in _NOTES:
                    key = (*_place(step), remark.note.value, *remark.details)
                    found.setdefault(key, (step, remark, _Group()))[2].add(result)
    for step, remark, group in found.values():
        rule, why, fix = _NOTES[remark.note]
        yield rule.at(
            step.rule.policy.document,
            _pointer(step),
            what=f"{step.rule}: {_lowered(rule.title)}: {_entry(step)} of {group}",
            why=why.format(details=", ".join(remark.details)),
            fix=fix,
        )


def _replicas(rendering: Rendering) -> Iterator[Problem]:
    """Overrides come after the division, so what they write is not what was scheduled."""
    binding = rendering.binding
    if binding is None or not binding.is_divided or not binding.replicas:
        return
    manifests = alike(rendering.manifests)
    writers = {step.rule.key: step for m in manifests for step in _replica_steps(m)}
    if not writers:
        return
    total = sum(_written(manifest) * len(manifest.clusters) for manifest in manifests)
    if total == binding.replicas:
        return
    step = next(iter(writers.values()))
    yield REPLICAS.at(
        step.rule.policy.document,
        _pointer(step),
        what=f"{step.rule} changes the divided replicas of {rendering.template.identity}: "
        f"{total} in all instead of {binding.replicas}",
        why="overrides are applied after the division, and win",
        fix="change the weights of the placement instead, if the sum is to stay",
    )


def _replica_steps(manifest: Manifest) -> Iterator[Step]:
    for step in manifest.overridden.steps if manifest.overridden else ():
        if step.changed and step.path == "/spec/replicas":
            yield step


def _written(manifest: Manifest) -> int:
    """The replicas that the manifest states, else those it was given."""
    steps = list(_replica_steps(manifest))
    after = steps[-1].after if steps else manifest.replicas
    return after if isinstance(after, int) else manifest.replicas


def _entry(step: Step) -> str:
    """Which overrider did something, and where if it found something to do."""
    missed = step.has(Note.NO_TARGET) or step.has(Note.NO_CONTAINER)
    return step.overrider if missed else f"{step.overrider} on {step.path or '/'}"


def _lowered(title: str) -> str:
    return title[:1].lower() + title[1:]


def _place(step: Step) -> tuple[str, ...]:
    return (*map(str, step.rule.key), step.overrider, str(step.index), step.path)


def _pointer(step: Step) -> str:
    return f"{step.rule.rule.pointer}/{step.overrider}/{step.index}"
