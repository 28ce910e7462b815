"""What each method promises."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.cases import random_case

from tfrgnn import plan
from tfrgnn.costs.costs import Costs
from tfrgnn.costs.fit import check_fit
from tfrgnn.errors import InputError, UnknownNameError
from tfrgnn.generate.clusters import generate_cluster
from tfrgnn.generate.workflows import generate_workflow
from tfrgnn.model.cluster import Cluster, Machine
from tfrgnn.model.workflow import Task, Workflow
from tfrgnn.schedulers import decoding
from tfrgnn.schedulers.catalogue import load_methods, methods, parse_method, scheduler, split_methods
from tfrgnn.schedulers.decoding import insertion_schedule, list_schedule, replica_limit

GUIDED = ("r-heft", "ft-heft", "reliable-heft")


@pytest.fixture(scope="module")
def montage():
    return generate_workflow("montage", 120, 3), generate_cluster(24, 1)


@pytest.mark.parametrize("method", sorted(methods()))
@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10_000), scale=st.sampled_from([0.0, 1.0, 4.0]))
def test_every_plan_can_be_executed_as_it_says(method, seed, scale):
    workflow, cluster = random_case(seed)
    made = plan(workflow, cluster, method, scale)
    assert sorted(made.order.tolist()) == list(range(workflow.tasks))
    check_fit(made, Costs(workflow, cluster))


@pytest.mark.parametrize("method", GUIDED)
@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_fault_tolerant_methods_are_heft_at_scale_0(method, seed):
    case = random_case(seed)
    mine, heft = plan(*case, method, 0.0), plan(*case, "heft", 0.0)
    assert mine.machine.tolist() == heft.machine.tolist()
    assert mine.finish_s.tolist() == heft.finish_s.tolist()
    assert mine.replicas == 0


def test_r_heft_moves_work_to_dependable_machines(montage):
    workflow, cluster = montage

    def volatile_work(method):
        made = plan(workflow, cluster, method, 2.0)
        return workflow.work_s[cluster.volatile[made.machine]].sum()

    assert volatile_work("r-heft[beta=50]") < volatile_work("r-heft[beta=2]") < volatile_work("heft")


def test_reliable_heft_leaves_volatile_machines_idle(montage):
    workflow, cluster = montage
    made = plan(workflow, cluster, "reliable-heft", 1.0)
    assert not cluster.volatile[made.machine].any()
    below = np.array([machine.mtbf_s < 10_000 for machine in cluster.machines])
    assert not below[plan(workflow, cluster, "reliable-heft[mtbf_s=10000]", 1.0).machine].any()


def test_reliable_heft_is_heft_where_no_machine_would_be_left(montage):
    workflow, _ = montage
    fleet = Cluster("spot", tuple(Machine(f"m{m}", mtbf_s=100.0 + m) for m in range(4)))
    mine = plan(workflow, fleet, "reliable-heft[mtbf_s=1000]", 1.0)
    assert mine.machine.tolist() == plan(workflow, fleet, "heft", 1.0).machine.tolist()


@pytest.mark.parametrize(("budget", "most"), [("0.05", 6), ("0.1", 12), ("1", 120), ("0", 0)])
def test_ft_heft_stays_within_its_budget(montage, budget, most):
    made = plan(*montage, f"ft-heft[budget={budget}]", 2.0)
    assert made.replicas <= most
    assert (made.replicas > 0) == (most > 0)
    assert np.all(made.replica[made.replica >= 0] != made.machine[made.replica >= 0])


def test_random_differs_by_seed_only(montage):
    first, again, other = (plan(*montage, f"random[seed={seed}]").machine.tolist() for seed in (1, 1, 2))
    assert first == again != other


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hfet", "no method 'hfet'; did you mean 'heft'?"),
        ("r-heft[bta=2]", "no option (of method r-heft) 'bta'; did you mean 'beta'?"),
        ("r-heft[beta=two]", "method r-heft, option beta: 'two' is not a number"),
        ("r-heft[beta=nan]", "method r-heft, option beta: 'nan' is not a number from 0 to 1e+15"),
        ("r-heft[beta]", "method 'r-heft[beta]': write each option once, as beta=value"),
        ("r-heft[beta=1,beta=2]", "method 'r-heft[beta=1,beta=2]': write each option once, as beta=value"),
        ("peft[insertion=yes]", "method peft, option insertion: 'yes' is not true or false"),
        ("heft[x=1]", "no option (of method heft) 'x'; known are none"),
        (
            "r-heft[beta=1",
            "cannot read the method 'r-heft[beta=1'; write name or name[option=value,...], no comma or bracket in a value",
        ),
        ("", "cannot read the method ''; write name or name[option=value,...], no comma or bracket in a value"),
    ],
)
def test_a_wrong_name_or_option_is_refused(text, message):
    with pytest.raises((InputError, UnknownNameError)) as caught:
        parse_method(text)
    assert str(caught.value) == message


def test_a_budget_above_1_is_refused(montage):
    with pytest.raises(InputError, match="at most 1"):
        plan(*montage, "ft-heft[budget=2]", 1.0)


def test_a_method_has_one_spelling():
    assert str(parse_method(" r-heft[beta=2.0] ")) == "r-heft"
    assert str(parse_method("r-heft[ beta = 3 ]")) == "r-heft[beta=3]"
    assert split_methods("heft, r-heft[beta=3],peft") == ["heft", "r-heft[beta=3]", "peft"]


def test_the_oracle_is_no_method():
    with pytest.raises(InputError, match="use compare"):
        plan(*random_case(1), "oracle")


def test_a_users_file_adds_a_method(tmp_path):
    file = tmp_path / "slowest.py"
    file.write_text(
        "from tfrgnn.schedulers.catalogue import scheduler\n"
        "from tfrgnn.schedulers.decoding import list_schedule\n"
        "@scheduler('downward', summary='by downward rank', paper='none')\n"
        "def downward(estimates):\n"
        "    return list_schedule(estimates.costs, -estimates.costs.downward_rank)\n"
    )
    load_methods(file)
    assert plan(*random_case(5), "downward").planned_makespan_s > 0


@pytest.mark.parametrize(
    ("text", "message"), [("import nothing_like_it", "cannot be loaded"), ("x = 1", "no new method")]
)
def test_a_users_file_without_a_method_is_refused(tmp_path, text, message):
    file = tmp_path / "mine.py"
    file.write_text(text)
    with pytest.raises(InputError, match=message):
        load_methods(file)


def test_an_option_keeps_all_its_digits():
    for text in ("r-heft[beta=1.2345678]", "r-heft[beta=2.0000001]", "reliable-heft[mtbf_s=1234567.5]"):
        assert str(parse_method(text)) == text
        assert parse_method(str(parse_method(text))).options == parse_method(text).options


@pytest.mark.parametrize("name", ["heft", "oracle", "a[b=1]", "two words"])
def test_a_name_that_is_taken_or_no_word_cannot_be_added(name):
    with pytest.raises(InputError, match="cannot add a method"):
        scheduler(name, summary="", paper="")(lambda estimates: None)


@pytest.mark.parametrize("schedule", [list_schedule, insertion_schedule])
def test_what_the_kernels_must_not_see_is_refused(schedule):
    costs = Costs(*random_case(5))
    n, p = costs.workflow.tasks, costs.machines
    for wrong in (np.nan, np.inf, -np.inf):
        with pytest.raises(InputError, match="bias_s must have a finite number for some machine of each task"):
            schedule(costs, costs.upward_rank, bias_s=lambda tasks: np.full((tasks.size, p), wrong))  # noqa: B023
    with pytest.raises(InputError, match="bias_s has shape"):
        schedule(costs, costs.upward_rank, bias_s=lambda tasks: np.zeros((1, 1)))
    for priority in (np.arange(3e6), np.full(n, np.nan), np.zeros((n, 1))):
        with pytest.raises(InputError, match=f"priority must be {n} finite numbers"):
            schedule(costs, priority)


def test_durations_and_wishes_for_replicas_are_checked_too():
    costs = Costs(*random_case(5))
    n, p = costs.workflow.tasks, costs.machines
    for wrong in (np.full((n, p), -1.0), np.full((n, p), np.nan), np.ones((1, 1))):
        with pytest.raises(InputError, match="duration_s must be"):
            list_schedule(costs, costs.upward_rank, duration_s=lambda tasks: wrong)  # noqa: B023
    for wishes in (np.zeros(1, bool), np.zeros(n)):
        with pytest.raises(InputError, match=f"wants_replica must be {n} booleans"):
            list_schedule(costs, costs.upward_rank, wants_replica=wishes, replica_limit=10**6)


@pytest.mark.parametrize(("budget", "limit"), [(0.1, 32), (0.29, 91), (0.05, 16), (0.0, 0), (1.0, 312)])
def test_a_budget_allows_a_replica_while_there_are_fewer_than_its_share(budget, limit):
    costs = Costs(generate_workflow("montage", 312, 1), generate_cluster(4, 1))
    assert replica_limit(costs, budget) == limit


@pytest.mark.parametrize("method", ["min-min", "max-min", "heft-insertion"])
def test_long_decodes_run_beside_the_main_thread(method, monkeypatch, montage):
    before = plan(*montage, method).machine.tolist()
    monkeypatch.setattr(decoding, "_LONG", 1)
    assert plan(*montage, method).machine.tolist() == before


HAND_MADE = """
import numpy as np
from tfrgnn.schedulers.catalogue import scheduler
from tfrgnn.schedulers.decoding import Placement, list_schedule

