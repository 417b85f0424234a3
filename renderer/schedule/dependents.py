"""Dependencies follow their parents: what a scheduled binding needs is placed where it is placed.

Source: Karmada pkg/dependenciesdistributor/dependencies_distributor.go.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from renderer.match.labels import predicate
from renderer.model.binding import Binding, BindingSnapshot, binding_name
from renderer.model.identity import Identity
from renderer.model.interpretation import Dependency, Interpretation
from renderer.model.template import Template

BindingKey: TypeAlias = tuple[str, str]  # namespace and name of a binding


@dataclass(frozen=True, slots=True, kw_only=True)
class DistributionError:
    """Why the dependencies of a binding, or one of them, could not be attached."""

    binding: BindingKey
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Distribution:
    """All bindings afterwards: those given, in their order, then the attached ones as they came about."""

    bindings: tuple[Binding, ...]
    errors: tuple[DistributionError, ...] = ()


class TemplateIndex:
    """Templates by identity, and by kind and namespace for label selectors."""

    def __init__(self, templates: Iterable[Template]) -> None:
        """Index the templates."""
        self._by_identity = {template.identity: template for template in templates}
        by_kind: dict[tuple[str, str], list[Template]] = {}
        for template in self._by_identity.values():
            kind = (template.identity.api_version, template.identity.kind)
            by_kind.setdefault(kind, []).append(template)
        self._by_kind: Mapping[tuple[str, str], list[Template]] = by_kind

    def __contains__(self, identity: Identity) -> bool:
        """Whether there is such a template."""
        return identity in self._by_identity

    def named(self, dependency: Dependency) -> tuple[Identity, ...]:
        """The objects that a dependency means; an empty namespace selects labels in every namespace."""
        api_version, kind, namespace = dependency.api_version, dependency.kind, dependency.namespace
        if dependency.name:
            identity = Identity(api_version, kind, namespace, dependency.name)
            return (identity,) if identity in self._by_identity else ()
        if dependency.label_selector is None:
            return ()
        selects = predicate(dependency.label_selector)
        return tuple(
            sorted(
                template.identity
                for template in self._by_kind.get((api_version, kind), ())
                if namespace in ("", template.identity.namespace) and selects(dict(template.labels))
            )
        )


def distribute(
    bindings: Sequence[Binding],
    interpretations: Mapping[Identity, Interpretation],
    templates: Iterable[Template],
) -> Distribution:
    """Attach to each scheduled binding with propagateDeps what its template depends on.

    `bindings` are those made by policies, scheduled, handled in the order given: the first that needs an
    object is the first in its requiredBy, whose replicas count. An object with a binding of its own is
    placed on the union; any other gets an attached binding in the namespace of the binding that needs it.
    Dependencies of dependencies are not followed, and ClusterResourceBindings do not take part.
    """
    index, work = TemplateIndex(templates), _Work(bindings)
    for binding in bindings:
        if not binding.propagate_deps or not binding.namespace:
            continue
        if binding.identity not in index:
            work.fail(binding, f"{binding.identity} does not exist")
            continue
        interpretation = interpretations.get(binding.identity, Interpretation())
        if interpretation.dependencies_error:
            work.fail(binding, interpretation.dependencies_error)
        for dependency in interpretation.dependencies:
            for identity in index.named(dependency):
                work.attach(binding, identity)
    return Distribution(bindings=tuple(work.bindings), errors=tuple(work.errors))


class _Work:
    """The bindings while requiredBy entries are added."""

    def __init__(self, bindings: Sequence[Binding]) -> None:
        self.given = {binding.key: binding for binding in reversed(bindings)}
        self.bindings = list(bindings)
        self.places = {binding.key: place for place, binding in reversed(list(enumerate(bindings)))}
        self.errors: list[DistributionError] = []

    def fail(self, binding: Binding, text: str) -> None:
        self.errors.append(DistributionError(binding=binding.key, text=text))

    def attach(self, parent: Binding, identity: Identity) -> None:
        key = (parent.namespace, binding_name(identity.kind, identity.name))
        place = self.places.get(key)
        if place is None:
            place = self.places[key] = len(self.bindings)
            attached = Binding(
                identity=identity, namespace=key[0], name=key[1], scheduler_name="", managed=False
            )
            self.bindings.append(attached)
        binding = self.bindings[place]
        if binding.identity != identity:
            self.fail(parent, f"{identity} has no place: binding {key[0]}/{key[1]} is {binding.identity}'s")
            return
        required_by = _merged(binding.required_by, parent)
        if binding.placement is not None:
            self.bindings[place] = replace(binding, required_by=required_by)
            return
        parents = [self.given[(item.namespace, item.name)] for item in required_by]
        overwrite = any(item.conflict_resolution == "Overwrite" for item in parents)
        self.bindings[place] = replace(
            binding,
            required_by=required_by,
            conflict_resolution="Overwrite" if overwrite else "Abort",
            preserve_resources_on_deletion=any(item.preserve_resources_on_deletion for item in parents),
        )


def _merged(required_by: tuple[BindingSnapshot, ...], parent: Binding) -> tuple[BindingSnapshot, ...]:
    snapshot = BindingSnapshot(namespace=parent.namespace, name=parent.name, clusters=parent.clusters)
    known = [(item.namespace, item.name) for item in required_by]
    return required_by if parent.key in known else (*required_by, snapshot)
