"""Compares methods on workflows and scales, all in the same traces."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from time import perf_counter
from typing import Any

from tfrgnn import __version__
from tfrgnn.costs.costs import Costs
from tfrgnn.costs.estimates import Estimates
from tfrgnn.errors import InputError
from tfrgnn.evaluation.oracle import ORACLE, PORTFOLIO, best_in_hindsight
from tfrgnn.evaluation.simulate import draw_traces
from tfrgnn.model.cluster import Cluster, LognormalAffinity
from tfrgnn.model.failures import FailureModel, FailureTraces
from tfrgnn.model.plan import Plan
from tfrgnn.model.scenario import Scenario
from tfrgnn.model.workflow import WORK_FLOOR_S, Task, Workflow
from tfrgnn.schedulers.catalogue import MethodCall, parse_method, split_methods
from tfrgnn.schedulers.planning import plan_with
from tfrgnn.simulation.outcome import Outcome, paired_difference, ratio
from tfrgnn.simulation.replay import run_plan

DEFAULT_METHODS = ("heft", "r-heft", "ft-heft", "tfr-gnn", "reliable-heft", ORACLE)


@dataclass(frozen=True)
class Row:
    """One method on one workflow at one scale; seconds, means over the traces unless the name says otherwise.

    The hashes name the content of workflow and cluster, which may share names with others.

    `kind` is `method`, or `bound` for the oracle, whose `chosen` member is named. The intervals are 95 %;
    `ratio_to_heft` and `difference_to_heft_s` are paired, trace by trace; None where one trace gives no interval.
    """

    workflow: str
    tasks: int
    edges: int
    cluster: str
    machines: int
    workflow_hash: str
    cluster_hash: str
    scale: float
    method: str
    kind: str
    chosen: str | None
    planned_makespan_s: float
    mean_makespan_s: float
    ci95_low_s: float | None
    ci95_high_s: float | None
    p95_s: float
    p99_s: float
    cvar95_s: float
    ratio_to_heft: float
    ratio_ci95_low: float | None
    ratio_ci95_high: float | None
    difference_to_heft_s: float
    difference_ci95_low_s: float | None
    difference_ci95_high_s: float | None
    wasted_s: float
    redundant_s: float
    utilisation: float
    past_horizon_share: float
    horizon_s: float
    plan_ms: float
    simulate_ms: float
    traces: int
    seed: int
    version: str


@dataclass(frozen=True, eq=False)
class Comparison:
    """The rows of a comparison, the settings behind them, and each row's makespans in all traces."""

    rows: tuple[Row, ...]
    settings: dict[str, Any]
    outcomes: tuple[Outcome, ...] = field(repr=False)


def compare(
    workflows: Sequence[Workflow],
    cluster: Cluster,
    methods: Sequence[str] | str = DEFAULT_METHODS,
    scales: Iterable[float] = (0.0, 1.0, 2.0, 4.0),
    traces: int = 40,
    seed: int = 0,
    progress: Callable[[int], None] | None = None,
    horizon_factor: float = FailureModel.horizon_factor,
) -> Comparison:
    """A row for each workflow, scale and method; `progress` is told after each row.

    A name in `methods` may carry options, as `r-heft[beta=3]`. Common random numbers: every method of a scenario
    meets the same traces, and HEFT is always run for reference.
    """
    calls = _parse(methods)
    scales = tuple(dict.fromkeys(scales))
    if not workflows or not calls or not scales:
        raise InputError("nothing to compare; give at least one workflow, one method and one scale")
    _check_names(workflows)
    _load_kernels(cluster, calls)
    rows, outcomes = [], []
    for workflow in workflows:
        costs = Costs(workflow, cluster)
        for scale in scales:
            failures = FailureModel(scale, horizon_factor)
            cell = _Cell(Scenario(workflow, cluster, failures), costs, traces, seed)
            for name, call in calls.items():
                row, outcome = cell.row(name, call)
                rows.append(row)
                outcomes.append(outcome)
                if progress:
                    progress(1)
    return Comparison(tuple(rows), settings_of(cluster, traces, seed, horizon_factor), tuple(outcomes))


def settings_of(cluster: Cluster, traces: int, seed: int, horizon_factor: float) -> dict[str, Any]:
    """The constants that a result depends on, to be printed beside it."""
    return {
        "cluster": cluster.name,
        "machines": len(cluster.machines),
        "volatile_machines": int(cluster.volatile.sum()),
        "racks": len(cluster.rack_names),
        "network": asdict(cluster.network),
        "repair": asdict(cluster.repair),
        "affinity": affinity_text(cluster),
        "horizon_factor": horizon_factor,
        "work_floor_s": WORK_FLOOR_S,
        "traces": traces,
        "seed": seed,
        "version": __version__,
    }


