"""Why each task of a plan went where it went."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tfrgnn import kernels
from tfrgnn.costs.blocks import blocks
from tfrgnn.costs.costs import Costs
from tfrgnn.model.plan import Plan


@dataclass(frozen=True, eq=False)
class Reasons:
    """The chosen machine of each task against the runner-up, the one of next best score (finish less the bias).

    Shapes: n tasks: `runner_up` (-1 on a single machine), `finish_s` and `runner_up_finish_s` (infinite without one),
    appended, not inserted; and by name of the bias's parts `terms` and `runner_up_terms`: the seconds of finish time
    that a part is worth.
    """

    runner_up: NDArray[np.int32]
    finish_s: NDArray[np.float64]
    runner_up_finish_s: NDArray[np.float64]
    terms: dict[str, NDArray[np.float64]]
    runner_up_terms: dict[str, NDArray[np.float64]]


def finish_blocks(plan: Plan, costs: Costs) -> Iterator[tuple[NDArray[np.int32], NDArray[np.float64]]]:
    """(tasks, seconds (k, p)) in plan order: when each would finish on each machine at the moment of its placement."""
    copies = (plan.machine, plan.finish_s, plan.replica, plan.replica_finish_s)
    avail_s = np.zeros(costs.machines)
    for begin, end in blocks(plan.order.size, costs.machines):
        rows = np.empty((end - begin, costs.machines))
        kernels.decode.finish_rows(
            plan.order, begin, end, costs.edge_arrays, costs.cost_arrays, costs.rack_arrays, copies, avail_s, rows
        )
        yield plan.order[begin:end], rows


def explain(plan: Plan, costs: Costs | None = None) -> Reasons:
    """The reasons of a plan."""
    costs = costs or Costs(plan.scenario.workflow, plan.scenario.cluster)
    n = plan.order.size
    other, other_finish_s = np.full(n, -1, np.int32), np.full(n, np.inf)
    mine, theirs = ({name: np.zeros(n) for name in plan.terms} for _ in range(2))
    for tasks, rows in finish_blocks(plan, costs):
        at = np.arange(tasks.size)
        chosen = plan.machine[tasks]
        parts = {name: block(tasks) for name, block in plan.terms.items()}
        score = rows - sum(parts.values())
        score[at, chosen] = np.inf
        next_best = np.argmin(score, axis=1)
        if costs.machines > 1:
            other[tasks], other_finish_s[tasks] = next_best, rows[at, next_best]
        for name, part in parts.items():
            mine[name][tasks], theirs[name][tasks] = part[at, chosen], part[at, next_best]
    return Reasons(other, plan.finish_s, other_finish_s, mine, theirs)
