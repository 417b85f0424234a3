"""The library `kube` of Karmada's Lua: quantities and pod templates.

Source: Karmada pkg/resourceinterpreter/customized/declarative/luavm/kube.go.
"""

from __future__ import annotations

from fractions import Fraction

from renderer.document.values import Value
from renderer.interpret.shipped.pods import dependencies_in, pod_requirements
from renderer.model.interpretation import InterpretError
from renderer.model.quantity import ZERO, Quantity, parse_quantity


def resource_add(*quantities: str | None) -> str:
    """The sum of quantities; one that is absent is none. Raises InterpretError."""
    total = ZERO
    for quantity in quantities:
        total += _quantity(quantity)
    return str(total)


def resource_quantity(quantity: str | None) -> float:
    """A quantity as a number. Raises InterpretError; it may not be negative."""
    found = _quantity(quantity)
    if found.amount < 0:
        raise InterpretError(f"{quantity} is negative")
    if not found.scale:
        return float(found.amount)
    # As Kubernetes computes it, which is not always the nearest number: 9m is 9 * 0.001.
    return float(found.amount / Fraction(10) ** found.scale) * float(f"1e{found.scale}")


def accurate_pod_requirements(template: Value, *, priority_class: bool) -> Value:
    """What a replica of a pod template needs, None where it needs nothing. Raises InterpretError."""
    found = pod_requirements(template, priority_class=priority_class)
    return None if found is None else dict(found.raw)


def pod_dependencies_of(template: Value, namespace: str) -> Value:
    """What a pod template depends on, None where that is nothing. Raises InterpretError."""
    found = [dict(item.to_json()) for item in dependencies_in(template, namespace)]
    return found or None


def _quantity(text: str | None) -> Quantity:
    quantity = ZERO if text is None else parse_quantity(text)
    if quantity is None or (text is not None and text != text.strip()):
        raise InterpretError(f'"{text}" is not a quantity')
    return quantity
