"""FT-HEFT: HEFT with second copies of the tasks most at risk."""

import numpy as np

from tfrgnn.costs.estimates import Estimates
from tfrgnn.errors import InputError
from tfrgnn.schedulers.catalogue import scheduler
from tfrgnn.schedulers.decoding import Placement, list_schedule, replica_limit


@scheduler(
    "ft-heft",
    summary="HEFT with second copies of the tasks most at risk, up to a share of all tasks",
    paper="Yang, Zeng, Yang: TFR-GNN, section 5.3",
)
def ft_heft(estimates: Estimates, *, budget: float = 0.1) -> Placement:
    """Replicates the `budget` n tasks of highest risk kappa_i delta_m on their machine m of HEFT's plan.

    The paper says 'top-risk' without a formula; this is the product that its own tilt uses. A task without
    risk gets no copy, so FT-HEFT is HEFT at scale 0. Among equal risks the lower task index comes first.
    """
    if budget > 1:
        raise InputError(f"method ft-heft, option budget: {budget:g} is a share of all tasks, so at most 1")
    costs = estimates.costs
    limit = replica_limit(costs, budget)
    placed = list_schedule(costs, costs.upward_rank)
    risk = np.round(costs.criticality * estimates.downtime[placed.machine], 12)  # equal ones differ by rounding noise
    riskiest = np.argsort(-risk, kind="stable")[:limit]
    wants_replica = np.zeros(risk.size, np.bool_)
    wants_replica[riskiest[risk[riskiest] > 0]] = True
    if not wants_replica.any():
        return placed
    return list_schedule(costs, costs.upward_rank, wants_replica=wants_replica, replica_limit=limit)
