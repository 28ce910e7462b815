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
    progress: Callable[[int], None] | None = None,
) -> Outcome:
    """The plan's outcome in `traces` failure traces drawn from `seed`, at the plan's own scale by default."""
    costs = Costs(plan.scenario.workflow, plan.scenario.cluster)
    return run_plan(plan, draw_traces(plan.scenario, costs, traces, seed, scale), costs, progress)


def draw_traces(scenario: Scenario, costs: Costs, count: int, seed: int, scale: float | None = None) -> FailureTraces:
    """Traces for a scenario, as far as its horizon."""
    failures = scenario.failures if scale is None else replace(scenario.failures, scale=scale)
    return sample_traces(scenario.cluster, failures.scale, horizon_s(costs, failures), count, seed)


def horizon_s(costs: Costs, failures: FailureModel) -> float:
    """How far the traces reach: a multiple of the failure-free HEFT makespan."""
    calm = Scenario(costs.workflow, costs.cluster, replace(failures, scale=0.0))
    heft = plan_with(Estimates(calm, costs), parse_method("heft"))
    return failures.horizon_factor * heft.planned_makespan_s
