"""Small workspaces in which something scales, and something else has a word in it too."""

from __future__ import annotations

from typing import Final

from tests.delivery.adapt.scaled import ALL, HPA, settings
from tests.workspaces import POLICY, SHOP

DUPLICATED: Final = "{replicaSchedulingType: Duplicated}"
EQUAL: Final = "{replicaSchedulingType: Divided, replicaDivisionPreference: Weighted}"
SCALED: Final = {**SHOP, "hpa.yaml": HPA, "policy.yaml": ALL}
VPA: Final = """\
apiVersion: autoscaling.k8s.io/v1
kind: VerticalPodAutoscaler
metadata: {name: web, namespace: shop}
spec: {targetRef: {apiVersion: apps/v1, kind: Deployment, name: web}}
"""
VPA_POLICY: Final = POLICY.replace("name: web, namespace", "name: vpa, namespace").replace(
    "{apiVersion: apps/v1, kind: Deployment, name: web}",
    "{apiVersion: autoscaling.k8s.io/v1, kind: VerticalPodAutoscaler}",
)
SEALED: Final = (
    "apiVersion: v1\nkind: Secret\nmetadata: {name: key, namespace: shop}\nstringData: {a: 'ENC[x]'}\n"
    "sops: {mac: 'ENC[x]', lastmodified: '2026-01-01T00:00:00Z', version: 3.9.0}\n"
)

SCALING: Final = {
    "KR831": SCALED,
    "KR832": {**SCALED, "krender.yaml": settings(), "policy.yaml": ALL.replace(DUPLICATED, EQUAL)},
    "KR833": {**SCALED, "krender.yaml": settings(protect="[Secret]"), "key.yaml": SEALED},
    "KR834": {**SCALED, "krender.yaml": settings(), "vpa.yaml": VPA, "vpa-policy.yaml": VPA_POLICY},
}
