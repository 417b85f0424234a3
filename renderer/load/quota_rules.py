"""What Karmada's validating webhook has against a FederatedResourceQuota.

Source: Karmada pkg/webhook/federatedresourcequota and pkg/util/lifted/corevalidation.go.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from renderer.document.values import Object, Value, dig, mapping, sequence, text
from renderer.load.field import ROOT, FieldError, Path, invalid
from renderer.load.names import cluster_name, label_key
from renderer.load.typed import DecodeError
from renderer.model.quantity import ZERO, Quantity, parse_quantity

SPEC = ROOT.child("spec")
_COUNTED = (
    "pods",
    "resourcequotas",
    "services",
    "replicationcontrollers",
    "secrets",
    "configmaps",
    "persistentvolumeclaims",
    "services.nodeports",
    "services.loadbalancers",
)
_MEASURED = ("cpu", "memory", "ephemeral-storage")
_STANDARD_FOR_QUOTA = (
    *_COUNTED,
    *_MEASURED,
    *(f"requests.{name}" for name in (*_MEASURED, "storage")),
    *(f"limits.{name}" for name in _MEASURED),
)
_STANDARD = (*_STANDARD_FOR_QUOTA, "storage")
_HUGE_PAGES = ("hugepages-", "requests.hugepages-")
_BAD_QUANTITY = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"

Quantities = Mapping[str, Quantity]


def check_quota(body: Object) -> tuple[FieldError, ...]:
    """Everything wrong with a quota whose types have been checked.

    Raises DecodeError where an amount is no quantity.
    """
    spec = mapping(body.get("spec"))
    overall = _quantities(spec.get("overall"))
    assignments = [mapping(item) for item in sequence(spec.get("staticAssignments"))]
    shares = [_quantities(assignment.get("hard")) for assignment in assignments]
    return (
        *_name(text(dig(body, "metadata", "name"))),
        *_resources(overall, SPEC.child("overall")),
        *_assignments(assignments, shares),
        *_sums(overall, shares),
    )


def _quantities(value: Value) -> Quantities:
    return {name: _quantity(amount) for name, amount in mapping(value).items()}


def _quantity(value: Value) -> Quantity:
    quantity = ZERO if value is None else parse_quantity(value)
    if quantity is None:
        raise DecodeError(_BAD_QUANTITY)
    return quantity


def _name(name: str) -> Iterator[FieldError]:
    if len(name.encode()) > 63:  # the name becomes a label value
        yield invalid(ROOT.child("metadata", "name"), name, "must be no more than 63 characters")


def _assignments(assignments: list[Object], shares: list[Quantities]) -> Iterator[FieldError]:
    for index, (assignment, share) in enumerate(zip(assignments, shares, strict=True)):
        path = SPEC.child("staticAssignments").index(index)
        name = text(assignment.get("clusterName"))
        details = cluster_name(name)
        if details:
            yield invalid(path.child("clusterName"), name, ",".join(details))
        yield from _resources(share, path.child("hard"))


def _resources(quantities: Quantities, path: Path) -> Iterator[FieldError]:
    for name, quantity in quantities.items():
        yield from _resource_name(name, path.key(name))
        yield from _amount(name, quantity, path.key(name))


def _resource_name(name: str, path: Path) -> Iterator[FieldError]:
    details = label_key(name)
    for detail in details:
        yield invalid(path, name, detail)
    if "/" in name or name.startswith(_HUGE_PAGES):
        return
    if not details and name not in _STANDARD:
        yield invalid(path, name, "must be a standard resource type or fully qualified")
    if name not in _STANDARD_FOR_QUOTA:
        yield invalid(path, name, "must be a standard resource for quota")


def _amount(name: str, quantity: Quantity, path: Path) -> Iterator[FieldError]:
    if quantity.amount < 0:
        yield invalid(path, str(quantity), "must be greater than or equal to 0")
    if (name in _COUNTED or _is_extended(name)) and quantity.milli_value % 1000:
        yield invalid(path, str(quantity), "must be an integer")


def _is_extended(name: str) -> bool:
    """Whether it is a vendor's resource, which is counted in whole pieces."""
    if "/" not in name or "kubernetes.io/" in name or name.startswith("requests."):
        return False
    return not label_key(f"requests.{name}")


def _sums(overall: Quantities, shares: list[Quantities]) -> Iterator[FieldError]:
    path = SPEC.child("overall")
    for name, quantity in overall.items():
        assigned = sum((share[name].amount for share in shares if name in share), Fraction(0))
        if quantity.amount < assigned:
            yield invalid(path.key(name), str(quantity), "overall is less than assignments")
    for index, share in enumerate(shares):
        hard = SPEC.child("staticAssignments").index(index).child("hard")
        for name in share:
            if name not in overall:
                yield invalid(hard.key(name), name, "assignment resourceName is not exist in overall")
