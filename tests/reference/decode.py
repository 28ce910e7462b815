"""List-scheduling decodes, task by task and machine by machine."""

from dataclasses import dataclass, field

from tests.reference.costs import SlowCosts

Copy = tuple[int, float, float]  # machine, start, finish


@dataclass
class SlowPlan:
    """The copies of each task, the first one first, and the order they were placed in."""

    copies: dict[int, list[Copy]] = field(default_factory=dict)
    order: list[int] = field(default_factory=list)


def arrival(slow: SlowCosts, plan: SlowPlan, i: int, m: int) -> float:
    """When the last input of task i is on machine m; each comes from the copy that is first."""
    return max(
        (
            min(finish + slow.transfer(size, a, m) for a, _, finish in plan.copies[j])
            for j, size in slow.parents[i].items()
        ),
        default=0.0,
    )


def append(
    slow: SlowCosts,
    order: list[int],
    bias: list[list[float]] | None = None,
    duration: list[list[float]] | None = None,
    wants_replica: list[bool] | None = None,
    replica_limit: int = 0,
) -> SlowPlan:
    """The guided decode. `bias` and `duration` have a row per place in `order`."""
    plan = SlowPlan()
    avail = dict.fromkeys(slow.machines, 0.0)
    replicas = 0
    for place, i in enumerate(order):
        start = {m: max(arrival(slow, plan, i, m), avail[m]) for m in slow.machines}
        took = {m: duration[place][m] if duration else slow.duration(i, m) for m in slow.machines}
        score = {m: start[m] + took[m] - (bias[place][m] if bias else 0.0) for m in slow.machines}
        ranked = sorted(slow.machines, key=lambda m: (score[m], m))
        chosen = ranked[:1]
        wanted = wants_replica and wants_replica[i] and replicas < replica_limit
        if wanted and len(ranked) > 1 and score[ranked[1]] < float("inf"):
            chosen.append(ranked[1])
            replicas += 1
        plan.copies[i] = [(m, start[m], start[m] + took[m]) for m in chosen]
        plan.order.append(i)
        for m in chosen:
            avail[m] = start[m] + took[m]
    return plan


def insertion(slow: SlowCosts, order: list[int], bias: list[list[float]] | None = None) -> SlowPlan:
    """Each task into the earliest gap that holds it, on the machine of least score."""
    plan = SlowPlan()
    busy: dict[int, list[tuple[float, float]]] = {m: [] for m in slow.machines}
    for place, i in enumerate(order):
        best = None
        for m in slow.machines:
            took = slow.duration(i, m)
            start = _gap(busy[m], arrival(slow, plan, i, m), took)
            score = start + took - (bias[place][m] if bias else 0.0)
            if best is None or score < best[0]:
                best = score, m, start, start + took
        assert best is not None
        _, m, start, finish = best
        plan.copies[i] = [(m, start, finish)]
        plan.order.append(i)
        busy[m] = sorted([*busy[m], (start, finish)])
    return plan


def _gap(busy: list[tuple[float, float]], ready: float, took: float) -> float:
    free = 0.0
    for begin, end in busy:
        start = max(free, ready)
        if start + took <= begin and start < begin:
            return start
        free = end
    return max(free, ready)


def batch(slow: SlowCosts, largest: bool) -> SlowPlan:
    """Min-Min and Max-Min with every best finish computed anew at every step."""
    plan = SlowPlan()
    avail = dict.fromkeys(slow.machines, 0.0)
    left = set(slow.tasks)
    while left:
        wishes = []
        for i in sorted(left):
            if any(j in left for j in slow.parents[i]):
                continue
            starts = {m: max(arrival(slow, plan, i, m), avail[m]) for m in slow.machines}
            m = min(slow.machines, key=lambda m: (starts[m] + slow.duration(i, m), m))
            wishes.append((starts[m] + slow.duration(i, m), i, m, starts[m]))
        finish, i, m, start = min(wishes, key=lambda wish: (-wish[0] if largest else wish[0], wish[1]))
        plan.copies[i] = [(m, start, finish)]
        plan.order.append(i)
        avail[m] = finish
        left.remove(i)
    return plan
