"""Planning times against size, one method after the other in one process."""

from collections.abc import Callable, Sequence
from functools import partial
from math import ceil, floor, sqrt
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from tfrgnn.generate.clusters import generate_cluster
from tfrgnn.paper.runner import stamp, with_weights
from tfrgnn.paper.suites import POLICY, TIMING, workflow_of
from tfrgnn.provenance import digest_of, provenance
from tfrgnn.schedulers.planning import plan

METHODS = ("heft", "peft", POLICY, "r-heft", "reliable-heft")
_SECONDS, _LEAST_RUNS = 0.3, 20


def timed(quick: bool) -> tuple[tuple[str, str], ...]:
    """The instances whose planning is timed."""
    return TIMING[:3] if quick else TIMING


def timing_key(data: Path, quick: bool, weights: Path | None) -> str:
    """Names what the times depend on: code, weights, workflows, and the machine."""
    workflows = [workflow_of(data, *pair).content_hash for pair in timed(quick)]
    return digest_of(stamp(weights), Path(__file__).read_bytes(), provenance()["machine"], *workflows)


def timing_rows(data: Path, quick: bool, weights: Path | None, progress: Callable[[int], None]) -> list[dict[str, Any]]:
    """Planning times from loaded objects, in milliseconds, on 48 machines at scale 2."""
    cluster = generate_cluster(48, 0)
    rows = []
    for family, instance in timed(quick):
        workflow = workflow_of(data, family, instance)
        spelled = {method: with_weights(method, weights) if weights else method for method in METHODS}
        times = {name: _times_ms(partial(plan, workflow, cluster, method, 2.0)) for name, method in spelled.items()}
        rows.append({"suite": "timing", "family": family, "instance": instance, "tasks": workflow.tasks, "ms": times})
        progress(1)
    return rows


def _times_ms(call: Callable[[], Any]) -> dict[str, float]:
    """Median over many plans with its 95 % interval, and how many there were."""
    call()
    times: list[float] = []
    while sum(times) < _SECONDS or len(times) < _LEAST_RUNS:
        before = perf_counter()
        call()
        times.append(perf_counter() - before)
    return {**{name: float(f"{1e3 * x:.4g}") for name, x in median_interval(times).items()}, "runs": len(times)}


def median_interval(values: Sequence[float]) -> dict[str, float]:
    """The median and the order statistics that hold the true one with 95 %: ranks n/2 -+ 0.98 sqrt(n) (binomial)."""
    ordered, n = sorted(values), len(values)
    reach = 0.98 * sqrt(n)
    low, high = max(0, floor(n / 2 - reach) - 1), min(n - 1, ceil(n / 2 + reach))
    return {"median": median(ordered), "low": ordered[low], "high": ordered[high]}
