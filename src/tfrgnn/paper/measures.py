"""What tables, figures and findings take from rows: means with intervals, and groups of runs."""

from collections.abc import Mapping, Sequence
from math import sqrt
from typing import Any

import numpy as np

from tfrgnn.paper.suites import POLICY
from tfrgnn.simulation.outcome import Estimate, estimate, t975

Rows = Sequence[dict[str, Any]]


def short(method: str) -> str:
    """A method's name as the tables say it."""
    return "tfr-gnn" if method == POLICY else method


def mean_of(rows: Rows, quantity: str = "ratio_to_heft", these: bool = False, **wanted: Any) -> Estimate | None:
    """Mean over the scenarios that match, with its interval; applications have as many instances, so weigh the same."""
    kept = [row for row in rows if all(row[key] == value for key, value in wanted.items())]
    return crossed([(row["instance"], row["cluster_seed"], row[quantity]) for row in kept], these) if kept else None


def crossed(values: Sequence[tuple[str, int, float]], these: bool = False) -> Estimate:
    """Mean of (instance, cluster, value), and the 95 % interval for other instances on other clusters.

    Scenarios that share an instance or a cluster are alike, so they do not count as so many independent ones. The
    variance is that between the instances' means over their number plus that between the clusters' over theirs, a
    little too large, since it counts what is left twice; Student's t has Satterthwaite's degrees of freedom.
    With `these`, the interval is for these instances on other clusters.
    """
    variances = []
    for k in (1,) if these else (0, 1):
        groups: dict[Any, list[float]] = {}
        for value in values:
            groups.setdefault(value[k], []).append(value[2])
        means = [np.mean(group) for group in groups.values()]
        if len(means) > 1:
            variances.append((float(np.var(means, ddof=1)) / len(means), len(means) - 1))
    mean, total = float(np.mean([value[2] for value in values])), sum(variance for variance, _ in variances)
    if not variances:
        return Estimate(mean, None, None)
    freedom = total**2 / sum(v**2 / f for v, f in variances) if total > 0.0 else 1.0
    half = t975(max(1, int(freedom))) * sqrt(total)
    return Estimate(mean, mean - half, mean + half)


def best_of(rows: Rows, methods: Sequence[str], name: str) -> list[dict[str, Any]]:
    """A row per scenario, under this name: the one of these methods that did best in it."""
    best: dict[Any, dict[str, Any]] = {}
    for row in rows:
        key = scenario_of(row)
        if row["method"] in methods and row["mean_makespan_s"] < best.get(key, {}).get("mean_makespan_s", np.inf):
            best[key] = {**row, "method": name}
    return list(best.values())


def with_redundant_share(rows: Rows) -> list[dict[str, Any]]:
    """The rows with their redundant work over HEFT's makespan in the same scenario."""
    heft = {scenario_of(row): row["mean_makespan_s"] for row in rows if row["method"] == "heft"}
    return [{**row, "redundant_share": row["redundant_s"] / heft[scenario_of(row)]} for row in rows]


def scenario_of(row: dict[str, Any]) -> tuple[Any, ...]:
    """What the methods of a cell share."""
    return tuple(row[key] for key in ("instance", "machines", "cluster_seed", "scale", "vary", "value"))


def seed_means(rows: Rows, preset: str) -> dict[int, float]:
    """The mean ratio to HEFT at s = 2 of each training of a preset, by seed."""
    return {row["seed"]: float(np.mean(row["ratios"])) for row in rows if row.get("preset") == preset}


def over_seeds(values: Mapping[int, float]) -> Estimate | None:
    """Mean over trainings, and its interval."""
    return estimate(np.array(list(values.values()))) if values else None


def by_setting(rows: Rows) -> dict[tuple[str, float, str], list[dict[str, Any]]]:
    """The runs of policy gradients by (start, temperature, algorithm), a run per seed."""
    groups: dict[tuple[str, float, str], list[dict[str, Any]]] = {}
    for run in rows:
        config = run["config"]
        start = "its own start" if config["start_gamma"] > 0 else "almost HEFT"
        groups.setdefault((start, config["temperature"], config["algorithm"]), []).append(run)
    return groups
