"""Scores the shipped weights of a preset on the protocol of their card, and writes the rows and the card.

`python tools/score_policy.py [PRESET]` needs the real instances. It compares tfr-gnn with HEFT, R-HEFT, reliable-HEFT
and the oracle on 48 machines, 40 fresh traces, three cluster seeds and five scales: all instances of the four training
applications with at most 700 tasks (seen in training, on other clusters and traces) and all of the three unseen ones.
Rows go to results/policy-PRESET.csv, their summary to policy-PRESET.json and into the weight file's card.
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
CLUSTER_SEEDS = (0, 1, 2)
TRACES, TRACE_SEED, MACHINES = 40, 7, 48
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
)


def rows_of(family: str, preset: str) -> list[dict[str, Any]]:
    """The rows of one application."""
    data = Path(os.environ.get("TFRGNN_DATA", ROOT / "../shared/data")) / "wfinstances" / "pegasus" / family
    workflows = [replace(load_workflow(path), name=path.stem) for path in sorted(data.glob("*.json"))]
    chosen = [w for w in workflows if family in UNSEEN or w.tasks <= MOST_TASKS]
    methods = ("r-heft", "reliable-heft", "oracle", f"tfr-gnn[preset={preset}]")
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
    """Per group, method and scale the mean ratio to HEFT, families weighing the same; and paired ratios."""
    table: dict[str, Any] = {}
    for group, families in (("training applications", TRAINING_FAMILIES), ("unseen applications", UNSEEN)):
        table[group] = {
            method: {str(scale): round(_mean(rows, families, method, scale), 4) for scale in SCALES}
            | {"all": round(float(np.mean([_mean(rows, families, method, scale) for scale in SCALES])), 4)}
            for method in ("r-heft", "reliable-heft", "oracle", "tfr-gnn")
        }
        table[group]["tfr-gnn over oracle"] = _paired(rows, families, "oracle")
        table[group]["tfr-gnn over r-heft"] = _paired(rows, families, "r-heft")
        for family in families:
            table[group][f"tfr-gnn on {family}"] = round(
                float(np.mean([_mean(rows, (family,), "tfr-gnn", s) for s in SCALES])), 4
            )
    return table


def _mean(rows: list[dict[str, Any]], families: tuple[str, ...], method: str, scale: float) -> float:
    by_family = defaultdict(list)
    for row in rows:
        if row["method"] == method and row["scale"] == scale and row["family"] in families:
            by_family[row["family"]].append(row["ratio_to_heft"])
    return float(np.mean([np.mean(values) for values in by_family.values()]))


def _paired(rows: list[dict[str, Any]], families: tuple[str, ...], other: str) -> dict[str, Any]:
    """Ratio of mean makespans scenario by scenario, its mean and 95 % interval over scenarios."""
    cells: dict[Any, dict[str, float]] = defaultdict(dict)
    for row in rows:
        if row["family"] in families:
            key = row["workflow"], row["cluster_seed"], row["scale"]
            cells[key][row["method"]] = row["mean_makespan_s"]
    result = estimate(np.array([cell["tfr-gnn"] / cell[other] for cell in cells.values()]))
    return {
        "mean": round(result.mean, 4),
        "ci95": [round(result.low or 0, 4), round(result.high or 0, 4)],
        "scenarios": len(cells),
    }


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
