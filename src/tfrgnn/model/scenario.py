"""A scenario: what a plan is made for."""

from dataclasses import dataclass, field

from tfrgnn.model.cluster import Cluster
from tfrgnn.model.failures import FailureModel
from tfrgnn.model.workflow import Workflow


@dataclass(frozen=True)
class Scenario:
    """A workflow on a cluster under a failure model."""

    workflow: Workflow
    cluster: Cluster
    failures: FailureModel = field(default_factory=FailureModel)

    @property
    def scale(self) -> float:
        return self.failures.scale
