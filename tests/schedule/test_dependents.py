"""Dependencies follow the bindings that need them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from renderer.document.values import Object
from renderer.interpret.binding import binding_spec
from renderer.model.binding import Binding, TargetCluster, binding_name
from renderer.model.identity import Identity
from renderer.model.interpretation import Dependency, Interpretation
from renderer.model.placement import Placement
from renderer.model.selectors import LabelSelector
from renderer.model.template import Template
from renderer.schedule.dependents import Distribution, distribute

SECRET = Identity("v1", "Secret", "shop", "s")


def template(identity: Identity, **labels: str) -> Template:
    """A template of that identity."""
    body: Object = {"apiVersion": identity.api_version, "kind": identity.kind}
    return Template(identity=identity, body=body, labels=tuple(labels.items()))


def parent(name: str, *clusters: str, namespace: str = "shop") -> Binding:
    """A scheduled Deployment whose dependencies are to follow it."""
    return Binding(
        identity=Identity("apps/v1", "Deployment", namespace, name),
        namespace=namespace,
        name=binding_name("Deployment", name),
        placement=Placement(),
        clusters=tuple(TargetCluster(name=cluster, replicas=1) for cluster in clusters),
        propagate_deps=True,
        conflict_resolution="Abort",
    )


def needs(identity: Identity) -> Dependency:
    """A dependency on one object."""
    return Dependency(
        api_version=identity.api_version, kind=identity.kind, namespace=identity.namespace, name=identity.name
    )


def run(
    *bindings: Binding, others: tuple[Template, ...] = (template(SECRET),), needed: Dependency | None = None
) -> Distribution:
    """Distribute where every Deployment needs one thing, by default the Secret."""
    wanted = Interpretation(dependencies=(needed or needs(SECRET),))
    deployments = [item.identity for item in bindings if item.identity.kind == "Deployment"]
    templates = (*(template(identity) for identity in deployments), *others)
    return distribute(bindings, dict.fromkeys(deployments, wanted), templates)


def attached(done: Distribution) -> list[str]:
    """The identities of the attached bindings."""
    return [str(binding.identity) for binding in done.bindings if binding.placement is None]


def test_what_several_need_is_placed_on_the_union() -> None:
    done = run(parent("a", "m1"), parent("b", "m2", "m1"))
    binding = done.bindings[-1]
    assert binding.key == ("shop", "s-secret")
    assert [(item.name, [one.name for one in item.clusters]) for item in binding.required_by] == [
        ("a-deployment", ["m1"]),
        ("b-deployment", ["m2", "m1"]),
    ]
    assert [cluster.name for cluster in binding.target_clusters] == ["m1", "m2"]
    assert binding.propagate_deps is False
    assert "placement" not in binding_spec(binding)


@pytest.mark.parametrize(
    ("first", "second", "conflict", "preserve"),
    [
        pytest.param({}, {}, "Abort", False, id="nobody-asks"),
        pytest.param({"conflict_resolution": "Overwrite"}, {}, "Overwrite", False, id="one-overwrites"),
        pytest.param({}, {"preserve_resources_on_deletion": True}, "Abort", True, id="one-preserves"),
    ],
)
def test_the_strongest_word_counts(
    first: dict[str, object], second: dict[str, object], conflict: str, preserve: bool
) -> None:
    done = run(replace(parent("a"), **first), replace(parent("b"), **second))  # type: ignore[arg-type]
    binding = done.bindings[-1]
    assert (binding.conflict_resolution, binding.preserve_resources_on_deletion) == (conflict, preserve)


def test_a_dependency_with_a_policy_of_its_own_keeps_its_word() -> None:
    own = Binding(
        identity=SECRET,
        namespace="shop",
        name="s-secret",
        placement=Placement(),
        clusters=(TargetCluster(name="m9"),),
        conflict_resolution="Abort",
    )
    done = run(replace(parent("a", "m1"), conflict_resolution="Overwrite"), own)
    assert len(done.bindings) == 2
    assert [cluster.name for cluster in done.bindings[1].target_clusters] == ["m9", "m1"]
    assert done.bindings[1].conflict_resolution == "Abort"


@pytest.mark.parametrize(
    ("bindings", "others"),
    [
        pytest.param((replace(parent("a"), propagate_deps=False),), (template(SECRET),), id="not-asked-for"),
        pytest.param((parent("a"),), (), id="no-such-object"),
        pytest.param(
            (parent("a", namespace=""),), (template(SECRET),), id="cluster-scoped-ones-take-no-part"
        ),
    ],
)
def test_nothing_is_attached(bindings: tuple[Binding, ...], others: tuple[Template, ...]) -> None:
    done = run(*bindings, others=others)
    assert done == Distribution(bindings=bindings)


def test_objects_are_found_by_label_in_order() -> None:
    slices = [
        Identity("discovery.k8s.io/v1", "EndpointSlice", namespace, "e") for namespace in ("shop", "other")
    ]
    by_label = Dependency(
        api_version="discovery.k8s.io/v1",
        kind="EndpointSlice",
        namespace="shop",
        label_selector=LabelSelector(match_labels=(("app", "web"),)),
    )
    others = tuple(template(identity, app="web") for identity in slices)
    assert attached(run(parent("a"), others=others, needed=by_label)) == ["EndpointSlice shop/e"]
    everywhere = replace(by_label, namespace="")
    done = run(parent("a"), others=others, needed=everywhere)
    assert attached(done) == ["EndpointSlice other/e"]
    assert [error.text for error in done.errors] == [
        "EndpointSlice shop/e has no place: binding shop/e-endpointslice is EndpointSlice other/e's"
    ]


def test_a_dependency_that_names_nothing_is_nothing() -> None:
    assert attached(run(parent("a"), needed=Dependency(api_version="v1", kind="Secret"))) == []


def test_an_object_elsewhere_is_bound_where_it_is_needed() -> None:
    far = Identity("v1", "Secret", "other", "s")
    done = run(parent("a"), others=(template(far),), needed=needs(far))
    assert done.bindings[-1].key == ("shop", "s-secret")
    assert done.bindings[-1].identity == far


def test_an_error_of_the_interpreter_attaches_nothing() -> None:
    binding = parent("a")
    failed = Interpretation(dependencies_error="no")
    done = distribute([binding], {binding.identity: failed}, [template(binding.identity)])
    assert [(error.binding, error.text) for error in done.errors] == [(("shop", "a-deployment"), "no")]
    assert done.bindings == (binding,)


def test_a_binding_without_a_template_is_an_error() -> None:
    done = distribute([parent("a")], {}, [])
    assert [error.text for error in done.errors] == ["Deployment shop/a does not exist"]


def test_an_object_may_need_itself() -> None:
    binding = parent("a", "m1")
    done = run(binding, needed=needs(binding.identity))
    assert [item.name for item in done.bindings[0].required_by] == ["a-deployment"]


def test_needing_it_twice_is_needing_it_once() -> None:
    binding = parent("a", "m1")
    twice = Interpretation(dependencies=(needs(SECRET), needs(SECRET)))
    done = distribute([binding], {binding.identity: twice}, [template(binding.identity), template(SECRET)])
    assert len(done.bindings[-1].required_by) == 1
