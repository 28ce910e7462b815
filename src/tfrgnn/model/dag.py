"""The order of a DAG: topological order, levels, and the cycle that stands in the way of one."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tfrgnn.errors import CycleError

if TYPE_CHECKING:
    from tfrgnn.model.workflow import Workflow

_SHOWN = 8


def topological_order(workflow: "Workflow") -> NDArray[np.int32]:
    """Every task behind its parents; the tasks' own order where that is one already."""
    n = workflow.tasks
    if np.all(workflow.edge_parent < workflow.edge_child):
        return np.arange(n, dtype=np.int32)
    waiting = np.diff(workflow.parent_ptr).tolist()
    ptr, child = workflow.child_ptr.tolist(), workflow.child.tolist()
    order = [i for i in range(n) if waiting[i] == 0]
    for i in order:  # grows while it is read
        for j in child[ptr[i] : ptr[i + 1]]:
            waiting[j] -= 1
            if waiting[j] == 0:
                order.append(j)
    if len(order) < n:
        raise CycleError(f"workflow {workflow.name!r} has a cycle: {_cycle(workflow, waiting)}")
    return np.array(order, np.int32)


def levels(workflow: "Workflow") -> NDArray[np.int32]:
    """Edges on the longest way from an entry to each task (n)."""
    level = [0] * workflow.tasks
    ptr, parent = workflow.parent_ptr.tolist(), workflow.edge_parent.tolist()
    for i in workflow.order.tolist():
        for j in parent[ptr[i] : ptr[i + 1]]:
            if level[j] >= level[i]:
                level[i] = level[j] + 1
    return np.array(level, np.int32)


def _cycle(workflow: "Workflow", waiting: list[int]) -> str:
    """One cycle among the tasks that still wait: each has a parent that waits too, so walk up until one comes twice."""
    ptr, parent = workflow.parent_ptr, workflow.edge_parent
    i = next(i for i, count in enumerate(waiting) if count > 0)
    seen: dict[int, int] = {}
    walk: list[int] = []
    while i not in seen:
        seen[i] = len(walk)
        walk.append(i)
        i = next(j for j in parent[ptr[i] : ptr[i + 1]].tolist() if waiting[j] > 0)
    names = [workflow.task_ids[j] for j in reversed(walk[seen[i] :])]
    names.append(names[0])
    if len(names) > _SHOWN:
        names = [*names[: _SHOWN - 1], f"... ({len(names) - _SHOWN} more)", names[-1]]
    return " -> ".join(names)
