"""Runs the policy gradients of the paper's section 4.6 and writes their curves to the rows of results/paper.

`python tools/run_reinforcement.py [STEPS]` needs the extra `train` and the real instances. Each algorithm starts twice:
at the network's own start, whose tilt is a reliability-aware placement already, and almost at HEFT (softplus(-4)).
What is in the file is not run again; each run of 650 steps takes some minutes.
"""

import json
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tfrgnn.provenance import provenance
from tfrgnn.training.reinforce import ALGORITHMS, ReinforceConfig, reinforce
from tfrgnn.training.scenarios import load_corpus

ROOT = Path(__file__).parent.parent
TARGET = ROOT / "results" / "paper" / "rows" / "reinforcement.jsonl"
STARTS = (1.5, -4.0)


def run(config: ReinforceConfig) -> dict[str, Any]:
    """One run's configuration and curve."""
    data = Path(os.environ.get("TFRGNN_DATA", ROOT / "../shared/data"))
    _, curve = reinforce(config, load_corpus(data))
    points = [{k: round(x, 4) if isinstance(x, float) else x for k, x in asdict(p).items()} for p in curve]
    about = {"command": f"python tools/run_reinforcement.py {config.steps}", **provenance()}
    return {"about": about, "config": asdict(config), "curve": points}


def main() -> None:
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else 650
    runs = [json.loads(line) for line in TARGET.read_text().splitlines()] if TARGET.exists() else []
    done = [entry["config"] for entry in runs]
    configs = [ReinforceConfig(a, steps=steps, start_gamma=g) for g in STARTS for a in ALGORITHMS]
    missing = [config for config in configs if asdict(config) not in done]
    with ProcessPoolExecutor() as pool:
        for entry in pool.map(run, missing):
            runs.append(entry)
            TARGET.parent.mkdir(parents=True, exist_ok=True)
            TARGET.write_text("".join(json.dumps(each) + "\n" for each in runs))
            print(entry["config"]["algorithm"], entry["config"]["start_gamma"], entry["curve"][-1], flush=True)


if __name__ == "__main__":
    main()
