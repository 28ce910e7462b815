"""Replay of a plan against traces of failures: when does each copy of each task finish?

Shapes: n tasks, e edges, p machines, k traces in this call. A machine's down intervals in one trace
are `down_s[at:stop]` and `up_s[at:stop]` with `at = trace_ptr[trace * p + m]`, sorted and disjoint.

Rules: a machine takes its tasks in plan order; a task waits for its inputs, its machine, and the repair;
a failure before its finish loses all its progress, and it starts again after the repair; a failure
at the very instant of its finish does not kill it.
"""

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def _run(start, took, at, stop, down_s, up_s):
    """When a copy that could start at `start` finishes, the progress lost, and the next interval ahead."""
    lost = 0.0
    while at < stop and down_s[at] < start + took:
        if up_s[at] > start:
            lost += max(down_s[at] - start, 0.0)
            start = up_s[at]
        at += 1
    return start + took, lost, at


@njit(cache=True, nogil=True, fastmath={"nnan", "nsz"})
def _replay_copy(
    i, m, took, edges, rack, machine, replica, finish_s, replica_finish_s,
    trace_ptr, first_trace, down_s, up_s, at, next_down_s, avail_s, wasted_s, result,
):  # fmt: skip
    """Runs one copy of task i on machine m through all traces of the block; `result` (k) gets its finish times."""
    parent_ptr, parent, near_s, far_s = edges
    k, p = result.size, avail_s.shape[0]
    free, horizon = avail_s[m], next_down_s[m]
    for t in range(k):
        result[t] = free[t]
    for x in range(parent_ptr[i], parent_ptr[i + 1]):
        j = parent[x]
        a, b = machine[j], replica[j]
        delay = 0.0 if a == m else (near_s[x] if rack[a] == rack[m] else far_s[x])
        done = finish_s[j]
        if b < 0:
            for t in range(k):
                result[t] = max(result[t], done[t] + delay)
        else:
            other = 0.0 if b == m else (near_s[x] if rack[b] == rack[m] else far_s[x])
            also = replica_finish_s[j]
            for t in range(k):
                result[t] = max(result[t], min(done[t] + delay, also[t] + other))
    hits = 0
    for t in range(k):
        hits += result[t] + took > horizon[t]
    if hits > 0:
        for t in range(k):
            if result[t] + took > horizon[t]:
                stop = trace_ptr[(first_trace + t) * p + m + 1]
                end, lost, here = _run(result[t], took, at[m, t], stop, down_s, up_s)
                at[m, t] = here
                horizon[t] = down_s[here] if here < stop else np.inf
                wasted_s[t] += lost
                free[t] = end
            else:
                free[t] = result[t] + took
    else:
        for t in range(k):
            free[t] = result[t] + took
    for t in range(k):
        result[t] = free[t]


@njit(cache=True, nogil=True, fastmath={"nnan", "nsz"})
def replay(order, machine, replica, edges, costs, rack, machines, trace_ptr, down_s, up_s, first_trace, k):
    """Makespan and wasted work (k) of one plan in the traces first_trace .. first_trace + k.

    The traces are the innermost dimension, so that one edge costs one vector operation for all of them.
    """
    work_s, type_index, factor = costs
    n = order.size
    finish_s = np.empty((n, k))
    replica_finish_s = np.empty((n if np.any(replica >= 0) else 0, k))
    avail_s, next_down_s = np.zeros((machines, k)), np.full((machines, k), np.inf)
    at = np.empty((machines, k), np.int64)
    makespan_s, wasted_s = np.zeros(k), np.zeros(k)
    for m in range(machines):
        for t in range(k):
            at[m, t] = trace_ptr[(first_trace + t) * machines + m]
            if at[m, t] < trace_ptr[(first_trace + t) * machines + m + 1]:
                next_down_s[m, t] = down_s[at[m, t]]
    for q in range(n):
        i = order[q]
        a, b = machine[i], replica[i]
        _replay_copy(
            i, a, work_s[i] * factor[type_index[i], a], edges, rack, machine, replica, finish_s,
            replica_finish_s, trace_ptr, first_trace, down_s, up_s, at, next_down_s, avail_s,
            wasted_s, finish_s[i],
        )  # fmt: skip
        if b < 0:
            for t in range(k):
                makespan_s[t] = max(makespan_s[t], finish_s[i, t])
        else:
            _replay_copy(
                i, b, work_s[i] * factor[type_index[i], b], edges, rack, machine, replica, finish_s,
                replica_finish_s, trace_ptr, first_trace, down_s, up_s, at, next_down_s, avail_s,
                wasted_s, replica_finish_s[i],
            )  # fmt: skip
            for t in range(k):
                makespan_s[t] = max(makespan_s[t], min(finish_s[i, t], replica_finish_s[i, t]))
    return makespan_s, wasted_s


