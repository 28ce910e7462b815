"""What sampled traces promise."""

import numpy as np
import pytest

from tfrgnn.errors import InputError
from tfrgnn.generate.clusters import generate_cluster
from tfrgnn.simulation.sampling import sample_traces

CLUSTER = generate_cluster(20, 2)


def test_same_seed_same_bytes_and_other_seed_other_traces():
    first, again, other = (sample_traces(CLUSTER, 1.0, 5000.0, 5, seed) for seed in (1, 1, 2))
    assert first.down_s.tobytes() == again.down_s.tobytes()
    assert first.down_s.tobytes() != other.down_s.tobytes()


def test_a_trace_does_not_depend_on_how_many_there_are():
    few, many = sample_traces(CLUSTER, 1.0, 5000.0, 2, 1), sample_traces(CLUSTER, 1.0, 5000.0, 9, 1)
    for m in range(20):
        assert few.intervals(1, m).tolist() == many.intervals(1, m).tolist()


def test_a_longer_horizon_only_goes_on():
    short, long = sample_traces(CLUSTER, 2.0, 3000.0, 3, 1), sample_traces(CLUSTER, 2.0, 30000.0, 3, 1)
    for m in range(20):
        part = long.intervals(2, m)
        np.testing.assert_allclose(short.intervals(2, m), part[part[:, 0] < 3000.0], rtol=1e-12)


def test_twice_the_scale_halves_the_time_to_the_first_failure():
    once, twice = sample_traces(CLUSTER, 1.0, 1e5, 3, 1), sample_traces(CLUSTER, 2.0, 1e5, 3, 1)
    for m in range(20):
        np.testing.assert_allclose(once.intervals(0, m)[0, 0], 2 * twice.intervals(0, m)[0, 0])


def test_nothing_fails_beyond_the_horizon_and_nothing_at_scale_0():
    assert sample_traces(CLUSTER, 1.0, 5000.0, 5, 1).down_s.max() < 5000.0
    assert sample_traces(CLUSTER, 0.0, 5000.0, 5, 1).down_s.size == 0


def test_failures_rarer_than_a_float_can_say_never_come():
    for scale in (1e-302, 1e-306, 1e-307):
        assert sample_traces(CLUSTER, scale, 5000.0, 2, 1).down_s.size == 0


def test_rates_and_repairs_have_their_means():
    machine = CLUSTER.machines[int(np.argmax(CLUSTER.rate_per_s))]
    m = CLUSTER.machines.index(machine)
    traces = sample_traces(CLUSTER, 1.0, 50_000.0, 40, 1)
    rows = [traces.intervals(k, m) for k in range(40)]
    up = np.concatenate([np.diff(np.concatenate([[0.0], row[:, 0]])) - np.concatenate([[0.0], (row[:-1, 1] - row[:-1, 0])])
                         for row in rows])  # fmt: skip
    repair = np.concatenate([row[:, 1] - row[:, 0] for row in rows])
    assert up.mean() == pytest.approx(machine.mtbf_s, rel=0.03)
    assert repair.mean() == pytest.approx(60.0, rel=0.02)
    assert np.log(repair).std() == pytest.approx(0.5, rel=0.02)


@pytest.mark.parametrize(("scale", "count", "seed"), [(1e9, 5, 1), (1.0, 0, 1), (1.0, 5, -1)])
def test_what_cannot_be_drawn_is_refused(scale, count, seed):
    with pytest.raises(InputError):
        sample_traces(CLUSTER, scale, 5000.0, count, seed)
