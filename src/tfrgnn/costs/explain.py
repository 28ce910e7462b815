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

    Shapes: n tasks: `runner_up` (-1 where no other machine was allowed), `finish_s`, `earliest_finish_s` over all
    machines, and `runner_up_finish_s` (infinite without one); and by name of the bias's parts `terms` and
    `runner_up_terms`: the seconds of finish time that a part is worth.
    """

    runner_up: NDArray[np.int32]
    finish_s: NDArray[np.float64]
    earliest_finish_s: NDArray[np.float64]
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


def explain(plan: Plan, costs: Costs | None = None) -> Reasons | None:
    """The reasons of a plan; None for one whose choices are not those of least finish less terms."""
    if plan.terms is None:
        return None
    costs = costs or Costs(plan.scenario.workflow, plan.scenario.cluster)
    n = plan.order.size
    other, other_finish_s, earliest_s = np.full(n, -1, np.int32), np.full(n, np.inf), np.empty(n)
    mine, theirs = ({name: np.zeros(n) for name in plan.terms} for _ in range(2))
    for tasks, rows in finish_blocks(plan, costs):
        at = np.arange(tasks.size)
        chosen = plan.machine[tasks]
        parts = {name: block(tasks) for name, block in plan.terms.items()}
        earliest_s[tasks] = rows.min(axis=1)
        score = rows - sum(parts.values())
        score[at, chosen] = np.inf
        next_best = np.argmin(score, axis=1)
        allowed = np.isfinite(score[at, next_best])
        other[tasks[allowed]] = next_best[allowed]
        other_finish_s[tasks[allowed]] = rows[at, next_best][allowed]
        for name, part in parts.items():
            mine[name][tasks] = part[at, chosen]
            theirs[name][tasks[allowed]] = part[at, next_best][allowed]
    return Reasons(other, plan.finish_s, earliest_s, other_finish_s, mine, theirs)
