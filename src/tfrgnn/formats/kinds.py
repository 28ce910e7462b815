"""Which kind of our files a file is, so that one in place of another is called by its name."""

from pathlib import Path

import msgspec

from tfrgnn.errors import FormatError, OtherFileError
from tfrgnn.formats.files import Buffer, is_file, open_buffer, read_json, without_mark

_SMALL = 1 << 24  # rows are looked at whole; no comparison prints more


class _Document(msgspec.Struct, rename={"schema_version": "schemaVersion"}):
    schema_version: msgspec.Raw = msgspec.Raw()
    plan_version: msgspec.Raw = msgspec.Raw()
    machines: msgspec.Raw = msgspec.Raw()


class _Row(msgspec.Struct):
    ratio_to_heft: float


def refuse_other_kinds(path: Path, wanted: str) -> None:
    """Raises if the file is `a workflow`, `a plan`, `a cluster` or rows of a comparison, but not what is `wanted`."""
    if not is_file(path):  # a pipe can be read only once
        return
    with open_buffer(path) as data:
        found = _kind(data)
    if not found and path.stat().st_size < _SMALL and _has_rows(path):
        found = "rows of a comparison"
    if found and found != wanted:
        raise OtherFileError(path, f"is {found}, not {wanted}")


def _kind(data: Buffer) -> str:
    """By the field that only this kind has; nothing is built of what the fields hold."""
    try:
        document = msgspec.json.decode(without_mark(data), type=_Document)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return ""
    marks = {"a plan": document.plan_version, "a workflow": document.schema_version, "a cluster": document.machines}
    return next((kind for kind, mark in marks.items() if memoryview(mark).nbytes), "")


def _has_rows(path: Path) -> bool:
    try:
        return bool(read_json(path, list[_Row]))
    except FormatError:
        return False
