"""Trains the full network and its ablations with several seeds, and keeps their scores with the package.

`python tools/run_ablations.py [SEEDS]` needs the extra `train` and the real instances. The difference of two networks
from one seed says little; here each is trained ten times (seeds 0 to 9) and scored on the cells of the ablation suite
at s = 2. Weights and labels stay in out/ablations; what is in the file is not run again, so take
out what other code or data made.
"""

import json
import os
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from tfrgnn.formats.files import write_text
from tfrgnn.paper.runner import run_cell
from tfrgnn.paper.suites import ABLATIONS, suites
from tfrgnn.policy.weights import load_weights, save_weights
from tfrgnn.processes import in_processes
from tfrgnn.provenance import code_hash, digest_of, provenance
from tfrgnn.training.distil import Config, train
from tfrgnn.training.scenarios import draw_recipes, load_corpus
from tfrgnn.training.teacher import Labels

ROOT = Path(__file__).parent.parent
TARGET = ROOT / "src" / "tfrgnn" / "paper" / "beforehand" / "ablation-seeds.jsonl"
SCRATCH = ROOT / "out" / "ablations"
DATA = Path(os.environ.get("TFRGNN_DATA", ROOT / "../shared/data"))
SCALE = 2.0


def score(preset: str, seed: int) -> dict[str, Any]:
    """One network, trained with one seed: its makespan over HEFT's in every scenario, and on the held-back ones."""
    config, corpus = Config(preset=preset, seed=seed), load_corpus(DATA)
    path = SCRATCH / f"{preset}-{digest_of(repr(config), corpus.hash, code_hash('training'))}.safetensors"
    if not path.exists():
        weights, _ = train(config, corpus, Labels(SCRATCH / "labels"), path.with_suffix(".checkpoint"))
        save_weights(weights, path)
    held_back = load_weights(path).card["curve"][-1]["ratio"]
    method = f"tfr-gnn[weights={path}]"
    cells = [replace(c, methods=("heft", method)) for c in suites(False)["ablation"].cells if c.scale == SCALE]
    ratios = [row["ratio_to_heft"] for cell in cells for row in run_cell(DATA, None, cell) if row["method"] == method]
    command = f"tfrgnn train --preset {preset} --seed {seed}"
    about = {"command": command, **provenance()}
    return {"preset": preset, "seed": seed, "scale": SCALE, "ratios": ratios, "held_back": held_back, **about}


def main() -> None:
    seeds = range(int(sys.argv[1]) if len(sys.argv) > 1 else 10)
    rows = [json.loads(line) for line in TARGET.read_text().splitlines()] if TARGET.exists() else []
    done = {(row["preset"], row["seed"]) for row in rows}
    for seed in seeds:
        missing = [preset for preset in ("paper", *ABLATIONS) if (preset, seed) not in done]
        if missing:
            config, corpus = Config(seed=seed), load_corpus(DATA)
            recipes = draw_recipes(corpus, config.steps * config.batch, seed)
            Labels(SCRATCH / "labels").prepare(recipes, lambda count: None)
        with in_processes(partial(score, seed=seed), missing) as scores:
            for preset, row in scores:
                rows.append(row)
                write_text(TARGET, "".join(json.dumps(each) + "\n" for each in rows))
                print(preset, seed, sum(row["ratios"]) / len(row["ratios"]), flush=True)


if __name__ == "__main__":
    main()
