"""List-scheduling decodes: tasks and their order in, machines and times out.

Shapes: n tasks, e edges, p machines, t task types, r racks. Edges stand in child order: `parent_ptr`
(n + 1), `parent` (e), and their transfer times `near_s` inside a rack and `far_s` between racks (e).
A task's duration is `work_s[i] * factor[type_index[i], m]`. The machines of rack r are
`rack_machine[rack_ptr[r]:rack_ptr[r + 1]]`; `rack` (p) is the way back.

Rules: the lowest score wins, the lower machine index among equals; a task's input comes from the copy
of the parent from which it arrives first.
"""

import numpy as np
from numba import njit

# Lets the minimum below be vectorised; there are no NaNs, and no sum is reordered.
_NO_NAN = {"nnan", "nsz"}


@njit(cache=True, nogil=True, fastmath=_NO_NAN, inline="never")
def _arrival(i, edges, racks, copies, scratch, out):
    """Writes to `out` (p) when the last input of task i is there, machine by machine.

    O(parents + r + p) and not O(parents x p): a far input is late for every machine but those of its
    own rack, so the latest and the latest of another rack decide; likewise inside a rack.
    """
    parent_ptr, parent, near_s, far_s = edges
    rack, rack_ptr, rack_machine = racks
    machine, finish_s, replica = copies[:3]
    near1, near2, near1_machine = scratch
    far1, far2, far1_rack = 0.0, 0.0, -1
    replicated = False
    for k in range(parent_ptr[i], parent_ptr[i + 1]):
        j = parent[k]
        if replica[j] >= 0:
            replicated = True
            continue
        a = machine[j]
        r = rack[a]
        far = finish_s[j] + far_s[k]
        if r == far1_rack:
            far1 = max(far1, far)
        elif far > far1:
            far1, far2, far1_rack = far, far1, r
        else:
            far2 = max(far2, far)
        near = finish_s[j] + near_s[k]
        if a == near1_machine[r]:
            near1[r] = max(near1[r], near)
        elif near > near1[r]:
            near1[r], near2[r], near1_machine[r] = near, near1[r], a
        else:
            near2[r] = max(near2[r], near)
    for m in range(out.size):
        out[m] = far2 if rack[m] == far1_rack else far1
    for k in range(parent_ptr[i], parent_ptr[i + 1]):
        j = parent[k]
        if replica[j] >= 0:
            continue
        a = machine[j]
        r = rack[a]
        if near1[r] > 0.0:
            for x in range(rack_ptr[r], rack_ptr[r + 1]):
                m = rack_machine[x]
                out[m] = max(out[m], near2[r] if m == near1_machine[r] else near1[r])
            near1[r], near2[r], near1_machine[r] = 0.0, 0.0, -1
        out[a] = max(out[a], finish_s[j])
    if replicated:
        _wait_for_replicated(i, edges, racks, copies, out)


@njit(cache=True, nogil=True)
def _wait_for_replicated(i, edges, racks, copies, out):
    """Delays `out` (p) to the first arrival from either copy of each replicated parent."""
    parent_ptr, parent, near_s, far_s = edges
    rack = racks[0]
    machine, finish_s, replica, replica_finish_s = copies
    for k in range(parent_ptr[i], parent_ptr[i + 1]):
        j = parent[k]
        if replica[j] < 0:
            continue
        a, b = machine[j], replica[j]
        for m in range(out.size):
            near, far = near_s[k], far_s[k]
            first = 0.0 if m == a else (near if rack[m] == rack[a] else far)
            second = 0.0 if m == b else (near if rack[m] == rack[b] else far)
            out[m] = max(out[m], min(finish_s[j] + first, replica_finish_s[j] + second))


@njit(cache=True, nogil=True)
def _first_equal(score, low):
    for m in range(score.size):
        if score[m] == low:
            return m
    return 0


@njit(cache=True, nogil=True)
def _next_best(score, taken):
    """The machine of lowest score but `taken`; -1 if there is no other of finite score."""
    best, low = -1, np.inf
    for m in range(score.size):
        if m != taken and score[m] < low:
            best, low = m, score[m]
    return best


