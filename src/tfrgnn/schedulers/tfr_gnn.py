"""TFR-GNN: HEFT's decode, guided by a small graph network distilled from a portfolio of heuristics."""

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tfrgnn.costs.estimates import Estimates
from tfrgnn.errors import InputError
from tfrgnn.model.plan import Plan
from tfrgnn.schedulers.catalogue import scheduler
from tfrgnn.schedulers.decoding import Placement, list_schedule, replica_limit

if TYPE_CHECKING:
    from tfrgnn.policy.forward import Guidance
    from tfrgnn.policy.weights import Weights


@scheduler(
    "tfr-gnn",
    summary="HEFT guided by a learned policy; exactly HEFT when nothing fails",
    paper="Yang, Zeng, Yang: TFR-GNN, section 4",
)
def tfr_gnn(estimates: Estimates, *, preset: str = "", weights: str = "", budget: float = 0.1) -> Placement:
    """Bias a(s) theta tanh(cross) - gamma kappa delta and gated replicas from the network's forward pass.

    `preset` is the default one if it is not given, which may change one day. `weights` is a file of your own training
    in place of the shipped weights; a `preset` beside it must be its own. `budget` is the share of tasks that may get
    a replica. At scale 0 the gate a(s), the downtimes and so all biases are exactly zero.
    """
    from tfrgnn.policy.presets import DEFAULT_PRESET, find_preset
    from tfrgnn.policy.weights import load_weights, shipped_weights

    if preset:
        find_preset(preset)
    loaded = load_weights(Path(weights)) if weights else shipped_weights(preset or DEFAULT_PRESET)
    if preset not in ("", loaded.preset_name):
        raise InputError(f"{weights}: has weights of the preset {loaded.preset_name!r}, not of {preset!r}")
    return guided_placement(estimates, loaded, budget)


def guided_placement(estimates: Estimates, weights: "Weights", budget: float) -> Placement:
    """The placement that these weights make."""
    from tfrgnn.policy.forward import guide

    if budget > 1:
        raise InputError(f"method tfr-gnn, option budget: {budget:g} is a share of all tasks, so at most 1")
    return follow(estimates, guide(weights, estimates, budget), budget)


def follow(estimates: Estimates, guidance: "Guidance", budget: float) -> Placement:
    """The decode under a network's guidance."""
    costs = estimates.costs
    unit_s = costs.overall_mean_cost_s

    def affinity(tasks: NDArray[np.int32]) -> NDArray[np.float64]:
        return unit_s * guidance.affinity(tasks).astype(np.float64)

    def tilt(tasks: NDArray[np.int32]) -> NDArray[np.float64]:
        return unit_s * guidance.tilt(tasks)

    def bias_s(tasks: NDArray[np.int32]) -> NDArray[np.float64]:
        return affinity(tasks) + tilt(tasks)

    return list_schedule(
        costs,
        costs.upward_rank + costs.critical_path_s * guidance.residual,
        bias_s=bias_s,
        terms={"tilt_s": tilt, "affinity_s": affinity},
        wants_replica=guidance.wants_replica,
        replica_limit=replica_limit(costs, budget),
    )


def guided_plan(estimates: Estimates, weights: "Weights", budget: float) -> Plan:
    """The plan that these weights make, for weights that are in no file."""
    placement = guided_placement(estimates, weights, budget)
    return Plan(scenario=estimates.scenario, method="tfr-gnn", **vars(placement))
