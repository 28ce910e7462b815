"""What a scheduler may know of a scenario: its costs, and failure rates and downtimes, but never a trace."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from tfrgnn.costs.costs import Costs
from tfrgnn.model.checks import frozen_array
from tfrgnn.model.scenario import Scenario


@dataclass(frozen=True)
class Estimates:
    """The costs of a scenario, and what its failure model expects of each machine (p)."""

    scenario: Scenario
    costs: Costs

    @classmethod
    def of(cls, scenario: Scenario) -> "Estimates":
        return cls(scenario, Costs(scenario.workflow, scenario.cluster))

    @cached_property
    def rate_per_s(self) -> NDArray[np.float64]:
        """Failures per second of uptime at this scale: lambda_m s."""
        return frozen_array(self.scenario.cluster.rate_per_s * self.scenario.scale, np.float64)

    @cached_property
    def downtime(self) -> NDArray[np.float64]:
        """Expected share of time down: delta = lambda s mu / (1 + lambda s mu), 0 at scale 0."""
        load = self.rate_per_s * self.scenario.cluster.repair.mean_s
        return frozen_array(load / (1.0 + load), np.float64)


def expected_time_s(
    work_s: NDArray[np.float64] | float, rate_per_s: NDArray[np.float64] | float, repair_s: float
) -> NDArray[np.float64]:
    """Expected time to finish `work_s` under restart in place: (e^(r d) - 1)(1/r + u), and d where r = 0.

    The machine is up at the start; the last repair counts only before a retry.
    """
    work, rate = np.broadcast_arrays(np.asarray(work_s, np.float64), np.asarray(rate_per_s, np.float64))
    safe = np.where(rate > 0, rate, 1.0)
    with np.errstate(over="ignore"):
        failing = np.expm1(safe * work) * (1.0 / safe + repair_s)
    return np.where(rate > 0, failing, work)
