"""The policies of a workspace and what stands beside them: admitted, and each there only once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from renderer.document.problem import Problem
from renderer.document.source import Document
from renderer.document.values import Object, mapping, text
from renderer.load.admission import Admission
from renderer.load.admit import admit
from renderer.load.kinds import admitted_kind
from renderer.load.policies import override_policy_of, propagation_policy_of
from renderer.load.side_objects import customization_of, rebalancer_of, taint_policy_of
from renderer.load.value_expressions import computable
from renderer.load.wording import told
from renderer.model.customization import ResourceInterpreterCustomization
from renderer.model.identity import Identity, identity_of
from renderer.model.overrides import OverridePolicy
from renderer.model.policy import PropagationPolicy
from renderer.model.rebalancer import WorkloadRebalancer
from renderer.model.taint_policy import ClusterTaintPolicy
from renderer.model.workspace import Refused


@dataclass(slots=True, kw_only=True)
class Admitted:
    """What admission let in, by kind, in order of identity; what it refused; and what is wrong."""

    propagation_policies: list[PropagationPolicy] = field(default_factory=list)
    override_policies: list[OverridePolicy] = field(default_factory=list)
    customizations: list[ResourceInterpreterCustomization] = field(default_factory=list)
    rebalancers: list[WorkloadRebalancer] = field(default_factory=list)
    taint_policies: list[ClusterTaintPolicy] = field(default_factory=list)
    refused: list[Refused] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    def _take(self, body: Object, document: Document) -> None:
        match text(body.get("kind")):
            case "PropagationPolicy" | "ClusterPropagationPolicy":
                self.propagation_policies.append(propagation_policy_of(body, document))
            case "OverridePolicy" | "ClusterOverridePolicy":
                policy, problems = computable(override_policy_of(body, document), document)
                self.override_policies.append(policy)
                self.problems += problems
            case "ResourceInterpreterCustomization":
                self.customizations.append(customization_of(body, document))
            case "WorkloadRebalancer":
                self.rebalancers.append(rebalancer_of(body, document))
            case "ClusterTaintPolicy":
                self.taint_policies.append(taint_policy_of(body, document))


def read_admitted(
    documents: Iterable[Document], *, default_namespace: str, allow_no_execute: bool = False
) -> Admitted:
    """Admit the objects one after the other, by identity.

    An object whose unknown fields a server would drop is let in, though each of them is an error. Of two
    with one identity the first in the files stays.
    """
    result = Admitted()
    customizations: list[Object] = []
    for identity, document in _unique(documents, default_namespace, result.problems):
        outcome, problems = admit(
            document,
            namespace=default_namespace,
            existing=customizations,
            allow_no_execute=allow_no_execute,
        )
        result.problems += problems
        if not outcome.admitted:
            result.refused.append(_refusal(identity, outcome, document))
            continue
        if identity.kind == "ResourceInterpreterCustomization":
            customizations.append(outcome.object)
        result._take(outcome.object, document)
    return result


def _unique(
    documents: Iterable[Document], default_namespace: str, problems: list[Problem]
) -> list[tuple[Identity, Document]]:
    first: dict[Identity, Document] = {}
    nameless: list[tuple[Identity, Document]] = []
    for document in documents:
        identity = _identity(mapping(document.value), default_namespace)
        if not identity.name:
            nameless.append((identity, document))  # admission says so
        elif identity in first:
            place = first[identity].where("/metadata/name")
            what = f"{identity} is there twice: the other is at {place}"
            why = "which of them counts would be a matter of chance"
            problems.append(
                told(document, "/metadata/name", what, why=why, fix="remove one of them, or rename it")
            )
        else:
            first[identity] = document
    return [*sorted(first.items(), key=lambda item: item[0]), *nameless]


def _identity(body: Object, default_namespace: str) -> Identity:
    identity = identity_of(body)
    kind = admitted_kind(identity.api_version, identity.kind)
    namespace = identity.namespace or default_namespace if kind and kind.namespaced else ""
    return Identity(identity.api_version, identity.kind, namespace, identity.name)


def _refusal(identity: Identity, outcome: Admission, document: Document) -> Refused:
    errors = outcome.schema_errors
    for reason, message in (
        ("decode", outcome.decode_error),
        ("mutate", outcome.mutate_error),
        ("schema", ", ".join(error.message for error in errors)),
    ):
        if message:
            return Refused(identity=identity, reason=reason, message=message, document=document)
    return Refused(identity=identity, reason="webhook", message=outcome.denied, document=document)
