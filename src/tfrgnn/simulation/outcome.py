"""What happened to a plan in its traces, and the statistics of it."""

from dataclasses import dataclass
from functools import cached_property
from math import ceil, sqrt

import numpy as np
from numpy.typing import NDArray

# Student's t, 97.5 %, for 1 to 30 degrees of freedom.
_T975 = (
    12.706205, 4.302653, 3.182446, 2.776445, 2.570582, 2.446912, 2.364624, 2.306004, 2.262157, 2.228139,
    2.200985, 2.178813, 2.160369, 2.144787, 2.131450, 2.119905, 2.109816, 2.100922, 2.093024, 2.085963,
    2.079614, 2.073873, 2.068658, 2.063899, 2.059539, 2.055529, 2.051831, 2.048407, 2.045230, 2.042272,
)  # fmt: skip
_Z975 = 1.959964


@dataclass(frozen=True)
class Estimate:
    """A mean over traces and its 95 % interval (Student's t); without interval for a single trace."""

    mean: float
    low: float | None
    high: float | None


def estimate(values: NDArray[np.float64]) -> Estimate:
    """Mean and 95 % interval of independent values."""
    mean = float(values.mean())
    if values.size < 2:
        return Estimate(mean, None, None)
    half = t975(values.size - 1) * float(values.std(ddof=1)) / sqrt(values.size)
    return Estimate(mean, mean - half, mean + half)


def t975(freedom: int) -> float:
    """Student's t, 97.5 %."""
    if freedom <= len(_T975):
        return _T975[freedom - 1]
    z = _Z975  # the first two terms of the Cornish-Fisher expansion, exact to 1e-4 from here on
    return z + (z**3 + z) / (4 * freedom) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)


@dataclass(frozen=True, eq=False)
class Outcome:
    """One plan in k traces: `makespan_s` and `wasted_s`, the progress lost to failures (k).

    `useful_s` is the computation of all first copies, `redundant_s` that of all replicas; restarts repeat them
    but do not add to them.
    """

    makespan_s: NDArray[np.float64]
    wasted_s: NDArray[np.float64]
    useful_s: float
    redundant_s: float
    machines: int
    horizon_s: float

    @cached_property
    def mean_makespan_s(self) -> Estimate:
        return estimate(self.makespan_s)

    def quantile_s(self, share: float) -> float:
        """The makespan that `share` of the traces stay below, between neighbours by linear interpolation."""
        return float(np.quantile(self.makespan_s, share))

    @property
    def cvar95_s(self) -> float:
        """The mean of the worst 5 % of the traces, at least one."""
        worst = max(1, ceil(0.05 * self.makespan_s.size - 1e-9))
        return float(np.sort(self.makespan_s)[-worst:].mean())

    @property
    def mean_wasted_s(self) -> float:
        return float(self.wasted_s.mean())

    @property
    def utilisation(self) -> float:
        """Share of the machines' time until the end that went into work that counted."""
        return float(np.mean(self.useful_s / (self.machines * self.makespan_s)))

    @property
    def past_horizon_share(self) -> float:
        """Share of traces that ran past the horizon, where nothing fails any more."""
        return float(np.mean(self.makespan_s > self.horizon_s))


def paired_difference(outcome: Outcome, reference: Outcome) -> Estimate:
    """Makespan minus the reference's in the same traces."""
    return estimate(outcome.makespan_s - reference.makespan_s)


def ratio(outcome: Outcome, reference: Outcome) -> Estimate:
    """Mean makespan over the reference's, with the interval of a ratio of paired means (delta method)."""
    below = float(reference.makespan_s.mean())
    value = float(outcome.makespan_s.mean()) / below
    residual = estimate((outcome.makespan_s - value * reference.makespan_s) / below)
    if residual.low is None or residual.high is None:
        return Estimate(value, None, None)
    return Estimate(value, value + residual.low, value + residual.high)
