"""Runs cells on all cores and keeps a row per method; what is on disk is not run again."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from tfrgnn.errors import InputError
from tfrgnn.evaluation.compare import compare
from tfrgnn.formats.files import write_text
from tfrgnn.generate.clusters import VOLATILE_SHARE, ClusterLaw, generate_cluster
from tfrgnn.model.cluster import Cluster, Network, Repair
from tfrgnn.model.failures import FailureModel
from tfrgnn.model.workflow import Workflow
from tfrgnn.paper.suites import ABLATIONS, Cell, workflow_of
from tfrgnn.policy.weights import load_weights, shipped_weights
from tfrgnn.processes import in_processes
from tfrgnn.provenance import code_hash, digest_of

_LEFT_OUT = {
    "plan_ms", "simulate_ms",  # of the machine and not of the method
    "workflow", "cluster", "workflow_hash", "cluster_hash", "kind", "version",
    "difference_to_heft_s", "difference_ci95_low_s", "difference_ci95_high_s",
}  # fmt: skip
_DIGITS = 9


def run_cell(data: Path, weights: Path | None, cell: Cell) -> list[dict[str, Any]]:
    """A row of numbers per method; `weights` stand in for the shipped ones of the paper's preset."""
    workflow = replace(_workflow(data, cell), name=cell.instance)
    horizon = cell.value if cell.vary == "horizon_factor" else FailureModel.horizon_factor
    spelled = [method if weights is None else with_weights(method, weights) for method in cell.methods]
    result = compare([workflow], _cluster(cell), spelled, [cell.scale], cell.traces, cell.seed, horizon_factor=horizon)
    known = asdict(cell).keys() | _LEFT_OUT | {"method"}
    return [
        {"method": method, **{key: _short(value) for key, value in asdict(row).items() if key not in known}}
        for method, row in zip(cell.methods, result.rows, strict=True)  # as the suite spells it
    ]


def check_spelling(weights: Path | None) -> None:
    """Refuses a path that cannot stand in a method's name."""
    if weights is not None and any(c in str(weights) for c in ",[]"):
        raise InputError(f"{weights}: a weight file's path may have no comma or bracket here; rename it")


def with_weights(method: str, weights: Path) -> str:
    """The method with a weight file in place of the preset `paper`."""
    return method.replace("preset=paper]", f"weights={weights}]")


def _workflow(data: Path, cell: Cell) -> Workflow:
    workflow = workflow_of(data, cell.family, cell.instance)
    return replace(workflow, work_s=workflow.work_s * cell.value) if cell.vary == "work_factor" else workflow


def _cluster(cell: Cell) -> Cluster:
    """The generated cluster with the one constant that the cell varies."""
    law, share = ClusterLaw(), VOLATILE_SHARE
    network = Network()
    if cell.vary == "rack_size":
        law = replace(law, rack_size=int(cell.value))
    elif cell.vary == "bandwidth":
        scaled = Network(network.intra_rack_mb_s * cell.value, network.inter_rack_mb_s * cell.value)
        law = replace(law, network=scaled)
    elif cell.vary == "repair_mean_s":
        law = replace(law, repair=Repair(cell.value))
    elif cell.vary == "sigma":
        law = replace(law, affinity_sigma=cell.value)
    elif cell.vary == "volatile":
        share = cell.value
    return generate_cluster(cell.machines, cell.cluster_seed, volatile_share=share, law=law)


def _short(value: Any) -> Any:
    return float(f"{value:.{_DIGITS}g}") if isinstance(value, (float, np.floating)) else value


class Rows:
    """The rows of cells in a folder: a line per cell in `SUITE.part` while it runs, then `SUITE.jsonl`, whole.

    A line is the cell, its rows, `about` (the command, commit and machine that made them), and a key that names all
    that the rows depend on: what is changed since is run again.
    """

    def __init__(self, folder: Path, about: Mapping[str, str] | None = None, weights: Path | None = None) -> None:
        self._folder, self._about, self._weights = folder, dict(about or {}), weights

    def run(
        self, data: Path, cells: Sequence[Cell], processes: int | None, progress: Callable[[int], None]
    ) -> list[dict[str, Any]]:
        """The rows of all cells in their order; those on disk are taken from there."""
        suite = cells[0].suite
        keys = {cell: self._key(data, cell) for cell in cells}
        self._folder.mkdir(parents=True, exist_ok=True)
        lines = {line["key"]: line for line in self._lines(suite)}
        missing = [cell for cell in cells if keys[cell] not in lines]
        progress(len(cells) - len(missing))
        call, part = partial(run_cell, data, self._weights), self._folder / f"{suite}.part"
        with part.open("a", encoding="utf-8") as file, in_processes(call, missing, processes) as results:
            for cell, rows in results:
                line = {"key": keys[cell], "cell": _fields(cell), "about": self._about, "rows": rows}
                lines[keys[cell]] = line
                file.write("\n" + json.dumps(line))  # first the break, should an interruption have torn the last line
                file.flush()
                progress(1)
        write_text(self._folder / f"{suite}.jsonl", "".join(json.dumps(lines[keys[cell]]) + "\n" for cell in cells))
        part.unlink(missing_ok=True)
        return [row for cell in cells for row in _whole(lines[keys[cell]])]

    def read(self, cells: Sequence[Cell]) -> list[dict[str, Any]]:
        """The rows of cells that were all run before, by whatever version."""
        done = {_plain(line["cell"]): line for line in self._lines(cells[0].suite)}
        missing = sum(_plain(_fields(cell)) not in done for cell in cells)
        if missing:
            raise InputError(f"{self._folder}: lacks {missing} cells of {cells[0].suite}; run `tfrgnn paper all`")
        return [row for cell in cells for row in _whole(done[_plain(_fields(cell))])]

    def _key(self, data: Path, cell: Cell) -> str:
        return digest_of(stamp(self._weights), workflow_of(data, cell.family, cell.instance).content_hash, repr(cell))

    def _lines(self, suite: str) -> Iterator[dict[str, Any]]:
        """The lines on disk; one that an interruption cut short, or of an older form, is passed over."""
        for path in (self._folder / f"{suite}.jsonl", self._folder / f"{suite}.part"):
            for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
                with suppress(ValueError):
                    entry = json.loads(line)
                    if {"key", "cell", "rows"} <= entry.keys():
                        yield entry


@lru_cache(maxsize=4)
def stamp(weights: Path | None) -> str:
    """Names what all rows depend on: our own code, that of this file, and the weights."""
    presets = [shipped_weights(name) for name in ABLATIONS]
    presets.append(shipped_weights("paper") if weights is None else load_weights(weights))
    tensors = [tensor.tobytes() for each in presets for _, tensor in sorted(each.tensors.items())]
    return digest_of(code_hash(), Path(__file__).read_bytes(), *tensors)


def _fields(cell: Cell) -> dict[str, Any]:
    """A cell as JSON has it."""
    return {**asdict(cell), "methods": list(cell.methods)}


def _whole(line: dict[str, Any]) -> list[dict[str, Any]]:
    """The rows of a line, each with its cell's fields."""
    return [{**line["cell"], **row} for row in line["rows"]]


def _plain(cell: Mapping[str, Any]) -> str:
    return json.dumps(cell, sort_keys=True)
