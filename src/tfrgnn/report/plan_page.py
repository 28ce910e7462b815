"""The page of a plan: its Gantt chart, one simulated trace beside it, and the distribution of the makespan."""

from collections.abc import Callable
from dataclasses import replace
from html import escape
from typing import Any

import numpy as np

from tfrgnn.costs.costs import Costs
from tfrgnn.costs.explain import explain
from tfrgnn.evaluation.simulate import draw_traces
from tfrgnn.model.failures import FailureModel, FailureTraces
from tfrgnn.model.plan import NO_MACHINE, Plan
from tfrgnn.report.page import MANY, facts, page
from tfrgnn.report.palette import type_colours
from tfrgnn.simulation.outcome import Outcome
from tfrgnn.simulation.replay import TraceRun, run_plan, run_trace

PLAIN, REPLICA, LOST = range(3)  # kinds of bars, as in assets/gantt.js


def plan_page(
    plan: Plan,
    traces: int = 200,
    seed: int = 0,
    horizon_factor: float = FailureModel.horizon_factor,
    progress: Callable[[int], None] = lambda count: None,
) -> str:
    """The HTML of a plan's page, from `traces` failure traces at the plan's scale.

    `progress` is told of each trace when it is drawn, and again when it is replayed.
    """
    scenario = replace(plan.scenario, failures=replace(plan.scenario.failures, horizon_factor=horizon_factor))
    costs = Costs(scenario.workflow, scenario.cluster)
    drawn = draw_traces(scenario, costs, traces, seed, progress)
    outcome = run_plan(plan, drawn, costs, progress)
    shown = int(np.argsort(outcome.makespan_s, kind="stable")[traces // 2])
    run = run_trace(plan, drawn, shown, costs)
    data = {
        "machines": _machines(plan),
        "types": list(scenario.workflow.type_names),
        "colours": type_colours(scenario.workflow.type_names),
        "tasks": _tasks(plan, costs),
        "planned": _planned_bars(plan),
        "trace": _trace_bars(plan, run),
        "down": _down(drawn, shown, run.makespan_s),
        "planned_makespan_s": plan.planned_makespan_s,
        "makespans_s": outcome.makespan_s.tolist(),
        "mean_s": outcome.mean_makespan_s.mean,
        "p95_s": outcome.quantile_s(0.95),
    }
    title = f"{plan.method} plan of {scenario.workflow.name} on {scenario.cluster.name}"
    return page(title, _body(title, plan, outcome, shown, seed), data, ("gantt.js", "plan.js"))


def _body(title: str, plan: Plan, outcome: Outcome, shown: int, seed: int) -> str:
    scenario, mean = plan.scenario, outcome.mean_makespan_s
    low, high = (mean.mean if bound is None else bound for bound in (mean.low, mean.high))
    cluster = scenario.cluster
    rows = [
        ("tasks", f"{scenario.workflow.tasks}"),
        ("machines", f"{len(cluster.machines)}, {int(cluster.volatile.sum())} volatile"),
        ("replicas", f"{plan.replicas}"),
        ("scale", f"{scenario.scale:g}"),
        ("planned makespan", f"{plan.planned_makespan_s:.5g} s"),
        ("mean makespan", f"{mean.mean:.5g} s ({low:.5g} .. {high:.5g})"),
        ("P95", f"{outcome.quantile_s(0.95):.5g} s"),
        ("CVaR95", f"{outcome.cvar95_s:.5g} s"),
        ("wasted", f"{outcome.mean_wasted_s:.5g} s"),
        ("past horizon", f"{outcome.past_horizon_share:.0%} of {outcome.makespan_s.size} traces"),
    ]
    past = outcome.past_horizon_share
    warning = "" if past <= MANY else (
        f" <strong>In {past:.0%} of them the plan ran past the horizon at {outcome.horizon_s:.5g} s, where nothing "
        "fails any more: the mean is too low.</strong>"
    )  # fmt: skip
    nothing = " At scale 0 nothing fails, so the trace is the plan." if scenario.scale == 0 else ""
    return f"""<header><h1>{escape(title)}</h1>{facts(rows)}</header>
<main>
<div id="legend" class="legend"></div>
<div class="pair">
<figure><figcaption>The plan, as it runs when nothing fails</figcaption><div id="planned" class="gantt"></div></figure>
<figure><figcaption>Trace {shown} of seed {seed}, the median one: failures and lost work drawn in.{nothing}</figcaption>
<div id="trace" class="gantt"></div></figure>
</div>
<p class="hint">Wheel: zoom in time. Drag: move. Double click: all. Point at a task: its times, why it is there.</p>
<figure><figcaption>Makespan over all traces.{warning}</figcaption><div id="distribution" class="chart"></div></figure>
</main>"""


def _machines(plan: Plan) -> list[dict[str, Any]]:
    cluster = plan.scenario.cluster
    return [
        {"name": m.name, "speed": m.speed, "rack": m.rack, "mtbf_s": m.mtbf_s, "volatile": bool(volatile)}
        for m, volatile in zip(cluster.machines, cluster.volatile, strict=True)
    ]


def _tasks(plan: Plan, costs: Costs) -> dict[str, Any]:
    """Ids, types and reasons by task index; the runner-up is -1 where there is none."""
    workflow, why = plan.scenario.workflow, explain(plan, costs)
    known = {"id": list(workflow.task_ids), "type": workflow.type_index.tolist()}
    if why is None:
        return {**known, "other": None}
    return {
        **known,
        "finish_s": _short(why.finish_s),
        "earliest_finish_s": _short(why.earliest_finish_s),
        "other": why.runner_up.tolist(),
        "other_finish_s": _short(np.where(np.isfinite(why.runner_up_finish_s), why.runner_up_finish_s, -1.0)),
        "terms": {name: _short(values) for name, values in why.terms.items()},
        "other_terms": {name: _short(values) for name, values in why.runner_up_terms.items()},
    }


def _planned_bars(plan: Plan) -> dict[str, Any]:
    twice = np.flatnonzero(plan.replica != NO_MACHINE)
    n = plan.order.size
    return {
        "task": [*range(n), *twice.tolist()],
        "machine": [*plan.machine.tolist(), *plan.replica[twice].tolist()],
        "begin": _short(np.concatenate([plan.start_s, plan.replica_start_s[twice]])),
        "end": _short(np.concatenate([plan.finish_s, plan.replica_finish_s[twice]])),
        "kind": [PLAIN] * n + [REPLICA] * twice.size,
    }


def _trace_bars(plan: Plan, run: TraceRun) -> dict[str, Any]:
    kind = np.where(run.lost, LOST, np.where(run.machine == plan.replica[run.task], REPLICA, PLAIN))
    return {
        "task": run.task.tolist(),
        "machine": run.machine.tolist(),
        "begin": _short(run.begin_s),
        "end": _short(run.end_s),
        "kind": kind.tolist(),
    }


def _down(traces: FailureTraces, trace: int, end_s: float) -> dict[str, Any]:
    """The down intervals of one trace until its end."""
    machine, begin, end = [], [], []
    for m in range(traces.machines):
        for down, up in traces.intervals(trace, m).tolist():
            if down < end_s:
                machine.append(m)
                begin.append(down)
                end.append(up)
    return {"machine": machine, "begin": _short(np.array(begin)), "end": _short(np.array(end))}


def _short(values: np.ndarray[Any, Any]) -> list[float]:
    """Seven digits are more than a screen can show, and half the page."""
    return [float(f"{value:.7g}") for value in values.tolist()]
