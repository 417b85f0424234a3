"""What objects of the built-in kinds depend on.

Source: Karmada pkg/resourceinterpreter/default/native/dependencies.go.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from renderer.document.values import Object, dig, sequence, text
from renderer.interpret.references import pod_dependencies
from renderer.interpret.workloads import fits
from renderer.match.labels import invalid
from renderer.model.interpretation import Dependency, InterpretError
from renderer.model.selectors import LabelSelector

Interpret = Callable[[Object], tuple[Dependency, ...]]

_SERVICE_NAME: Final = "kubernetes.io/service-name"


def of_pod_at(*path: str) -> Interpret:
    """The dependencies of a kind whose pod spec stands at a path."""

    def interpret(body: Object) -> tuple[Dependency, ...]:
        fits(body, str(body["kind"]))
        return pod_dependencies(dig(body, *path), _namespace(body))

    return interpret


def stateful_set_dependencies(body: Object) -> tuple[Dependency, ...]:
    """Those of its pods, without the claims that it makes from its own templates."""
    found = of_pod_at("spec", "template", "spec")(body)
    templates = sequence(dig(body, "spec", "volumeClaimTemplates"))
    own = {text(dig(template, "metadata", "name")) for template in templates}
    return tuple(item for item in found if item.kind != "PersistentVolumeClaim" or item.name not in own)


def ingress_dependencies(body: Object) -> tuple[Dependency, ...]:
    """One Secret for each TLS entry, named or not; InterpretError for one that is not."""
    fits(body, "Ingress")
    entries = sequence(dig(body, "spec", "tls"))
    return verified(
        tuple(
            Dependency(
                api_version="v1",
                kind="Secret",
                namespace=_namespace(body),
                name=text(dig(entry, "secretName")),
            )
            for entry in entries
        )
    )


def service_import_dependencies(body: Object) -> tuple[Dependency, ...]:
    """The Service derived from it, and that Service's EndpointSlices."""
    fits(body, "ServiceImport")
    name = f"derived-{text(dig(body, 'metadata', 'name'))}"
    slices = LabelSelector(match_labels=((_SERVICE_NAME, name),))
    namespace = _namespace(body)
    return verified(
        (
            Dependency(api_version="v1", kind="Service", namespace=namespace, name=name),
            Dependency(
                api_version="discovery.k8s.io/v1",
                kind="EndpointSlice",
                namespace=namespace,
                label_selector=slices,
            ),
        )
    )


def verified(dependencies: tuple[Dependency, ...]) -> tuple[Dependency, ...]:
    """The dependencies themselves; InterpretError where one names nothing that could exist.

    Source: Karmada pkg/util/interpreter/validation.
    """
    for index, item in enumerate(dependencies):
        fault = _fault(item)
        if fault:
            raise InterpretError(f"dependency {index}: {fault}")
    return dependencies


def _fault(item: Dependency) -> str:
    if not item.api_version or not item.kind:
        return "apiVersion and kind are needed"
    if item.label_selector is not None:
        return invalid(item.label_selector)
    return "" if item.name else f"a {item.kind} without name or labelSelector"


def _namespace(body: Object) -> str:
    return text(dig(body, "metadata", "namespace"))
