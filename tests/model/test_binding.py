"""Target clusters of a binding: its own and those of whoever needs it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from renderer.model.binding import Binding, BindingSnapshot, TargetCluster
from renderer.model.identity import Identity

IDENTITY = Identity("v1", "ConfigMap", "shop", "web")


def clusters(**replicas: int) -> tuple[TargetCluster, ...]:
    """Target clusters with their replicas."""
    return tuple(TargetCluster(name=name, replicas=count) for name, count in replicas.items())


def needed_by(name: str, **replicas: int) -> BindingSnapshot:
    """A binding that needs this one."""
    return BindingSnapshot(namespace="shop", name=name, clusters=clusters(**replicas))


def test_the_first_mention_of_a_cluster_counts() -> None:
    binding = Binding(
        identity=IDENTITY,
        clusters=clusters(a=1),
        required_by=(needed_by("x", a=9, b=2), needed_by("y", b=7, c=3)),
    )
    assert binding.target_clusters == clusters(a=1, b=2, c=3)


def test_without_dependants_they_are_its_own() -> None:
    assert Binding(identity=IDENTITY, clusters=clusters(a=1)).target_clusters == clusters(a=1)


REPLICAS = st.dictionaries(st.sampled_from("abcd"), st.integers(0, 5), max_size=4)


@given(REPLICAS, st.lists(REPLICAS, max_size=3))
def test_they_are_the_union_each_once(own: dict[str, int], others: list[dict[str, int]]) -> None:
    binding = Binding(
        identity=IDENTITY,
        clusters=clusters(**own),
        required_by=tuple(needed_by(str(index), **other) for index, other in enumerate(others)),
    )
    names = [cluster.name for cluster in binding.target_clusters]
    assert sorted(names) == sorted({name for part in (own, *others) for name in part})
