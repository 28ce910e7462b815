"""A workflow: tasks with work and bytes, and the edges that carry data between them."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tfrgnn.errors import InputError
from tfrgnn.model.checks import LARGEST, check_finite, frozen_array
from tfrgnn.model.dag import levels, topological_order

WORK_FLOOR_S = 0.01

_NOT_GIVEN = np.empty(0)
_NO_BYTES_GIVEN = np.empty(0, np.int64)


@dataclass(frozen=True)
class Task:
    """One task, for building a workflow by hand. `memory_bytes` and `avg_cpu` (percent) may be unknown."""

    id: str
    work_s: float
    type: str = "task"
    memory_bytes: float | None = None
    avg_cpu: float | None = None
    input_bytes: int = 0
    output_bytes: int | None = None


@dataclass(frozen=True)
class Gaps:
    """How many values a file did not have, so that a default stands for each."""

    runtimes: int = 0
    floored_runtimes: int = 0
    file_sizes: int = 0
    memories: int = 0
    avg_cpus: int = 0
    types: int = 0


@dataclass(frozen=True, eq=False)
class Workflow:
    """Tasks and edges as flat, read-only arrays.

    `work_s` is the runtime on a machine of speed 1, at least 0.01 s. `input_bytes` are those a task reads
    from elsewhere than its parents, `output_bytes` all it writes; `edge_bytes` those that the parent writes
    and the child reads. Unknown memory and CPU share are NaN. `gaps` tells what the file lacked; it is no
    part of equality or of the hash. Of the last four arrays each may be left out: unknown, no input from elsewhere,
    and as output what the children read.

    Shapes: n tasks: `type_index`, `work_s`, `memory_bytes`, `avg_cpu`, `input_bytes`, `output_bytes`.
    e edges, by child and then parent: `edge_parent`, `edge_child`, `edge_bytes`.
    """

    name: str
    task_ids: tuple[str, ...]
    type_names: tuple[str, ...]
    type_index: NDArray[np.integer[Any]]
    work_s: NDArray[np.float64]
    edge_parent: NDArray[np.integer[Any]]
    edge_child: NDArray[np.integer[Any]]
    edge_bytes: NDArray[np.integer[Any]]
    memory_bytes: NDArray[np.float64] = field(default_factory=lambda: _NOT_GIVEN)
    avg_cpu: NDArray[np.float64] = field(default_factory=lambda: _NOT_GIVEN)
    input_bytes: NDArray[np.integer[Any]] = field(default_factory=lambda: _NO_BYTES_GIVEN)
    output_bytes: NDArray[np.integer[Any]] = field(default_factory=lambda: _NO_BYTES_GIVEN)
    gaps: Gaps = field(default_factory=Gaps)
    order: NDArray[np.int32] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        n = len(self.task_ids)
        if n == 0:
            raise InputError(f"workflow {self.name!r} has no tasks; it needs at least one")
        self._check_ids()
        self._sort_types()
        unknown = np.full(n, np.nan)
        self._set("work_s", self.work_s, np.float64, n)
        check_finite("work_s", self.work_s, self._task)
        self._set("work_s", np.maximum(self.work_s, WORK_FLOOR_S), np.float64, n)
        for name in ("memory_bytes", "avg_cpu"):
            values = getattr(self, name)
            self._set(name, values if values.size else unknown, np.float64, n)
            given = getattr(self, name)
            check_finite(name, np.where(np.isnan(given), 0.0, given), self._task)
        self._sort_edges()
        self._check_bytes()
        object.__setattr__(self, "order", frozen_array(topological_order(self), np.int32))

    @classmethod
    def from_tasks(cls, name: str, tasks: Sequence[Task], edges: Iterable[tuple[str, str, int]] = ()) -> "Workflow":
        """A workflow from tasks and (parent id, child id, bytes)."""
        place = {task.id: i for i, task in enumerate(tasks)}
        type_names = sorted({task.type for task in tasks})
        pairs = []
        for parent, child, size in edges:
            for end in (parent, child):
                if end not in place:
                    raise InputError(f"workflow {name!r}: edge {parent} -> {child} names no task {end!r}")
            if not 0 <= size <= LARGEST or size != int(size):
                raise InputError(
                    f"workflow {name!r}: edge {parent} -> {child} carries {size} bytes; give a whole number"
                )
            pairs.append((place[parent], place[child], int(size)))
        ends = np.array(pairs, np.int64).reshape(-1, 3)
        outputs = np.zeros(len(tasks), np.int64)
        np.maximum.at(outputs, ends[:, 0], ends[:, 2])
        given = [task.output_bytes for task in tasks]
        return cls(
            name=name,
            task_ids=tuple(task.id for task in tasks),
            type_names=tuple(type_names),
            type_index=np.array([type_names.index(task.type) for task in tasks], np.int32),
            work_s=np.array([task.work_s for task in tasks], np.float64),
            edge_parent=ends[:, 0].astype(np.int32),
            edge_child=ends[:, 1].astype(np.int32),
            edge_bytes=ends[:, 2],
            memory_bytes=_known([task.memory_bytes for task in tasks]),
            avg_cpu=_known([task.avg_cpu for task in tasks]),
            input_bytes=np.array([task.input_bytes for task in tasks], np.int64),
            output_bytes=np.where([g is None for g in given], outputs, [g or 0 for g in given]),
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Workflow):
            return NotImplemented
        return self.name == other.name and self.content_hash == other.content_hash

    def __hash__(self) -> int:
        return hash((self.name, self.content_hash))

    @property
    def tasks(self) -> int:
        return len(self.task_ids)

    @property
    def edges(self) -> int:
        return len(self.edge_parent)

    @cached_property
    def content_hash(self) -> str:
        """Names the content (all but `name` and `gaps`), however it was written down."""
        digest = hashlib.sha256()
        for names in (self.task_ids, self.type_names):
            for name in names:
                digest.update(f"{len(name)}:{name}".encode("utf-8", "surrogatepass"))
        for values in (
            self.type_index, self.work_s, self.memory_bytes, self.avg_cpu, self.input_bytes,
            self.output_bytes, self.edge_parent, self.edge_child, self.edge_bytes,
        ):  # fmt: skip
            digest.update(values.tobytes())
        return f"sha256:{digest.hexdigest()}"

    @cached_property
    def parent_ptr(self) -> NDArray[np.int64]:
        """Where each task's edges begin (n + 1): its parents are `edge_parent[ptr[i]:ptr[i + 1]]`."""
        return _pointers(self.edge_child, self.tasks)

    @cached_property
    def child_edge(self) -> NDArray[np.int64]:
        """The edges in the order of their parents, as places in the arrays above (e)."""
        return frozen_array(np.argsort(self.edge_parent, kind="stable"), np.int64)

    @cached_property
    def child_ptr(self) -> NDArray[np.int64]:
        """Where each task's outgoing edges begin in `child_edge` (n + 1)."""
        return _pointers(self.edge_parent, self.tasks)

    @cached_property
    def child(self) -> NDArray[np.int32]:
        """The children in the order of `child_edge` (e)."""
        return frozen_array(self.edge_child[self.child_edge], np.int32)

    @cached_property
    def level(self) -> NDArray[np.int32]:
        """Edges on the longest way from an entry to each task (n)."""
        return frozen_array(levels(self), np.int32)

    @cached_property
    def types(self) -> tuple[str, ...]:
        """The type of each task (n)."""
        return tuple(self.type_names[t] for t in self.type_index.tolist())

    def _task(self, i: int) -> str:
        return f"workflow {self.name!r}, task {self.task_ids[i]!r}"

    def _set(self, name: str, values: ArrayLike, dtype: type, size: int) -> None:
        """Sets an array as read-only; zeros have no sign, so that equal numbers have equal bytes."""
        given = np.asarray(values)
        if given.dtype.kind == "f" and dtype is not np.float64 and np.any(given != np.floor(given)):
            raise InputError(f"workflow {self.name!r}: {name} must be whole numbers")
        if given.dtype.kind == "f" and np.any(np.signbit(given) & (given == 0)):
            values = given + 0.0
        array = frozen_array(values, dtype)
        if array.shape != (size,):
            raise InputError(f"workflow {self.name!r}: {name} has shape {array.shape}; it must be ({size},)")
        object.__setattr__(self, name, array)

    def _check_ids(self) -> None:
        seen: set[str] = set()
        for i, task in enumerate(self.task_ids):
            if not task:
                raise InputError(f"workflow {self.name!r}: task number {i} has an empty id")
            if task in seen:
                raise InputError(f"workflow {self.name!r}: task id {task!r} stands twice; ids must differ")
            seen.add(task)

    def _sort_types(self) -> None:
        """Types in alphabetical order and each in use, so that equal workflows have equal arrays."""
        index = np.asarray(self.type_index)
        self._set("type_index", index, np.int32, self.tasks)
        if "" in self.type_names:
            raise InputError(f"workflow {self.name!r}: a type has an empty name")
        if index.min() < 0 or index.max() >= len(self.type_names):
            raise InputError(f"workflow {self.name!r}: type_index must lie in 0..{len(self.type_names) - 1}")
        used = sorted({self.type_names[t] for t in np.unique(index).tolist()})
        if used != list(self.type_names):
            place = {name: t for t, name in enumerate(used)}
            moved = np.array([place.get(name, -1) for name in self.type_names], np.int32)
            self._set("type_index", moved[index], np.int32, self.tasks)
            object.__setattr__(self, "type_names", tuple(used))

    def _sort_edges(self) -> None:
        e = np.asarray(self.edge_parent).size
        given = self.edge_parent, self.edge_child  # before they are cut to 32 bits
        self._set("edge_parent", self.edge_parent, np.int32, e)
        self._set("edge_child", self.edge_child, np.int32, e)
        self._set("edge_bytes", self.edge_bytes, np.int64, e)
        if e == 0:
            return
        ends = np.concatenate([np.asarray(given[0]), np.asarray(given[1])])
        if ends.min() < 0 or ends.max() >= self.tasks:
            raise InputError(f"workflow {self.name!r}: an edge names no task; ends lie in 0..{self.tasks - 1}")
        place = self.edge_child.astype(np.int64) * self.tasks + self.edge_parent
        if np.any(place[1:] < place[:-1]):
            by_child = np.argsort(place, kind="stable")
            for name in ("edge_parent", "edge_child", "edge_bytes"):
                object.__setattr__(self, name, frozen_array(getattr(self, name)[by_child], None))
            place = place[by_child]
        twice = np.flatnonzero(place[1:] == place[:-1])
        if twice.size:
            raise InputError(f"{self._edge_name(int(twice[0]))} stands twice")

    def _edge_name(self, k: int) -> str:
        parent, child = self.task_ids[self.edge_parent[k]], self.task_ids[self.edge_child[k]]
        return f"workflow {self.name!r}, edge {parent} -> {child}"

    def _check_bytes(self) -> None:
        check_finite("edge_bytes", self.edge_bytes, self._edge_name)
        largest = np.zeros(self.tasks, np.int64)
        np.maximum.at(largest, self.edge_parent, self.edge_bytes)
        none = np.zeros(self.tasks, np.int64)
        for name, default in (("input_bytes", none), ("output_bytes", largest)):
            values = getattr(self, name)
            self._set(name, values if values.size else default, np.int64, self.tasks)
            check_finite(name, getattr(self, name), self._task)
        short = np.flatnonzero(largest > self.output_bytes)
        if short.size:
            i = int(short[0])
            raise InputError(
                f"{self._task(i)} writes {self.output_bytes[i]} bytes, but a child reads {largest[i]} of them"
            )


def _known(values: Sequence[float | None]) -> NDArray[np.float64]:
    return np.array([np.nan if value is None else value for value in values], np.float64)


def _pointers(ends: NDArray[np.integer[Any]], n: int) -> NDArray[np.int64]:
    counts = np.bincount(ends, minlength=n) if ends.size else np.zeros(n, np.int64)
    return frozen_array(np.concatenate([[0], np.cumsum(counts)]), np.int64)
