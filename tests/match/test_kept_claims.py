"""Sticky claims: a render on the last claims comes to what a control plane with that history has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import pytest

from renderer.document.problem import InputError
from renderer.document.values import Object, Value, dig, mapping, text
from renderer.load.admission import admission
from renderer.load.placement import placement_of
from renderer.load.policies import propagation_policy_of
from renderer.match.kept_claims import keep_claims
from renderer.match.skip import SkipOptions
from renderer.model.binding import Binding
from renderer.model.claim import Claim, Outcome
from renderer.model.claim_memory import PolicyKey
from renderer.model.identity import Identity, identity_of, labels_of
from renderer.model.plan import Plan, Rendering, Standing
from renderer.model.policy import PropagationPolicy
from renderer.model.previous import NOTHING, Key, Previous, Remembered
from renderer.model.template import Template
from renderer.model.tree import Blob, placed
from renderer.pipeline import render
from renderer.schedule.previous import read_previous
from tests.conformance.vectors import cases_below
from tests.workspaces import FLEET, NAMESPACE, WEB, files_of, workspace

RECORDED: Final = Path(__file__).parents[1] / "conformance" / "recorded" / "match"
SEQUENCES: Final = [case for case in cases_below(RECORDED) if case.vector["op"] == "sequence"]


@dataclass(slots=True)
class Repository:
    """What lies in Git after each step of a sequence, and what was last published."""

    preemption: bool
    templates: dict[Identity, Template] = field(default_factory=dict)
    policies: dict[PolicyKey, PropagationPolicy] = field(default_factory=dict)
    overrides: set[PolicyKey] = field(default_factory=set)
    previous: Previous = NOTHING

    def take(self, step: Mapping[str, Any]) -> None:
        """One change; an object that admission refuses does not exist."""
        body: Object = step.get("apply") or step["delete"]
        kind, gone = text(body["kind"]), "delete" in step
        key = (text(dig(body, "metadata", "namespace")), text(dig(body, "metadata", "name")))
        if kind.endswith("PropagationPolicy"):
            admitted = admission(body)
            if gone:
                self.policies.pop(key, None)
            elif admitted.admitted:
                policy = propagation_policy_of(admitted.object)
                self.policies[policy.namespace, policy.name] = policy
        elif kind.endswith("OverridePolicy"):
            (self.overrides.discard if gone else self.overrides.add)(key)
        elif gone:
            self.templates.pop(identity_of(body), None)
        else:
            identity = identity_of(body)
            labels = tuple(labels_of(body).items())
            self.templates[identity] = Template(identity=identity, body=body, labels=labels)

    def rendered(self) -> list[Value]:
        """Claims and the placements of the bindings, as the vectors tell them; they are remembered."""
        claims, memory = keep_claims(
            list(self.templates.values()),
            self.policies.values(),
            self.overrides,
            SkipOptions(),
            self.previous,
            stored,
            preemption=self.preemption,
        )
        bindings = dict(self.bindings(claims))
        self.previous = Previous(bindings=bindings, claims=memory)
        result: list[Value] = []
        for identity in sorted(self.templates):
            told: dict[str, Value] = {"template": named(identity), "claimedBy": None}
            claimed_by = memory.templates[identity].claimed_by
            if claimed_by:
                told["claimedBy"] = owner(claimed_by)
            if identity.key in bindings:
                told["bindingPlacement"] = dig(bindings[identity.key].raw, "spec", "placement")
            result.append(told)
        return result

    def bindings(self, claims: Sequence[Claim]) -> Iterator[tuple[Key, Remembered]]:
        """The bindings after the render: one that nobody claims any more stays, without its claim."""
        for claim in claims:
            key = claim.template.identity.key
            old = self.previous.bindings.get(key)
            if claim.policy is not None and claim.unrefreshed is None:
                spec: Object = {"spec": {"placement": claim.policy.placement.raw}}
                claimed_by = (claim.policy.namespace, claim.policy.name)
                yield key, Remembered(identity=claim.template.identity, claimed_by=claimed_by, raw=spec)
            elif old is not None:
                kept = claim.unrefreshed.claimed_by if claim.unrefreshed else None
                kept = old.claimed_by if claim.outcome is Outcome.BLOCKED else kept
                yield key, Remembered(identity=old.identity, claimed_by=kept, raw=old.raw)


def stored(remembered: Remembered) -> Binding:
    """A published binding as far as these tests have one."""
    placement = mapping(dig(remembered.raw, "spec", "placement"))
    return Binding(identity=remembered.identity, placement=placement_of(placement))


def named(identity: Identity) -> Object:
    """An identity as the vectors write it."""
    result: Object = {"apiVersion": identity.api_version, "kind": identity.kind, "name": identity.name}
    return {**result, "namespace": identity.namespace} if identity.namespace else result


def owner(key: PolicyKey) -> Object:
    """A policy as the vectors write it."""
    if key[0]:
        return {"kind": "PropagationPolicy", "name": key[1], "namespace": key[0]}
    return {"kind": "ClusterPropagationPolicy", "name": key[1]}


@pytest.mark.parametrize("vector", [case.vector for case in SEQUENCES], ids=lambda vector: vector["id"])
def test_history_remembered_is_history_lived(vector: Mapping[str, Any]) -> None:
    gates = vector["input"].get("featureGates") or {}
    repository = Repository(preemption=bool(gates.get("PropagationPolicyPreemption")))
    for step, expected in zip(vector["input"]["steps"], vector["expect"]["steps"], strict=True):
        repository.take(step)
        assert repository.rendered() == expected["claims"]


def test_there_are_histories_to_compare_with() -> None:
    assert len(SEQUENCES) > 10


STICKY: Final = "apiVersion: krender.io/v1alpha1\nkind: Workspace\nspec: {claims: sticky}\n"


def policy(
    name: str, cluster: str, *, select: str = "labelSelector: {matchLabels: {app: web}}", more: str = ""
) -> str:
    """A PropagationPolicy that places Deployments on one cluster."""
    return f"""\
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata: {{name: {name}, namespace: shop}}
spec:
  {more}
  resourceSelectors: [{{apiVersion: apps/v1, kind: Deployment, {select}}}]
  placement: {{clusterAffinity: {{clusterNames: [{cluster}]}}}}
