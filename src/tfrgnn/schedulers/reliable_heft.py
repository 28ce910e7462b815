"""Reliable-HEFT: HEFT on the dependable machines only."""

import numpy as np
from numpy.typing import NDArray

from tfrgnn.costs.estimates import Estimates
from tfrgnn.schedulers.catalogue import scheduler
from tfrgnn.schedulers.decoding import Placement, list_schedule


@scheduler(
    "reliable-heft",
    summary="HEFT on the dependable machines only, as if the volatile ones were not there",
    paper="no paper; the first thing an engineer tries, missing in the TFR-GNN paper",
)
def reliable_heft(estimates: Estimates, *, mtbf_s: float = 0.0) -> Placement:
    """Leaves out the volatile machines (`Cluster.volatile`), or those with an MTBF below `mtbf_s` if that is given.

    At scale 0, and where no machine would be left, nothing is left out: it is HEFT. Ranks are HEFT's own,
    over all machines, so that nothing but the choice of machines differs.
    """
    costs, cluster = estimates.costs, estimates.scenario.cluster
    if mtbf_s > 0:
        shunned = cluster.rate_per_s > 1.0 / mtbf_s
    else:
        shunned = cluster.volatile
    if estimates.scenario.scale == 0 or shunned.all() or not shunned.any():
        return list_schedule(costs, costs.upward_rank)
    row = np.where(shunned, -np.inf, 0.0)

    def bias_s(tasks: NDArray[np.int32]) -> NDArray[np.float64]:
        return np.broadcast_to(row, (tasks.size, row.size)).copy()

    return list_schedule(costs, costs.upward_rank, bias_s=bias_s)
