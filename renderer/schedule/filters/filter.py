"""What a filter is."""

from __future__ import annotations

from typing import Protocol

from renderer.match.fleet import Fleet, Mask
from renderer.model.cluster import Cluster
from renderer.model.decision import Reasons
from renderer.schedule.question import Question


class Filter(Protocol):
    """One rule that leaves clusters out.

    `passing` and `reasons` say the same: a cluster passes where there is no reason against it. The first
    is for the whole fleet at once, the second explains a single cluster.
    """

    @property
    def name(self) -> str:
        """Karmada's name of the plugin."""

    @property
    def spares_targets(self) -> bool:
        """Whether clusters of the previous result are exempt."""

    def passing(self, question: Question, fleet: Fleet) -> Mask:
        """The clusters that this filter lets through."""

    def reasons(self, question: Question, cluster: Cluster) -> Reasons:
        """All reasons against the cluster; empty where it passes."""

    def told(self, question: Question, cluster: Cluster) -> str:
        """The reason as Karmada's condition counts it, for a cluster that does not pass."""
