"""A workflow in a few numbers."""

from dataclasses import asdict
from typing import Any

import numpy as np

from tfrgnn.model.cluster import BYTES_PER_MB, Network
from tfrgnn.model.workflow import WORK_FLOOR_S, Workflow

_DEFAULTS = {
    "runtimes": f"{WORK_FLOOR_S} s",
    "floored_runtimes": f"raised to {WORK_FLOOR_S} s",
    "file_sizes": "0 bytes",
    "memories": "unknown",
    "avg_cpus": "unknown",
    "types": "the task's name without its number",
}


def summarise(workflow: Workflow) -> dict[str, Any]:
    """Size, shape, work, bytes, types and gaps.

    `ccr` is the mean transfer time of an edge between racks at the default bandwidth over the mean work of a
    task, so that it depends on the workflow alone.
    """
    level = workflow.level
    transfer_s = workflow.edge_bytes / (Network().inter_rack_mb_s * BYTES_PER_MB)
    work_s = workflow.work_s
    return {
        "name": workflow.name,
        "tasks": workflow.tasks,
        "edges": workflow.edges,
        "depth": int(level.max()) + 1,
        "width": int(np.bincount(level).max()),
        "work_s": float(work_s.sum()),
        "edge_bytes": sum(workflow.edge_bytes.tolist()),
        "input_bytes": sum(workflow.input_bytes.tolist()),
        "output_bytes": sum(workflow.output_bytes.tolist()),
        "ccr": float(transfer_s.mean() / work_s.mean()) if workflow.edges else 0.0,
        "hash": workflow.content_hash,
        "types": [_type(workflow, t) for t in range(len(workflow.type_names))],
        "gaps": {name: {"count": count, "default": _DEFAULTS[name]} for name, count in asdict(workflow.gaps).items()},
    }


def _type(workflow: Workflow, t: int) -> dict[str, Any]:
    tasks = workflow.type_index == t
    work_s, output = workflow.work_s[tasks], workflow.output_bytes[tasks]
    return {
        "name": workflow.type_names[t],
        "tasks": int(tasks.sum()),
        "work_mean_s": float(work_s.mean()),
        "work_sd_s": float(work_s.std()),
        "output_mean_bytes": float(output.mean()),
        "output_sd_bytes": float(output.std()),
    }
