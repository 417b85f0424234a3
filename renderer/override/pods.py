"""Where the containers of the kinds stand that overriders know.

Source: Karmada pkg/util/overridemanager; the API group is not looked at.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_TEMPLATE: Final = ("spec", "template", "spec", "containers")

CONTAINER_PATHS: Final[Mapping[str, tuple[str, ...]]] = {
    "Pod": ("spec", "containers"),
    "ReplicaSet": _TEMPLATE,
    "Deployment": _TEMPLATE,
    "DaemonSet": _TEMPLATE,
    "Job": _TEMPLATE,
    "StatefulSet": _TEMPLATE,
}
