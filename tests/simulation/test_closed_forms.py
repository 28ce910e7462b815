"""The simulator agrees with what can be worked out on paper."""

import numpy as np
import pytest

from tfrgnn import plan
from tfrgnn.costs.costs import Costs
from tfrgnn.costs.estimates import expected_time_s
from tfrgnn.model.cluster import Cluster, Machine, Repair
from tfrgnn.model.workflow import Task, Workflow
from tfrgnn.simulation.outcome import estimate
from tfrgnn.simulation.replay import run_plan
from tfrgnn.simulation.sampling import sample_traces


def _outcome(tasks, mtbf_s, repair, traces=20_000, scale=1.0):
    """Independent tasks of 10 s each, one after the other on one machine."""
    workflow = Workflow.from_tasks("row", [Task(str(i), 10.0) for i in range(tasks)])
    cluster = Cluster("one", (Machine("m", mtbf_s=mtbf_s),), repair=repair)
    made = plan(workflow, cluster)
    drawn = sample_traces(cluster, scale, 2000.0, traces, 11)  # far beyond any restart
    return run_plan(made, drawn, Costs(workflow, cluster))


def _agrees(values, expected):
    """Within four standard errors: a false alarm in 16,000 seeds."""
    error = values.std(ddof=1) / np.sqrt(values.size)
    assert abs(values.mean() - expected) < 4 * error


@pytest.mark.parametrize(("mtbf_s", "scale"), [(40.0, 1.0), (10.0, 1.0), (40.0, 4.0), (5.0, 1.0)])
def test_expected_time_of_one_task_under_restart_in_place(mtbf_s, scale):
    # (e^(r d) - 1)(1/r + u) with d = 10, u = 3 and r = scale / mtbf
    outcome = _outcome(1, mtbf_s, Repair(3.0, 0.5), scale=scale)
    _agrees(outcome.makespan_s, float(expected_time_s(10.0, scale / mtbf_s, 3.0)))


def test_tasks_in_a_row_take_the_sum():
    # Exponential times have no memory, so each of the five begins afresh.
    outcome = _outcome(5, 20.0, Repair(2.0, 0.0))
    _agrees(outcome.makespan_s, 5 * float(expected_time_s(10.0, 1 / 20.0, 2.0)))


def test_expected_wasted_work():
    # All time but the work itself and the repairs: E[T] - d - u (e^(r d) - 1), where e^(r d) - 1 failures are expected.
    outcome = _outcome(1, 10.0, Repair(3.0, 0.5))
    failures = np.expm1(1.0)
    _agrees(outcome.wasted_s, float(expected_time_s(10.0, 0.1, 3.0)) - 10.0 - 3.0 * failures)


def test_chance_of_no_failure():
    # e^(-r d) of the traces end exactly at d.
    outcome = _outcome(1, 10.0, Repair(3.0, 0.5))
    _agrees((outcome.makespan_s == 10.0).astype(float), np.exp(-1.0))


def test_availability_in_the_long_run():
    # A machine is up the share MTBF / (MTBF + repair) of the time.
    cluster = Cluster("one", (Machine("m", mtbf_s=30.0),), repair=Repair(10.0, 0.5))
    traces = sample_traces(cluster, 1.0, 20_000.0, 200, 3)
    down = np.array([np.clip(traces.intervals(k, 0), 0, 20_000.0) @ [-1, 1] @ np.ones(traces.intervals(k, 0).shape[0])
                     for k in range(200)]) / 20_000.0  # fmt: skip
    low, high = estimate(down).low, estimate(down).high
    assert low - 0.002 < 10.0 / 40.0 < high + 0.002


def test_expected_time_without_failures_is_the_work():
    assert expected_time_s(10.0, 0.0, 60.0) == 10.0
    assert expected_time_s([1e9], [1.0], 60.0)[0] == np.inf