@scheduler({name!r}, summary="", paper="")
def method(estimates):
    placed = list_schedule(estimates.costs, estimates.costs.upward_rank)
    {line}
"""


@pytest.mark.parametrize(
    ("name", "line", "message"),
    [
        ("backwards", "return Placement(**{**vars(placed), 'order': placed.order[::-1]})", "method backwards: task"),
        ("hasty", "return Placement(**{**vars(placed), 'finish_s': placed.start_s})", "method hasty: task .* takes"),
        ("empty", "return None", "method empty: must return a Placement"),
        ("odd", "return list_schedule(estimates.costs, estimates.costs.upward_rank * np.nan)", "priority must be"),
    ],
)
def test_a_users_method_that_makes_no_plan_is_refused(tmp_path, name, line, message):
    file = tmp_path / "mine.py"
    file.write_text(HAND_MADE.format(name=name, line=line))
    load_methods(file)
    with pytest.raises(InputError, match=message):
        plan(generate_workflow("montage", 60, 1), generate_cluster(4, 1), name, 1.0)


def test_a_task_too_short_for_the_clock_is_not_put_into_a_gap_of_no_length():
    """Beside 5e14 s, 0.005 s are less than rounding shows."""
    tasks = [Task(f"t{i}", work) for i, work in enumerate((1e15, 0.01, 1e15, 1e15))]
    workflow = Workflow.from_tasks("w", tasks, [("t0", f"t{i}", 0) for i in (1, 2, 3)])
    cluster = Cluster("c", (Machine("m0", speed=2.0), Machine("m1", speed=2.0)))
    check_fit(plan(workflow, cluster, "heft-insertion"), Costs(workflow, cluster))
