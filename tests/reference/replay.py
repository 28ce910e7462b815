"""A plan in one trace, copy by copy and failure by failure."""

from dataclasses import dataclass, field

from tests.reference.costs import SlowCosts
from tfrgnn.model.failures import FailureTraces
from tfrgnn.model.plan import Plan


@dataclass
class SlowRun:
    """What happened in one trace; `runs` are (task, machine, begin, end, lost)."""

    makespan: float = 0.0
    wasted: float = 0.0
    runs: list[tuple[int, int, float, float, bool]] = field(default_factory=list)


def replay(slow: SlowCosts, plan: Plan, traces: FailureTraces, trace: int) -> SlowRun:
    """Runs the plan; a machine takes its tasks in plan order and restarts a lost one after the repair."""
    result = SlowRun()
    avail = dict.fromkeys(slow.machines, 0.0)
    finish: dict[int, dict[int, float]] = {}
    for i in plan.order.tolist():
        finish[i] = {}
        for m in [int(plan.machine[i])] + ([int(plan.replica[i])] if plan.replica[i] >= 0 else []):
            now = avail[m]
            for j, size in slow.parents[i].items():
                now = max(now, min(done + slow.transfer(size, a, m) for a, done in finish[j].items()))
            took, lost = slow.duration(i, m), 0.0
            for down, up in traces.intervals(trace, m).tolist():
                if up <= now:
                    continue  # long repaired
                if down >= now + took:
                    break  # at the very instant of its finish, or later
                if down > now:
                    lost += down - now
                    result.runs.append((i, m, now, down, True))
                now = up
            result.wasted += lost  # summed by copy, so that the last bit is a rule and no accident
            result.runs.append((i, m, now, now + took, False))
            finish[i][m] = avail[m] = now + took
        result.makespan = max(result.makespan, min(finish[i].values()))
    return result
