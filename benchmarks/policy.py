"""Speed of planning with tfr-gnn, against our own HEFT in the same run, on one core, with the share of each stage.

`python benchmarks/policy.py` prints the rows and writes them to out/policy_speed.json, with `--save` to
results/policy_speed.json. Times are the whole path from loaded objects to a plan, compiled code loaded.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before NumPy is loaded
os.environ.setdefault("OMP_NUM_THREADS", "1")

import argparse
import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

from benchmarks.planning import ROOT, best_ms, instance
from tfrgnn import plan
from tfrgnn.costs.costs import Costs
from tfrgnn.costs.estimates import Estimates
from tfrgnn.generate.clusters import generate_cluster
from tfrgnn.generate.workflows import generate_workflow, random_workflow
from tfrgnn.model.cluster import Cluster
from tfrgnn.model.failures import FailureModel
from tfrgnn.model.scenario import Scenario
from tfrgnn.model.workflow import Workflow
from tfrgnn.policy import forward
from tfrgnn.policy.weights import shipped_weights
from tfrgnn.provenance import provenance
from tfrgnn.schedulers.tfr_gnn import follow


def rows_of(workflow: Workflow, cluster: Cluster) -> list[dict[str, Any]]:
    """HEFT, TFR-GNN, and TFR-GNN's stages on one workflow."""
    weights = shipped_weights("paper")
    where = f"{workflow.name.split('-')[0]}, {workflow.tasks} tasks, {len(cluster.machines)} machines"
    heft = best_ms(lambda: plan(workflow, cluster, "heft", 2.0))
    whole = best_ms(lambda: plan(workflow, cluster, "tfr-gnn", 2.0))

    def fresh() -> Estimates:
        return Estimates.of(Scenario(workflow, cluster, FailureModel(2.0)))

    def costs_and_ranks() -> None:
        costs = Costs(workflow, cluster)
        _ = costs.criticality, costs.near_s, costs.far_s, costs.factor

    ready = fresh()
    _ = ready.costs.criticality, ready.costs.near_s, ready.costs.far_s
    guidance = forward.guide(weights, ready, 0.1)
    stages: dict[str, Callable[[], Any]] = {
        "costs and ranks": costs_and_ranks,
        "forward pass": lambda: forward.guide(weights, ready, 0.1),
        "bias and decode": lambda: follow(ready, guidance, 0.1),
    }
    rows = [
        {"what": "plan, heft", "where": where, "ms": heft, "over_heft": 1.0},
        {"what": "plan, tfr-gnn", "where": where, "ms": whole, "over_heft": whole / heft},
    ]
    times = {name: best_ms(call) for name, call in stages.items()}
    for name, took in times.items():
        rows.append({"what": f"of it: {name}", "where": where, "ms": took, "share": took / whole})
    return rows


def large() -> dict[str, Any]:
    """100,000 random tasks on 256 machines, in a process of its own for its memory."""
    code = "from benchmarks.policy import hundred_thousand; hundred_thousand()"
    out = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    row: dict[str, Any] = json.loads(out)
    return row


def hundred_thousand() -> None:
    workflow, cluster = random_workflow(100_000, 0), generate_cluster(256, 0)
    plan(generate_workflow("montage", 60, 0), cluster, "tfr-gnn", 2.0)  # compiled code is loaded
    before = time.perf_counter()
    plan(workflow, cluster, "tfr-gnn", 2.0)
    took = 1e3 * (time.perf_counter() - before)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    where = "random, 100000 tasks, 256 machines"
    print(json.dumps({"what": "plan, tfr-gnn", "where": where, "ms": took, "peak_gib": peak}))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--save", action="store_true", help="write the rows to results/, not to out/")
    target = ROOT / ("results" if parser.parse_args().save else "out") / "policy_speed.json"
    cluster = generate_cluster(48, 0)
    rows = [row for w in (instance(), generate_workflow("montage", 4846, 0)) for row in rows_of(w, cluster)]
    rows.append(large())
    target.parent.mkdir(exist_ok=True)
    result = {"command": "python benchmarks/policy.py --save", **provenance(), "rows": rows}
    target.write_text(json.dumps(result, indent=1) + "\n")
    for row in rows:
        note = f"{row['over_heft']:8.2f} x heft" if "over_heft" in row else f"{row.get('share', 0):8.0%}"
        peak = f"  {row['peak_gib']:.2f} GiB" if "peak_gib" in row else ""
        print(f"{row['what']:36} {row['where']:40} {row['ms']:10.3f} ms {note}{peak}")


if __name__ == "__main__":
    main()
