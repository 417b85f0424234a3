"""What one replica of a pod template needs: nodes it accepts, resources it requests.

Source: Karmada pkg/util/helper/binding.go GenerateReplicaRequirements, pkg/util/resource.go.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from renderer.document.values import Object, Value, dig, mapping, sequence, text
from renderer.interpret.typed import integer
from renderer.match.labels import valid_key
from renderer.model.binding import ReplicaRequirements
from renderer.model.quantity import ZERO, Format, Quantity, milli, parse_quantity, whole

Amounts = dict[str, int]  # resource name -> milli-cores of cpu, whole units of the rest

_BINARY: Final = ("memory", "ephemeral-storage")
_PLAIN: Final = ("cpu", "pods", *_BINARY)


def requirements(pod_spec: Value, *, priority_class: bool = False) -> ReplicaRequirements | None:
    """The requirements of a pod spec that fits its type; None where it asks for nothing.

    `priority_class` tells whether the priority class is part of them (gate ResourceQuotaEstimate).
    """
    spec = mapping(pod_spec)
    claim, request = node_claim(spec), resource_request(spec)
    if claim is None and not request:
        return None
    name = text(spec.get("priorityClassName")) if priority_class else ""
    return replica_requirements(claim, request, priority_class_name=name)


def replica_requirements(
    claim: Object | None,
    request: tuple[tuple[str, Quantity], ...],
    *,
    namespace: str = "",
    priority_class_name: str = "",
) -> ReplicaRequirements:
    """Requirements with the JSON that a binding writes for them."""
    raw: dict[str, Value] = {}
    if claim is not None:
        raw["nodeClaim"] = claim
    if request:
        raw["resourceRequest"] = {name: str(quantity) for name, quantity in request}
    if namespace:
        raw["namespace"] = namespace
    if priority_class_name:
        raw["priorityClassName"] = priority_class_name
    return ReplicaRequirements(
        node_claim=claim,
        resource_request=request,
        namespace=namespace,
        priority_class_name=priority_class_name,
        raw=raw,
    )


def node_claim(spec: Object) -> Object | None:
    """The nodes a pod accepts, as a binding writes them; None where it takes any."""
    selector, tolerations = spec.get("nodeSelector"), sequence(spec.get("tolerations"))
    hard = dig(spec, "affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution")
    if selector is None and hard is None and not tolerations:
        return None
    return node_claim_of(selector, tolerations, hard)


def node_claim_of(selector: Value, tolerations: Value, hard: Value) -> Object:
    """A node claim as a binding writes it, of a node selector, tolerations and hard node affinity."""
    claim: dict[str, Value] = {}
    if hard is not None:
        claim["hardNodeAffinity"] = _node_selector(hard)
    if mapping(selector):
        claim["nodeSelector"] = {key: text(value) for key, value in sorted(mapping(selector).items())}
    if sequence(tolerations):
        claim["tolerations"] = [_toleration(item) for item in sequence(tolerations)]
    return claim


def resource_request(spec: Object) -> tuple[tuple[str, Quantity], ...]:
    """The effective request of a pod, by name; what comes to nothing is left out.

    The containers together, then each init container if it needs more, then the overhead. Sidecars
    among the init containers are counted like the others.
    """
    amounts: Amounts = {}
    for container in sequence(spec.get("containers")):
        _accumulate(amounts, _requests(container), _added)
    for container in sequence(spec.get("initContainers")):
        _accumulate(amounts, _requests(container), max)
    _accumulate(amounts, _quantities(spec.get("overhead")), _added)
    return tuple((name, _quantity(name, amount)) for name, amount in sorted(amounts.items()) if amount > 0)


def is_scalar(name: str) -> bool:
    """Whether a resource beside the four plain ones is counted."""
    if "kubernetes.io/" in name or name.startswith(("hugepages-", "attachable-volumes-")):
        return True
    return "/" in name and not name.startswith("requests.") and valid_key(f"requests.{name}")


def _requests(container: Value) -> Mapping[str, Quantity]:
    """A container's requests; a limit without a request of its name is one."""
    limits = _quantities(dig(container, "resources", "limits"))
    return {**limits, **_quantities(dig(container, "resources", "requests"))}


def _quantities(resources: Value) -> Mapping[str, Quantity]:
    return {name: parse_quantity(value) or ZERO for name, value in mapping(resources).items()}


def _accumulate(
    amounts: Amounts, quantities: Mapping[str, Quantity], combine: Callable[[int, int], int]
) -> None:
    for name, quantity in quantities.items():
        if name in _PLAIN or is_scalar(name):
            amount = quantity.milli_value if name == "cpu" else quantity.value
            amounts[name] = combine(amounts.get(name, 0), amount)


def _added(left: int, right: int) -> int:
    """The sum as a 64-bit number, which wraps around."""
    return (left + right + 2**63) % 2**64 - 2**63


def _quantity(name: str, amount: int) -> Quantity:
    if name == "cpu":
        return milli(amount)
    binary = name in _BINARY or name.startswith("hugepages-")
    return whole(amount, Format.BINARY_SI if binary else Format.DECIMAL_SI)


def _toleration(item: Value) -> Object:
    known = {key: text(mapping(item).get(key)) for key in ("key", "operator", "value", "effect")}
    result: dict[str, Value] = {key: value for key, value in known.items() if value}
    seconds = integer(mapping(item).get("tolerationSeconds"))
    if seconds is not None:
        result["tolerationSeconds"] = seconds
    return result


def _node_selector(selector: Value) -> Object:
    terms = mapping(selector).get("nodeSelectorTerms")
    return {"nodeSelectorTerms": None if terms is None else [_term(term) for term in sequence(terms)]}


def _term(term: Value) -> Object:
    parts = {key: sequence(mapping(term).get(key)) for key in ("matchExpressions", "matchFields")}
    return {key: [_requirement(item) for item in items] for key, items in parts.items() if items}


def _requirement(item: Value) -> Object:
    known = mapping(item)
    result: dict[str, Value] = {"key": text(known.get("key")), "operator": text(known.get("operator"))}
    values = [text(value) for value in sequence(known.get("values"))]
    return {**result, "values": values} if values else result
