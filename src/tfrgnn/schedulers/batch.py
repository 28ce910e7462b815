"""Min-Min and Max-Min: batches of ready tasks."""

from tfrgnn.costs.estimates import Estimates
from tfrgnn.schedulers.catalogue import scheduler
from tfrgnn.schedulers.decoding import Placement, batch_schedule

_PAPER = "Braun et al., JPDC 61(6), 2001, DOI 10.1006/jpdc.2000.1714"


@scheduler("min-min", summary="of the ready tasks the one that can finish first, again and again", paper=_PAPER)
def min_min(estimates: Estimates) -> Placement:
    """Published for independent tasks; on a DAG the batch is what is ready."""
    return batch_schedule(estimates.costs, largest=False)


@scheduler("max-min", summary="of the ready tasks the one whose best finish is latest", paper=_PAPER)
def max_min(estimates: Estimates) -> Placement:
    """Published for independent tasks; on a DAG the batch is what is ready."""
    return batch_schedule(estimates.costs, largest=True)
