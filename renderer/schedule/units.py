"""The whole numbers in which Karmada counts resources."""

from __future__ import annotations

from typing import Final

from renderer.match.labels import valid_key
from renderer.model.quantity import Format, Quantity

INT32_MAX: Final = 2**31 - 1
CPU: Final = "cpu"
PODS: Final = "pods"
_NATIVE: Final = ("cpu", "memory", "ephemeral-storage")


def int32(number: int) -> int:
    """The number as 32 bits keep it: Karmada converts without looking."""
    return (number + 2**31) % 2**32 - 2**31


def units(resource: str, quantity: Quantity) -> int:
    """Millicores of cpu, whole units of everything else, rounded up."""
    return quantity.milli_value if resource == CPU else quantity.value


def set_units(quantity: Quantity) -> int:
    """The number by which component sets are counted: thousandths of what is written in decimal form.

    So 2Gi in a request and 4G in a cluster are compared as they should not be; that is Karmada's way.
    Source: Karmada pkg/estimator/client/general.go, quantityAsInt64.
    """
    return quantity.value if quantity.format is Format.BINARY_SI else quantity.milli_value


def counts_on_nodes(resource: str) -> bool:
    """Whether a model node has this resource at all: cpu, memory, storage and scalar resources.

    Source: Karmada pkg/util/lifted/resourcename.go, IsScalarResourceName.
    """
    if resource in _NATIVE or resource.startswith(("hugepages-", "attachable-volumes-")):
        return True
    if "kubernetes.io/" in resource:
        return True
    return "/" in resource and not resource.startswith("requests.") and valid_key(f"requests.{resource}")