"""


BASE: Final = {
    "krender.yaml": STICKY,
    "fleet.yaml": FLEET,
    "namespace.yaml": NAMESPACE,
    "web.yaml": WEB,
    "one.yaml": policy("one", "east"),
}
BETTER: Final = policy("better", "west", more="priority: 9")


def after(*steps: Mapping[str, str], fresh: bool = False) -> Plan:
    """The plan of the last of some workspaces, each rendered on what the one before published."""
    previous, result = NOTHING, None
    for number, files in enumerate(steps):
        last = number == len(steps) - 1
        result = render(workspace(files), previous, fresh=fresh and last)
        previous = read_previous(result.tree)
    assert result is not None
    assert render(workspace(steps[-1]), previous).tree == result.tree or fresh
    return result


def web(result: Plan) -> Rendering:
    """What became of the Deployment."""
    return next(item for item in result.renderings if item.template.identity.kind == "Deployment")


def where(result: Plan) -> tuple[str, list[str]]:
    """The owner, and the clusters with a file."""
    claim = web(result).claim
    files = [path.split("/")[1] for path in files_of(result) if path.endswith("/deployment.apps.web.yaml")]
    return (claim.policy.name if claim.policy else "", [name for name in files if name != "bindings"])


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        pytest.param([BASE], ("one", ["east"]), id="a-first-render-claims-as-if-afresh"),
        pytest.param([{**BASE, "b.yaml": BETTER}], ("better", ["west"]), id="the-best-policy-first"),
        pytest.param(
            [BASE, {**BASE, "b.yaml": BETTER}], ("one", ["east"]), id="a-better-policy-comes-too-late"
        ),
        pytest.param(
            [BASE, {**BASE, "b.yaml": BETTER}, {**BASE, "one.yaml": BETTER}],
            ("better", ["west"]),
            id="a-policy-that-is-gone-lets-go",
        ),
        pytest.param(
            [BASE, {**BASE, "one.yaml": policy("renamed", "east"), "z.yaml": policy("zz", "west")}],
            ("renamed", ["east"]),
            id="of-two-that-come-the-better-takes-what-is-free",
        ),
        pytest.param(
            [BASE, {**BASE, "one.yaml": policy("one", "east", select="name: other"), "b.yaml": BETTER}],
            ("better", ["west"]),
            id="a-policy-that-selects-something-else-lets-go",
        ),
        pytest.param(
            [
                BASE,
                {
                    **BASE,
                    "web.yaml": WEB.replace(
                        "labels: {app: web}}\nspec:\n  rep", "labels: {a: b}}\nspec:\n  rep"
                    ),
                },
            ],
            ("one", ["east"]),
            id="a-relabelled-template-is-kept",
        ),
        pytest.param(
            [BASE, {**BASE, "one.yaml": policy("one", "north")}],
            ("one", ["north"]),
            id="what-the-owner-says-is-obeyed",
        ),
        pytest.param(
            [{k: v for k, v in BASE.items() if k != "krender.yaml"}, {**BASE, "b.yaml": BETTER}],
            ("one", ["east"]),
            id="sticky-from-now-on-begins-with-the-bindings",
        ),
    ],
)
def test_claims_are_kept(steps: list[dict[str, str]], expected: tuple[str, list[str]]) -> None:
    assert where(after(*steps)) == expected


LAZY: Final = {**BASE, "one.yaml": policy("one", "east", more="activationPreference: Lazy")}
MOVED: Final = {**LAZY, "one.yaml": LAZY["one.yaml"].replace("[east]", "[north]")}
SCALED: Final = {"web.yaml": WEB.replace("replicas: 4", "replicas: 6")}


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        pytest.param([LAZY], ["east"], id="policy-and-template-together"),
        pytest.param([LAZY, MOVED], ["east"], id="the-change-of-a-lazy-policy-waits"),
        pytest.param([LAZY, MOVED, MOVED], ["east"], id="and-goes-on-waiting"),
        pytest.param(
            [LAZY, MOVED, {**MOVED, **SCALED}], ["north"], id="the-template's-next-change-brings-it"
        ),
        pytest.param([LAZY, {**MOVED, **SCALED}], ["north"], id="both-changes-at-once"),
        pytest.param(
            [{**BASE, "one.yaml": "# not yet\n"}, LAZY],
            [],
            id="a-template-that-was-there-waits-for-its-change",
        ),
        pytest.param(
            [{**BASE, "one.yaml": "# not yet\n"}, LAZY, {**LAZY, **SCALED}], ["east"], id="until-it-changes"
        ),
    ],
)
def test_lazy_policies_wait(steps: list[dict[str, str]], expected: list[str]) -> None:
    assert where(after(*steps))[1] == expected


def test_a_waiting_template_is_told_apart_from_an_unclaimed_one() -> None:
    claim = web(after({**BASE, "one.yaml": "# not yet\n"}, LAZY)).claim
    assert claim.outcome is Outcome.WAITING
    assert claim.chosen is not None


def test_a_binding_that_stays_keeps_all_that_its_policy_once_said() -> None:
    said = {
        **LAZY,
        "one.yaml": policy(
            "one",
            "east",
            more="{activationPreference: Lazy, conflictResolution: Overwrite, propagateDeps: true}".strip(
                "{}"
            ).replace(", ", "\n  "),
        ),
    }
    now = {**said, "one.yaml": said["one.yaml"].replace("Overwrite", "Abort").replace("[east]", "[west]")}
    first, second = after(said), after(said, now)
    binding = web(second).binding
    assert binding is not None
    assert (binding.conflict_resolution, binding.propagate_deps) == ("Overwrite", True)
    path = ".krender/bindings/shop/deployment.apps.web.yaml"
    assert files_of(second)[path] == files_of(first)[path]


def test_a_binding_that_stays_keeps_what_its_template_once_needed() -> None:
    gates = "featureGates: {MultiplePodTemplatesScheduling: true}"
    fleet = FLEET.replace("stage: prod}", "stage: prod}, capacity: {cpu: 10, pods: 20}")
    jobs = """\
