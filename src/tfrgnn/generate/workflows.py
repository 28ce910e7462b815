"""Synthetic workflows: a family's shape, with work and bytes at the scales measured on real instances."""

import json
from functools import cache
from importlib.resources import files
from math import log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tfrgnn.errors import InputError, UnknownNameError
from tfrgnn.generate.families import FAMILIES, Draft, Like, draw_shape
from tfrgnn.model.checks import check_whole
from tfrgnn.model.workflow import Workflow

RANDOM = "random"
MOST_TASKS = 10_000_000
_NEAREST = 5
_JITTER = 0.05
_STEEPEST, _HALVINGS, _PROBE = 64.0, 30, 4096


def family_names() -> list[str]:
    """What `generate_workflow` can make."""
    return [*FAMILIES, RANDOM]


def generate_workflow(family: str, tasks: int, seed: int = 0, *, like: str = "") -> Workflow:
    """A workflow of a family with exactly `tasks` tasks.

    It is like one real instance, `like` or else one drawn among the five nearest in size: it has that one's
    proportions, and each task type has that one's mean and spread of work and bytes. Work and bytes are drawn apart.
    """
    check_whole("generated workflow", "seed", seed, 0, 2**63 - 1)
    if family not in family_names():
        raise UnknownNameError("workflow family", family, family_names())
    if family == RANDOM:
        if like:
            raise InputError(f"a random workflow is like no instance; leave out {like!r}")
        return random_workflow(tasks, seed)
    check_whole(f"generated {family}", "number of tasks", tasks, FAMILIES[family].least, MOST_TASKS)
    rng = np.random.default_rng([seed, tasks])
    near = _nearest(family, tasks)
    drawn = near[int(rng.integers(_NEAREST))]
    if like and like not in near:
        raise UnknownNameError(f"instance (of {family})", like, near)
    near.sort(key=lambda name: name != (like or drawn))
    draft = draw_shape(family, tasks, Like(near[0], _scales()[family]["instances"][near[0]]))
    return _filled(draft, _draw_columns(family, draft.scales, near, rng), f"{family}-{tasks}-seed{seed}")


def _nearest(family: str, tasks: int) -> list[str]:
    """The family's instances, those nearest in size first."""
    sizes: dict[str, int] = _scales()[family]["instances"]
    return sorted(sizes, key=lambda name: abs(log(sizes[name] / tasks)))


def _filled(draft: Draft, columns: dict[str, NDArray[np.float64]], name: str) -> Workflow:
    """The draft with its numbers."""
    names = sorted(set(draft.types))
    place = {name: t for t, name in enumerate(names)}
    parents, children = np.array(draft.parents, np.int64), np.array(draft.children, np.int64)
    edge_bytes, output = _bytes(draft, parents, children, np.rint(columns["output_bytes"]))
    digits = len(str(len(draft.types)))
    return Workflow(
        name=name,
        task_ids=tuple(f"{name}_{i + 1:0{digits}}" for i, name in enumerate(draft.types)),
        type_names=tuple(names),
        type_index=np.array([place[name] for name in draft.types], np.int32),
        work_s=columns["work_s"],
        edge_parent=parents,
        edge_child=children,
        edge_bytes=edge_bytes,
        memory_bytes=np.rint(columns["memory_bytes"]),
        avg_cpu=columns["avg_cpu"],
        input_bytes=np.rint(columns["input_bytes"]).astype(np.int64),
        output_bytes=output,
    )


def _bytes(
    draft: Draft, parents: NDArray[np.int64], children: NDArray[np.int64], output: NDArray[np.float64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """What each edge carries and each task writes; the parts of a divided output make up the whole."""
    _, index = np.unique(np.array(draft.scales), return_inverse=True)
    mean = np.bincount(index, output) / np.bincount(index)
    divided, shares = np.array(draft.divided, bool), np.array(draft.shares)
    relative = output / np.maximum(mean[index], 1.0)
    part = mean[index[parents]] * relative[children] * shares
    sizes = np.floor(np.where(divided, part, output[parents] * shares)).astype(np.int64)
    whole = output.astype(np.int64)
    whole[parents[divided]] = 0
    np.add.at(whole, parents[divided], sizes[divided])
    return sizes, whole


def random_workflow(tasks: int, seed: int = 0, *, parents: float = 4.0, reach: int = 1000) -> Workflow:
    """A random DAG: each task has about `parents` parents among the `reach` tasks before it; 16 types.

    Work is log-normal with median 10 s and sigma 1, edges carry log-normal bytes with median 10 MB.
    """
    check_whole("generated random workflow", "number of tasks", tasks, 1, MOST_TASKS)
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


def _draw_columns(
    family: str, scales: list[str], near: list[str], rng: np.random.Generator
) -> dict[str, NDArray[np.float64]]:
    """The numbers of each task, from the first of the instances `near` that has its scale; NaN if none has."""
    quantities = ("work_s", "output_bytes", "input_bytes", "avg_cpu", "memory_bytes")
    place = {name: i for i, name in enumerate(_scales()[family]["instances"])}
    columns = {quantity: np.full(len(scales), np.nan) for quantity in quantities}
    named, index = np.unique(np.array(scales), return_inverse=True)
    for k, name in enumerate(named.tolist()):
        tasks = np.flatnonzero(index == k)
        for quantity in quantities:
            scale = _scales()[family]["types"][name].get(quantity)
            if scale is not None:
                like = next(place[each] for each in near if scale["mean"][place[each]] is not None)
                columns[quantity][tasks] = draw(scale["shape"], scale["mean"][like], scale["sd"][like], tasks.size, rng)
    return columns


def draw(shape: list[float], mean: float, sd: float, count: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """`count` numbers of this mean and standard deviation, in the shape of deciles with these means.

    The deciles are shared out as evenly as the count allows; a power of the numbers has the spread, as far as so few
    can have it.
    """
    decile = np.floor((rng.permutation(count) + rng.random(count)) / count * len(shape)).astype(np.int64)
    values = np.array(shape)[decile] * np.exp(_JITTER * rng.standard_normal(count))
    if mean == 0.0 or sd == 0.0 or count == 1 or not values.any():
        return np.full(count, mean)
    values /= values.max()
    values **= _power(values[:_PROBE], sd / mean)
    values *= mean / values.mean()
    return values


def _power(values: NDArray[np.float64], variation: float) -> float:
    """The power that gives positive numbers this coefficient of variation, by bisection: it grows with the power."""
    low, high = 0.0, _STEEPEST
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        powered = values**middle
        low, high = (middle, high) if powered.std() < variation * powered.mean() else (low, middle)
    return (low + high) / 2
