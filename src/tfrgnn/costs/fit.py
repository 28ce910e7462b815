"""Whether a plan can be executed as it says; the first broken constraint is named."""

import numpy as np

from tfrgnn.costs.costs import Costs
from tfrgnn.errors import PlanError
from tfrgnn.model.plan import NO_MACHINE, Plan

_TOLERANCE = 1e-6  # relative; times written by hand may be rounded


def check_fit(plan: Plan, costs: Costs) -> None:
    """Raises for the first task whose place or times break a rule of its workflow or cluster."""
    copies = [(plan.machine, plan.start_s, plan.finish_s)]
    copies.append((plan.replica, plan.replica_start_s, plan.replica_finish_s))
    ids, names = plan.scenario.workflow.task_ids, plan.scenario.cluster.machine_names
    workflow = plan.scenario.workflow
    arrival = _Arrivals(plan, costs)
    free_s = np.zeros(costs.machines)
    for i in plan.order.tolist():
        parents = range(workflow.parent_ptr[i], workflow.parent_ptr[i + 1])
        for machine, start_s, finish_s in copies:
            m, start, finish = int(machine[i]), float(start_s[i]), float(finish_s[i])
            if m == NO_MACHINE:
                continue
            for edge in parents:
                if _before(start, arrival.on(edge, m)):
                    parent = ids[workflow.edge_parent[edge]]
                    raise PlanError(
                        f"task {ids[i]!r} starts at {start:g} s on {names[m]!r}, "
                        f"before its input from {parent!r} is there at {arrival.on(edge, m):g} s"
                    )
            if _before(start, free_s[m]):
                raise PlanError(
                    f"task {ids[i]!r} starts at {start:g} s on {names[m]!r}, which is busy until {free_s[m]:g} s"
                )
            earliest = max([free_s[m], *(arrival.on(edge, m) for edge in parents)])
            if _before(earliest, start):
                raise PlanError(
                    f"task {ids[i]!r} starts at {start:g} s on {names[m]!r}, "
                    f"but can at {earliest:g} s; a plan has no slack"
                )
            took = float(workflow.work_s[i] * costs.factor[workflow.type_index[i], m])
            if abs(finish - start - took) > _TOLERANCE * max(took, finish):
                raise PlanError(f"task {ids[i]!r} takes {took:g} s on {names[m]!r}, not {finish - start:g} s")
            free_s[m] = finish


def _before(start: float, bound: float) -> bool:
    return start < bound - _TOLERANCE * max(1.0, bound)


class _Arrivals:
    """When the data of an edge can be on a machine: from the copy of the parent that is first."""

    def __init__(self, plan: Plan, costs: Costs) -> None:
        self._plan, self._costs = plan, costs
        self._rack = costs.cluster.rack

    def on(self, edge: int, machine: int) -> float:
        plan = self._plan
        parent = self._costs.workflow.edge_parent[edge]
        first = plan.finish_s[parent] + self._delay(edge, int(plan.machine[parent]), machine)
        if plan.replica[parent] != NO_MACHINE:
            second = plan.replica_finish_s[parent] + self._delay(edge, int(plan.replica[parent]), machine)
            first = min(first, second)
        return float(first)

    def _delay(self, edge: int, source: int, target: int) -> float:
        if source == target:
            return 0.0
        near = self._rack[source] == self._rack[target]
        return float(self._costs.near_s[edge] if near else self._costs.far_s[edge])
