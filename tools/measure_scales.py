"""Measures the scales of the seven families on real WfCommons instances and writes src/tfrgnn/generate/scales.json.

Run as `python tools/measure_scales.py`; the instances are sought in $TFRGNN_DATA, by default ../shared/data.
For each task type and quantity it keeps the means of ten equally likely parts (deciles) and the standard
deviation, over all instances of the family, with three digits.
"""

import json
import os
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np

from tfrgnn.formats.wfformat import load_workflow
from tfrgnn.model.workflow import Workflow

FAMILIES = ("1000genome", "cycles", "epigenomics", "montage", "seismology", "soykb", "srasearch")
QUANTITIES = ("work_s", "output_bytes", "input_bytes", "avg_cpu", "memory_bytes")
PARTS = 10
TARGET = Path(__file__).parent.parent / "src" / "tfrgnn" / "generate" / "scales.json"


def scale(values: np.ndarray[Any, Any]) -> dict[str, Any]:
    """Ten means and the standard deviation of some numbers."""
    grid = np.sort(values)[(np.arange(PARTS * 100) * values.size) // (PARTS * 100)]
    means = grid.reshape(PARTS, -1).mean(axis=1)
    means *= values.mean() / means.mean() if means.mean() > 0 else 1.0
    return {"means": [float(f"{m:.3g}") for m in means], "sd": float(f"{values.std():.3g}")}


def measure(workflows: list[Workflow]) -> dict[str, Any]:
    """{type: {quantity: scale}} over the tasks of all workflows; a + behind the type marks parents of the same."""
    values: dict[str, dict[str, list[Any]]] = defaultdict(lambda: defaultdict(list))
    for workflow in workflows:
        kind = workflow.type_index
        again = np.zeros(workflow.tasks, bool)
        again[workflow.edge_child[kind[workflow.edge_parent] == kind[workflow.edge_child]]] = True
        names = np.array([f"{name}+" if more else name for name, more in zip(workflow.types, again, strict=True)])
        for name in np.unique(names).tolist():
            tasks = names == name
            for quantity in QUANTITIES:
                values[name][quantity].append(getattr(workflow, quantity)[tasks])
    table: dict[str, Any] = {}
    for name, quantities in sorted(values.items()):
        pooled = {quantity: np.concatenate(parts) for quantity, parts in quantities.items()}
        known = {quantity: v[~np.isnan(v)] for quantity, v in pooled.items()}
        table[name] = {quantity: scale(v) for quantity, v in known.items() if v.size}
    return table


def main() -> None:
    data = Path(os.environ.get("TFRGNN_DATA", "../shared/data")) / "wfinstances" / "pegasus"
    scales = {}
    for family in FAMILIES:
        workflows = [load_workflow(path) for path in sorted((data / family).glob("*.json"))]
        scales[family] = measure(workflows)
        print(f"{family}: {len(workflows)} instances, {len(scales[family])} types")
    source = "measured on the WfCommons instances of https://github.com/wfcommons/WfInstances (pegasus, chameleon)"
    lines = [f' "{family}": {json.dumps(table)}' for family, table in scales.items()]
    TARGET.write_text("{\n" + f' "source": {json.dumps(source)},\n' + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
