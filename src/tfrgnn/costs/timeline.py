"""When the copies of decided tasks start and finish if nothing fails."""

import numpy as np
from numpy.typing import NDArray

from tfrgnn import kernels
from tfrgnn.costs.costs import Costs


def failure_free_times(
    costs: Costs, order: NDArray[np.int32], machine: NDArray[np.int32], replica: NDArray[np.int32]
) -> tuple[NDArray[np.float64], ...]:
    """start_s, finish_s, replica_start_s, replica_finish_s (n); the last two are infinite without replica."""
    times: tuple[NDArray[np.float64], ...] = kernels.replay.failure_free_times(
        order, machine, replica, costs.edge_arrays, costs.cost_arrays, costs.cluster.rack
    )
    return times
