"""Writes a workflow as WfFormat 1.5."""

from pathlib import Path
from typing import Any

import numpy as np

from tfrgnn.formats.files import json_text, write_text
from tfrgnn.model.workflow import Workflow


def save_workflow(workflow: Workflow, path: str | Path) -> None:
    """Writes WfFormat 1.5; reading it gives an equal workflow.

    Files are named anew. The outputs of a task are nested: a child that reads b of its bytes reads the
    first files up to b, so that children share files as they shared bytes.
    """
    document = _document(workflow)
    write_text(Path(path), json_text(document))


def _document(workflow: Workflow) -> dict[str, Any]:
    files: list[dict[str, Any]] = []
    reads: list[list[str]] = [[] for _ in range(workflow.tasks)]
    writes: list[list[str]] = [[] for _ in range(workflow.tasks)]

    def file(name: str, size: int) -> str:
        files.append({"id": name, "sizeInBytes": size})
        return name

    for i in range(workflow.tasks):
        if workflow.input_bytes[i]:
            reads[i].append(file(f"task{i}.in", int(workflow.input_bytes[i])))
        edges = workflow.child_edge[workflow.child_ptr[i] : workflow.child_ptr[i + 1]]
        so_far = 0
        for size in sorted({*workflow.edge_bytes[edges].tolist(), int(workflow.output_bytes[i])} - {0}):
            writes[i].append(file(f"task{i}.out{len(writes[i])}", size - so_far))
            so_far = size
            for edge in edges[workflow.edge_bytes[edges] >= size].tolist():
                reads[workflow.edge_child[edge]].append(writes[i][-1])
    return {
        "name": workflow.name,
        "schemaVersion": "1.5",
        "workflow": {
            "specification": {
                "tasks": [
                    {
                        "name": task,
                        "id": task,
                        "parents": _names(workflow, workflow.edge_parent, workflow.parent_ptr, i),
                        "children": _names(workflow, workflow.child, workflow.child_ptr, i),
                        "inputFiles": reads[i],
                        "outputFiles": writes[i],
                    }
                    for i, task in enumerate(workflow.task_ids)
                ],
                "files": files,
            },
            "execution": {
                "makespanInSeconds": 0,
                "executedAt": "1970-01-01T00:00:00Z",
                "tasks": [_execution(workflow, i) for i in range(workflow.tasks)],
            },
        },
    }


def _execution(workflow: Workflow, i: int) -> dict[str, Any]:
    run: dict[str, Any] = {
        "id": workflow.task_ids[i],
        "runtimeInSeconds": float(workflow.work_s[i]),
        "command": {"program": workflow.types[i]},
    }
    for key, value in (("memoryInBytes", workflow.memory_bytes[i]), ("avgCPU", workflow.avg_cpu[i])):
        if not np.isnan(value):
            run[key] = int(value) if value == int(value) else float(value)
    return run


def _names(workflow: Workflow, ends: np.ndarray[Any, Any], ptr: np.ndarray[Any, Any], i: int) -> list[str]:
    return [workflow.task_ids[j] for j in ends[ptr[i] : ptr[i + 1]].tolist()]
