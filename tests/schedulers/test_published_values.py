"""The published examples come out as published."""

import pytest
from tests.cases import PEFT_OCT, TOPCUOGLU_RANK_U, arabnejad, topcuoglu

from tfrgnn import plan
from tfrgnn.costs.costs import Costs


@pytest.mark.parametrize(
    ("method", "makespan"), [("heft", 80), ("heft-insertion", 80), ("cpop", 86), ("cpop[insertion=true]", 86)]
)
def test_topcuoglu(method, makespan):
    assert plan(*topcuoglu(), method).planned_makespan_s == makespan


def test_topcuoglu_upward_ranks():
    assert Costs(*topcuoglu()).upward_rank.round(3).tolist() == TOPCUOGLU_RANK_U


@pytest.mark.parametrize(
    ("method", "makespan"), [("peft", 122), ("peft[insertion=true]", 122), ("heft", 133), ("heft-insertion", 133)]
)
def test_arabnejad(method, makespan):
    assert plan(*arabnejad(), method).planned_makespan_s == makespan


def test_arabnejad_optimistic_cost_table():
    assert Costs(*arabnejad()).optimistic_cost_table().tolist() == PEFT_OCT
