"""The decode kernels equal their slow twins exactly: machines, order and every time."""

import numpy as np
import pytest
from tests.cases import random_case
from tests.reference import decode as slow_decode
from tests.reference.costs import SlowCosts

from tfrgnn.costs.costs import Costs
from tfrgnn.schedulers import decoding
from tfrgnn.schedulers.decoding import batch_schedule, insertion_schedule, list_schedule

SEEDS = range(80)


def _same(placement, twin):
    for i, copies in twin.copies.items():
        machine, start, finish = copies[0]
        assert (placement.machine[i], placement.start_s[i], placement.finish_s[i]) == (machine, start, finish)
        if len(copies) > 1:
            assert (placement.replica[i], placement.replica_finish_s[i]) == (copies[1][0], copies[1][2])
        else:
            assert placement.replica[i] == -1


def _numbers(costs, seed):
    """Random bias and durations by task (n, p), with ties, and random wishes for replicas."""
    rng = np.random.default_rng(seed + 1000)
    shape = costs.workflow.tasks, costs.machines
    bias = rng.integers(-3, 4, shape).astype(float)
    duration = rng.integers(1, 6, shape).astype(float)
    return bias, duration, rng.random(costs.workflow.tasks) < 0.4


@pytest.mark.parametrize("seed", SEEDS)
def test_append(seed):
    costs = Costs(*random_case(seed))
    placement = list_schedule(costs, costs.upward_rank)
    _same(placement, slow_decode.append(SlowCosts(costs), placement.order.tolist()))


@pytest.mark.parametrize("seed", SEEDS)
def test_append_with_bias_and_replicas(seed, monkeypatch):
    monkeypatch.setattr(decoding, "BLOCK_CELLS", 8)  # several blocks
    costs = Costs(*random_case(seed))
    bias, _, wants = _numbers(costs, seed)
    limit = int(wants.sum()) // 2 + 1
    placement = list_schedule(
        costs, costs.mean_cost_s, bias_s=lambda tasks: bias[tasks], wants_replica=wants, replica_limit=limit
    )
    order = placement.order.tolist()
    twin = slow_decode.append(SlowCosts(costs), order, bias[order].tolist(), None, wants.tolist(), limit)
    _same(placement, twin)


@pytest.mark.parametrize("seed", SEEDS)
def test_effective_durations_decide_and_real_ones_count(seed):
    costs = Costs(*random_case(seed))
    _, duration, wants = _numbers(costs, seed)
    placement = list_schedule(
        costs, costs.upward_rank, duration_s=lambda tasks: duration[tasks], wants_replica=wants, replica_limit=3
    )
    order = placement.order.tolist()
    twin = slow_decode.append(SlowCosts(costs), order, None, duration[order].tolist(), wants.tolist(), 3)
    assert {i: copies[0][0] for i, copies in twin.copies.items()} == dict(enumerate(placement.machine.tolist()))
    took = costs.workflow.work_s * costs.factor[costs.workflow.type_index, placement.machine]
    np.testing.assert_allclose(placement.finish_s - placement.start_s, took)


@pytest.mark.parametrize("seed", SEEDS)
def test_insertion(seed):
    costs = Costs(*random_case(seed))
    bias, _, _ = _numbers(costs, seed)
    order = list_schedule(costs, costs.upward_rank).order.tolist()
    slow = SlowCosts(costs)
    _same(insertion_schedule(costs, costs.upward_rank), slow_decode.insertion(slow, order))
    biased = insertion_schedule(costs, costs.upward_rank, bias_s=lambda tasks: bias[tasks])
    _same(biased, slow_decode.insertion(slow, order, bias[order].tolist()))


@pytest.mark.parametrize("largest", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
def test_batch(seed, largest):
    costs = Costs(*random_case(seed))
    placement = batch_schedule(costs, largest=largest)
    twin = slow_decode.batch(SlowCosts(costs), largest)
    assert placement.order.tolist() == twin.order
    _same(placement, twin)
