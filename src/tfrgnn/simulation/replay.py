"""Runs a plan against traces: all of them for the statistics, or one in full for a picture."""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tfrgnn import kernels
from tfrgnn.costs.costs import Costs
from tfrgnn.errors import InputError
from tfrgnn.model.failures import FailureTraces
from tfrgnn.model.plan import Plan
from tfrgnn.simulation.outcome import Outcome

_BLOCK_TRACES = 128  # enough for full vectors; an edge costs one vector operation for all traces of a block
_BLOCK_CELLS = 1 << 23  # 64 MiB of finish times a block
_SMALL_CELLS = 1 << 20  # below this a second thread costs more than it saves


def run_plan(plan: Plan, traces: FailureTraces, costs: Costs, progress: Callable[[int], None] | None = None) -> Outcome:
    """The plan's outcome in all traces, on all cores. `progress` is told after each block how many traces it had."""
    if traces.machines != costs.machines:
        raise InputError(f"the traces are for {traces.machines} machines, the cluster has {costs.machines}")
    makespan_s, wasted_s = np.empty(traces.count), np.empty(traces.count)

    def run(first: int, count: int) -> int:
        part = slice(first, first + count)
        makespan_s[part], wasted_s[part] = kernels.replay.replay(
            plan.order, plan.machine, plan.replica, costs.edge_arrays, costs.cost_arrays, costs.cluster.rack,
            costs.machines, traces.ptr, traces.down_s, traces.up_s, first, count,
        )  # fmt: skip
        return count

    for count in _in_threads(run, _blocks(plan.order.size, traces.count)):
        if progress:
            progress(count)
    useful_s, redundant_s = _computation_s(plan, costs)
    return Outcome(makespan_s, wasted_s, useful_s, redundant_s, costs.machines, traces.horizon_s)


@dataclass(frozen=True, eq=False)
class TraceRun:
    """One trace in full: each run of a copy from `begin_s` to `end_s`, and whether a failure ended it."""

    makespan_s: float
    task: NDArray[np.int32]
    machine: NDArray[np.int32]
    begin_s: NDArray[np.float64]
    end_s: NDArray[np.float64]
    lost: NDArray[np.bool_]


def run_trace(plan: Plan, traces: FailureTraces, trace: int, costs: Costs) -> TraceRun:
    """What the plan does in one trace."""
    rows = traces.ptr[trace * traces.machines : (trace + 1) * traces.machines + 1]
    finish_s, replica_finish_s, *runs = kernels.replay.replay_trace(
        plan.order, plan.machine, plan.replica, costs.edge_arrays, costs.cost_arrays, costs.cluster.rack,
        rows, traces.down_s, traces.up_s,
    )  # fmt: skip
    return TraceRun(float(np.minimum(finish_s, replica_finish_s).max()), *runs)


def _blocks(tasks: int, traces: int) -> list[tuple[int, int]]:
    """(first trace, count) of each block."""
    cores = os.cpu_count() or 1
    if tasks * traces <= _SMALL_CELLS and traces <= _BLOCK_TRACES:
        return [(0, traces)]
    size = max(1, min(_BLOCK_TRACES, _BLOCK_CELLS // tasks, -(-traces // cores)))
    return [(first, min(size, traces - first)) for first in range(0, traces, size)]


def _in_threads(run: Callable[[int, int], int], blocks: list[tuple[int, int]]) -> Iterator[int]:
    """Runs the blocks in threads (the kernels hold no GIL); an interruption drops those not begun."""
    if len(blocks) == 1:
        yield run(*blocks[0])
        return
    pool = ThreadPoolExecutor(os.cpu_count())
    try:
        for done in as_completed([pool.submit(run, *block) for block in blocks]):
            yield done.result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _computation_s(plan: Plan, costs: Costs) -> tuple[float, float]:
    """The computation of all first copies and of all replicas."""
    work_s, type_index, factor = costs.cost_arrays
    twice = np.flatnonzero(plan.replica >= 0)
    first = work_s * factor[type_index, plan.machine]
    second = work_s[twice] * factor[type_index[twice], plan.replica[twice]]
    return float(first.sum()), float(second.sum())
