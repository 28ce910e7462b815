"""Reads WfFormat, the WfCommons workflow file, versions 1.3 to 1.6.

Versions 1.3 and 1.4 have a flat list of tasks that name their parents and carry their files; 1.5 and 1.6
split each task into a specification (parents, children, file ids) and an execution (runtime, program, memory).
Fields that a plan does not need are passed over, since WfFormat allows any.

Defaults, all counted in `Workflow.gaps`: no runtime 0.01 s; no file size 0 bytes; memory and CPU share
unknown; without a program the task's category, else its name without the number at its end.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tfrgnn.errors import CycleError, FormatError, InputError, shorten
from tfrgnn.formats.files import read_json
from tfrgnn.formats.kinds import refuse_other_kinds
from tfrgnn.formats.wfschema import Document, Execution, ExecutionTask, FlatTask, Specification, WorkflowPart
from tfrgnn.model.checks import LARGEST
from tfrgnn.model.workflow import WORK_FLOOR_S, Gaps, Workflow

VERSIONS = ("1.3", "1.4", "1.5", "1.6")
_KILOBYTE = 1000  # the memory of version 1.3, as WfCommons' own migration reads it
_NUMBER_AT_END = re.compile(r"[-_.]*(?:ID)?\d+$")


@dataclass(frozen=True)
class _Row:
    """One task as either layout gives it; `place` is where it stands in the file, `measured` where its runtime does."""

    place: str
    measured: str
    id: str
    name: str
    parents: Sequence[str]
    children: Sequence[str] | None
    reads: Sequence[str]
    writes: Sequence[str]
    runtime: float | None
    memory: float | None
    avg_cpu: float | None
    program: str | None


def load_workflow(path: str | Path) -> Workflow:
    """The workflow of a WfFormat file."""
    path = Path(path)
    try:
        document = read_json(path, Document)
    except FormatError:
        refuse_other_kinds(path, "a workflow")
        raise
    if document.schema_version not in VERSIONS:
        raise FormatError(
            path,
            f"version {document.schema_version!r} is not read; {', '.join(VERSIONS)} are",
            "schemaVersion",
        )
    rows, sizes = _read_rows(path, document.workflow)
    try:
        return _build(path, document.name or path.stem, rows, sizes)
    except FormatError:
        raise
    except CycleError as error:
        raise CycleError(f"{path}: {error}") from None
    except InputError as error:
        raise FormatError(path, str(error)) from None


def _read_rows(path: Path, part: WorkflowPart) -> tuple[list[_Row], dict[str, float | None]]:
    if part.specification is not None and part.tasks is None:
        return _split_rows(path, part.specification, part.execution or Execution())
    if part.tasks is not None and part.specification is None:
        return _flat_rows(path, part.tasks)
    raise FormatError(path, "needs either tasks (1.3, 1.4) or specification (1.5, 1.6)", "workflow")


def _split_rows(
    path: Path, specification: Specification, execution: Execution
) -> tuple[list[_Row], dict[str, float | None]]:
    known = _distinct(path, "workflow.specification.tasks", (task.id for task in specification.tasks))
    ran = _distinct(path, "workflow.execution.tasks", (task.id for task in execution.tasks))
    for name, i in ran.items():
        if name not in known:
            raise FormatError(path, f"task {name!r} is not in the specification", f"workflow.execution.tasks[{i}]")
    rows = []
    for i, spec in enumerate(specification.tasks):
        k = ran.get(spec.id)
        run, place = ExecutionTask(spec.id) if k is None else execution.tasks[k], f"workflow.specification.tasks[{i}]"
        rows.append(
            _Row(
                place=place, measured=place if k is None else f"workflow.execution.tasks[{k}]",
                id=spec.id, name=spec.name or spec.id,
                parents=spec.parents, children=spec.children, reads=spec.input_files, writes=spec.output_files,
                runtime=run.runtime_in_seconds, memory=run.memory_in_bytes, avg_cpu=run.avg_cpu,
                program=run.command.program if run.command else None,
            )
        )  # fmt: skip
    sizes: dict[str, float | None] = {}
    for i, file in enumerate(specification.files):
        _note_size(path, f"workflow.specification.files[{i}]", sizes, file.id, file.size_in_bytes)
    return rows, sizes


def _flat_rows(path: Path, tasks: list[FlatTask]) -> tuple[list[_Row], dict[str, float | None]]:
    rows, sizes = [], dict[str, float | None]()
    _distinct(path, "workflow.tasks", (task.id or task.name for task in tasks))
    for i, task in enumerate(tasks):
        place = f"workflow.tasks[{i}]"
        links: dict[str, list[str]] = {"input": [], "output": []}
        for k, file in enumerate(task.files):
            at = f"{place}.files[{k}]"
            name = file.id or file.name
            if name is None:
                raise FormatError(path, "a file needs a name", at)
            if file.link not in links:
                raise FormatError(path, f"link is {file.link!r}; it must be input or output", at)
            links[file.link].append(name)
            _note_size(path, at, sizes, name, file.size_in_bytes if file.size is None else file.size)
        memory = task.memory_in_bytes
        if memory is None and task.memory is not None:
            memory = task.memory * _KILOBYTE
        rows.append(
            _Row(
                place=place, measured=place, id=task.id or task.name, name=task.name, parents=task.parents,
                children=task.children, reads=links["input"], writes=links["output"],
                runtime=task.runtime if task.runtime_in_seconds is None else task.runtime_in_seconds,
                memory=memory, avg_cpu=task.avg_cpu,
                program=(task.command.program if task.command else None) or task.category,
            )
        )  # fmt: skip
    return _by_id(path, rows), sizes


def _distinct(path: Path, place: str, ids: Iterable[str]) -> dict[str, int]:
    """The index of each id."""
    index: dict[str, int] = {}
    for i, name in enumerate(ids):
        if index.setdefault(name, i) != i:
            raise FormatError(path, f"task id {name!r} stands twice; ids must differ", f"{place}[{i}]")
    return index


def _by_id(path: Path, rows: list[_Row]) -> list[_Row]:
    """Rows whose parents and children are ids: the old versions refer to a task by id or by name."""
    ids = {row.id for row in rows}
    by_name: dict[str, list[str]] = {}
    for row in rows:
        by_name.setdefault(row.name, []).append(row.id)

    def resolve_one(name: str) -> str:
        if name in ids or name not in by_name:
            return name
        if len(by_name[name]) > 1:
            raise FormatError(path, f"the name {shorten(name)!r} stands for several tasks; refer to one by its id")
        return by_name[name][0]

    def resolve(names: Sequence[str]) -> list[str]:
        return [resolve_one(name) for name in names]

    return [
        _Row(**{
            **vars(row),
            "parents": resolve(row.parents),
            "children": None if row.children is None else resolve(row.children),
        })
        for row in rows
    ]  # fmt: skip


def _note_size(path: Path, place: str, sizes: dict[str, float | None], name: str, size: float | None) -> None:
    if size is not None and not (0 <= size <= LARGEST and size == int(size)):
        raise FormatError(
            path, f"file {name!r} has size {size:.17g}; it must be a whole number from 0 to {LARGEST:g}", place
        )
    if sizes.get(name, size) not in (size, None) and size is not None:
        raise FormatError(path, f"file {name!r} has two sizes, {sizes[name]:.17g} and {size:.17g}", place)
    if size is not None or name not in sizes:
        sizes[name] = size


def _build(path: Path, name: str, rows: list[_Row], sizes: dict[str, float | None]) -> Workflow:
    place = {row.id: i for i, row in enumerate(rows)}
    _check_relations(path, rows, place)
    read_sizes = {file: int(size or 0) for file, size in sizes.items()}
    for row in rows:
        _check_row(path, row, read_sizes)
    listed = {file for row in rows for file in (*row.reads, *row.writes)}
    edges = _edges(rows, place, read_sizes)
    types = [_type(row) for row in rows]
    type_names = sorted({type_name for type_name, _ in types})
    type_place = {type_name: t for t, type_name in enumerate(type_names)}
    runtimes = [row.runtime for row in rows]
    return Workflow(
        name=name,
        task_ids=tuple(row.id for row in rows),
        type_names=tuple(type_names),
        type_index=np.array([type_place[type_name] for type_name, _ in types], np.int32),
        work_s=np.array([r or 0.0 for r in runtimes], np.float64),
        edge_parent=edges[0].astype(np.int32),
        edge_child=edges[1].astype(np.int32),
        edge_bytes=edges[2],
        memory_bytes=_or_nan(row.memory for row in rows),
        avg_cpu=_or_nan(row.avg_cpu for row in rows),
        input_bytes=_external_bytes(rows, place, read_sizes),
        output_bytes=np.array([sum(read_sizes.get(f, 0) for f in set(row.writes)) for row in rows], np.int64),
        gaps=Gaps(
            runtimes=sum(r is None for r in runtimes),
            floored_runtimes=sum(r is not None and r < WORK_FLOOR_S for r in runtimes),
            file_sizes=sum(sizes.get(file) is None for file in listed),
            memories=sum(row.memory is None for row in rows),
            avg_cpus=sum(row.avg_cpu is None for row in rows),
            types=sum(not known for _, known in types),
        ),
    )


def _check_relations(path: Path, rows: list[_Row], place: dict[str, int]) -> None:
    """Every parent and child exists, stands once, and the two lists say the same where both are given."""
    for row in rows:
        for kind, others in (("parent", row.parents), ("child", row.children or ())):
            if len(set(others)) < len(others):
                raise FormatError(path, f"task {row.id!r} names a {kind} twice", row.place)
            for other in others:
                if other not in place:
                    raise FormatError(path, f"task {row.id!r} names an unknown {kind} {other!r}", row.place)
    parents = [set(row.parents) for row in rows]
    children = [None if row.children is None else set(row.children) for row in rows]
    for row in rows:
        for child in row.children or ():
            if row.id not in parents[place[child]]:
                raise FormatError(path, _one_sided(row.id, "child", child), row.place)
        for parent in row.parents:
            theirs = children[place[parent]]
            if theirs is not None and row.id not in theirs:
                raise FormatError(path, _one_sided(row.id, "parent", parent), row.place)


def _one_sided(task: str, kind: str, other: str) -> str:
    return f"task {shorten(task)!r} names {kind} {shorten(other)!r}, which does not name it back"


def _check_row(path: Path, row: _Row, sizes: dict[str, int]) -> None:
    for files in (row.reads, row.writes):
        if sum(sizes.get(file, 0) for file in files) > LARGEST:
            raise FormatError(
                path, f"the files of task {shorten(row.id)!r} hold more than {LARGEST:g} bytes", row.place
            )
    for label, value in (("runtime", row.runtime), ("memory", row.memory), ("avgCPU", row.avg_cpu)):
        if value is not None and not 0 <= value <= LARGEST:
            raise FormatError(
                path,
                f"task {row.id!r} has {label} {value:g}; it must be a number from 0 to {LARGEST:g}",
                row.measured,
            )


def _edges(rows: list[_Row], place: dict[str, int], sizes: dict[str, int]) -> np.ndarray[Any, Any]:
    """(3, e): parent, child, and the bytes of the files that the parent writes and the child reads."""
    written = [set(row.writes) for row in rows]
    edges = []
    for j, row in enumerate(rows):
        reads = set(row.reads)
        for parent in row.parents:
            i = place[parent]
            edges.append((i, j, sum(sizes.get(file, 0) for file in written[i] & reads)))
    return np.array(edges, np.int64).reshape(-1, 3).T


def _external_bytes(rows: list[_Row], place: dict[str, int], sizes: dict[str, int]) -> np.ndarray[Any, Any]:
    totals = []
    for row in rows:
        reads = set(row.reads)
        for parent in row.parents:
            reads.difference_update(rows[place[parent]].writes)
        totals.append(sum(sizes.get(file, 0) for file in reads))
    return np.array(totals, np.int64)


def _type(row: _Row) -> tuple[str, bool]:
    """The task's type, and whether the file says it."""
    if row.program:
        return row.program, True
    return _NUMBER_AT_END.sub("", row.name) or row.name or "unknown", False


def _or_nan(values: Iterable[float | None]) -> np.ndarray[Any, Any]:
    return np.array([np.nan if value is None else value for value in values], np.float64)
