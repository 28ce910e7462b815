"""The order in which a list scheduler takes the tasks."""

import heapq

import numpy as np
from numba import njit


def list_order(priority, parent_ptr, parent, child_ptr, child):
    """The ready task of highest priority first, the lower index among equals: int32 (n).

    A plain sort is that order whenever it puts no child before its parent, as with upward ranks.
    """
    sorted_order = np.argsort(-priority, kind="stable").astype(np.int32)
    if is_topological(sorted_order, parent_ptr, parent):
        return sorted_order
    return ready_order(priority, parent_ptr, child_ptr, child)


@njit(cache=True, nogil=True)
def is_topological(order, parent_ptr, parent):
    """Whether every task stands behind all its parents."""
    place = np.empty(order.size, np.int32)
    for q in range(order.size):
        place[order[q]] = q
    for i in range(order.size):
        for k in range(parent_ptr[i], parent_ptr[i + 1]):
            if place[parent[k]] > place[i]:
                return False
    return True


@njit(cache=True, nogil=True)
def ready_order(priority, parent_ptr, child_ptr, child):
    """`list_order` for any priority, with a heap of the ready tasks."""
    n = priority.size
    waiting = np.empty(n, np.int64)
    ready = [(0.0, np.int64(0)) for _ in range(0)]
    for i in range(n):
        waiting[i] = parent_ptr[i + 1] - parent_ptr[i]
        if waiting[i] == 0:
            heapq.heappush(ready, (-priority[i], np.int64(i)))
    order = np.empty(n, np.int32)
    for q in range(n):
        i = heapq.heappop(ready)[1]
        order[q] = i
        for k in range(child_ptr[i], child_ptr[i + 1]):
            j = child[k]
            waiting[j] -= 1
            if waiting[j] == 0:
                heapq.heappush(ready, (-priority[j], np.int64(j)))
    return order