@njit(cache=True, nogil=True)
def _ready(i, m, edges, rack, machine, replica, finish_s, replica_finish_s):
    """When the last input of task i is on machine m."""
    parent_ptr, parent, near_s, far_s = edges
    ready = 0.0
    for x in range(parent_ptr[i], parent_ptr[i + 1]):
        j = parent[x]
        a, b = machine[j], replica[j]
        first = finish_s[j] + (0.0 if a == m else (near_s[x] if rack[a] == rack[m] else far_s[x]))
        if b >= 0:
            delay = 0.0 if b == m else (near_s[x] if rack[b] == rack[m] else far_s[x])
            first = min(first, replica_finish_s[j] + delay)
        ready = max(ready, first)
    return ready


@njit(cache=True, nogil=True)
def failure_free_times(order, machine, replica, edges, costs, rack):
    """start_s, finish_s, replica_start_s, replica_finish_s (n) when nothing fails; infinite without replica."""
    work_s, type_index, factor = costs
    n = order.size
    start_s, finish_s = np.zeros(n), np.zeros(n)
    replica_start_s, replica_finish_s = np.full(n, np.inf), np.full(n, np.inf)
    avail_s = np.zeros(factor.shape[1])
    for i in order:
        a, b = machine[i], replica[i]
        start_s[i] = max(avail_s[a], _ready(i, a, edges, rack, machine, replica, finish_s, replica_finish_s))
        finish_s[i] = start_s[i] + work_s[i] * factor[type_index[i], a]
        if b >= 0:
            replica_start_s[i] = max(
                avail_s[b], _ready(i, b, edges, rack, machine, replica, finish_s, replica_finish_s)
            )
            replica_finish_s[i] = replica_start_s[i] + work_s[i] * factor[type_index[i], b]
            avail_s[b] = replica_finish_s[i]
        avail_s[a] = finish_s[i]
    return start_s, finish_s, replica_start_s, replica_finish_s


@njit(cache=True, nogil=True)
def replay_trace(order, machine, replica, edges, costs, rack, ptr, down_s, up_s):
    """One trace in full. `ptr` (p + 1) holds this trace's intervals.

    Returns finish_s, replica_finish_s (n), and the runs of copies in the order they were decided, an entry
    each: task, machine, start, end, and whether the run was lost to a failure at its end.
    """
    work_s, type_index, factor = costs
    n, p = order.size, factor.shape[1]
    finish_s, replica_finish_s = np.zeros(n), np.full(n, np.inf)
    avail_s, at = np.zeros(p), ptr[:-1].copy()
    most = 2 * n + down_s.size
    task, on = np.empty(most, np.int32), np.empty(most, np.int32)
    begin, end, lost = np.empty(most), np.empty(most), np.zeros(most, np.bool_)
    runs = 0
    for i in order:
        for copy in range(1 if replica[i] < 0 else 2):
            m = machine[i] if copy == 0 else replica[i]
            took = work_s[i] * factor[type_index[i], m]
            start = max(avail_s[m], _ready(i, m, edges, rack, machine, replica, finish_s, replica_finish_s))
            while at[m] < ptr[m + 1] and down_s[at[m]] < start + took:
                if up_s[at[m]] > start:
                    if down_s[at[m]] > start:
                        task[runs], on[runs], lost[runs] = i, m, True
                        begin[runs], end[runs] = start, down_s[at[m]]
                        runs += 1
                    start = up_s[at[m]]
                at[m] += 1
            task[runs], on[runs], begin[runs], end[runs] = i, m, start, start + took
            runs += 1
            avail_s[m] = start + took
            if copy == 0:
                finish_s[i] = start + took
            else:
                replica_finish_s[i] = start + took
    return finish_s, replica_finish_s, task[:runs], on[:runs], begin[:runs], end[:runs], lost[:runs]
