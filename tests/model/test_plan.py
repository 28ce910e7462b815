"""A plan is right from the moment it exists: nothing that a kernel would stumble over gets into one."""

from dataclasses import replace

import numpy as np
import pytest
from tests.cases import random_case

from tfrgnn import plan
from tfrgnn.errors import PlanError
from tfrgnn.model.cluster import Cluster, Machine
from tfrgnn.model.workflow import Task, Workflow

CHAIN = Workflow.from_tasks("w", [Task(name, 1.0) for name in "abc"], [("a", "b", 0), ("b", "c", 0)])
PAIR = Cluster("c", (Machine("m0"), Machine("m1")))


@pytest.fixture
def made():
    return plan(CHAIN, PAIR)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"machine": [0, 10_000_000, 0]}, "machine must be 0 to 1"),
        ({"machine": [0, -1, 0]}, "machine must be 0 to 1"),
        ({"replica": [-1, 2, -1]}, "replica must be another machine"),
        ({"replica": [-2, -1, -1]}, "replica must be another machine"),
        ({"machine": [1, 0, 0], "replica": [1, -1, -1]}, "replica must be another machine"),
        ({"order": [0, 1, 3]}, "order must hold each task index 0 to 2 once"),
        ({"order": [0, 1, 1]}, "order must hold each task index 0 to 2 once"),
        ({"order": [0, 1]}, "order needs an entry for each of its 3 tasks"),
        ({"order": [1, 0, 2]}, "task 'b' has position 0, before its parent 'a' at 1"),
        ({"start_s": [0.0, np.nan, 2.0]}, "none of them NaN"),
        ({"start_s": [-1.0, 1.0, 2.0]}, "0 <= start_s"),
        ({"finish_s": [1.0, 0.5, 3.0]}, "start_s <= finish_s"),
        ({"finish_s": [1.0, np.inf, 3.0]}, "0 <= start_s"),
        ({"replica_finish_s": [0.0, 0.0, np.nan]}, "none of them NaN"),
    ],
)
def test_a_broken_plan_is_refused(made, change, message):
    with pytest.raises(PlanError, match=message):
        replace(made, **{name: np.array(values) for name, values in change.items()})


@pytest.mark.parametrize("seed", range(20))
def test_what_methods_make_is_accepted_again(seed):
    made = plan(*random_case(seed), "ft-heft[budget=1]", 1.0)
    assert replace(made).planned_makespan_s == made.planned_makespan_s


def test_a_plan_is_shown_in_a_few_words(made):
    assert repr(made) == "Plan('heft', 3 tasks, 3 s)"
