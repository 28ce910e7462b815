"""The reasons of a plan are those of its decode."""

import numpy as np
import pytest
from tests.cases import random_case
from tests.reference import decode as slow_decode
from tests.reference.costs import SlowCosts

from tfrgnn import plan
from tfrgnn.costs.costs import Costs
from tfrgnn.costs.explain import explain


@pytest.mark.parametrize("seed", range(60))
@pytest.mark.parametrize("method", ["heft", "ft-heft[budget=0.5]", "r-heft[beta=3]"])
def test_the_runner_up_has_the_next_best_score(seed, method):
    made = plan(*random_case(seed), method, 1.0)
    costs = Costs(made.scenario.workflow, made.scenario.cluster)
    reasons = explain(made)
    slow, so_far = SlowCosts(costs), slow_decode.SlowPlan()
    avail = dict.fromkeys(slow.machines, 0.0)
    for i in made.order.tolist():
        finish = {
            m: max(slow_decode.arrival(slow, so_far, i, m), avail[m]) + slow.duration(i, m) for m in slow.machines
        }
        bias = sum(block(np.array([i]))[0] for block in made.terms.values()) + np.zeros(costs.machines)
        mine = int(made.machine[i])
        assert reasons.finish_s[i] == finish[mine] == made.finish_s[i]
        rest = [m for m in slow.machines if m != mine]
        if rest:
            best = min(rest, key=lambda m: (finish[m] - bias[m], m))
            assert (reasons.runner_up[i], reasons.runner_up_finish_s[i]) == (best, finish[best])
            assert finish[mine] - bias[mine] <= finish[best] - bias[best]
            for name, block in made.terms.items():
                assert reasons.terms[name][i] == block(np.array([i]))[0, mine]
                assert reasons.runner_up_terms[name][i] == block(np.array([i]))[0, best]
        else:
            assert reasons.runner_up[i] == -1
        so_far.copies[i] = [(mine, made.start_s[i], made.finish_s[i])]
        avail[mine] = made.finish_s[i]
        if made.replica[i] >= 0:
            second = int(made.replica[i])
            so_far.copies[i].append((second, made.replica_start_s[i], made.replica_finish_s[i]))
            avail[second] = made.replica_finish_s[i]


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("method", ["peft", "cpop", "reliable-heft", "random", "min-min", "tfr-gnn"])
def test_every_appending_method_names_its_reasons(seed, method):
    """The chosen machine has the best score, and the runner-up is one that the method could have taken."""
    made = plan(*random_case(seed), method, 1.0)
    reasons = explain(made)
    assert np.all(reasons.earliest_finish_s <= reasons.finish_s)
    worth = [reasons.finish_s - sum(reasons.terms.values(), np.zeros(made.order.size))]
    worth.append(reasons.runner_up_finish_s - sum(reasons.runner_up_terms.values(), np.zeros(made.order.size)))
    assert np.all(worth[0] <= worth[1] + 1e-9)
    assert np.all((reasons.runner_up >= 0) == np.isfinite(reasons.runner_up_finish_s))
    if method == "reliable-heft":
        shunned = made.scenario.cluster.volatile
        chosen = reasons.runner_up[reasons.runner_up >= 0]
        assert shunned.all() or not shunned[chosen].any()
    if method == "random":
        assert np.all(reasons.runner_up == -1)


@pytest.mark.parametrize("method", ["heft-insertion", "peft[insertion=true]"])
def test_an_inserting_method_has_no_such_reasons(method):
    assert explain(plan(*random_case(3), method, 1.0)) is None
