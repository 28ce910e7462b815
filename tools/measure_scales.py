"""Measures the scales of the seven families on real WfCommons instances and writes src/tfrgnn/generate/scales.json.

Run as `python tools/measure_scales.py`; the instances are sought in $TFRGNN_DATA, by default ../shared/data.
For each task type and quantity it keeps, with three digits, the mean and the standard deviation in each instance, and
over all instances the shape: of the numbers over their instance's mean, the means of ten equally likely parts.
"""

import json
import os
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tfrgnn.formats.wfformat import load_workflow
from tfrgnn.model.workflow import Workflow

FAMILIES = ("1000genome", "cycles", "epigenomics", "montage", "seismology", "soykb", "srasearch")
QUANTITIES = ("work_s", "output_bytes", "input_bytes", "avg_cpu", "memory_bytes")
ABORTED = "montage-chameleon-2mass-02d-001"  # its last tasks took no time and wrote nothing
PARTS, VARIES = 10, 0.01
TARGET = Path(__file__).parent.parent / "src" / "tfrgnn" / "generate" / "scales.json"

Values = dict[str, dict[str, NDArray[np.float64]]]


def values_of(workflow: Workflow) -> Values:
    """{type: {quantity: numbers of its tasks}}; a + behind the type marks parents of the same type."""
    kind = workflow.type_index
    again = np.zeros(workflow.tasks, bool)
    again[workflow.edge_child[kind[workflow.edge_parent] == kind[workflow.edge_child]]] = True
    names = np.array([f"{name}+" if more else name for name, more in zip(workflow.types, again, strict=True)])
    return {
        name: {quantity: getattr(workflow, quantity)[names == name].astype(float) for quantity in QUANTITIES}
        for name in np.unique(names).tolist()
    }


def shape(parts: list[NDArray[np.float64]]) -> list[float]:
    """Means of ten equally likely parts of the numbers over their instance's mean; all 1 where nothing varies."""
    varied = [part / part.mean() for part in parts if part.std() > VARIES * part.mean()]
    if not varied:
        return [1.0] * PARTS
    pooled = np.sort(np.concatenate(varied))
    grid = pooled[(np.arange(PARTS * 100) * pooled.size) // (PARTS * 100)]
    return [_short(mean) for mean in grid.reshape(PARTS, -1).mean(axis=1)]


def measure(instances: list[Values]) -> dict[str, Any]:
    """{type: {quantity: shape, and mean and sd by instance, null where it has none}}."""
    table: dict[str, dict[str, Any]] = defaultdict(dict)
    for name in sorted({name for values in instances for name in values}):
        for quantity in QUANTITIES:
            found = [values[name][quantity] if name in values else np.empty(0) for values in instances]
            known = [part[~np.isnan(part)] for part in found]
            if any(part.size for part in known):
                table[name][quantity] = {
                    "shape": shape([part for part in known if part.size]),
                    "mean": [_short(part.mean()) if part.size else None for part in known],
                    "sd": [_short(part.std()) if part.size else None for part in known],
                }
    return dict(table)


def _short(value: float) -> float:
    return float(f"{value:.3g}")


def main() -> None:
    data = Path(os.environ.get("TFRGNN_DATA", "../shared/data")) / "wfinstances" / "pegasus"
    families = {}
    for family in FAMILIES:
        workflows = {path.stem: load_workflow(path) for path in sorted((data / family).glob("*.json"))}
        workflows.pop(ABORTED, None)
        sizes = {name.replace("-chameleon", ""): workflow.tasks for name, workflow in workflows.items()}
        families[family] = {"instances": sizes, "types": measure([values_of(w) for w in workflows.values()])}
        print(f"{family}: {len(workflows)} instances, {len(families[family]['types'])} types")
    source = "measured on the WfCommons instances of https://github.com/wfcommons/WfInstances (pegasus, chameleon)"
    lines = [f' "{family}": {json.dumps(table, separators=(",", ":"))}' for family, table in families.items()]
    TARGET.write_text("{\n" + f' "source": {json.dumps(source)},\n' + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
