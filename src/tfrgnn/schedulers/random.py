"""Random placement: the floor that every method should clear."""

import numpy as np

from tfrgnn.costs.estimates import Estimates
from tfrgnn.schedulers.catalogue import scheduler
from tfrgnn.schedulers.decoding import Placement, list_schedule, pinned


@scheduler("random", summary="each task on a machine drawn at random", paper="no paper; the usual floor")
def random(estimates: Estimates, *, seed: int = 0) -> Placement:
    """Upward rank order, a uniformly drawn machine."""
    costs = estimates.costs
    rng = np.random.default_rng(seed)
    machine = rng.integers(costs.machines, size=costs.workflow.tasks)
    return list_schedule(costs, costs.upward_rank, bias_s=pinned(machine, costs.machines))
