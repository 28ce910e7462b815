"""The replay kernels equal their slow twin exactly, in every trace."""

import numpy as np
import pytest
from tests.cases import random_case
from tests.reference.costs import SlowCosts
from tests.reference.replay import replay as slow_replay

from tfrgnn.costs.estimates import Estimates
from tfrgnn.model.failures import FailureModel, FailureTraces
from tfrgnn.model.plan import Plan
from tfrgnn.model.scenario import Scenario
from tfrgnn.schedulers.decoding import failure_free_times, list_schedule
from tfrgnn.simulation import replay as replaying
from tfrgnn.simulation.replay import run_plan, run_trace
from tfrgnn.simulation.sampling import sample_traces

SEEDS = range(80)


def _setting(seed):
    workflow, cluster = random_case(seed)
    estimates = Estimates.of(Scenario(workflow, cluster, FailureModel(1.0)))
    wants = np.random.default_rng(seed).random(workflow.tasks) < 0.3
    placed = list_schedule(estimates.costs, estimates.costs.upward_rank, wants_replica=wants, replica_limit=5)
    plan = Plan(scenario=estimates.scenario, method="test", **vars(placed))
    return plan, estimates.costs, sample_traces(cluster, 1.0, 300.0, 7, seed)


@pytest.mark.parametrize("seed", SEEDS)
def test_makespan_and_wasted_work(seed):
    plan, costs, traces = _setting(seed)
    outcome = run_plan(plan, traces, costs)
    twins = [slow_replay(SlowCosts(costs), plan, traces, k) for k in range(traces.count)]
    assert outcome.makespan_s.tolist() == [twin.makespan for twin in twins]
    assert outcome.wasted_s.tolist() == [twin.wasted for twin in twins]


@pytest.mark.parametrize("seed", SEEDS)
def test_one_trace_in_full(seed):
    plan, costs, traces = _setting(seed)
    for k in range(traces.count):
        run, twin = run_trace(plan, traces, k, costs), slow_replay(SlowCosts(costs), plan, traces, k)
        runs = zip(*(x.tolist() for x in (run.task, run.machine, run.begin_s, run.end_s, run.lost)), strict=True)
        assert list(runs) == twin.runs
        assert run.makespan_s == twin.makespan


@pytest.mark.parametrize("seed", SEEDS)
def test_without_failures_the_simulated_times_are_the_planned_ones_to_the_last_bit(seed):
    plan, costs, _ = _setting(seed)
    calm = FailureTraces(costs.machines, 1.0, np.zeros(3 * costs.machines + 1, np.int64), np.empty(0), np.empty(0))
    assert run_plan(plan, calm, costs).makespan_s.tolist() == [plan.planned_makespan_s] * 3
    times = failure_free_times(costs, plan.order, plan.machine, plan.replica)
    planned = plan.start_s, plan.finish_s, plan.replica_start_s, plan.replica_finish_s
    for now, then in zip(times, planned, strict=True):
        assert now.tolist() == then.tolist()


def test_blocks_and_threads_change_nothing(monkeypatch):
    plan, costs, _ = _setting(3)
    traces = sample_traces(costs.cluster, 1.0, 300.0, 301, 5)
    whole = run_plan(plan, traces, costs)
    monkeypatch.setattr(replaying, "_SMALL_CELLS", 0)
    monkeypatch.setattr(replaying, "_BLOCK_TRACES", 17)
    told = []
    parts = run_plan(plan, traces, costs, told.append)
    assert sum(told) == 301
    assert len(told) > 10
    assert parts.makespan_s.tolist() == whole.makespan_s.tolist()
    assert parts.wasted_s.tolist() == whole.wasted_s.tolist()
