"""Ranks of tasks along the DAG: upward, downward, and PEFT's optimistic cost table.

Shapes: n tasks, e edges, p machines, t task types. `order` is a topological order of the tasks.
Edges stand in parent order (`child_ptr`, `child`) or in child order (`parent_ptr`, `parent`);
`child_edge` gives the place of an edge of the first in the second. `mean_transfer_s` (e) stands in child order.
"""

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def upward_rank(order, child_ptr, child, child_edge, mean_cost_s, mean_transfer_s):
    """rank_u(i) = w(i) + max over children j of (c(i,j) + rank_u(j)), the longest way to an exit."""
    rank = np.empty(order.size)
    for q in range(order.size - 1, -1, -1):
        i = order[q]
        longest = 0.0
        for k in range(child_ptr[i], child_ptr[i + 1]):
            way = mean_transfer_s[child_edge[k]] + rank[child[k]]
            longest = max(longest, way)
        rank[i] = mean_cost_s[i] + longest
    return rank


@njit(cache=True, nogil=True)
def downward_rank(order, parent_ptr, parent, mean_cost_s, mean_transfer_s):
    """rank_d(i) = max over parents j of (rank_d(j) + w(j) + c(j,i)), the longest way from an entry."""
    rank = np.empty(order.size)
    for q in range(order.size):
        i = order[q]
        longest = 0.0
        for k in range(parent_ptr[i], parent_ptr[i + 1]):
            j = parent[k]
            longest = max(longest, rank[j] + mean_cost_s[j] + mean_transfer_s[k])
        rank[i] = longest
    return rank


@njit(cache=True, nogil=True)
def optimistic_cost_table(order, child_ptr, child, child_edge, work_s, type_index, factor, mean_transfer_s):
    """OCT(i,m) = max over children j of min over machines q of (OCT(j,q) + w(j,q) + c(i,j) [m != q]).

    Under a mean transfer time the minimum over the other machines is one number per child, its
    cheapest way anywhere: so O(e p) and not O(e p^2). (That the number may come from m itself does no
    harm, since staying there without transfer is cheaper still.)
    """
    machines = factor.shape[1]
    table = np.zeros((order.size, machines))
    way = np.empty((order.size, machines))
    cheapest = np.empty(order.size)
    for q in range(order.size - 1, -1, -1):
        i = order[q]
        row = table[i]
        for k in range(child_ptr[i], child_ptr[i + 1]):
            j = child[k]
            moved = cheapest[j] + mean_transfer_s[child_edge[k]]
            stay = way[j]
            for m in range(machines):
                row[m] = max(row[m], min(stay[m], moved))
        low = np.inf
        for m in range(machines):
            way[i, m] = row[m] + work_s[i] * factor[type_index[i], m]
            low = min(low, way[i, m])
        cheapest[i] = low
    return table
