"""Synthetic workflows: a family's shape, with work and bytes at the scales measured on real instances."""

import json
from functools import cache
from importlib.resources import files
from math import log, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tfrgnn.errors import InputError, UnknownNameError
from tfrgnn.generate.families import FAMILIES, draw_shape
from tfrgnn.model.checks import check_number
from tfrgnn.model.workflow import Workflow

RANDOM = "random"
_JITTER = 0.05


def family_names() -> list[str]:
    """What `generate_workflow` can make."""
    return [*FAMILIES, RANDOM]


def generate_workflow(family: str, tasks: int, seed: int = 0) -> Workflow:
    """A workflow of a family with exactly `tasks` tasks.

    The tasks of a type share out the type's ten measured deciles as evenly as their number allows, so that
    mean and spread are near the real ones in every single workflow. Work and bytes are drawn apart.
    """
    check_number("generated workflow", "seed", seed, high=2**63 - 1)
    if family == RANDOM:
        return random_workflow(tasks, seed)
    if family not in FAMILIES:
        raise UnknownNameError("workflow family", family, family_names())
    draft = draw_shape(family, tasks)
    rng = np.random.default_rng([seed, tasks])
    names = sorted(set(draft.types))
    place = {name: t for t, name in enumerate(names)}
    type_index = np.array([place[name] for name in draft.types], np.int32)
    columns = _draw_columns(family, draft.scales, rng)
    parents = np.array(draft.parents, np.int64)
    output = np.rint(columns["output_bytes"]).astype(np.int64)
    digits = len(str(tasks))
    return Workflow(
        name=f"{family}-{tasks}-seed{seed}",
        task_ids=tuple(f"{name}_{i + 1:0{digits}}" for i, name in enumerate(draft.types)),
        type_names=tuple(names),
        type_index=type_index,
        work_s=columns["work_s"],
        edge_parent=parents,
        edge_child=np.array(draft.children, np.int64),
        edge_bytes=np.floor(output[parents] * np.array(draft.shares)).astype(np.int64),
        memory_bytes=np.rint(columns["memory_bytes"]),
        avg_cpu=columns["avg_cpu"],
        input_bytes=np.rint(columns["input_bytes"]).astype(np.int64),
        output_bytes=output,
    )


def random_workflow(tasks: int, seed: int = 0, *, parents: float = 4.0, reach: int = 1000) -> Workflow:
    """A random DAG: each task has about `parents` parents among the `reach` tasks before it; 16 types.

    Work is log-normal with median 10 s and sigma 1, edges carry log-normal bytes with median 10 MB.
    """
    if not 1 <= tasks <= 10_000_000:
        raise InputError(f"cannot generate a random workflow of {tasks} tasks; ask for 1 to 10000000")
    rng = np.random.default_rng([seed, tasks])
    count = rng.poisson(parents, tasks)
    child = np.repeat(np.arange(tasks), count)
    parent = child - 1 - np.floor(rng.random(child.size) * np.minimum(child, reach)).astype(np.int64)
    pairs = np.unique(child[child > 0] * tasks + parent[child > 0])
    child, parent = pairs // tasks, pairs % tasks
    types = np.sort(rng.integers(16, size=tasks).astype(np.int32))
    rng.shuffle(types)
    return Workflow(
        name=f"random-{tasks}-seed{seed}",
        task_ids=tuple(map(str, range(tasks))),
        type_names=tuple(f"type{t:02}" for t in range(16)),
        type_index=types,
        work_s=10.0 * np.exp(rng.standard_normal(tasks)),
        edge_parent=parent,
        edge_child=child,
        edge_bytes=np.floor(1e7 * np.exp(rng.standard_normal(child.size))).astype(np.int64),
    )


@cache
def _scales() -> dict[str, Any]:
    text = files(__package__).joinpath("scales.json").read_text(encoding="utf-8")
    table: dict[str, Any] = json.loads(text)
    return table


def _draw_columns(family: str, scales: list[str], rng: np.random.Generator) -> dict[str, NDArray[np.float64]]:
    """The numbers of each task, drawn from the measured scale that it names."""
    quantities = ("work_s", "output_bytes", "input_bytes", "avg_cpu", "memory_bytes")
    columns = {quantity: np.full(len(scales), np.nan) for quantity in quantities}
    named, index = np.unique(np.array(scales), return_inverse=True)
    for k, name in enumerate(named.tolist()):
        tasks = np.flatnonzero(index == k)
        for quantity in quantities:
            scale = _scales()[family][name].get(quantity)
            if scale is not None:
                columns[quantity][tasks] = draw(scale["means"], scale["sd"], tasks.size, rng)
    return columns


def draw(means: list[float], sd: float, count: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """`count` numbers whose deciles have these means, and together this standard deviation (count).

    What the ten means leave of the variance lies in the highest decile, which is log-normal.
    """
    parts = len(means)
    decile = np.floor((rng.permutation(count) + rng.random(count)) / count * parts).astype(np.int64)
    mean, top = float(np.mean(means)), means[-1]
    jitter = min(_JITTER, 0.3 * sd / mean) if mean > 0 else 0.0
    values = np.array(means)[decile] * np.exp(jitter * rng.standard_normal(count))
    left = parts * max(0.0, sd**2 - float(np.var(means)))
    if top > 0 and left > (jitter * top) ** 2:
        sigma = sqrt(log(1.0 + left / top**2))
        highest = np.flatnonzero(decile == parts - 1)
        values[highest] = top * np.exp(sigma * rng.standard_normal(highest.size) - sigma**2 / 2)
    return values