@njit(cache=True, nogil=True)
def _scratch(racks):
    r = racks[1].size - 1
    return np.zeros(r), np.zeros(r), np.full(r, -1, np.int32)


@njit(cache=True, nogil=True, fastmath=_NO_NAN)
def decode_append(order, begin, end, edges, costs, racks, bias_s, duration_s, wants_replica, replica_limit, state):
    """Places the tasks `order[begin:end]`, each behind the last task of its machine.

    The machine of lowest score = EFT - bias_s wins. `bias_s` and `duration_s` are blocks
    (end - begin, p), or (0, 0) for none; `duration_s` replaces the duration of the cost model.
    `state` holds what is decided so far and is written to: copies (machine, finish_s, replica,
    replica_finish_s), start_s, replica_start_s, avail_s (p) and replicas (1).
    """
    copies, start_s, replica_start_s, avail_s, replicas = state
    machine, finish_s, replica, replica_finish_s = copies
    work_s, type_index, factor = costs
    p = avail_s.size
    out, eft, score, took = np.empty(p), np.empty(p), np.empty(p), np.empty(p)
    scratch = _scratch(racks)
    biased, stretched = bias_s.size > 0, duration_s.size > 0
    for q in range(begin, end):
        i = order[q]
        _arrival(i, edges, racks, copies, scratch, out)
        if stretched:
            for m in range(p):
                took[m] = duration_s[q - begin, m]
        else:
            work, row = work_s[i], factor[type_index[i]]
            for m in range(p):
                took[m] = work * row[m]
        low = np.inf
        if biased:
            bias = bias_s[q - begin]
            for m in range(p):
                eft[m] = max(out[m], avail_s[m]) + took[m]
                score[m] = eft[m] - bias[m]
                low = min(low, score[m])
        else:
            for m in range(p):
                score[m] = max(out[m], avail_s[m]) + took[m]
                low = min(low, score[m])
            eft = score
        best = _first_equal(score, low)
        machine[i] = best
        start_s[i] = max(out[best], avail_s[best])
        finish_s[i] = eft[best]
        if wants_replica.size > 0 and wants_replica[i] and replicas[0] < replica_limit:
            other = _next_best(score, best)
            if other >= 0:
                replica[i] = other
                replica_start_s[i] = max(out[other], avail_s[other])
                replica_finish_s[i] = eft[other]
                avail_s[other] = eft[other]
                replicas[0] += 1
        avail_s[best] = finish_s[i]


@njit(cache=True, nogil=True)
def finish_rows(order, begin, end, edges, costs, racks, copies, avail_s, rows_s):
    """Writes to `rows_s` (end - begin, p) when the tasks `order[begin:end]` of a plan would finish on each machine.

    Seen from the moment of each one's placement: all before it in `order` stand where the plan put them. `avail_s` (p)
    begins with zeros and goes from block to block.
    """
    machine, finish_s, replica, replica_finish_s = copies
    work_s, type_index, factor = costs
    p = avail_s.size
    out, scratch = np.empty(p), _scratch(racks)
    for q in range(begin, end):
        i = order[q]
        _arrival(i, edges, racks, copies, scratch, out)
        for m in range(p):
            rows_s[q - begin, m] = max(out[m], avail_s[m]) + work_s[i] * factor[type_index[i], m]
        avail_s[machine[i]] = finish_s[i]
        if replica[i] >= 0:
            avail_s[replica[i]] = replica_finish_s[i]


