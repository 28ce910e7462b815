"""Computation and communication costs of a workflow on a cluster, and the ranks that follow from them."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tfrgnn import kernels
from tfrgnn.model.checks import frozen_array
from tfrgnn.model.cluster import BYTES_PER_MB, Cluster
from tfrgnn.model.workflow import Workflow

Arrays = tuple[NDArray[Any], ...]


@dataclass(frozen=True)
class Costs:
    """Costs without failures, each array built on first use.

    The computation cost of task i on machine m is work_s[i] * factor[type_index[i], m], with
    factor = affinity / speed; the communication cost of an edge is 0 on one machine, else bytes / B + L.

    Shapes: n tasks, e edges by child and then parent, p machines, t types, r racks.
    """

    workflow: Workflow
    cluster: Cluster

    @property
    def machines(self) -> int:
        return len(self.cluster.machines)

    @cached_property
    def factor(self) -> NDArray[np.float64]:
        """Seconds per unit of work by type and machine (t, p)."""
        names, affinity = self.cluster.machine_names, self.cluster.affinity
        rows = [affinity.row(name, names) for name in self.workflow.type_names]
        return frozen_array(np.array(rows) / self.cluster.speed, np.float64)

    @cached_property
    def mean_cost_s(self) -> NDArray[np.float64]:
        """Mean computation cost over the machines (n)."""
        return frozen_array(self.workflow.work_s * self.factor.mean(axis=1)[self.workflow.type_index], np.float64)

    @cached_property
    def near_s(self) -> NDArray[np.float64]:
        """Transfer time of each edge inside a rack (e)."""
        network = self.cluster.network
        return self._transfer_s(network.intra_rack_mb_s)

    @cached_property
    def far_s(self) -> NDArray[np.float64]:
        """Transfer time of each edge between racks (e)."""
        return self._transfer_s(self.cluster.network.inter_rack_mb_s)

    @cached_property
    def mean_transfer_s(self) -> NDArray[np.float64]:
        """Transfer time of each edge under the mean of 1/B over distinct machine pairs (e); 0 on one machine."""
        p, network = self.machines, self.cluster.network
        if p == 1:
            return frozen_array(np.zeros(self.workflow.edges), np.float64)
        sizes = np.bincount(self.cluster.rack)
        near = float(np.sum(sizes * (sizes - 1))) / (p * (p - 1))
        inverse = near / network.intra_rack_mb_s + (1.0 - near) / network.inter_rack_mb_s
        return frozen_array(self.workflow.edge_bytes * (inverse / BYTES_PER_MB) + network.latency_s, np.float64)

    @cached_property
    def upward_rank(self) -> NDArray[np.float64]:
        """Longest way from each task to an exit, its own mean cost included (n)."""
        w = self.workflow
        return frozen_array(
            kernels.ranks.upward_rank(
                w.order, w.child_ptr, w.child, w.child_edge, self.mean_cost_s, self.mean_transfer_s
            ),
            np.float64,
        )

    @cached_property
    def downward_rank(self) -> NDArray[np.float64]:
        """Longest way from an entry to each task, its own cost excluded (n)."""
        w = self.workflow
        return frozen_array(
            kernels.ranks.downward_rank(w.order, w.parent_ptr, w.edge_parent, self.mean_cost_s, self.mean_transfer_s),
            np.float64,
        )

    @cached_property
    def critical_path_s(self) -> float:
        """The longest way through the DAG under mean costs."""
        return float(self.upward_rank.max())

    @cached_property
    def criticality(self) -> NDArray[np.float64]:
        """Kappa = (rank_u + rank_d) / critical path, in (0, 1] (n)."""
        kappa = (self.upward_rank + self.downward_rank) / self.critical_path_s
        return frozen_array(np.minimum(kappa, 1.0), np.float64)

    @cached_property
    def overall_mean_cost_s(self) -> float:
        """The paper's w-bar, the mean computation cost over tasks and machines."""
        return float(self.mean_cost_s.mean())

    @cached_property
    def ccr(self) -> float:
        """Communication-to-computation ratio: mean transfer time of an edge over mean cost of a task."""
        if self.workflow.edges == 0:
            return 0.0
        return float(self.mean_transfer_s.mean()) / self.overall_mean_cost_s

    def optimistic_cost_table(self) -> NDArray[np.float64]:
        """PEFT's OCT (n, p): the shortest way from each task's end on each machine to the exit."""
        w = self.workflow
        table: NDArray[np.float64] = kernels.ranks.optimistic_cost_table(
            w.order,
            w.child_ptr,
            w.child,
            w.child_edge,
            w.work_s,
            w.type_index,
            self.factor,
            self.mean_transfer_s,
        )
        return table

    @property
    def edge_arrays(self) -> Arrays:
        """The edges as the kernels take them: parent_ptr, parent, near_s, far_s."""
        return self.workflow.parent_ptr, self.workflow.edge_parent, self.near_s, self.far_s

    @property
    def cost_arrays(self) -> Arrays:
        """The computation costs as the kernels take them: work_s, type_index, factor."""
        return self.workflow.work_s, self.workflow.type_index, self.factor

    @cached_property
    def rack_arrays(self) -> Arrays:
        """The racks as the kernels take them: rack (p), rack_ptr (r + 1), rack_machine (p)."""
        rack = self.cluster.rack
        ptr = np.concatenate([[0], np.cumsum(np.bincount(rack))])
        members = np.argsort(rack, kind="stable")
        return rack, frozen_array(ptr, np.int64), frozen_array(members, np.int32)

    def _transfer_s(self, mb_s: float) -> NDArray[np.float64]:
        seconds = self.workflow.edge_bytes / (mb_s * BYTES_PER_MB) + self.cluster.network.latency_s
        return frozen_array(seconds, np.float64)
