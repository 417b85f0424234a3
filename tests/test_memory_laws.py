"""Laws of memory: what holds over a history of renders, tried on random ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from hypothesis import given, settings
from hypothesis import strategies as st

from renderer.model.binding import Binding
from renderer.model.plan import Plan
from renderer.model.previous import NOTHING
from renderer.model.tree import Tree, walk
from renderer.pipeline import render
from renderer.schedule.previous import read_previous
from tests.workspaces import NAMESPACE, WEB, files_of, workspace

EXAMPLES = 15  # a history is several renders
NAMES = ("a", "b", "c", "d")
FILE = "shop/deployment.apps.web.yaml"


@dataclass(frozen=True, slots=True)
class Shape:
    """What one cluster is like at one time."""

    ready: bool = True
    tainted: bool = False
    frozen: bool = False

    def __str__(self) -> str:
        """Give it as the short inventory has it."""
        taints = ", taints: [{key: gone, effect: NoExecute}]" if self.tainted else ""
        return f", ready: {str(self.ready).lower()}, frozen: {str(self.frozen).lower()}{taints}"


@dataclass(frozen=True, slots=True)
class Step:
    """One render: when, on which clusters, of how many replicas of which image, claimed or not."""

    minute: int
    clusters: tuple[Shape, ...]
    replicas: int
    image: str
    claimed: bool = True
    there: bool = True

    @property
    def now(self) -> str:
        """The clock."""
        return f"2026-01-01T{self.minute // 60:02}:{self.minute % 60:02}:00Z"


@dataclass(frozen=True, slots=True)
class Settings:
    """What stays the same through a history."""

    scheduling: str
    purge_mode: str
    tolerated: int | None
    preserving: bool = False
    sticky: bool = False
    lazy: bool = False

    def files(self, step: Step) -> dict[str, str]:
        """The workspace of a step."""
        clusters = "".join(
            f"  - {{name: {name}{shape}}}\n" for name, shape in zip(NAMES, step.clusters, strict=True)
        )
        web = WEB.replace("replicas: 4", f"replicas: {step.replicas}").replace("1.2", step.image)
        return {
            "krender.yaml": "apiVersion: krender.io/v1alpha1\nkind: Workspace\nspec:\n"
            f"  claims: {'sticky' if self.sticky else 'afresh'}\n"
            "  featureGates: {Failover: true}\n"
            "  failover: {noExecuteEviction: true, taintNotReady: true, allowNoExecuteTaintPolicies: true}\n",
            "fleet.yaml": "apiVersion: krender.io/v1alpha1\nkind: ClusterInventory\n"
            f"metadata: {{name: fleet}}\nspec:\n  clusters:\n{clusters}",
            "web.yaml": web if step.there else "# gone\n",
            "namespace.yaml": NAMESPACE,
            "policy.yaml": self.policy() if step.claimed else "# gone\n",
            "taints.yaml": TAINT_POLICY,
        }

    def policy(self) -> str:
        """The policy of the Deployment."""
        tolerations = ""
        if self.tolerated is not None:
            tolerations = (
                "    clusterTolerations: "
                f"[{{key: gone, operator: Exists, tolerationSeconds: {self.tolerated * 60}}}]\n"
            )
        lazy = "  activationPreference: Lazy\n" if self.lazy else ""
        return (
            "apiVersion: policy.karmada.io/v1alpha1\nkind: PropagationPolicy\n"
            "metadata: {name: web, namespace: shop}\nspec:\n"
            "  resourceSelectors: [{apiVersion: apps/v1, kind: Deployment}]\n"
            f"  preserveResourcesOnDeletion: {str(self.preserving).lower()}\n{lazy}"
            f"  failover: {{cluster: {{purgeMode: {self.purge_mode}}}}}\n"
            f"  placement:\n    replicaScheduling: {self.scheduling}\n{tolerations}"
        )


TAINT_POLICY = """\
apiVersion: policy.karmada.io/v1alpha1
kind: ClusterTaintPolicy
metadata: {name: unready}
spec:
  addOnConditions: [{conditionType: Ready, operator: In, statusValues: ["False"]}]
  removeOnConditions: [{conditionType: Ready, operator: In, statusValues: ["True"]}]
  taints: [{key: unready, effect: NoExecute}]
