"""The rank kernels equal their slow twins exactly."""

import pytest
from tests.cases import random_case
from tests.reference import ranks as slow_ranks
from tests.reference.costs import SlowCosts

from tfrgnn import kernels
from tfrgnn.costs.costs import Costs

SEEDS = range(60)


def _setting(seed):
    costs = Costs(*random_case(seed))
    w = costs.workflow
    ends = zip(w.edge_parent.tolist(), w.edge_child.tolist(), strict=True)
    transfer = dict(zip(ends, costs.mean_transfer_s.tolist(), strict=True))
    return costs, SlowCosts(costs), costs.mean_cost_s.tolist(), transfer


@pytest.mark.parametrize("seed", SEEDS)
def test_upward_and_downward_rank(seed):
    costs, slow, mean_cost, transfer = _setting(seed)
    assert costs.upward_rank.tolist() == slow_ranks.upward_rank(slow, mean_cost, transfer)
    assert costs.downward_rank.tolist() == slow_ranks.downward_rank(slow, mean_cost, transfer)


@pytest.mark.parametrize("seed", SEEDS)
def test_optimistic_cost_table(seed):
    costs, slow, _, transfer = _setting(seed)
    assert costs.optimistic_cost_table().tolist() == slow_ranks.optimistic_cost_table(slow, transfer)


@pytest.mark.parametrize("seed", SEEDS)
def test_list_order_for_ranks_and_for_any_priority(seed):
    costs, slow, mean_cost, _ = _setting(seed)
    w = costs.workflow
    for priority in (costs.upward_rank, costs.mean_cost_s):
        order = kernels.order.list_order(priority, w.parent_ptr, w.edge_parent, w.child_ptr, w.child)
        assert order.tolist() == slow_ranks.list_order(slow, priority.tolist())