apiVersion: batch.volcano.sh/v1alpha1
kind: Job
metadata: {name: web, namespace: shop, labels: {app: web}}
spec:
  tasks:
  - name: a
    replicas: 2
    template: {spec: {containers: [{name: c, image: i, resources: {requests: {cpu: 1}}}]}}
  - {name: b, replicas: 1, template: {spec: {containers: [{name: c, image: i}]}}}
"""
    said = {
        **LAZY,
        "krender.yaml": STICKY.replace("sticky}", f"sticky, {gates}}}"),
        "fleet.yaml": fleet,
        "web.yaml": WEB.replace("image:", "resources: {requests: {cpu: 250m}}, image:"),
        "job.yaml": jobs,
        "one.yaml": policy("one", "east", more="activationPreference: Lazy").replace(
            "resourceSelectors: [", "resourceSelectors: [{apiVersion: batch.volcano.sh/v1alpha1, kind: Job}, "
        ),
    }
    now = {**said, "one.yaml": said["one.yaml"].replace("[east]", "[west]")}
    first, second = after(said), after(said, now)
    for name in ("deployment.apps.web.yaml", "job.batch.volcano.sh.web.yaml"):
        path = f".krender/bindings/shop/{name}"
        assert files_of(second)[path] == files_of(first)[path]
    built = {item.template.identity.kind: item.binding for item in first.renderings if item.binding}
    kept = {item.template.identity.kind: item.binding for item in second.renderings if item.binding}
    for kind in ("Deployment", "Job"):
        assert kept[kind].replica_requirements == built[kind].replica_requirements
        assert kept[kind].components == built[kind].components
    assert kept["Deployment"].replica_requirements is not None
    assert [part.name for part in kept["Job"].components] == ["a", "b"]


def test_what_is_never_propagated_is_not_claimed() -> None:
    far = {key: text.replace("namespace: shop", "namespace: kube-x") for key, text in BASE.items()}
    result = after(far, far)
    assert web(result).claim.outcome is Outcome.OBJECT_SKIPPED


PREEMPTING: Final = policy("strong", "west", select="name: web", more="priority: 9\n  preemption: Always")


@pytest.mark.parametrize(
    ("gate", "expected"),
    [
        pytest.param("{PropagationPolicyPreemption: true}", ("strong", ["west"]), id="behind-its-gate"),
        pytest.param("{}", ("one", ["east"]), id="and-not-without-it"),
    ],
)
def test_a_policy_preempts(gate: str, expected: tuple[str, list[str]]) -> None:
    base = {**BASE, "krender.yaml": STICKY.replace("sticky}", f"sticky, featureGates: {gate}}}")}
    assert where(after(base, {**base, "p.yaml": PREEMPTING})) == expected


def test_fresh_forgets_claims_too() -> None:
    assert where(after(BASE, {**BASE, "b.yaml": BETTER}, fresh=True)) == ("better", ["west"])


def test_a_policy_that_goes_leaves_an_orphan() -> None:
    orphan = after(BASE, {**BASE, "one.yaml": "# gone\n"})
    assert web(orphan).standing is Standing.ORPHAN
    assert where(after(BASE, {**BASE, "one.yaml": "# gone\n"}, {**BASE, "b.yaml": BETTER})) == (
        "better",
        ["west"],
    )


def test_a_policy_that_waits_for_overrides_holds_its_template() -> None:
    waits = {**BASE, "one.yaml": policy("one", "west", more="dependentOverrides: [o]")}
    held = web(after(BASE, waits))
    assert (held.standing, held.claim.outcome) == (Standing.HELD, Outcome.BLOCKED)


def test_claims_decided_afresh_leave_no_memory_of_them() -> None:
    afresh = {key: value for key, value in BASE.items() if key != "krender.yaml"}
    assert ".krender/claims.yaml" not in files_of(after(afresh))
    assert ".krender/claims.yaml" not in files_of(after(BASE, afresh))
    assert ".krender/claims.yaml" in files_of(after(BASE))


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"kind: Claims\ntemplates: 3\n", id="no-list"),
        pytest.param(b"kind: Claims\ntemplates: [{name: x}]\n", id="a-template-without-kind"),
        pytest.param(b"kind: Claims\n---\nkind: Claims\n", id="two-documents"),
        pytest.param(b"", id="empty"),
    ],
)
def test_a_memory_of_nonsense_is_refused(data: bytes) -> None:
    tree = placed(after(BASE).tree, ".krender/claims.yaml", Blob(data))
    with pytest.raises(InputError) as caught:
        read_previous(tree)
    assert caught.value.problems[0].where.line > 0
    assert read_previous(tree, fresh=True).claims is None
