"""A comparison is fair and complete."""

import pytest

from tfrgnn import compare, plan, simulate
from tfrgnn.errors import InputError
from tfrgnn.evaluation.compare import DEFAULT_METHODS
from tfrgnn.evaluation.oracle import PORTFOLIO
from tfrgnn.generate.clusters import generate_cluster
from tfrgnn.generate.workflows import generate_workflow

CLUSTER = generate_cluster(16, 1)
WORKFLOWS = [generate_workflow("montage", 80, 1), generate_workflow("cycles", 67, 1)]


@pytest.fixture(scope="module")
def comparison():
    return compare(WORKFLOWS, CLUSTER, (*DEFAULT_METHODS, *PORTFOLIO, "peft"), (0, 1, 2), traces=30, seed=7)


def _rows(comparison, **wanted):
    return [row for row in comparison.rows if all(getattr(row, key) == value for key, value in wanted.items())]


def test_every_cell_has_its_row_in_order(comparison):
    methods = list(dict.fromkeys((*DEFAULT_METHODS, *PORTFOLIO, "peft")))
    cells = [(w.name, scale, method) for w in WORKFLOWS for scale in (0, 1, 2) for method in methods]
    assert [(row.workflow, row.scale, row.method) for row in comparison.rows] == cells


def test_at_scale_0_everything_is_as_planned(comparison):
    for row, outcome in zip(comparison.rows, comparison.outcomes, strict=True):
        if row.scale == 0:
            assert outcome.makespan_s.tolist() == [row.planned_makespan_s] * 30
            assert (row.wasted_s, row.past_horizon_share) == (0.0, 0.0)


def test_heft_is_its_own_reference(comparison):
    for row in _rows(comparison, method="heft"):
        assert (row.ratio_to_heft, row.ratio_ci95_low, row.difference_to_heft_s) == (1.0, 1.0, 0.0)


def test_the_oracle_is_the_best_of_the_portfolio_and_says_so(comparison):
    for row in _rows(comparison, method="oracle"):
        members = {
            member: _rows(comparison, workflow=row.workflow, scale=row.scale, method=member)[0].mean_makespan_s
            for member in PORTFOLIO
        }
        assert row.kind == "bound"
        assert row.mean_makespan_s == min(members.values()) == members[row.chosen]
    assert all(row.kind == "method" for row in comparison.rows if row.method != "oracle")


def test_all_methods_meet_the_same_traces(comparison):
    """A row equals the plan simulated alone with the same seed."""
    for row in _rows(comparison, scale=2, workflow=WORKFLOWS[0].name):
        if row.kind == "method":
            alone = simulate(plan(WORKFLOWS[0], CLUSTER, row.method, 2.0), traces=30, seed=7)
            assert alone.mean_makespan_s.mean == row.mean_makespan_s
            assert alone.mean_wasted_s == row.wasted_s


def test_results_do_not_depend_on_what_else_is_compared(comparison):
    alone = compare(WORKFLOWS[1:], CLUSTER, ["r-heft"], [2], traces=30, seed=7).rows[0]
    beside = _rows(comparison, method="r-heft", scale=2, workflow=WORKFLOWS[1].name)[0]
    times = {"plan_ms", "simulate_ms"}
    assert {k: v for k, v in vars(alone).items() if k not in times} == {
        k: v for k, v in vars(beside).items() if k not in times
    }


def test_progress_is_told_of_every_row():
    told = []
    compare(WORKFLOWS[:1], CLUSTER, ["heft", "peft"], [0, 1], traces=2, progress=told.append)
    assert told == [1, 1, 1, 1]


@pytest.mark.parametrize(
    ("workflows", "methods", "scales", "traces"),
    [([], ["heft"], [1], 5), (WORKFLOWS, [], [1], 5), (WORKFLOWS, ["heft"], [], 5), (WORKFLOWS, ["heft"], [1], 0),
     (WORKFLOWS, ["heft"], [float("nan")], 5), (WORKFLOWS, ["hfet"], [1], 5), (WORKFLOWS, ["oracle[x=1]"], [1], 5)],
)  # fmt: skip
def test_what_cannot_be_compared_is_refused(workflows, methods, scales, traces):
    with pytest.raises(InputError):
        compare(workflows, CLUSTER, methods, scales, traces)


def test_one_trace_gives_no_interval():
    row = compare(WORKFLOWS[:1], CLUSTER, ["r-heft"], [1], traces=1).rows[0]
    assert row.ci95_low_s is None
    assert row.ratio_ci95_high is None
