"""Makes a plan: a scenario and a method in, a `Plan` out."""

from tfrgnn.costs.estimates import Estimates
from tfrgnn.costs.fit import check_fit
from tfrgnn.errors import InputError, PlanError
from tfrgnn.model.cluster import Cluster
from tfrgnn.model.failures import FailureModel
from tfrgnn.model.plan import Plan
from tfrgnn.model.scenario import Scenario
from tfrgnn.model.workflow import Workflow
from tfrgnn.schedulers.catalogue import MethodCall, parse_method
from tfrgnn.schedulers.decoding import Placement


def plan(workflow: Workflow, cluster: Cluster, method: str = "heft", scale: float = 0.0) -> Plan:
    """The plan that `method` (as `r-heft[beta=3]`) makes, expecting failures at `scale` times the machines' rates."""
    if method.startswith("oracle"):
        raise InputError("oracle is a bound, chosen in hindsight on the traces of a comparison; use compare")
    scenario = Scenario(workflow, cluster, FailureModel(scale=scale))
    return plan_with(Estimates.of(scenario), parse_method(method))


def plan_with(estimates: Estimates, call: MethodCall) -> Plan:
    """The same from parsed parts, so that one set of costs can serve many plans."""
    placement = call.place(estimates)
    if not isinstance(placement, Placement):
        raise InputError(f"method {call}: must return a Placement, as list_schedule does, not {placement!r:.40}")
    try:
        made = Plan(scenario=estimates.scenario, method=str(call), **vars(placement))
        if not call.method.built_in:
            check_fit(made, estimates.costs)
    except PlanError as error:
        raise PlanError(f"method {call}: {error}") from None
    return made
