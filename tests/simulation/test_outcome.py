"""The statistics of an outcome, worked out by hand."""

import numpy as np
import pytest

from tfrgnn.simulation.outcome import Outcome, estimate, paired_difference, ratio


def _outcome(*makespans):
    values = np.array(makespans, float)
    return Outcome(values, np.zeros(values.size), useful_s=10.0, redundant_s=0.0, machines=2, horizon_s=50.0)


def test_mean_and_interval():
    # 1, 2, 3: mean 2, standard deviation 1, t(2) = 4.30265, half width 4.30265 / sqrt(3) = 2.48414
    mean = estimate(np.array([1.0, 2.0, 3.0]))
    assert (mean.mean, mean.low, mean.high) == pytest.approx((2.0, -0.48414, 4.48414), abs=1e-5)


@pytest.mark.parametrize(("freedom", "t"), [(31, 2.0395), (39, 2.0227), (100, 1.9840), (1000, 1.9623)])
def test_students_t_beyond_the_table(freedom, t):
    values = np.concatenate([[0.0], np.ones(freedom)])
    half = estimate(values).high - values.mean()
    assert half / (values.std(ddof=1) / np.sqrt(values.size)) == pytest.approx(t, abs=2e-4)


def test_one_trace_has_no_interval():
    assert _outcome(3.0).mean_makespan_s == estimate(np.array([3.0]))
    assert _outcome(3.0).mean_makespan_s.low is None
    assert ratio(_outcome(3.0), _outcome(2.0)).high is None


def test_tail():
    outcome = _outcome(*range(1, 41))
    assert outcome.cvar95_s == 39.5  # the worst two of forty
    assert outcome.quantile_s(0.95) == pytest.approx(38.05)
    assert _outcome(*range(1, 42)).cvar95_s == 40.0  # three of forty-one: at least 5 %


def test_past_horizon_and_utilisation():
    outcome = _outcome(10.0, 60.0)
    assert outcome.past_horizon_share == 0.5
    assert outcome.utilisation == pytest.approx((10 / 20 + 10 / 120) / 2)


def test_paired_difference_and_ratio():
    mine, heft = _outcome(2.0, 4.0, 6.0), _outcome(1.0, 2.0, 3.0)
    assert paired_difference(mine, heft).mean == 2.0
    exact = ratio(mine, heft)  # twice as long in every trace: no doubt about it
    assert (exact.mean, exact.low, exact.high) == (2.0, 2.0, 2.0)
