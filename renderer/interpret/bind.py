"""The step: claimed templates to bindings that can be scheduled."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from renderer.interpret.binding import build_binding
from renderer.interpret.defaults import served
from renderer.interpret.interpret import interpret
from renderer.interpret.operations import Interpreter
from renderer.model.binding import Binding
from renderer.model.claim import Claim
from renderer.model.gates import FeatureGates
from renderer.model.interpretation import Interpretation, InterpretError


@dataclass(frozen=True, slots=True, kw_only=True)
class Bound:
    """A template with its claim, what it says of itself, and its binding; `error` is why there is none."""

    claim: Claim
    interpretation: Interpretation
    binding: Binding | None = None
    error: str = ""


def bind(
    claims: Iterable[Claim], ask: Interpreter, gates: FeatureGates, priorities: Mapping[str, int]
) -> tuple[Bound, ...]:
    """Interpret every template as an API server would hold it, and build the bindings of claimed ones."""
    return tuple(_bound(claim, ask, gates, priorities) for claim in claims)


def _bound(claim: Claim, ask: Interpreter, gates: FeatureGates, priorities: Mapping[str, int]) -> Bound:
    template = claim.template
    interpretation = interpret(served(template.body), ask, gates)
    if claim.policy is None:
        return Bound(claim=claim, interpretation=interpretation)
    if claim.unrefreshed is not None:
        return Bound(claim=claim, interpretation=interpretation, binding=claim.unrefreshed.binding)
    try:
        binding = build_binding(template, claim.policy, interpretation, gates, priorities)
    except InterpretError as error:
        return Bound(claim=claim, interpretation=interpretation, error=str(error))
    if not gates.propagate_deps:
        binding = replace(binding, propagate_deps=False)
    return Bound(claim=claim, interpretation=interpretation, binding=binding)
