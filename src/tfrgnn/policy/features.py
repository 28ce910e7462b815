"""What the network sees of a scenario, as section 4.2 of the TFR-GNN paper lists it; nothing is standardised yet."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tfrgnn.costs.estimates import Estimates
from tfrgnn.model.cluster import Network

Array = NDArray[np.float64]

UNKNOWN_TYPE = 0
_CLIP = 4.0


@dataclass(frozen=True, eq=False)
class Features:
    """Raw features of a scenario; NaN stands for what a file does not say.

    Shapes: `task` (n, 9), `machine` (p, 5), `context` (6), `edge` (e): log of the bytes, by child and then parent.
    """

    task: Array
    machine: Array
    context: Array
    edge: Array


def features_of(estimates: Estimates, budget: float) -> Features:
    """The features of a scenario for a replication budget."""
    return Features(
        task=_task(estimates),
        machine=_machine(estimates),
        context=_context(estimates, budget),
        edge=np.log1p(estimates.costs.workflow.edge_bytes),
    )


def type_rows(type_names: tuple[str, ...], vocabulary: dict[str, int]) -> NDArray[np.int64]:
    """The embedding row of each type; an unknown one has the row 0, which type dropout has trained."""
    return np.array([vocabulary.get(name, UNKNOWN_TYPE) for name in type_names], np.int64)


def rack_bias(network: Network) -> Array:
    """Log B(a, b) in the topology attention, by whether two machines share a rack: (far, near).

    A machine's bandwidth to itself is that of its rack. A softmax sees differences only, so no unit matters.
    """
    return np.log([network.inter_rack_mb_s, network.intra_rack_mb_s])


def standardised(values: Array, mean: NDArray[np.floating[Any]], sd: NDArray[np.floating[Any]]) -> NDArray[np.float32]:
    """(values - mean) / sd, at most 4 from 0; 0, the neutral value, for what is unknown."""
    z = (values - mean) / sd
    neutral: NDArray[np.float32] = np.nan_to_num(np.clip(z, -_CLIP, _CLIP), copy=False).astype(np.float32)
    return neutral


def _task(estimates: Estimates) -> Array:
    costs = estimates.costs
    w, path = costs.workflow, costs.critical_path_s
    task = np.empty((w.tasks, 9))
    task[:, 0] = np.log(w.work_s)
    task[:, 1] = np.log1p(w.memory_bytes)
    task[:, 2] = w.avg_cpu / 100.0
    task[:, 3] = np.log1p(w.output_bytes)
    task[:, 4] = np.log1p(np.diff(w.parent_ptr))
    task[:, 5] = np.log1p(np.diff(w.child_ptr))
    task[:, 6] = costs.upward_rank / path
    task[:, 7] = costs.downward_rank / path
    task[:, 8] = costs.criticality
    return task


def _machine(estimates: Estimates) -> Array:
    costs, cluster = estimates.costs, estimates.scenario.cluster
    work_by_type = np.bincount(costs.workflow.type_index, costs.workflow.work_s, len(costs.workflow.type_names))
    mean_cost = work_by_type @ costs.factor / costs.workflow.tasks
    machine = np.empty((costs.machines, 5))
    machine[:, 0] = cluster.speed / cluster.speed.mean()
    machine[:, 1] = np.log(cluster.speed)
    machine[:, 2] = 1.0 / (1.0 + cluster.rate_per_s * cluster.repair.mean_s)
    machine[:, 3] = estimates.downtime
    machine[:, 4] = np.log(mean_cost)
    return machine


def _context(estimates: Estimates, budget: float) -> Array:
    costs = estimates.costs
    n, p = costs.workflow.tasks, costs.machines
    return np.array([np.log(n), np.log(p), n / p, costs.ccr, estimates.scenario.scale, budget])
