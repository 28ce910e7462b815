"""Simulates one plan."""

from collections.abc import Callable
from dataclasses import replace

from tfrgnn.costs.costs import Costs
from tfrgnn.costs.estimates import Estimates
from tfrgnn.model.failures import FailureModel, FailureTraces
from tfrgnn.model.plan import Plan
from tfrgnn.model.scenario import Scenario
from tfrgnn.schedulers.catalogue import parse_method
from tfrgnn.schedulers.planning import plan_with
from tfrgnn.simulation.outcome import Outcome
from tfrgnn.simulation.replay import run_plan
from tfrgnn.simulation.sampling import sample_traces


def simulate(
    plan: Plan,
    traces: int = 40,
    seed: int = 0,
    scale: float | None = None,
    progress: Callable[[int], None] = lambda count: None,
    horizon_factor: float | None = None,
) -> Outcome:
    """The plan's outcome in `traces` failure traces drawn from `seed`.

    Scale and horizon (in failure-free HEFT makespans) are those of the plan's scenario by default. `progress` is told
    of each trace when it is drawn, and again when it is replayed.
    """
    scenario, costs = plan.scenario, Costs(plan.scenario.workflow, plan.scenario.cluster)
    given = {"scale": scale, "horizon_factor": horizon_factor}
    failures = replace(scenario.failures, **{name: value for name, value in given.items() if value is not None})
    drawn = draw_traces(replace(scenario, failures=failures), costs, traces, seed, progress)
    return run_plan(plan, drawn, costs, progress)


def draw_traces(
    scenario: Scenario, costs: Costs, count: int, seed: int, progress: Callable[[int], None] = lambda count: None
) -> FailureTraces:
    """Traces for a scenario, as far as its horizon."""
    failures = scenario.failures
    return sample_traces(scenario.cluster, failures.scale, horizon_s(costs, failures), count, seed, progress)


def horizon_s(costs: Costs, failures: FailureModel) -> float:
    """How far the traces reach: a multiple of the failure-free HEFT makespan."""
    calm = Scenario(costs.workflow, costs.cluster, replace(failures, scale=0.0))
    heft = plan_with(Estimates(calm, costs), parse_method("heft"))
    return failures.horizon_factor * heft.planned_makespan_s
