"""Trains the paper's preset at several learning rates and seeds, and scores each on clusters that no other score uses.

`python tools/choose_rate.py` needs the extra `train` and the real instances; it writes results/learning-rate.json, does
not run again what is in the file (take out what other code or data made), and takes some minutes. The paper does not
give its learning rate.
"""

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from tfrgnn import compare, load_workflow
from tfrgnn.formats.files import write_text
from tfrgnn.generate.clusters import generate_cluster
from tfrgnn.policy.weights import save_weights
from tfrgnn.processes import in_processes
from tfrgnn.provenance import provenance
from tfrgnn.training.distil import Config, train
from tfrgnn.training.scenarios import TRAINING_FAMILIES, draw_recipes, load_corpus
from tfrgnn.training.teacher import Labels

ROOT = Path(__file__).parent.parent
TARGET = ROOT / "results" / "learning-rate.json"
SCRATCH = ROOT / "out" / "ablations"
DATA = Path(os.environ.get("TFRGNN_DATA", ROOT / "../shared/data"))
RATES, SEEDS = (1e-3, 2e-3, 4e-3, 8e-3, 16e-3), (0, 1, 2)
CLUSTERS, SCALES, TRACES, TRACE_SEED, EVERY = range(100, 104), (0.5, 1.0, 2.0, 4.0), 40, 777_000, 4


def score(job: tuple[float, int]) -> dict[str, Any]:
    """One training: its mean ratio to HEFT over the oracle's, applications weighing the same."""
    rate, seed = job
    corpus = load_corpus(DATA)
    path = SCRATCH / f"rate-{rate:g}-{seed}.safetensors"
    config = Config(learning_rate=rate, seed=seed)
    weights, curve = train(config, corpus, Labels(SCRATCH / "labels"), path.with_suffix(".checkpoint"))
    save_weights(weights, path)
    method = f"tfr-gnn[weights={path}]"
    means: dict[str, list[float]] = {method: [], "oracle": []}
    paths = sorted((*corpus.training, *corpus.held_back))
    for family in TRAINING_FAMILIES:
        files = [path for path in map(Path, paths) if path.parent.name == family][::EVERY]
        chosen = [replace(load_workflow(path), name=path.stem) for path in files]
        rows = [
            row
            for cluster in CLUSTERS
            for row in compare(
                chosen, generate_cluster(48, cluster), (method, "oracle"), SCALES, TRACES, TRACE_SEED
            ).rows
        ]
        for name, values in means.items():
            values.append(float(np.mean([row.ratio_to_heft for row in rows if row.method == name])))
    ours, bound = (float(np.mean(values)) for values in means.values())
    held_back = next(point.ratio for point in reversed(curve) if point.ratio is not None)
    return {"rate": rate, "seed": seed, "over_oracle": round(ours / bound, 4), "held_back": held_back, **provenance()}


def main() -> None:
    rows = json.loads(TARGET.read_text()) if TARGET.exists() else []
    done = {(row["rate"], row["seed"]) for row in rows}
    missing = [(rate, seed) for seed in SEEDS for rate in RATES if (rate, seed) not in done]
    corpus, usual = load_corpus(DATA), Config()
    for seed in {seed for _, seed in missing}:
        recipes = draw_recipes(corpus, usual.steps * usual.batch, seed)
        Labels(SCRATCH / "labels").prepare(recipes, lambda count: None)
    with in_processes(score, missing) as scores:
        for _, row in scores:
            rows.append(row)
            rows.sort(key=lambda each: (each["rate"], each["seed"]))
            write_text(TARGET, "[\n" + ",\n".join(json.dumps(each) for each in rows) + "\n]\n")
            print(row, flush=True)


if __name__ == "__main__":
    main()
