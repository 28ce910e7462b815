"""Runs the policy gradients of the paper's section 4.6 and keeps their curves with the package.

`python tools/run_reinforcement.py [SEEDS]` needs the extra `train` and the real instances. Each algorithm starts at the
network's own start, whose tilt is a reliability-aware placement already, and almost at HEFT (softplus(-4)); it samples
at temperature 1, the softmax of the guided score as the paper's loss has it, and at 0.25, nearer to the greedy plan;
each with several seeds. What is in the file is not run again; a run of 650 steps takes about a minute.
"""

import json
import os
import sys
from collections.abc import Sequence
from dataclasses import asdict
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from tfrgnn.formats.files import write_text
from tfrgnn.processes import in_processes
from tfrgnn.provenance import provenance
from tfrgnn.training.reinforce import ALGORITHMS, ReinforceConfig, ReinforcePoint, reinforce
from tfrgnn.training.scenarios import load_corpus

ROOT = Path(__file__).parent.parent
TARGET = ROOT / "src" / "tfrgnn" / "paper" / "beforehand" / "reinforcement.jsonl"
STARTS = (-4.0, 1.5)
TEMPERATURES = (1.0, 0.25)


def run(config: ReinforceConfig) -> dict[str, Any]:
    """One run: its configuration, the held-back ratio before any update, and its curve."""
    data = Path(os.environ.get("TFRGNN_DATA", ROOT / "../shared/data"))
    _, (start, *curve) = reinforce(config, load_corpus(data))
    about = {"command": f"python tools/run_reinforcement.py {config.seed + 1}", **provenance()}
    points = thinned(curve, config.watch_every)
    return {"about": about, "config": asdict(config), "start": _short(start.ratio), "curve": points}


def thinned(curve: Sequence[ReinforcePoint], every: int) -> list[dict[str, Any]]:
    """A point for each `every` steps: their means, and the held-back ratio at their end."""
    parts = [curve[first : first + every] for first in range(0, len(curve), every)]
    names = ("sampled", "best", "greedy")
    return [
        {
            "step": part[-1].step,
            **{name: _short(np.mean([getattr(point, name) for point in part])) for name in names},
            "ratio": _short(part[-1].ratio),
        }
        for part in parts
    ]


def _short(value: Any) -> float:
    return round(float(value), 4)


def main() -> None:
    seeds = range(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
    runs = [json.loads(line) for line in TARGET.read_text().splitlines()] if TARGET.exists() else []
    done = [entry["config"] for entry in runs]
    configs = [
        ReinforceConfig(algorithm, seed=seed, temperature=temperature, start_gamma=start)
        for seed, start, temperature, algorithm in product(seeds, STARTS, TEMPERATURES, ALGORITHMS)
    ]
    missing = [config for config in configs if asdict(config) not in done]
    with in_processes(run, missing) as results:
        for _, entry in results:
            runs.append(entry)
            write_text(TARGET, "".join(json.dumps(each) + "\n" for each in runs))
            print(entry["config"], entry["curve"][-1], flush=True)


if __name__ == "__main__":
    main()
