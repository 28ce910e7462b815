"""PEFT: earliest finish plus a look ahead through the optimistic cost table."""

import numpy as np
from numpy.typing import NDArray

from tfrgnn.costs.estimates import Estimates
from tfrgnn.schedulers.catalogue import scheduler
from tfrgnn.schedulers.decoding import Placement, insertion_schedule, list_schedule


@scheduler(
    "peft",
    summary="earliest finish plus the shortest way from there to the exit",
    paper="Arabnejad, Barbosa, IEEE TPDS 25(3), 2014, DOI 10.1109/TPDS.2013.57",
)
def peft(estimates: Estimates, *, insertion: bool = False) -> Placement:
    """Priority mean OCT over machines; machine of least EFT + OCT.

    `insertion=true` fills gaps as published; the default appends, as `heft` does.
    """
    costs = estimates.costs
    table = costs.optimistic_cost_table()

    def bias_s(tasks: NDArray[np.int32]) -> NDArray[np.float64]:
        return -table[tasks]

    schedule = insertion_schedule if insertion else list_schedule
    return schedule(costs, table.mean(axis=1), bias_s=bias_s)
