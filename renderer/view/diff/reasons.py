"""Why something is as it is in a new state: asked of the plan, or of what a plan file keeps of one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final, Protocol

from renderer.document.pointer import PointerError, look_up
from renderer.document.source import Document
from renderer.model.decision import Trigger
from renderer.model.override_result import EffectiveRule, Step
from renderer.model.plan import Manifest, Plan, Rendering, Standing
from renderer.model.reasons import Key, Reasons, RulesUsed, TemplateReasons

SCHEDULED: Final = ("/spec/replicas", "/spec/parallelism", "/spec/completions")
_TRIGGERS: Final = {
    Trigger.PLACEMENT_CHANGED: "its placement changed",
    Trigger.REPLICAS_CHANGED: "its replicas changed",
    Trigger.RESCHEDULE_TRIGGERED: "a WorkloadRebalancer asks for it",
    Trigger.TERMINATING_TARGET_CLUSTER: "a cluster it was on is going",
}
_STANDINGS: Final = {
    Standing.FOLLOWS: "nothing that needs it goes there any more",
    Standing.NAMESPACE: "nothing that goes there lives in it any more",
}


class Why(Protocol):
    """What is asked about a new state; every answer is one line, empty where nobody knows."""

    def policy_place(self, key: Key) -> str:
        """Where the policy of a template stands."""

    def scheduled(self, key: Key) -> str:
        """Why a template was placed anew."""

    def left(self, key: Key, cluster: str) -> str:
        """Why a template is not on a cluster."""

    def cause(self, key: Key, cluster: str, pointer: str) -> str:
        """What gave a field of an object its value on a cluster."""


class OfPlan:
    """Answers from a plan, worked out when they are asked for."""

    def __init__(self, plan: Plan, shown: Callable[[str], str] = lambda path: path) -> None:
        """Take the plan; `shown` turns a path of the workspace into one that a terminal can open."""
        self._plan = plan
        self._shown = shown
        self._asked: dict[int, Mapping[str, str]] = {}
        self._by_cluster: dict[Key, Mapping[str, tuple[Rendering, Manifest]]] = {}
        self._causes: dict[tuple[int, str], str] = {}

    def policy_place(self, key: Key) -> str:
        """Where the policy of a template stands."""
        rendering = self._renderings.get(key)
        policy = rendering.claim.policy if rendering else None
        return self._place(policy.document) if policy else ""

    def scheduled(self, key: Key) -> str:
        """Why a template was placed anew."""
        rendering = self._renderings.get(key)
        decision = rendering.decision if rendering else None
        return _TRIGGERS.get(decision.trigger, "") if decision and decision.scheduled else ""

    def left(self, key: Key, cluster: str) -> str:
        """Why a template is not on a cluster."""
        rendering = self._renderings.get(key)
        if rendering is None:
            return "its template is gone"
        if cluster not in self._clusters:
            return "the inventory no longer has it"
        if rendering.error:
            return rendering.error
        if rendering.decision is None:
            return _STANDINGS.get(rendering.standing, rendering.claim.outcome.value)
        told = self._rejections(rendering).get(cluster, "")
        return told or (rendering.message if rendering.condition != "Success" else "")

    def cause(self, key: Key, cluster: str, pointer: str) -> str:
        """What gave a field of an object its value on a cluster."""
        if key not in self._by_cluster:
            found = self._manifests.get(key, ())
            self._by_cluster[key] = {name: item for item in found for name in item[1].clusters}
        if cluster not in self._by_cluster[key]:
            return ""
        rendering, manifest = self._by_cluster[key][cluster]
        asked = (id(manifest), pointer)
        if asked not in self._causes:
            step = _last(manifest.overridden.steps if manifest.overridden else (), pointer)
            self._causes[asked] = _adapted(manifest, pointer) or (
                self.rule(step.rule) if step else self._template(rendering, pointer)
            )
        return self._causes[asked]

    def rule(self, rule: EffectiveRule) -> str:
        """An override rule with its place."""
        place = self._place(rule.policy.document, rule.rule.pointer)
        return f"{rule} ({place})" if place else str(rule)

    def recorded(self) -> Reasons:
        """What a plan file keeps of all this."""
        return Reasons(templates=tuple(self._templates()), rules=tuple(self._rules()))

    def _templates(self) -> Iterator[TemplateReasons]:
        for key, rendering in sorted(self._renderings.items()):
            before = self._plan.previous.bindings.get(key)
            now = {name: None for manifest in rendering.manifests for name in manifest.clusters}
            left = [target.name for target in before.clusters if target.name not in now] if before else []
            yield TemplateReasons(
                key=key,
                policy_place=self.policy_place(key),
                scheduled=self.scheduled(key),
                left=tuple((name, self.left(key, name)) for name in sorted(left)),
            )

    def _rules(self) -> Iterator[RulesUsed]:
        for key, found in sorted(self._manifests.items(), key=lambda item: item[0]):
            for _, manifest in found:
                rules: dict[str, dict[str, None]] = {}
                for step in manifest.overridden.steps if manifest.overridden else ():
                    if step.changed:
                        rules.setdefault(self.rule(step.rule), {})[step.path] = None
                for item in manifest.adapted:
                    if item.changed or item.ignored:
                        rules.setdefault(item.reason, {})[item.path] = None
                if rules:
                    used = tuple((rule, tuple(pointers)) for rule, pointers in rules.items())
                    yield RulesUsed(key=key, clusters=manifest.clusters, rules=used)

    def _template(self, rendering: Rendering, pointer: str) -> str:
        """The line of the template that states the field; none for what the schedule decides."""
        document, binding = rendering.template.document, rendering.binding
        if document is None or rendering.keeps_files:
            return ""
        if binding is not None and binding.is_workload and pointer in SCHEDULED:
            return ""
        try:
            look_up(document.value, pointer)
        except PointerError:
            return ""
        return self._place(document, pointer)

    def _rejections(self, rendering: Rendering) -> Mapping[str, str]:
        """The first reason against each cluster that the filters leave out."""
        if id(rendering) not in self._asked:
            found = rendering.decision.rejections() if rendering.decision else {}
            self._asked[id(rendering)] = {
                name: f"{items[0].plugin}: {items[0].reasons[0]}" for name, items in found.items() if items
            }
        return self._asked[id(rendering)]

    def _place(self, document: Document | None, pointer: str = "") -> str:
        if document is None or not document.file:
            return ""
        where = document.where(pointer)
        return f"{self._shown(where.file)}:{where.line}:{where.column}"

    @cached_property
    def _clusters(self) -> Mapping[str, None]:
        return {cluster.name: None for cluster in self._plan.workspace.clusters}

    @cached_property
    def _renderings(self) -> Mapping[Key, Rendering]:
        return {rendering.template.identity.key: rendering for rendering in self._plan.renderings}

    @cached_property
    def _manifests(self) -> Mapping[Key, Sequence[tuple[Rendering, Manifest]]]:
        found: dict[Key, list[tuple[Rendering, Manifest]]] = {}
        for rendering in self._plan.renderings:
            for manifest in rendering.manifests:
                found.setdefault(manifest.identity.key, []).append((rendering, manifest))
        return found


class OfRecord:
    """Answers from what a plan file keeps; from nothing at all, no answers."""

    def __init__(self, reasons: Reasons = Reasons()) -> None:  # noqa: B008 - it is frozen
        """Index what there is."""
        self._templates = {item.key: item for item in reasons.templates}
        self._rules = {(item.key, name): item for item in reasons.rules for name in item.clusters}

    def policy_place(self, key: Key) -> str:
        """Where the policy of a template stands."""
        return self._templates[key].policy_place if key in self._templates else ""

    def scheduled(self, key: Key) -> str:
        """Why a template was placed anew."""
        return self._templates[key].scheduled if key in self._templates else ""

    def left(self, key: Key, cluster: str) -> str:
        """Why a template is not on a cluster."""
        return dict(self._templates[key].left).get(cluster, "") if key in self._templates else ""

    def cause(self, key: Key, cluster: str, pointer: str) -> str:
        """What gave a field of an object its value on a cluster."""
        used = self._rules.get((key, cluster))
        for rule, pointers in reversed(used.rules) if used else ():
            if any(_touches(path, pointer) for path in pointers):
                return rule
        return ""


def _last(steps: Sequence[Step], pointer: str) -> Step | None:
    """The last step that changed the field, or something around it or in it."""
    return next((step for step in reversed(steps) if step.changed and _touches(step.path, pointer)), None)


def _adapted(manifest: Manifest, pointer: str) -> str:
    """Why the field was adapted to who applies it; empty where it was not."""
    found = (
        item.reason
        for item in reversed(manifest.adapted)
        if not item.withheld and (item.changed or item.ignored) and _touches(item.path, pointer)
    )
    return next(found, "")


def _touches(path: str, pointer: str) -> bool:
    path = f"/{path.lstrip('/')}" if path else ""  # the path of a patch may have no slash, or two
    return path == pointer or pointer.startswith(f"{path}/") or path.startswith(f"{pointer}/")
