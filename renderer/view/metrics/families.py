"""Every metric that a run can tell. docs/metrics.md explains each of them."""

from __future__ import annotations

from typing import Final

from renderer.model.guards import GUARDS
from renderer.model.plan import Standing
from renderer.view.metrics.openmetrics import Family
from renderer.view.metrics.reasons import REASONS

BUILD: Final = Family(name="krender_build_info", help="Which krender ran; always 1.", labels=("version",))
EXIT_CODE: Final = Family(
    name="krender_run_exit_code",
    help="How the run ended: 0 done, 1 problems in the files, 3 Git or disk, 4 stopped by a guard.",
)
WROTE: Final = Family(
    name="krender_run_wrote",
    help="1 if the run wrote or committed something, 0 if nothing changed or nothing was to be written.",
)
STOPS: Final = Family(
    name="krender_guard_stops",
    help="What a guard stopped, by the name of the guard.",
    labels=("guard",),
    zero=tuple((name,) for name in GUARDS),
)
FINDINGS: Final = Family(
    name="krender_findings",
    help="Problems that krender check tells, by rule and severity.",
    labels=("severity", "rule"),
)
CLUSTERS: Final = Family(name="krender_clusters", help="Clusters in the inventory.")
FACTS: Final = Family(
    name="krender_cluster_facts_timestamp_seconds",
    help="When the facts about a cluster were observed, in seconds since 1970; absent where nobody says.",
    labels=("member_cluster",),
    unit="seconds",
)
TEMPLATES: Final = Family(
    name="krender_templates",
    help="Resource templates by what they are to the run.",
    labels=("state",),
    zero=tuple((standing.value,) for standing in Standing),
)
UNSCHEDULED: Final = Family(
    name="krender_templates_unscheduled",
    help="Resource templates that are not placed as they ask, by reason; some still run where they were.",
    labels=("reason",),
    zero=tuple((reason,) for reason in REASONS),
)
MANIFESTS: Final = Family(
    name="krender_manifests", help="Objects on clusters: one for each template on each of its clusters."
)
OVERRIDES: Final = Family(
    name="krender_override_applications",
    help="Objects on clusters to which a rule of an override policy was applied, or could not be.",
    labels=("policy_kind", "policy_namespace", "policy", "result"),
)
MOVED: Final = Family(
    name="krender_replicas_moved",
    help="Replicas that leave a cluster and come up on another, compared with what was published before.",
)
CHANGED: Final = Family(
    name="krender_objects_changed",
    help="Files of objects that are not as they were published before the run.",
    labels=("change",),
    zero=(("added",), ("modified",), ("deleted",)),
)
LAST_PUBLISH: Final = Family(
    name="krender_last_publish_timestamp_seconds",
    help="Date of the last commit of the branch, in seconds since 1970.",
    unit="seconds",
)
CLUSTER_LAST_PUBLISH: Final = Family(
    name="krender_cluster_last_publish_timestamp_seconds",
    help="Date of the last commit that changed what a cluster gets, in seconds since 1970.",
    labels=("member_cluster",),
    unit="seconds",
)

FAMILIES: Final = (
    BUILD,
    EXIT_CODE,
    WROTE,
    STOPS,
    FINDINGS,
    CLUSTERS,
    FACTS,
    TEMPLATES,
    UNSCHEDULED,
    MANIFESTS,
    OVERRIDES,
    MOVED,
    CHANGED,
    LAST_PUBLISH,
    CLUSTER_LAST_PUBLISH,
)
