"""CPOP: the critical path on one machine."""

import numpy as np

from tfrgnn.costs.costs import Costs
from tfrgnn.costs.estimates import Estimates
from tfrgnn.schedulers.catalogue import scheduler
from tfrgnn.schedulers.decoding import Placement, insertion_schedule, list_schedule, pinned


@scheduler(
    "cpop",
    summary="the critical path on the machine that runs it fastest, the rest by earliest finish",
    paper="Topcuoglu, Hariri, Wu, IEEE TPDS 13(3), 2002, DOI 10.1109/71.993206",
)
def cpop(estimates: Estimates, *, insertion: bool = False) -> Placement:
    """Priority rank_u + rank_d. `insertion=true` fills gaps as published; the default appends, as `heft` does."""
    costs = estimates.costs
    path = critical_path(costs)
    cost_on = costs.workflow.work_s[path] @ costs.factor[costs.workflow.type_index[path]]
    home = np.full(costs.workflow.tasks, -1)
    home[path] = int(np.argmin(cost_on))
    schedule = insertion_schedule if insertion else list_schedule
    return schedule(costs, costs.upward_rank + costs.downward_rank, bias_s=pinned(home, costs.machines))


def critical_path(costs: Costs) -> list[int]:
    """From the entry of highest priority, always on to the child of highest priority (the lower index among equals).

    The published rule looks for children whose priority *equals* the path's; in floating point none may.
    """
    w = costs.workflow
    priority = costs.upward_rank + costs.downward_rank
    entries = np.flatnonzero(np.diff(w.parent_ptr) == 0)
    path = [int(entries[np.argmax(priority[entries])])]
    while (children := w.child[w.child_ptr[path[-1]] : w.child_ptr[path[-1] + 1]]).size:
        children = np.sort(children)
        path.append(int(children[np.argmax(priority[children])]))
    return path
