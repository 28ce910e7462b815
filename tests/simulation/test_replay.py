"""Rules of the replay on the smallest cases that show them."""

import numpy as np
import pytest

from tfrgnn.costs.costs import Costs
from tfrgnn.errors import InputError
from tfrgnn.model.cluster import Cluster, Machine, Network
from tfrgnn.model.failures import FailureModel, FailureTraces
from tfrgnn.model.plan import Plan
from tfrgnn.model.scenario import Scenario
from tfrgnn.model.workflow import Task, Workflow
from tfrgnn.schedulers.decoding import failure_free_times
from tfrgnn.simulation.replay import run_plan

NEVER = np.empty((0, 2))


def _plan(machine, replica=None, edges=(), speeds=(1.0, 1.0)):
    """Tasks a, b, ... of 10 s, in this order, on these machines."""
    names = "abcdef"[: len(machine)]
    workflow = Workflow.from_tasks("w", [Task(name, 10.0) for name in names], edges)
    machines = tuple(Machine(f"m{m}", speed, rack=f"r{m}", mtbf_s=100.0) for m, speed in enumerate(speeds))
    cluster = Cluster("c", machines, Network(1.0, 1.0))
    costs = Costs(workflow, cluster)
    order = np.arange(len(machine), dtype=np.int32)
    where = np.array(machine, np.int32)
    second = np.array(replica or [-1] * len(machine), np.int32)
    times = failure_free_times(costs, order, where, second)
    scenario = Scenario(workflow, cluster, FailureModel(1.0))
    return Plan(scenario, "hand", order, where, second, times[0], times[1], times[2], times[3]), costs


def _run(plan, costs, *down):
    """One trace with the (down, up) intervals of each machine."""
    rows = [np.array(intervals, float).reshape(-1, 2) for intervals in down]
    ptr = np.cumsum([0] + [len(row) for row in rows])
    both = np.concatenate(rows)
    traces = FailureTraces(len(rows), 1000.0, ptr, both[:, 0], both[:, 1])
    outcome = run_plan(plan, traces, costs)
    return outcome.makespan_s[0], outcome.wasted_s[0]


@pytest.mark.parametrize(
    ("down", "makespan", "wasted"),
    [
        ([(4, 6)], 16, 4),  # lost at 4, again from 6 to 16
        ([(4, 6), (9, 12)], 22, 7),  # 4 lost, then 3, again from 12
        ([(10, 15)], 10, 0),  # fails at the very instant of the finish
        ([(0, 5)], 15, 0),  # down at the start: waits, loses nothing
        ([(0, 5), (5, 7)], 17, 0),  # fails again at the instant of its return
        ([(11, 15)], 10, 0),  # fails after the finish
    ],
)
def test_lost_machine_restarts_its_running_task(down, makespan, wasted):
    assert _run(*_plan([0]), down, NEVER) == (makespan, wasted)


def test_a_failure_while_idle_costs_nothing():
    # b waits on m1 for a's 5 MB until 15; m1 fails from 2 to 4 in the meantime.
    assert _run(*_plan([0, 1], edges=[("a", "b", 5_000_000)]), NEVER, [(2, 4)]) == (25, 0)


def test_tasks_of_a_machine_keep_their_order_behind_a_restart():
    # a is lost at 9 and ends at 20, b follows until 30.
    assert _run(*_plan([0, 0]), [(9, 10)], NEVER) == (30, 9)


def test_the_copy_that_finishes_first_counts():
    # The first copy ends at 25, the replica on m1 at 10; c reads from the replica.
    plan, costs = _plan([0, 1], replica=[1, -1], edges=[("a", "b", 0)])
    assert _run(plan, costs, [(5, 15)], NEVER) == (20, 5)


def test_a_child_reads_from_the_copy_whose_data_is_there_first():
    # Both copies of a end at 10; b is on m1, where the replica's data needs no transfer of 5 s.
    plan, costs = _plan([0, 1], replica=[1, -1], edges=[("a", "b", 5_000_000)])
    assert _run(plan, costs, NEVER, NEVER) == (20, 0)
    # m1 fails at 5: the replica ends at 16, the first copy's data arrives at 15.
    assert _run(plan, costs, NEVER, [(5, 6)]) == (26, 5)


def test_redundant_and_useful_work_are_told_apart():
    plan, costs = _plan([0, 1], replica=[1, -1])
    calm = FailureTraces(2, 1000.0, np.zeros(3, np.int64), np.empty(0), np.empty(0))
    outcome = run_plan(plan, calm, costs)
    assert (outcome.useful_s, outcome.redundant_s) == (20.0, 10.0)
    assert outcome.utilisation == 20.0 / (2 * 20.0)  # b waits for the replica on its machine


def test_traces_of_another_cluster_are_refused():
    plan, costs = _plan([0])
    traces = FailureTraces(3, 1.0, np.zeros(4, np.int64), np.empty(0), np.empty(0))
    with pytest.raises(InputError, match="3 machines"):
        run_plan(plan, traces, costs)


@pytest.mark.parametrize(
    ("ptr", "down", "up"),
    [
        ([0, 1], [1.0], []),
        ([0, 2], [1.0, 1.5], [2.0, 3.0]),
        ([0, 1], [3.0], [2.0]),
        ([1, 1], [], []),
        ([0, 2, 1], [1.0], [2.0]),
    ],
)
def test_traces_that_are_not_intervals_in_time_are_refused(ptr, down, up):
    with pytest.raises(InputError, match="failure traces"):
        FailureTraces(1, 10.0, np.array(ptr), np.array(down), np.array(up))
