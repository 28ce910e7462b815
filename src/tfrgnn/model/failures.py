"""Failures: the law they follow, and traces, which are realisations of it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tfrgnn.errors import InputError
from tfrgnn.model.checks import SMALLEST, check_number, frozen_array


@dataclass(frozen=True)
class FailureModel:
    """Poisson failures at `scale` times each machine's rate, log-normal repair, restart in place.

    Traces reach to `horizon_factor` times the failure-free HEFT makespan; nothing fails beyond.
    """

    scale: float = 0.0
    horizon_factor: float = 10.0

    def __post_init__(self) -> None:
        check_number("failure model", "scale", self.scale)
        check_number("failure model", "horizon_factor", self.horizon_factor, low=SMALLEST)


@dataclass(frozen=True, eq=False)
class FailureTraces:
    """The down intervals of p machines in `count` traces, up to `horizon_s`.

    Shapes: the intervals of machine m in trace k are `down_s[a:b]` (when it fails) and `up_s[a:b]` (when it
    is back) with `a, b = ptr[k * p + m], ptr[k * p + m + 1]`, in time and apart; `ptr` has count p + 1 entries.
    """

    machines: int
    horizon_s: float
    ptr: NDArray[np.int64]
    down_s: NDArray[np.float64]
    up_s: NDArray[np.float64]

    def __post_init__(self) -> None:
        for name, dtype in (("ptr", np.int64), ("down_s", np.float64), ("up_s", np.float64)):
            object.__setattr__(self, name, frozen_array(getattr(self, name), dtype))
        if self.machines < 1 or self.ptr.size < 2 or (self.ptr.size - 1) % self.machines:
            raise InputError(f"failure traces: {self.ptr.size - 1} rows do not divide by {self.machines} machines")
        if self.ptr[0] != 0 or np.any(np.diff(self.ptr) < 0) or self.ptr[-1] != self.down_s.size:
            raise InputError("failure traces: ptr must rise from 0 to the number of intervals")
        if self.down_s.size != self.up_s.size or np.any(~(self.up_s >= self.down_s)):
            raise InputError("failure traces: every interval needs an end that is not before its beginning")
        inside = np.ones(self.down_s.size, bool)
        inside[self.ptr[:-1][np.diff(self.ptr) > 0]] = False
        later = np.flatnonzero(inside)
        if np.any(self.down_s[later] < self.up_s[later - 1]):
            raise InputError("failure traces: a machine's intervals must be in time and apart")

    @property
    def count(self) -> int:
        return (self.ptr.size - 1) // self.machines

    def intervals(self, trace: int, machine: int) -> NDArray[np.float64]:
        """The (down, up) pairs of one machine in one trace: (intervals, 2)."""
        row = trace * self.machines + machine
        part = slice(self.ptr[row], self.ptr[row + 1])
        return np.column_stack([self.down_s[part], self.up_s[part]])
