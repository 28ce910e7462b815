"""Runs cells on all cores and keeps a row per method; what is on disk is not run again."""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from tfrgnn import __version__
from tfrgnn.errors import InputError
from tfrgnn.evaluation.compare import compare
from tfrgnn.formats.files import write_text
from tfrgnn.generate.clusters import ClusterLaw, generate_cluster
from tfrgnn.model.cluster import Cluster, Network, Repair
from tfrgnn.model.failures import FailureModel
from tfrgnn.model.workflow import Workflow
from tfrgnn.paper.suites import ABLATIONS, Cell, workflow_of
from tfrgnn.policy.weights import shipped_weights
from tfrgnn.processes import in_processes

_TIMES = ("plan_ms", "simulate_ms")  # of the machine and not of the method: in no row
_DIGITS = 9


def run_cell(data: Path, cell: Cell) -> list[dict[str, Any]]:
    """The rows of one cell."""
    workflow = replace(_workflow(data, cell), name=cell.instance)
    horizon = cell.value if cell.vary == "horizon_factor" else FailureModel.horizon_factor
    result = compare(
        [workflow], _cluster(cell), cell.methods, [cell.scale], cell.traces, cell.seed, horizon_factor=horizon
    )
    about = {key: value for key, value in asdict(cell).items() if key != "methods"}
    return [
        {**about, **{key: _short(value) for key, value in asdict(row).items() if key not in _TIMES}, "method": method}
        for method, row in zip(cell.methods, result.rows, strict=True)  # as the suite spells it
    ]


def _workflow(data: Path, cell: Cell) -> Workflow:
    workflow = workflow_of(data, cell.family, cell.instance)
    return replace(workflow, work_s=workflow.work_s * cell.value) if cell.vary == "work_factor" else workflow


def _cluster(cell: Cell) -> Cluster:
    """The generated cluster with the one constant that the cell varies."""
    law, share = ClusterLaw(), 0.35
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

    A line says where its rows come from: `about` is the command, commit and machine of the run that made them.
    """

    def __init__(self, folder: Path, about: Mapping[str, str] | None = None) -> None:
        self._folder, self._about = folder, dict(about or {})

    def run(
        self, data: Path, cells: Sequence[Cell], processes: int | None, progress: Callable[[int], None]
    ) -> list[dict[str, Any]]:
        """The rows of all cells in their order; those on disk are taken from there."""
        self._folder.mkdir(parents=True, exist_ok=True)
        suite = cells[0].suite
        done, part = self._load(suite), self._folder / f"{suite}.part"
        missing = [cell for cell in cells if _key(cell) not in done]
        progress(len(cells) - len(missing))
        call = partial(run_cell, data)
        with part.open("a", encoding="utf-8") as file, in_processes(call, missing, processes) as results:
            for cell, rows in results:
                done[_key(cell)] = {"key": _key(cell), "about": self._about, "rows": rows}
                file.write(json.dumps(done[_key(cell)]) + "\n")
                file.flush()
                progress(1)
        lines = [json.dumps(done[_key(cell)]) for cell in cells]
        write_text(self._folder / f"{suite}.jsonl", "\n".join(lines) + "\n")
        part.unlink()
        return [row for cell in cells for row in done[_key(cell)]["rows"]]

    def read(self, cells: Sequence[Cell]) -> list[dict[str, Any]]:
        """The rows of cells that were all run before."""
        done = self._load(cells[0].suite)
        missing = sum(_key(cell) not in done for cell in cells)
        if missing:
            raise InputError(f"{self._folder}: lacks {missing} cells of {cells[0].suite}; run `tfrgnn paper all`")
        return [row for cell in cells for row in done[_key(cell)]["rows"]]

    def _load(self, suite: str) -> dict[str, dict[str, Any]]:
        """The lines of finished cells by key; one that an interruption cut short is run again."""
        done = {}
        for path in (self._folder / f"{suite}.jsonl", self._folder / f"{suite}.part"):
            for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
                try:
                    entry = json.loads(line)
                except ValueError:
                    continue
                done[entry["key"]] = entry
        return done


def _key(cell: Cell) -> str:
    """Names a cell and what its rows depend on besides: the version, and the shipped weights."""
    return hashlib.sha256(f"{_stamp()} {cell!r}".encode()).hexdigest()[:16]


@lru_cache(maxsize=1)
def _stamp() -> str:
    digest = hashlib.sha256(__version__.encode())
    for preset in ("paper", *ABLATIONS):
        for _, tensor in sorted(shipped_weights(preset).tensors.items()):
            digest.update(tensor.tobytes())
    return digest.hexdigest()
