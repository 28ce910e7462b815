"""HEFT: tasks by upward rank, each on the machine of earliest finish."""

from tfrgnn.costs.estimates import Estimates
from tfrgnn.schedulers.catalogue import scheduler
from tfrgnn.schedulers.decoding import Placement, insertion_schedule, list_schedule

_PAPER = "Topcuoglu, Hariri, Wu, IEEE TPDS 13(3), 2002, DOI 10.1109/71.993206"


@scheduler("heft", summary="HEFT, each task appended to its machine, as the paper executes it", paper=_PAPER)
def heft(estimates: Estimates) -> Placement:
    """Upward rank order, machine of least EFT, no insertion: the plan that every other one is compared with.

    Topcuoglu's own HEFT fills gaps between tasks (`heft-insertion`); appending is what an engine with one
    queue per machine does, and what all methods of the TFR-GNN paper are executed with.
    """
    costs = estimates.costs
    return list_schedule(costs, costs.upward_rank)


@scheduler("heft-insertion", summary="HEFT as published, a task may fill a gap between two others", paper=_PAPER)
def heft_insertion(estimates: Estimates) -> Placement:
    """Upward rank order, the earliest finish over all gaps of all machines."""
    costs = estimates.costs
    return insertion_schedule(costs, costs.upward_rank)
