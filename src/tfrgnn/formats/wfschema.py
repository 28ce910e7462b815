"""What a WfFormat file looks like, as far as we read it: flat in 1.3 and 1.4, split in 1.5 and 1.6."""

import msgspec


class Command(msgspec.Struct):
    program: str | None = None


class SpecificationTask(msgspec.Struct, rename="camel"):
    id: str
    name: str = ""
    parents: tuple[str, ...] = ()
    children: tuple[str, ...] | None = None
    input_files: tuple[str, ...] = ()
    output_files: tuple[str, ...] = ()


class SpecificationFile(msgspec.Struct, rename="camel"):
    id: str
    size_in_bytes: float | None = None


class Specification(msgspec.Struct):
    tasks: list[SpecificationTask]
    files: list[SpecificationFile] = []


class ExecutionTask(msgspec.Struct, rename="camel"):
    id: str
    runtime_in_seconds: float | None = None
    memory_in_bytes: float | None = None
    avg_cpu: float | None = msgspec.field(name="avgCPU", default=None)
    command: Command | None = None


class Execution(msgspec.Struct):
    tasks: list[ExecutionTask] = []


class FlatFile(msgspec.Struct, rename="camel"):
    link: str
    name: str | None = None
    id: str | None = None
    size: float | None = None
    size_in_bytes: float | None = None


class FlatTask(msgspec.Struct, rename="camel"):
    name: str
    id: str | None = None
    category: str | None = None
    runtime: float | None = None
    runtime_in_seconds: float | None = None
    memory: float | None = None
    memory_in_bytes: float | None = None
    avg_cpu: float | None = msgspec.field(name="avgCPU", default=None)
    command: Command | None = None
    parents: tuple[str, ...] = ()
    children: tuple[str, ...] | None = None
    files: tuple[FlatFile, ...] = ()


class WorkflowPart(msgspec.Struct):
    specification: Specification | None = None
    execution: Execution | None = None
    tasks: list[FlatTask] | None = None


class Document(msgspec.Struct, rename="camel"):
    schema_version: str
    workflow: WorkflowPart
    name: str | None = None
