"""HEFT agrees with the HEFT of an independent package (the extra `peers`)."""

import logging

import pytest
from tests.cases import INSTANCES, needs_instances

from tfrgnn import load_workflow, plan
from tfrgnn.costs.costs import Costs
from tfrgnn.model.cluster import Cluster, Machine, Network
from tfrgnn.schedulers.decoding import insertion_schedule

saga = pytest.importorskip("saga", reason="pip install 'tfrgnn[peers]' for the comparison with anrg-saga")

SMALL = [path for path in INSTANCES if path.stat().st_size < 300_000]
MB_S = 100.0
MACHINES = tuple(Machine(f"m{m}", speed=1.0 + 0.25 * m) for m in range(4))
CLUSTER = Cluster("even", MACHINES, Network(MB_S, MB_S))


class _SagaMeans(Costs):
    """Costs whose mean transfer time is SAGA's: over all pairs, a machine with itself among them, each pair once."""

    @property
    def mean_transfer_s(self):
        p = self.machines
        return super().mean_transfer_s * ((p - 1) / (p + 1))


def _saga_makespan(workflow):
    from saga import Network as SagaNetwork
    from saga import TaskGraph
    from saga.schedulers.heft import HeftScheduler

    logging.disable(logging.WARNING)  # it warns of several entry tasks
    ids = workflow.task_ids
    ends = zip(workflow.edge_parent, workflow.edge_child, workflow.edge_bytes, strict=True)
    graph = TaskGraph.create(
        tasks=list(zip(ids, workflow.work_s.tolist(), strict=True)),
        dependencies=[(ids[parent], ids[child], float(size)) for parent, child, size in ends],
    )
    names = [machine.name for machine in MACHINES]
    network = SagaNetwork.create(
        nodes=[(machine.name, machine.speed) for machine in MACHINES],
        edges=[(a, b, MB_S * 1e6) for i, a in enumerate(names) for b in names[i + 1 :]],
    )
    return HeftScheduler().schedule(network, graph).makespan


@needs_instances
@pytest.mark.filterwarnings("ignore")
def test_heft_insertion_has_the_makespan_of_anrg_saga():
    """Its ranks average a machine's transfers to itself in; where that leaves the order alone, the makespans are equal.

    With its average in place of ours they are equal everywhere.
    """
    plain, same_means = {}, {}
    for path in SMALL[::2]:
        workflow = load_workflow(path)
        theirs = _saga_makespan(workflow)
        costs = _SagaMeans(workflow, CLUSTER)
        plain[path.stem] = plan(workflow, CLUSTER, "heft-insertion").planned_makespan_s / theirs - 1
        same_means[path.stem] = insertion_schedule(costs, costs.upward_rank).finish_s.max() / theirs - 1
    assert {name: gap for name, gap in same_means.items() if abs(gap) > 1e-9} == {}
    assert sum(abs(gap) <= 1e-9 for gap in plain.values()) >= 10, plain
