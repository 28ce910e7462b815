"""Random and published cases that several tests share."""

import os
from pathlib import Path

import numpy as np
import pytest

from tfrgnn.model.cluster import Cluster, Machine, Network, Repair, TableAffinity
from tfrgnn.model.workflow import Task, Workflow

DATA = Path(os.environ.get("TFRGNN_DATA", Path(__file__).parents[1] / "../shared/data")).resolve()
INSTANCES = sorted(DATA.glob("wfinstances/pegasus/*/*.json"))

needs_instances = pytest.mark.skipif(not INSTANCES, reason="the real instances are not here; set TFRGNN_DATA")


def random_case(seed: int, tasks: int | None = None) -> tuple[Workflow, Cluster]:
    """A small workflow and cluster with many ties (small whole numbers) and any racks, even slow near networks."""
    rng = np.random.default_rng(seed)
    n = tasks or int(rng.integers(1, 24))
    chance = rng.uniform(0, 0.5)
    edges = [
        (str(i), str(j), int(rng.integers(0, 5)) * 10**6)
        for j in rng.permutation(n).tolist()
        for i in range(j)
        if rng.random() < chance
    ]
    types = [f"type{t}" for t in range(int(rng.integers(1, 4)))]
    workflow = Workflow.from_tasks(
        f"case{seed}",
        [Task(str(i), float(rng.integers(1, 6)), str(rng.choice(types))) for i in range(n)],
        edges,
    )
    p = int(rng.integers(1, 9))
    racks = int(rng.integers(1, p + 1))
    machines = tuple(
        Machine(
            f"m{m}",
            speed=float(rng.choice([0.5, 1.0, 2.0])),
            rack=f"r{rng.integers(racks)}",
            mtbf_s=None if rng.random() < 0.3 else float(rng.uniform(2, 40)),
        )
        for m in range(p)
    )
    table = {
        name: {f"m{m}": float(rng.choice([0.5, 1.0, 3.0])) for m in range(p) if rng.random() < 0.7} for name in types
    }
    network = Network(*rng.choice([0.5, 1.0, 4.0], 2).tolist(), latency_s=float(rng.choice([0.0, 0.25])))
    repair = Repair(mean_s=float(rng.choice([0.0, 1.0, 5.0])), sigma=0.5)
    return workflow, Cluster(f"cluster{seed}", machines, network, repair, TableAffinity(table))


def from_matrix(name: str, cost: list[list[int]], edges: list[tuple[int, int, int]]) -> tuple[Workflow, Cluster]:
    """A case from a task x machine cost matrix and edge costs: unit bandwidth, zero startup."""
    workflow = Workflow.from_tasks(
        name,
        [Task(f"{i + 1}", 1.0, f"type{i + 1:02}") for i in range(len(cost))],
        [(f"{i + 1}", f"{j + 1}", size) for i, j, size in edges],
    )
    machines = tuple(Machine(f"m{m}", rack=f"r{m}") for m in range(len(cost[0])))
    table = {f"type{i + 1:02}": {f"m{m}": float(c) for m, c in enumerate(row)} for i, row in enumerate(cost)}
    network = Network(intra_rack_mb_s=1e-6, inter_rack_mb_s=1e-6)
    return workflow, Cluster(name, machines, network, affinity=TableAffinity(table))


# Topcuoglu, Hariri, Wu, IEEE TPDS 13(3), 2002, DOI 10.1109/71.993206: figure 2 and its table; published: HEFT 80,
# CPOP 86, and the upward ranks.
TOPCUOGLU_COST = [
    [14, 16, 9], [13, 19, 18], [11, 13, 19], [13, 8, 17], [12, 13, 10],
    [13, 16, 9], [7, 15, 11], [5, 11, 14], [18, 12, 20], [21, 7, 16],
]  # fmt: skip
TOPCUOGLU_EDGES = [
    (0, 1, 18), (0, 2, 12), (0, 3, 9), (0, 4, 11), (0, 5, 14), (1, 7, 19), (1, 8, 16), (2, 6, 23), (3, 7, 27),
    (3, 8, 23), (4, 8, 13), (5, 7, 15), (6, 9, 17), (7, 9, 11), (8, 9, 13),
]  # fmt: skip
TOPCUOGLU_RANK_U = [108.0, 77.0, 80.0, 80.0, 69.0, 63.333, 42.667, 35.667, 44.333, 14.667]

# Arabnejad, Barbosa, IEEE TPDS 25(3), 2014, DOI 10.1109/TPDS.2013.57: the sample DAG; published: PEFT 122, HEFT 133
# and the optimistic cost table.
PEFT_COST = [
    [22, 21, 36], [22, 18, 18], [32, 27, 43], [7, 10, 4], [29, 27, 35],
    [26, 17, 24], [14, 25, 30], [29, 23, 36], [15, 21, 8], [13, 16, 33],
]  # fmt: skip
PEFT_EDGES = [
    (0, 1, 17), (0, 2, 31), (0, 3, 29), (0, 4, 13), (0, 5, 7), (1, 7, 3), (1, 8, 30), (2, 6, 16), (3, 7, 11),
    (3, 8, 7), (4, 8, 57), (5, 7, 5), (6, 9, 9), (7, 9, 42), (8, 9, 7),
]  # fmt: skip
PEFT_OCT = [
    [64, 68, 86], [42, 39, 42], [27, 41, 43], [42, 39, 50], [28, 37, 28],
    [42, 39, 44], [13, 16, 22], [13, 16, 33], [13, 16, 20], [0, 0, 0],
]  # fmt: skip


def topcuoglu() -> tuple[Workflow, Cluster]:
    return from_matrix("topcuoglu", TOPCUOGLU_COST, TOPCUOGLU_EDGES)


def arabnejad() -> tuple[Workflow, Cluster]:
    return from_matrix("arabnejad", PEFT_COST, PEFT_EDGES)
