"""Ranks from their recursions."""

from functools import cache

from tests.reference.costs import SlowCosts


def upward_rank(slow: SlowCosts, mean_cost: list[float], mean_transfer: dict[tuple[int, int], float]) -> list[float]:
    @cache
    def rank(i: int) -> float:
        return mean_cost[i] + max((mean_transfer[i, j] + rank(j) for j in slow.children[i]), default=0.0)

    return [rank(i) for i in slow.tasks]


def downward_rank(slow: SlowCosts, mean_cost: list[float], mean_transfer: dict[tuple[int, int], float]) -> list[float]:
    @cache
    def rank(i: int) -> float:
        return max((rank(j) + mean_cost[j] + mean_transfer[j, i] for j in slow.parents[i]), default=0.0)

    return [rank(i) for i in slow.tasks]


def optimistic_cost_table(slow: SlowCosts, mean_transfer: dict[tuple[int, int], float]) -> list[list[float]]:
    """The published definition, with the minimum over all machines for each machine: O(e p^2)."""

    @cache
    def oct_row(i: int, m: int) -> float:
        return max(
            (
                min(
                    oct_row(j, q) + slow.duration(j, q) + (0.0 if q == m else mean_transfer[i, j])
                    for q in slow.machines
                )
                for j in slow.children[i]
            ),
            default=0.0,
        )

    return [[oct_row(i, m) for m in slow.machines] for i in slow.tasks]


def list_order(slow: SlowCosts, priority: list[float]) -> list[int]:
    """Of the ready tasks the one of highest priority, the lower index among equals, again and again."""
    done: list[int] = []
    left = set(slow.tasks)
    while left:
        ready = [i for i in sorted(left) if all(j not in left for j in slow.parents[i])]
        best = max(ready, key=lambda i: priority[i])
        done.append(best)
        left.remove(best)
    return done
