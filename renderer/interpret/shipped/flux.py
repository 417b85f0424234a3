"""Flux: what its objects refer to.

Source: Karmada …/resourcecustomizations/kustomize.toolkit.fluxcd.io, helm.…, source.….
"""

from __future__ import annotations

from functools import partial
from typing import Final

from renderer.document.values import Object, Value
from renderer.interpret.operations import Kind, Operations
from renderer.interpret.shipped.pods import Names, named
from renderer.interpret.shipped.values import at, items, optional
from renderer.model.interpretation import Dependency, InterpretError

_SOURCE: Final = "source.toolkit.fluxcd.io/v1beta2"
_KUBE_CONFIG: Final = ("kubeConfig", "secretRef")
_VERIFY: Final = ("verify", "secretRef")
_OWN: Final = ("secretRef",)

# Where in the spec the Secrets are named.
_SECRETS: Final[dict[Kind, tuple[tuple[str, ...], ...]]] = {
    ("kustomize.toolkit.fluxcd.io/v1", "Kustomization"): (("decryption", "secretRef"), _KUBE_CONFIG),
    ("helm.toolkit.fluxcd.io/v2beta1", "HelmRelease"): (("chart", "spec", *_VERIFY), _KUBE_CONFIG),
    ("source.toolkit.fluxcd.io/v1", "GitRepository"): (_OWN, _VERIFY),
    (_SOURCE, "OCIRepository"): (_OWN, _VERIFY, ("certSecretRef",)),
    (_SOURCE, "HelmRepository"): (_OWN,),
    (_SOURCE, "Bucket"): (_OWN,),
    (_SOURCE, "HelmChart"): (_VERIFY,),
}
_WITH_ACCOUNT: Final = ("Kustomization", "HelmRelease", "OCIRepository")


def flux_kinds() -> dict[Kind, Operations]:
    """The operations of all kinds."""
    return {
        kind: Operations(dependencies=partial(_dependencies, secrets=secrets))
        for kind, secrets in _SECRETS.items()
    }


def _dependencies(body: Object, *, secrets: tuple[tuple[str, ...], ...]) -> tuple[Dependency, ...]:
    return named(_names(body, secrets), body)


def _names(body: Object, secrets: tuple[tuple[str, ...], ...]) -> Names:
    spec, kind = at(body, "spec"), body.get("kind")
    for source in items(at(spec, "valuesFrom") if kind == "HelmRelease" else None):
        if at(source, "kind") in ("Secret", "ConfigMap"):
            yield str(at(source, "kind")), _present(at(source, "name"))
    for path in secrets:
        reference = optional(spec, *path)
        if reference is not None and at(reference, "name") != "":
            yield "Secret", _present(at(reference, "name"))
    if kind in _WITH_ACCOUNT:
        account = at(spec, "serviceAccountName")
        # The script for an OCIRepository does not ask whether there is an account.
        if account != "" and (account is not None or kind == "OCIRepository"):
            yield "ServiceAccount", _present(account)


def _present(name: Value) -> Value:
    """The name; the scripts fail where there is none."""
    if name is None:
        raise InterpretError("a name is missing")
    return name
