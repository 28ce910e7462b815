"""From a scheduler's numbers to a placement: the three ways to build one, as a scheduler calls them."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import ceil
from threading import Thread
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tfrgnn import kernels
from tfrgnn.costs.blocks import BLOCK_CELLS, blocks
from tfrgnn.costs.costs import Costs
from tfrgnn.costs.timeline import failure_free_times
from tfrgnn.errors import InputError

# Numbers for some tasks on every machine: takes task indices (k), gives seconds (k, p).
Block = Callable[[NDArray[np.int32]], NDArray[np.float64]]

_CALL_CELLS = 1 << 26  # a compiled call ends within a fraction of a second, so that Ctrl-C is heard

_LONG = 10_000  # tasks from which on a decode in one call may take longer than a user waits for Ctrl-C
_NONE = np.empty((0, 0))


@dataclass(frozen=True, eq=False)
class Placement:
    """Which machines run each task, in which order and when; the arrays and `terms` are those of `Plan`."""

    order: NDArray[np.int32]
    machine: NDArray[np.int32]
    start_s: NDArray[np.float64]
    finish_s: NDArray[np.float64]
    replica: NDArray[np.int32]
    replica_start_s: NDArray[np.float64]
    replica_finish_s: NDArray[np.float64]
    terms: dict[str, Block] | None = None


def list_schedule(
    costs: Costs,
    priority: NDArray[np.float64],
    *,
    bias_s: Block | None = None,
    terms: dict[str, Block] | None = None,
    duration_s: Block | None = None,
    wants_replica: NDArray[np.bool_] | None = None,
    replica_limit: int = 0,
) -> Placement:
    """The guided decode: ready tasks by priority, each appended to the machine of largest bias_s - EFT.

    `bias_s` draws a task to a machine by so many seconds of finish time, and `terms` are its named parts, for those
    who ask why a task went where it went; `duration_s` replaces the durations that the decode believes in (the
    placement's times are still those without failures, and it has no terms); the first `replica_limit` tasks with
    `wants_replica` get a second copy on the next best machine.
    """
    if duration_s is None:
        terms = terms or ({} if bias_s is None else {"bias_s": bias_s})
    order = _order(costs, priority)
    n, p = order.size, costs.machines
    copies = (np.full(n, -1, np.int32), np.zeros(n), np.full(n, -1, np.int32), np.full(n, np.inf))
    start_s, replica_start_s = np.zeros(n), np.full(n, np.inf)
    state = (copies, start_s, replica_start_s, np.zeros(p), np.zeros(1, np.int64))
    wants = np.empty(0, np.bool_) if wants_replica is None else np.asarray(wants_replica)
    if wants_replica is not None and (wants.shape != (n,) or wants.dtype != np.bool_):
        raise InputError(f"a method's wants_replica must be {n} booleans, one for each task")
    numbers = (costs.edge_arrays, costs.cost_arrays, costs.rack_arrays)
    cells = _CALL_CELLS if bias_s is None and duration_s is None else BLOCK_CELLS
    for begin, end in blocks(n, p, cells):
        tasks = order[begin:end]
        bias = _NONE if bias_s is None else _checked_bias(bias_s(tasks), (tasks.size, p))
        duration = _NONE if duration_s is None else _checked_duration(duration_s(tasks), (tasks.size, p))
        kernels.decode.decode_append(order, begin, end, *numbers, bias, duration, wants, replica_limit, state)
    machine, finish_s, replica, replica_finish_s = copies
    if duration_s is not None:
        start_s, finish_s, replica_start_s, replica_finish_s = failure_free_times(costs, order, machine, replica)
    return Placement(order, machine, start_s, finish_s, replica, replica_start_s, replica_finish_s, terms)


def insertion_schedule(costs: Costs, priority: NDArray[np.float64], *, bias_s: Block | None = None) -> Placement:
    """Ready tasks by priority, each in the earliest gap that holds it, on the machine of largest bias_s - EFT."""
    order = _order(costs, priority)
    shape = order.size, costs.machines
    bias = _NONE if bias_s is None else _checked_bias(bias_s(order), shape)
    machine, start_s, finish_s = _interruptible(
        kernels.decode.decode_insertion, order, costs.edge_arrays, costs.cost_arrays, costs.rack_arrays, bias
    )
    by_start = order[np.argsort(start_s[order], kind="stable")]
    return _without_replicas(by_start, machine, start_s, finish_s)


def batch_schedule(costs: Costs, *, largest: bool) -> Placement:
    """Of all ready tasks, again and again, the one whose best EFT is smallest (or largest), on that machine."""
    w = costs.workflow
    placed = _interruptible(
        kernels.decode.decode_batch,
        largest,
        costs.edge_arrays,
        w.child_ptr,
        w.child,
        costs.cost_arrays,
        costs.rack_arrays,
    )
    return replace(_without_replicas(*placed), terms={})


def pinned(machine: NDArray[np.integer[Any]], machines: int) -> Block:
    """A bias that leaves each task no machine but its own in `machine` (n); -1 leaves it all."""

    def bias_s(tasks: NDArray[np.int32]) -> NDArray[np.float64]:
        bias = np.zeros((tasks.size, machines))
        rows = np.flatnonzero(machine[tasks] >= 0)
        bias[rows] = -np.inf
        bias[rows, machine[tasks[rows]]] = 0.0
        return bias

    return bias_s


def replica_limit(costs: Costs, budget: float) -> int:
    """The most replicas within a budget: r is placed while r < budget n, as in the paper's algorithm 1."""
    return ceil(budget * costs.workflow.tasks - 1e-9)


def _checked_bias(block: NDArray[np.float64], shape: tuple[int, int]) -> NDArray[np.float64]:
    """The bias that a method supplied, if the kernels may have it: they know no NaN."""
    block = np.ascontiguousarray(block, np.float64)
    if block.shape != shape:
        raise InputError(f"a method's bias_s has shape {block.shape}; it must be {shape}, tasks by machines")
    best = block.max(axis=1)  # NaN where one is NaN
    if not np.all((best > -np.inf) & (best < np.inf)):
        raise InputError(
            "a method's bias_s must have a finite number for some machine of each task and -inf for those it must not "
            "take; NaN and inf are refused"
        )
    return block


def _checked_duration(block: NDArray[np.float64], shape: tuple[int, int]) -> NDArray[np.float64]:
    block = np.ascontiguousarray(block, np.float64)
    if block.shape != shape or not np.all(block >= 0.0):
        raise InputError(f"a method's duration_s must be {shape} numbers of at least 0, tasks by machines, none NaN")
    return block


def _interruptible(kernel: Callable[..., Any], order: Any, *arrays: Any) -> Any:
    """Calls a kernel that may take long in a thread, so that the main thread hears Ctrl-C meanwhile."""
    if arrays[0][0].size < _LONG:
        return kernel(order, *arrays)
    result: list[Any] = []
    thread = Thread(target=lambda: result.append(kernel(order, *arrays)), daemon=True)
    thread.start()
    while thread.is_alive():
        thread.join(0.05)
    return result[0]


def _order(costs: Costs, priority: NDArray[np.float64]) -> NDArray[np.int32]:
    w, priority = costs.workflow, np.asarray(priority, np.float64)
    if priority.shape != (w.tasks,) or not np.all(np.isfinite(priority)):
        raise InputError(f"a method's priority must be {w.tasks} finite numbers, one for each task")
    order: NDArray[np.int32] = kernels.order.list_order(priority, w.parent_ptr, w.edge_parent, w.child_ptr, w.child)
    return order


def _without_replicas(
    order: NDArray[np.int32],
    machine: NDArray[np.int32],
    start_s: NDArray[np.float64],
    finish_s: NDArray[np.float64],
) -> Placement:
    none, never = np.full(order.size, -1, np.int32), np.full(order.size, np.inf)
    return Placement(order, machine, start_s, finish_s, none, never, never)
