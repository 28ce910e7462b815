"""The teacher: per scenario the best of the paper's portfolio by expected makespan; labels are cached by content."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from tfrgnn.costs.estimates import Estimates
from tfrgnn.costs.timeline import failure_free_times
from tfrgnn.evaluation.oracle import PORTFOLIO, best_in_hindsight
from tfrgnn.evaluation.simulate import draw_traces
from tfrgnn.formats.files import write_bytes
from tfrgnn.model.plan import Plan
from tfrgnn.processes import in_processes
from tfrgnn.provenance import code_hash
from tfrgnn.schedulers.catalogue import parse_method
from tfrgnn.schedulers.planning import plan_with
from tfrgnn.simulation.replay import run_plan
from tfrgnn.training.scenarios import Recipe

TRACES = 40


@dataclass(frozen=True, eq=False)
class Label:
    """What the teacher did: the member it chose, and its machines and replicas by task (n)."""

    member: str
    machine: NDArray[np.int32]
    replica: NDArray[np.int32]

    def plan(self, estimates: Estimates) -> Plan:
        """The teacher's plan; all members share the upward-rank order."""
        costs = estimates.costs
        order = plan_with(estimates, parse_method("heft")).order
        start_s, finish_s, *replica_s = failure_free_times(costs, order, self.machine, self.replica)
        scenario = estimates.scenario
        return Plan(
            scenario, self.member, order, self.machine, self.replica, start_s, finish_s, replica_s[0], replica_s[1]
        )


def teach(recipe: Recipe) -> Label:
    """The best member on the recipe's own traces."""
    estimates = recipe.estimates()
    costs = estimates.costs
    traces = draw_traces(estimates.scenario, costs, TRACES, recipe.trace_seed)
    plans = {member: plan_with(estimates, parse_method(member)) for member in PORTFOLIO}
    best = best_in_hindsight({member: run_plan(plan, traces, costs) for member, plan in plans.items()})
    return Label(best, plans[best].machine, plans[best].replica)


class Labels:
    """The labels of recipes, made in parallel processes and kept in a folder by content."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def prepare(self, recipes: Sequence[Recipe], progress: Callable[[int], None]) -> None:
        """Makes what is not there yet; an interruption loses nothing that was made."""
        self._folder.mkdir(parents=True, exist_ok=True)
        missing = [recipe for recipe in dict.fromkeys(recipes) if not self._path(recipe).exists()]
        progress(len(recipes) - len(missing))
        with in_processes(teach, missing) as labels:
            for recipe, label in labels:
                self._keep(recipe, label)
                progress(1)

    def __getitem__(self, recipe: Recipe) -> Label:
        stored = tuple[str, list[int], list[int]]
        try:
            member, machine, replica = msgspec.msgpack.decode(self._path(recipe).read_bytes(), type=stored)
        except msgspec.DecodeError:  # damaged: what can be made again is no reason to stop
            return self._keep(recipe, teach(recipe))
        return Label(member, np.array(machine, np.int32), np.array(replica, np.int32))

    def _keep(self, recipe: Recipe, label: Label) -> Label:
        content = (label.member, label.machine.tolist(), label.replica.tolist())
        write_bytes(self._path(recipe), msgspec.msgpack.encode(content))
        return label

    def _path(self, recipe: Recipe) -> Path:
        """Named by all that the label depends on: the scenario's content, traces, portfolio and code."""
        scenario = recipe.estimates().scenario
        content = (
            scenario.workflow.content_hash, scenario.cluster.content_hash, scenario.scale, recipe.trace_seed, TRACES,
            PORTFOLIO, code_hash("training"),
        )  # fmt: skip
        return self._folder / f"{hashlib.sha256(repr(content).encode()).hexdigest()[:32]}.label"
