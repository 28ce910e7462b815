"""Computation and communication costs, entry by entry."""

from tfrgnn.costs.costs import Costs


class SlowCosts:
    """Costs of a workflow on a cluster as plain functions of tasks, edges and machines."""

    def __init__(self, costs: Costs) -> None:
        workflow, cluster = costs.workflow, costs.cluster
        self.tasks, self.machines = range(workflow.tasks), range(len(cluster.machines))
        self.work = workflow.work_s.tolist()
        self.type = workflow.type_index.tolist()
        self.factor = costs.factor.tolist()
        self.rack = [machine.rack for machine in cluster.machines]
        self.network = cluster.network
        self.parents: dict[int, dict[int, int]] = {i: {} for i in self.tasks}
        self.children: dict[int, dict[int, int]] = {i: {} for i in self.tasks}
        for parent, child, size in zip(
            workflow.edge_parent.tolist(), workflow.edge_child.tolist(), workflow.edge_bytes.tolist(), strict=True
        ):
            self.parents[child][parent] = size
            self.children[parent][child] = size

    def duration(self, i: int, m: int) -> float:
        return self.work[i] * self.factor[self.type[i]][m]

    def transfer(self, size: int, a: int, b: int) -> float:
        if a == b:
            return 0.0
        near = self.rack[a] == self.rack[b]
        mb_s = self.network.intra_rack_mb_s if near else self.network.inter_rack_mb_s
        return size / (mb_s * 1e6) + self.network.latency_s
