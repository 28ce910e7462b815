"""Scores the shipped weights of a preset on the protocol of their card, and writes the rows and the card.

`python tools/score_policy.py [PRESET]` needs the real instances. It compares tfr-gnn with HEFT, R-HEFT, reliable-HEFT
and the oracle on 48 machines, 40 fresh traces, six cluster seeds and five scales: all instances of the four training
applications with at most 700 tasks (seen in training, on other clusters and traces) and all of the three unseen ones.
Rows go to results/policy-PRESET.csv, their summary to policy-PRESET.json and into the weight file's card.

Scenarios on one cluster share its machines, so they are not independent: a number is computed per cluster, and its
interval is that of the clusters' mean (Student's t).
"""

import csv
import json
import os
import sys
from collections import defaultdict
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from tfrgnn import compare, load_workflow
from tfrgnn.evaluation.compare import Row
from tfrgnn.generate.clusters import generate_cluster
from tfrgnn.policy.weights import load_weights, save_weights
from tfrgnn.provenance import provenance
from tfrgnn.simulation.outcome import estimate
from tfrgnn.training.scenarios import MOST_TASKS, TRAINING_FAMILIES

ROOT = Path(__file__).parent.parent
UNSEEN = ("seismology", "soykb", "srasearch")
SCALES = (0.5, 1.0, 2.0, 3.0, 4.0)
CLUSTER_SEEDS = tuple(range(6))
TRACES, TRACE_SEED, MACHINES = 40, 900_007, 48  # training has traces of other seeds
METHODS = ("r-heft", "r-heft[beta=5]", "reliable-heft", "oracle", "tfr-gnn")
KEPT = (
    "workflow",
    "tasks",
    "machines",
    "scale",
    "method",
    "mean_makespan_s",
    "ratio_to_heft",
    "ratio_ci95_low",
    "ratio_ci95_high",
    "past_horizon_share",
)


def rows_of(family: str, preset: str) -> list[dict[str, Any]]:
    """The rows of one application."""
    data = Path(os.environ.get("TFRGNN_DATA", ROOT / "../shared/data")) / "wfinstances" / "pegasus" / family
    workflows = [replace(load_workflow(path), name=path.stem) for path in sorted(data.glob("*.json"))]
    chosen = [w for w in workflows if family in UNSEEN or w.tasks <= MOST_TASKS]
    methods = ("heft", *METHODS[:-1], f"tfr-gnn[preset={preset}]")
    rows = []
    for seed in CLUSTER_SEEDS:
        cells = compare(chosen, generate_cluster(MACHINES, seed), methods, SCALES, TRACES, TRACE_SEED)
        rows += [_short(row, family, seed) for row in cells.rows]
    return rows


def _short(row: Row, family: str, seed: int) -> dict[str, Any]:
    method = "tfr-gnn" if row.method.startswith("tfr-gnn") else row.method
    return {
        "family": family,
        "cluster_seed": seed,
        **{key: _digits(getattr(row, key)) for key in KEPT},
        "method": method,
    }


def _digits(value: Any) -> Any:
    return float(f"{value:.7g}") if isinstance(value, float) else value


def summary(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Per group, method and scale the mean ratio to HEFT, families weighing the same; and ratios of these means."""
    table: dict[str, Any] = {}
    for group, families in (("training applications", TRAINING_FAMILIES), ("unseen applications", UNSEEN)):
        ratios = {method: _by_scale(rows, families, method, "ratio_to_heft") for method in METHODS}
        past = {m: _by_scale(rows, families, m, "past_horizon_share")["all"]["mean"] for m in ("heft", *METHODS)}
        table[group] = {
            **ratios,
            **{f"tfr-gnn over {other}": _over(rows, families, other) for other in METHODS[:-1]},
            **{
                f"tfr-gnn on {family}": _by_scale(rows, (family,), "tfr-gnn", "ratio_to_heft")["all"]
                for family in families
            },
            **{f"tfr-gnn over oracle on {family}": _over(rows, (family,), "oracle")["all"] for family in families},
            **{f"tfr-gnn over r-heft on {family}": _over(rows, (family,), "r-heft")["all"] for family in families},
            "past horizon": past,
        }
    return table


def _by_scale(rows: list[dict[str, Any]], families: tuple[str, ...], method: str, quantity: str) -> dict[str, Any]:
    def at(scales: tuple[float, ...]) -> dict[str, Any]:
        return _estimated([_mean(rows, families, method, quantity, scales, seed) for seed in CLUSTER_SEEDS])

    return {**{str(scale): at((scale,)) for scale in SCALES}, "all": at(SCALES)}


def _over(rows: list[dict[str, Any]], families: tuple[str, ...], other: str) -> dict[str, Any]:
    """The mean ratio to HEFT of tfr-gnn over that of another method."""

    def at(scales: tuple[float, ...]) -> dict[str, Any]:
        pairs = (
            [_mean(rows, families, method, "ratio_to_heft", scales, seed) for method in ("tfr-gnn", other)]
            for seed in CLUSTER_SEEDS
        )
        return _estimated([ours / theirs for ours, theirs in pairs])

    return {**{str(scale): at((scale,)) for scale in SCALES}, "all": at(SCALES)}


def _mean(
    rows: list[dict[str, Any]],
    families: tuple[str, ...],
    method: str,
    quantity: str,
    scales: tuple[float, ...],
    cluster_seed: int,
) -> float:
    """Mean over instances and scales on one cluster, families weighing the same."""
    by_family = defaultdict(list)
    for row in rows:
        here = row["method"] == method and row["cluster_seed"] == cluster_seed
        if here and row["scale"] in scales and row["family"] in families:
            by_family[row["family"]].append(row[quantity])
    return float(np.mean([np.mean(values) for values in by_family.values()]))


def _estimated(values: list[float]) -> dict[str, Any]:
    """Mean over the clusters and its interval."""
    e = estimate(np.array(values))
    return {"mean": round(e.mean, 6), "ci95": [round(e.low or e.mean, 6), round(e.high or e.mean, 6)]}


def main() -> None:
    preset = sys.argv[1] if len(sys.argv) > 1 else "paper"
    rows = [row for family in (*TRAINING_FAMILIES, *UNSEEN) for row in rows_of(family, preset)]
    scores = summary(rows)
    about = {"command": f"python tools/score_policy.py {preset}", **provenance(), "traces": TRACES, "seed": TRACE_SEED}
    with (ROOT / "results" / f"policy-{preset}.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    target = ROOT / "results" / f"policy-{preset}.json"
    target.write_text(json.dumps({"about": about, "summary": scores}, indent=1) + "\n")
    path = ROOT / "src" / "tfrgnn" / "policy" / "weights" / f"{preset}.safetensors"
    weights = load_weights(path)
    card = {**weights.card, "scores": scores, "scored_by": about}
    save_weights(replace(weights, card=card), path)
    curve = ",\n  ".join(json.dumps(point) for point in card.pop("curve"))
    text = json.dumps(card, indent=1, sort_keys=True).removesuffix("\n}")
    path.with_suffix(".json").write_text(f'{text},\n "curve": [\n  {curve}\n ]\n}}\n')
    print(json.dumps(scores, indent=1))


if __name__ == "__main__":
    main()
