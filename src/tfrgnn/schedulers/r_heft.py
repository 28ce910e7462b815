"""R-HEFT: HEFT tilted away from machines that are often down."""

import numpy as np
from numpy.typing import NDArray

from tfrgnn.costs.estimates import Estimates
from tfrgnn.schedulers.catalogue import scheduler
from tfrgnn.schedulers.decoding import Placement, list_schedule


@scheduler(
    "r-heft",
    summary="HEFT tilted away from machines that are often down, the more the more critical the task",
    paper="Yang, Zeng, Yang: TFR-GNN, section 5.3",
)
def r_heft(estimates: Estimates, *, beta: float = 2.0) -> Placement:
    """Bias -beta kappa_i delta_m, in units of the mean computation cost. HEFT at scale 0."""
    costs, downtime = estimates.costs, estimates.downtime
    tilt_s = beta * costs.overall_mean_cost_s * costs.criticality

    def bias_s(tasks: NDArray[np.int32]) -> NDArray[np.float64]:
        return np.outer(-tilt_s[tasks], downtime)

    return list_schedule(costs, costs.upward_rank, bias_s=bias_s, terms={"tilt_s": bias_s})
