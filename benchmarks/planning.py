"""Speed of planning and replay against peers, as ratios in one run; writes results/planning.json.

`python benchmarks/planning.py` needs the real instances ($TFRGNN_DATA, by default ../shared/data), else it takes a
generated montage of the same size and says so. With the extra `peers`, anrg-saga plans the same instance in the same
run. `--large` adds the million-task plan. Times are the best of several runs of compiled code, arrays built.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from tfrgnn import load_workflow
from tfrgnn.costs.costs import Costs
from tfrgnn.costs.estimates import Estimates
from tfrgnn.evaluation.simulate import draw_traces
from tfrgnn.generate.clusters import generate_cluster
from tfrgnn.generate.workflows import generate_workflow, random_workflow
from tfrgnn.model.cluster import Cluster
from tfrgnn.model.failures import FailureModel
from tfrgnn.model.scenario import Scenario
from tfrgnn.model.workflow import Workflow
from tfrgnn.provenance import provenance
from tfrgnn.schedulers.catalogue import parse_method
from tfrgnn.schedulers.planning import plan_with
from tfrgnn.simulation.replay import run_plan

ROOT = Path(__file__).parent.parent
INSTANCE = "wfinstances/pegasus/montage/montage-chameleon-dss-15d-001.json"
MACHINES = 48
METHODS = ("heft", "heft-insertion", "cpop", "peft", "min-min", "max-min", "r-heft", "ft-heft", "reliable-heft")


def best_ms(call: Callable[[], Any], seconds: float = 1.0) -> float:
    """The shortest of many calls, in milliseconds."""
    call()
    times: list[float] = []
    while sum(times) < seconds or len(times) < 3:
        before = time.perf_counter()
        call()
        times.append(time.perf_counter() - before)
    return 1e3 * min(times)


def instance() -> Workflow:
    """The 2,122-task montage, or a generated one of that size."""
    path = Path(os.environ.get("TFRGNN_DATA", ROOT / "../shared/data")) / INSTANCE
    return load_workflow(path) if path.exists() else generate_workflow("montage", 2122, 0)


def fresh(workflow: Workflow, cluster: Cluster, method: str, scale: float = 2.0) -> Callable[[], Any]:
    """A call that plans anew, ranks included, with the cost arrays built."""
    warm = Costs(workflow, cluster)
    keep = {"factor", "mean_cost_s", "near_s", "far_s", "mean_transfer_s", "rack_arrays"}
    arrays = {name: getattr(warm, name) for name in keep}
    scenario, call = Scenario(workflow, cluster, FailureModel(scale)), parse_method(method)

    def run() -> Any:
        costs = Costs(workflow, cluster)
        costs.__dict__.update(arrays)
        return plan_with(Estimates(scenario, costs), call)

    return run


def small() -> list[dict[str, Any]]:
    """Planning and replay of one real instance."""
    workflow, cluster = instance(), generate_cluster(MACHINES, 0)
    where = f"{workflow.tasks} tasks, {workflow.edges} edges, {MACHINES} machines"
    heft = best_ms(fresh(workflow, cluster, "heft"))
    rows = []
    for method in METHODS:
        took = best_ms(fresh(workflow, cluster, method))
        rows.append({"what": f"plan, {method}", "where": where, "ms": took, "over_heft": took / heft})
    plan = fresh(workflow, cluster, "heft")()
    costs = Costs(workflow, cluster)
    for scale in (0.0, 2.0, 4.0):
        scenario = replace(plan.scenario, failures=FailureModel(scale))
        draw = best_ms(lambda scenario=scenario: draw_traces(scenario, costs, 40, 7))  # type: ignore[misc]
        rows.append({"what": f"draw 40 traces, scale {scale:g}", "where": where, "ms": draw, "over_heft": draw / heft})
        traces = draw_traces(scenario, costs, 40, 7)
        took = best_ms(lambda traces=traces: run_plan(plan, traces, costs))  # type: ignore[misc]
        rows.append(
            {"what": f"replay over 40 traces, scale {scale:g}", "where": where, "ms": took, "over_heft": took / heft}
        )
    saga = saga_ms(workflow)
    if saga is not None:
        rows.append({"what": "plan, heft of anrg-saga", "where": where, "ms": saga, "over_heft": saga / heft})
    return rows


def saga_ms(workflow: Workflow) -> float | None:
    """One run of anrg-saga's HEFT on the same tasks and as many machines, if it is installed."""
    try:
        import logging

        from saga import Network, TaskGraph
        from saga.schedulers.heft import HeftScheduler
    except ImportError:
        return None
    logging.disable(logging.WARNING)
    ids = workflow.task_ids
    ends = zip(workflow.edge_parent, workflow.edge_child, workflow.edge_bytes, strict=True)
    graph = TaskGraph.create(
        tasks=list(zip(ids, workflow.work_s.tolist(), strict=True)),
        dependencies=[(ids[parent], ids[child], float(size)) for parent, child, size in ends],
    )
    names = [f"m{m:02}" for m in range(MACHINES)]
    speed = generate_cluster(MACHINES, 0).speed.tolist()
    network = Network.create(
        nodes=list(zip(names, speed, strict=True)),
        edges=[(a, b, 125e6) for i, a in enumerate(names) for b in names[i + 1 :]],
    )
    before = time.perf_counter()
    HeftScheduler().schedule(network, graph)
    return 1e3 * (time.perf_counter() - before)


