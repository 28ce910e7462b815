"""A plan: which machines run each task, in which order, and when if nothing fails."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

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
    bias, each a function from task indices (k) to seconds by task and machine (k, p); a plan from a file has none.
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
    terms: Mapping[str, Callable[[NDArray[np.int32]], NDArray[np.float64]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("order", "machine", "replica"):
            object.__setattr__(self, name, frozen_array(getattr(self, name), np.int32))
        for name in ("start_s", "finish_s", "replica_start_s", "replica_finish_s"):
            object.__setattr__(self, name, frozen_array(getattr(self, name), np.float64))

    @property
    def planned_makespan_s(self) -> float:
        return float(np.minimum(self.finish_s, self.replica_finish_s).max())

    @property
    def replicas(self) -> int:
        return int(np.count_nonzero(self.replica != NO_MACHINE))