"""

schedulings = st.sampled_from(
    (
        "{replicaSchedulingType: Duplicated}",
        "{replicaSchedulingType: Divided, replicaDivisionPreference: Weighted}",
        (
            "{replicaSchedulingType: Divided, replicaDivisionPreference: Weighted, "
            "weightPreference: {staticWeightList: [{targetCluster: {clusterNames: [a, b]}, weight: 2}]}}"
        ),
    )
)
modes = st.sampled_from(("Gracefully", "Directly"))
fleets = st.tuples(*(st.builds(Shape, st.booleans(), st.booleans()) for _ in NAMES))


@st.composite
def histories(draw: st.DrawFn, *, unclaimed: bool = False) -> list[Step]:
    """Some renders of one day, in the order of time."""
    steps = draw(
        st.lists(
            st.builds(
                Step,
                st.integers(0, 90),
                fleets,
                st.integers(0, 6),
                st.sampled_from(("1.2", "1.3")),
                st.booleans() if unclaimed else st.just(True),
                st.booleans() if unclaimed else st.just(True),
            ),
            min_size=2,
            max_size=4,
        )
    )
    return sorted(steps, key=lambda step: step.minute)


def plans(chosen: Settings, steps: Sequence[Step]) -> Iterator[tuple[Step, Plan]]:
    """Each step rendered on what the one before published."""
    previous = NOTHING
    for step in steps:
        plan = render(workspace(chosen.files(step)), previous, step.now)
        previous = read_previous(plan.tree)
        yield step, plan


def directory(plan: Plan, cluster: str) -> Mapping[str, bytes]:
    """Path -> bytes of the files of a cluster."""
    node = plan.tree.at(f"clusters/{cluster}")
    return {path: blob.data for path, blob in walk(node)} if isinstance(node, Tree) else {}


def binding(plan: Plan) -> Binding | None:
    """The binding of the Deployment."""
    found = [item.binding for item in plan.renderings if item.template.identity.kind == "Deployment"]
    return found[0] if found else None


everything = st.builds(
    Settings,
    schedulings,
    modes,
    st.none() | st.integers(0, 30),
    st.booleans(),
    st.booleans(),
    st.booleans(),
)


@settings(max_examples=EXAMPLES)
@given(everything, histories(unclaimed=True))
def test_a_render_on_its_own_memory_changes_nothing(chosen: Settings, steps: list[Step]) -> None:
    for step, plan in plans(chosen, steps):
        again = render(workspace(chosen.files(step)), read_previous(plan.tree), step.now)
        assert files_of(again) == files_of(plan)


@settings(max_examples=EXAMPLES)
@given(everything, histories(unclaimed=True), st.sampled_from(NAMES), st.integers(1, 4))
def test_the_bytes_of_a_frozen_cluster_never_change(
    chosen: Settings, steps: list[Step], name: str, since: int
) -> None:
    place = NAMES.index(name)
    frozen = [
        Step(
            step.minute,
            tuple(
                Shape(shape.ready, shape.tainted, frozen=i == place and number >= since)
                for i, shape in enumerate(step.clusters)
            ),
            step.replicas,
            step.image,
            step.claimed,
            step.there,
        )
        for number, step in enumerate(steps)
    ]
    before: Mapping[str, bytes] | None = None
    for number, (_, plan) in enumerate(plans(chosen, frozen)):
        if number >= since and before is not None:
            assert directory(plan, name) == before
        before = directory(plan, name)


@settings(max_examples=EXAMPLES)
@given(st.builds(Settings, schedulings, modes, st.none() | st.integers(0, 30)), histories())
def test_files_stay_exactly_as_long_as_the_eviction(chosen: Settings, steps: list[Step]) -> None:
    before: dict[str, bytes | None] = dict.fromkeys(NAMES)
    for step, plan in plans(chosen, steps):
        now = binding(plan)
        assert now is not None
        tasks = {task.from_cluster: task for task in now.graceful_eviction_tasks}
        targets = {target.name for target in now.clusters}
        assert not targets & tasks.keys()
        begun = [
            int(task.creation_timestamp[11:13]) * 60 + int(task.creation_timestamp[14:16])
            for task in tasks.values()
        ]
        assert all(0 <= step.minute - minute <= 10 for minute in begun)
        for name in NAMES:
            data = directory(plan, name).get(FILE)
            if name in targets:
                assert data is not None
            elif name in tasks and tasks[name].purge_mode == "Gracefully":
                assert data == before[name]
            else:
                assert data is None
            before[name] = data


@settings(max_examples=EXAMPLES)
@given(st.builds(Settings, schedulings, modes, st.none()), fleets, st.integers(0, 6))
def test_a_cluster_that_recovers_moves_nothing_back(
    chosen: Settings, trouble: tuple[Shape, ...], replicas: int
) -> None:
    if "Duplicated" in chosen.scheduling or replicas == 0:
        return  # these are placed anew on every render, recovered or not
    well = tuple(Shape() for _ in NAMES)
    steps = [
        Step(0, well, replicas, "1.2"),
        Step(10, trouble, replicas, "1.2"),
        Step(60, trouble, replicas, "1.2"),
        Step(70, well, replicas, "1.2"),
        Step(99, well, replicas, "1.2"),
    ]
    bindings = [binding(plan) for _, plan in plans(chosen, steps)]
    moved = [item.clusters for item in bindings if item is not None]
    if moved[2]:  # what is nowhere comes back when anything fits
        assert sorted(moved[4], key=str) == sorted(moved[3], key=str) == sorted(moved[2], key=str)


@settings(max_examples=EXAMPLES)
@given(st.builds(Settings, schedulings, modes, st.none(), st.just(value=True)), histories(unclaimed=True))
def test_what_is_to_outlive_its_file_never_goes_unmarked(chosen: Settings, steps: list[Step]) -> None:
    before: dict[str, Mapping[str, bytes]] = {name: {} for name in NAMES}
    for _, plan in plans(chosen, steps):
        for name in NAMES:
            now = directory(plan, name)
            assert {path for path in before[name] if path != ".keep"} <= now.keys()
            before[name] = now
