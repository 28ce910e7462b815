"""A million tasks on a thousand machines are planned and replayed."""

import resource

import pytest

from tfrgnn import plan, simulate
from tfrgnn.generate.clusters import generate_cluster
from tfrgnn.generate.workflows import random_workflow


@pytest.mark.slow
@pytest.mark.parametrize(("method", "scale"), [("heft", 0.0), ("tfr-gnn", 1.0)])
def test_a_million_tasks(method, scale):
    made = plan(random_workflow(1_000_000, 0), generate_cluster(1024, 0), method, scale)
    assert simulate(made, 1, scale=0).makespan_s.tolist() == [made.planned_makespan_s]
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < 6 << 20  # KiB: the workflow, the plan, and one block
