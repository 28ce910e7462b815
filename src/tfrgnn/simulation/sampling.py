"""Samples failure traces from a cluster's rates and repair law."""

from collections.abc import Callable
from math import log

import numpy as np
from numpy.typing import NDArray

from tfrgnn.errors import InputError
from tfrgnn.model.checks import check_number
from tfrgnn.model.cluster import Cluster
from tfrgnn.model.failures import FailureTraces

MOST_INTERVALS, MOST_TRACES = 50_000_000, 1_000_000
_FIRST, _MOST = 16, 4096


def sample_traces(
    cluster: Cluster,
    scale: float,
    horizon_s: float,
    count: int,
    seed: int,
    progress: Callable[[int], None] = lambda count: None,
) -> FailureTraces:
    """`count` traces up to `horizon_s`: up for an exponential time, down for a log-normal one, and so on.

    Trace k depends on (seed, k) alone, and its random numbers on neither scale nor horizon: a longer
    horizon only goes on where a shorter one ends, and twice the scale halves every time between failures.
    `progress` is told of each trace.
    """
    check_number("failure traces", "their number", count, low=1, high=MOST_TRACES)
    check_number("failure traces", "seed", seed, high=2**63 - 1)
    rate = cluster.rate_per_s * scale
    failing = np.flatnonzero(rate > 0)
    expected = count * horizon_s * float(rate.sum())
    if expected > MOST_INTERVALS:
        raise InputError(
            f"{count} traces of {horizon_s:g} s would hold about {expected:.0e} failures, more than "
            f"{MOST_INTERVALS:.0e}; lower the scale or the number of traces"
        )
    p = len(cluster.machines)
    counts = np.zeros((count, p), np.int64)
    parts = [np.empty((0, 2))]
    for k in range(count):
        if failing.size:
            intervals, counts[k, failing] = _one_trace(cluster, rate[failing], horizon_s, seed, k)
            parts.append(intervals)
        progress(1)
    both = np.concatenate(parts)
    ptr = np.concatenate([[0], np.cumsum(counts)])
    return FailureTraces(p, horizon_s, ptr, both[:, 0], both[:, 1])


def _one_trace(
    cluster: Cluster, rate: NDArray[np.float64], horizon_s: float, seed: int, trace: int
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """The (down, up) intervals of all failing machines one after the other, and how many each has (f).

    The first intervals of all machines come from one generator; a machine that needs more goes on with one of
    its own, so that no machine's numbers hang on how often another one fails.
    """
    first = _intervals(_generator(seed, trace), cluster, rate, np.zeros(rate.size), _FIRST)
    inside = first[:, :, 0] < horizon_s
    counts = inside.sum(axis=1)
    longer = np.flatnonzero(first[:, -1, 1] < horizon_s)
    if longer.size == 0:
        return first[inside], counts
    machines = [times[:k] for times, k in zip(first, counts.tolist(), strict=True)]
    for m in longer.tolist():
        machines[m] = _longer(cluster, rate[m : m + 1], horizon_s, first[m], _generator(seed, trace, m))
        counts[m] = len(machines[m])
    return np.concatenate(machines), counts


def _longer(
    cluster: Cluster, rate: NDArray[np.float64], horizon_s: float, first: NDArray[np.float64], rng: np.random.Generator
) -> NDArray[np.float64]:
    """The intervals of one machine, from its first ones on to the horizon."""
    parts = [first]
    while parts[-1][-1, 1] < horizon_s:
        more = min(_FIRST << len(parts), _MOST)  # fixed sizes: what is drawn does not hang on the horizon
        parts.append(_intervals(rng, cluster, rate, parts[-1][-1:, 1], more)[0])
    times = np.concatenate(parts)
    return times[: np.searchsorted(times[:, 0], horizon_s)]


def _generator(seed: int, *key: int) -> np.random.Generator:
    """One stream per key. (As plain entropy, keys that differ by a zero at the end would give the same one.)"""
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=key))


def _intervals(
    rng: np.random.Generator,
    cluster: Cluster,
    rate: NDArray[np.float64],
    now: NDArray[np.float64],
    count: int,
) -> NDArray[np.float64]:
    """The next `count` (down, up) intervals of each machine from `now` on (f, count, 2)."""
    repair = cluster.repair
    mean_log = log(repair.mean_s) - repair.sigma**2 / 2 if repair.mean_s > 0 else -np.inf
    steps = np.empty((rate.size, count, 2))
    exponential = rng.standard_exponential((rate.size, count))
    steps[:, :, 1] = np.exp(mean_log + repair.sigma * rng.standard_normal((rate.size, count)))
    with np.errstate(over="ignore"):  # a time that is no float any more is infinite, and beyond every horizon
        steps[:, :, 0] = exponential / rate[:, None]
        steps[:, 0, 0] += now
        return np.cumsum(steps.reshape(rate.size, -1), axis=1).reshape(steps.shape)