def affinity_text(cluster: Cluster) -> str:
    """The affinity law of a cluster in a few words."""
    if isinstance(cluster.affinity, LognormalAffinity):
        return f"log-normal, sigma {cluster.affinity.sigma:g}, seed {cluster.affinity.seed}"
    return f"a table of {len(cluster.affinity.table)} types"


def _parse(methods: Sequence[str] | str) -> dict[str, MethodCall | None]:
    """The methods by their canonical names, each once; None for the oracle."""
    texts = split_methods(methods) if isinstance(methods, str) else methods
    calls = [None if text.strip() == ORACLE else parse_method(text) for text in texts]
    return {ORACLE if call is None else str(call): call for call in calls}


def _check_names(workflows: Sequence[Workflow]) -> None:
    names = [workflow.name for workflow in workflows]
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"two workflows are named {name!r}; give one another name (dataclasses.replace)")


def _load_kernels(cluster: Cluster, calls: Mapping[str, MethodCall | None]) -> None:
    """Runs every method once on two tasks, so that no row's `plan_ms` holds the loading of compiled code."""
    tiny = Workflow.from_tasks("tiny", [Task("a", 1.0), Task("b", 1.0)], [("a", "b", 1)])
    cell = _Cell(Scenario(tiny, cluster), Costs(tiny, cluster), 1, 0)
    for name, call in calls.items():
        cell.row(name, call)


@dataclass(frozen=True, eq=False)
class _Run:
    plan: Plan
    outcome: Outcome
    plan_ms: float
    simulate_ms: float


class _Cell:
    """One scenario in its traces; each plan is made and run once, whoever asks for it."""

    def __init__(self, scenario: Scenario, costs: Costs, traces: int, seed: int) -> None:
        self._estimates = Estimates(scenario, costs)
        self._traces: FailureTraces = draw_traces(scenario, costs, traces, seed)
        self._seed = seed
        self._runs: dict[str, _Run] = {}

    def row(self, name: str, call: MethodCall | None) -> tuple[Row, Outcome]:
        chosen = self._oracle() if call is None else None
        run, heft = self._run(call or parse_method(chosen or name)), self._run(parse_method("heft"))
        scenario, outcome = self._estimates.scenario, run.outcome
        mean, against = outcome.mean_makespan_s, ratio(outcome, heft.outcome)
        difference = paired_difference(outcome, heft.outcome)
        row = Row(
            workflow=scenario.workflow.name,
            tasks=scenario.workflow.tasks,
            edges=scenario.workflow.edges,
            cluster=scenario.cluster.name,
            machines=len(scenario.cluster.machines),
            workflow_hash=scenario.workflow.content_hash,
            cluster_hash=scenario.cluster.content_hash,
            scale=scenario.scale,
            method=name,
            kind="bound" if chosen else "method",
            chosen=chosen,
            planned_makespan_s=run.plan.planned_makespan_s,
            mean_makespan_s=mean.mean,
            ci95_low_s=mean.low,
            ci95_high_s=mean.high,
            p95_s=outcome.quantile_s(0.95),
            p99_s=outcome.quantile_s(0.99),
            cvar95_s=outcome.cvar95_s,
            ratio_to_heft=against.mean,
            ratio_ci95_low=against.low,
            ratio_ci95_high=against.high,
            difference_to_heft_s=difference.mean,
            difference_ci95_low_s=difference.low,
            difference_ci95_high_s=difference.high,
            wasted_s=outcome.mean_wasted_s,
            redundant_s=outcome.redundant_s,
            utilisation=outcome.utilisation,
            past_horizon_share=outcome.past_horizon_share,
            horizon_s=outcome.horizon_s,
            plan_ms=run.plan_ms if not chosen else sum(self._run(parse_method(m)).plan_ms for m in PORTFOLIO),
            simulate_ms=run.simulate_ms
            if not chosen
            else sum(self._run(parse_method(m)).simulate_ms for m in PORTFOLIO),
            traces=self._traces.count,
            seed=self._seed,
            version=__version__,
        )
        return row, outcome

    def _oracle(self) -> str:
        return best_in_hindsight({member: self._run(parse_method(member)).outcome for member in PORTFOLIO})

    def _run(self, call: MethodCall) -> _Run:
        name = str(call)
        if name not in self._runs:
            before = perf_counter()
            plan = plan_with(self._estimates, call)
            planned = perf_counter()
            outcome = run_plan(plan, self._traces, self._estimates.costs)
            self._runs[name] = _Run(plan, outcome, 1e3 * (planned - before), 1e3 * (perf_counter() - planned))
        return self._runs[name]
