"""Workflows and clusters at the edges of what there can be."""

import numpy as np
import pytest

from tfrgnn import plan, simulate
from tfrgnn.costs.costs import Costs
from tfrgnn.costs.fit import check_fit
from tfrgnn.generate.clusters import generate_cluster
from tfrgnn.model.cluster import Cluster, Machine
from tfrgnn.model.workflow import Task, Workflow
from tfrgnn.policy.features import features_of, standardised

from tfrgnn.costs.estimates import Estimates  # isort: skip
from tfrgnn.model.scenario import Scenario  # isort: skip

CLUSTER = generate_cluster(12, 1)


def _star(parents):
    tasks = [Task(str(i), 1.0 + i % 7, f"type{i % 3}") for i in range(parents)] + [Task("sink", 5.0)]
    return Workflow.from_tasks("star", tasks, [(str(i), "sink", 1000 + i) for i in range(parents)])


ODD = {
    "one task": (Workflow.from_tasks("w", [Task("a", 5.0)]), CLUSTER),
    "20,000 parents on one task": (_star(20_000), CLUSTER),
    "no edges": (Workflow.from_tasks("w", [Task(str(i), 1.0) for i in range(50)]), CLUSTER),
    "one machine": (_star(20), generate_cluster(1, 0)),
    "one volatile machine": (_star(20), generate_cluster(1, 0, volatile_share=1.0)),
    "all machines volatile": (_star(20), generate_cluster(8, 0, volatile_share=1.0)),
    "no machine volatile": (_star(20), generate_cluster(8, 0, volatile_share=0.0)),
    "more racks than embedding rows": (_star(20), generate_cluster(100, 0)),
    "each machine in a rack of its own": (
        _star(20), Cluster("c", tuple(Machine(f"m{m}", rack=f"r{m}", mtbf_s=100.0) for m in range(12)))
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", ODD)
@pytest.mark.parametrize("scale", [0.0, 1.0, 1000.0])
def test_a_plan_is_made_and_fits(case, scale):
    workflow, cluster = ODD[case]
    made = plan(workflow, cluster, "tfr-gnn", scale)
    assert sorted(made.order.tolist()) == list(range(workflow.tasks))
    if workflow.tasks < 1000:
        check_fit(made, Costs(workflow, cluster))
    assert simulate(made, 2, 1, scale=min(scale, 1.0)).makespan_s.min() > 0


def test_what_a_file_lacks_is_neutral():
    """Unknown memory and CPU share become 0, the mean, and not some number of their own."""
    known = [Task("a", 5.0, memory_bytes=1e9, avg_cpu=100.0), Task("b", 5.0)]
    estimates = Estimates.of(Scenario(Workflow.from_tasks("w", known), CLUSTER))
    raw = features_of(estimates, 0.1).task
    assert np.isnan(raw[1, [1, 2]]).all()
    z = standardised(raw, np.full(9, 3.0), np.full(9, 2.0))
    assert z[1, 1] == z[1, 2] == 0.0
    assert np.isfinite(z).all()
    assert np.abs(z).max() <= 4.0


def test_an_unknown_type_has_the_row_of_the_unknown():
    tasks = [Task(str(i), 1.0 + i, "never seen") for i in range(30)]
    other = [Task(str(i), 1.0 + i, "nor this") for i in range(30)]
    calm = Cluster("c", tuple(Machine(f"m{m}", mtbf_s=60.0 * 9**m) for m in range(4)))  # no affinity by type
    plans = [plan(Workflow.from_tasks("w", each), calm, "tfr-gnn", 1.0) for each in (tasks, other)]
    assert plans[0].machine.tolist() == plans[1].machine.tolist()
