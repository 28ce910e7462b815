"""Planning times against size, one method after the other in one process."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

from tfrgnn.generate.clusters import generate_cluster
from tfrgnn.paper.suites import POLICY, TIMING, workflow_of
from tfrgnn.schedulers.planning import plan

METHODS = ("heft", "peft", POLICY, "r-heft", "reliable-heft")
_SECONDS = 0.3


def timing_rows(data: Path, quick: bool, progress: Callable[[int], None]) -> list[dict[str, Any]]:
    """The best of several plans from loaded objects, in milliseconds, on 48 machines at scale 2."""
    cluster = generate_cluster(48, 0)
    rows = []
    for family, instance in TIMING[:3] if quick else TIMING:
        workflow = workflow_of(data, family, instance)
        times = {method: _best_ms(partial(plan, workflow, cluster, method, 2.0)) for method in METHODS}
        rows.append({"suite": "timing", "family": family, "instance": instance, "tasks": workflow.tasks, "ms": times})
        progress(1)
    return rows


def _best_ms(call: Callable[[], Any]) -> float:
    call()
    times: list[float] = []
    while sum(times) < _SECONDS or len(times) < 3:
        before = perf_counter()
        call()
        times.append(perf_counter() - before)
    return float(f"{1e3 * min(times):.4g}")