def large() -> dict[str, Any]:
    """A million random tasks on 1,024 machines, in a process of its own for its memory."""
    code = "from benchmarks.planning import million; million()"
    out = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    row: dict[str, Any] = json.loads(out)
    return row


def million() -> None:
    workflow, cluster = random_workflow(1_000_000, 0), generate_cluster(1024, 0)
    fresh(generate_workflow("montage", 60, 0), cluster, "heft")()  # compiled code is loaded
    run = fresh(workflow, cluster, "heft")
    before = time.perf_counter()
    run()
    took = 1e3 * (time.perf_counter() - before)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    where = f"{workflow.tasks} tasks, {workflow.edges} edges, 1024 machines"
    print(json.dumps({"what": "plan, heft", "where": where, "ms": took, "over_heft": None, "peak_gib": peak}))


def commands() -> list[dict[str, Any]]:
    """Whole commands, start of Python included."""
    folder = ROOT / "out" / "bench"
    folder.mkdir(parents=True, exist_ok=True)
    tool = [sys.executable, "-m", "tfrgnn"]
    words = ["generate", "workflow", "montage", "--tasks", "2000", "-o", str(folder / "w.json")]
    subprocess.run([*tool, *words], check=True, capture_output=True)
    calls = {
        "tfrgnn --help": [*tool, "--help"],
        "tfrgnn plan": [*tool, "plan", str(folder / "w.json"), "--machines", "48", "-o", str(folder / "p.json")],
    }
    return [
        {"what": name, "where": "whole command" + (", 2000 tasks" if "plan" in name else ""), "over_heft": None,
         "ms": best_ms(lambda words=words: subprocess.run(words, check=True, capture_output=True), 3.0)}
        for name, words in calls.items()
    ]  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--large", action="store_true", help="also plan a million tasks on 1,024 machines")
    parser.add_argument("--save", action="store_true", help="write the rows to results/, not to out/")
    asked = parser.parse_args()
    rows = small() + commands() + ([large()] if asked.large else [])
    result = {"command": " ".join(["python benchmarks/planning.py", *sys.argv[1:]]), **provenance(), "rows": rows}
    target = ROOT / ("results" if asked.save else "out") / "planning.json"
    target.parent.mkdir(exist_ok=True)
    target.write_text(json.dumps(result, indent=1) + "\n")
    for row in rows:
        over = f"{row['over_heft']:12.2f} x heft" if row["over_heft"] else ""
        peak = f"  {row['peak_gib']:.2f} GiB" if "peak_gib" in row else ""
        print(f"{row['what']:36} {row['where']:46} {row['ms']:12.3f} ms {over}{peak}")


if __name__ == "__main__":
    main()