@njit(cache=True, nogil=True)
def decode_insertion(order, edges, costs, racks, bias_s):
    """Places the tasks in `order`, each into the earliest gap of its machine that is long enough.

    `bias_s` is (n, p) by place in `order`, or (0, 0). Returns machine, start_s and finish_s (n).
    """
    work_s, type_index, factor = costs
    n, p = order.size, factor.shape[1]
    machine, start_s, finish_s = np.full(n, -1, np.int32), np.zeros(n), np.zeros(n)
    copies = (machine, finish_s, np.full(n, -1, np.int32), np.zeros(n))
    out, scratch = np.empty(p), _scratch(racks)
    # The idle gaps of a machine are a linked list in time; the first p gaps are endless ones.
    gap_begin, gap_end = np.zeros(n + p), np.full(n + p, np.inf)
    after, head, gaps = np.full(n + p, -1, np.int64), np.arange(p), p
    for q in range(n):
        i = order[q]
        _arrival(i, edges, racks, copies, scratch, out)
        best, best_score, best_start, best_gap, best_before = 0, np.inf, 0.0, -1, -1
        for m in range(p):
            took = work_s[i] * factor[type_index[i], m]
            before, gap = -1, head[m]
            start = max(gap_begin[gap], out[m])
            while start + took > gap_end[gap] or start >= gap_end[gap]:  # the second: shorter than rounding shows
                before, gap = gap, after[gap]
                start = max(gap_begin[gap], out[m])
            score = start + took
            if bias_s.size > 0:
                score -= bias_s[q, m]
            if score < best_score:
                best, best_score, best_start, best_gap, best_before = m, score, start, gap, before
        finish = best_start + work_s[i] * factor[type_index[i], best]
        machine[i], start_s[i], finish_s[i] = best, best_start, finish
        if best_start > gap_begin[best_gap]:  # an idle part stays in front
            gap_begin[gaps], gap_end[gaps], after[gaps] = gap_begin[best_gap], best_start, best_gap
            if best_before < 0:
                head[best] = gaps
            else:
                after[best_before] = gaps
            gaps += 1
        gap_begin[best_gap] = finish  # an empty gap at the end fits nothing and is passed over
    return machine, start_s, finish_s


@njit(cache=True, nogil=True, fastmath=_NO_NAN)
def decode_batch(largest, edges, child_ptr, child, costs, racks):
    """Min-Min, or Max-Min if `largest`: of all ready tasks, the one whose best EFT is the smallest (largest).

    Equal ones: the lower task index. Returns order, machine, start_s and finish_s (n). A placement
    changes the best EFT of just those ready tasks that wanted its machine, so only they are computed anew.
    """
    parent_ptr = edges[0]
    work_s, type_index, factor = costs
    n, p = work_s.size, factor.shape[1]
    order, machine = np.empty(n, np.int32), np.full(n, -1, np.int32)
    start_s, finish_s, avail_s = np.zeros(n), np.zeros(n), np.zeros(p)
    copies = (machine, finish_s, np.full(n, -1, np.int32), np.zeros(n))
    out, score, scratch = np.empty(p), np.empty(p), _scratch(racks)
    ready, count = np.empty(n, np.int32), 0
    waiting = np.empty(n, np.int64)
    wish, wish_start, wish_finish = np.full(n, -1, np.int32), np.zeros(n), np.zeros(n)
    for i in range(n):
        waiting[i] = parent_ptr[i + 1] - parent_ptr[i]
        if waiting[i] == 0:
            ready[count] = i
            count += 1
    for q in range(n):
        chosen = -1
        for x in range(count):
            i = ready[x]
            if wish[i] < 0:
                _arrival(i, edges, racks, copies, scratch, out)
                work, row, low = work_s[i], factor[type_index[i]], np.inf
                for m in range(p):
                    score[m] = max(out[m], avail_s[m]) + work * row[m]
                    low = min(low, score[m])
                wish[i] = _first_equal(score, low)
                wish_start[i] = max(out[wish[i]], avail_s[wish[i]])
                wish_finish[i] = low
            if chosen >= 0:
                gain = wish_finish[i] - wish_finish[ready[chosen]]
                better = gain > 0.0 if largest else gain < 0.0
                if not better and not (gain == 0.0 and i < ready[chosen]):
                    continue
            chosen = x
        i = ready[chosen]
        count -= 1
        ready[chosen] = ready[count]
        order[q], machine[i], start_s[i], finish_s[i] = i, wish[i], wish_start[i], wish_finish[i]
        avail_s[wish[i]] = finish_s[i]
        for x in range(count):
            if wish[ready[x]] == wish[i]:
                wish[ready[x]] = -1
        for k in range(child_ptr[i], child_ptr[i + 1]):
            j = child[k]
            waiting[j] -= 1
            if waiting[j] == 0:
                ready[count] = j
                count += 1
    return order, machine, start_s, finish_s
