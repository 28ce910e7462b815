"""A plan: which machines run each task, in which order, and when if nothing fails."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tfrgnn.errors import PlanError
from tfrgnn.model.checks import frozen_array
from tfrgnn.model.scenario import Scenario

NO_MACHINE = -1


@dataclass(frozen=True, eq=False)
class Plan:
    """What a method decided for a scenario. Times are those of the plan run without failures.

    A machine takes its tasks in the order of their positions. `replica` is the machine of a task's second
    copy, -1 for none; the copy that finishes first counts.

    Shapes: n tasks: `order` (the task at each position), `machine`, `replica`, `start_s`, `finish_s`,
    `replica_start_s`, `replica_finish_s` (infinite without replica). `terms` are the named parts of the method's
    bias, each a function from task indices (k) to seconds by task and machine (k, p): the machine of least finish less
    all terms was chosen. They are None where that is not known, as for a plan from a file.
    """

    scenario: Scenario
    method: str
    order: NDArray[np.int32]
    machine: NDArray[np.int32]
    replica: NDArray[np.int32]
    start_s: NDArray[np.float64]
    finish_s: NDArray[np.float64]
    replica_start_s: NDArray[np.float64]
    replica_finish_s: NDArray[np.float64]
    terms: Mapping[str, Callable[[NDArray[np.int32]], NDArray[np.float64]]] | None = None

    def __post_init__(self) -> None:
        for name in ("order", "machine", "replica"):
            object.__setattr__(self, name, frozen_array(getattr(self, name), np.int32))
        for name in ("start_s", "finish_s", "replica_start_s", "replica_finish_s"):
            object.__setattr__(self, name, frozen_array(getattr(self, name), np.float64))
        self._check_places()
        self._check_order()

    def _check_places(self) -> None:
        n, p = self.scenario.workflow.tasks, len(self.scenario.cluster.machines)
        for name in ("order", "machine", "replica", "start_s", "finish_s", "replica_start_s", "replica_finish_s"):
            if getattr(self, name).shape != (n,):
                raise PlanError(f"a plan's {name} needs an entry for each of its {n} tasks")
        if np.any((self.machine < 0) | (self.machine >= p)):
            raise PlanError(f"a plan's machine must be 0 to {p - 1} for every task")
        if np.any((self.replica < NO_MACHINE) | (self.replica >= p) | (self.replica == self.machine)):
            raise PlanError(f"a plan's replica must be another machine, 0 to {p - 1}, or {NO_MACHINE} for none")
        first = np.all((self.start_s >= 0) & (self.finish_s >= self.start_s) & np.isfinite(self.finish_s))
        second = np.all((self.replica_start_s >= 0) & (self.replica_finish_s >= self.replica_start_s))
        if not first or not second:
            raise PlanError("a plan's times must be 0 <= start_s <= finish_s, none of them NaN")

    def _check_order(self) -> None:
        """Each task has one position, behind its parents'."""
        workflow = self.scenario.workflow
        position = np.full(workflow.tasks, -1, np.int64)
        if np.any((self.order < 0) | (self.order >= workflow.tasks)):
            raise PlanError(f"a plan's order must hold each task index 0 to {workflow.tasks - 1} once")
        position[self.order] = np.arange(workflow.tasks)
        if np.any(position < 0):
            raise PlanError(f"a plan's order must hold each task index 0 to {workflow.tasks - 1} once")
        late = np.flatnonzero(position[workflow.edge_parent] > position[workflow.edge_child])
        if late.size:
            parent, child = workflow.edge_parent[late[0]], workflow.edge_child[late[0]]
            raise PlanError(
                f"task {workflow.task_ids[child]!r} has position {position[child]}, "
                f"before its parent {workflow.task_ids[parent]!r} at {position[parent]}"
            )

    def __repr__(self) -> str:
        return f"Plan({self.method!r}, {self.order.size} tasks, {self.planned_makespan_s:g} s)"

    @property
    def planned_makespan_s(self) -> float:
        return float(np.minimum(self.finish_s, self.replica_finish_s).max())

    @property
    def replicas(self) -> int:
        return int(np.count_nonzero(self.replica != NO_MACHINE))
