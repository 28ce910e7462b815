"""Reading bytes and typed JSON from a path, and writing a file whole or not at all."""

import contextlib
import mmap
import os
import re
import signal
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from tfrgnn.errors import FormatError, OutputError

T = TypeVar("T")
Buffer = bytes | mmap.mmap

_STREAM_LIMIT = 1 << 28
_LARGE = 1 << 24  # a document of more is looked at from its end first, before all of it is read into memory
_STREAMS = ("/dev/std", "/dev/fd/", "/proc/")  # what a shell has opened for us, perhaps a file that it holds on to
_STDOUT = ("/dev/stdout", "/dev/fd/1", "/proc/self/fd/1")
_PLACE = re.compile(r"^(?P<problem>.*?) - at `\$?(?P<place>.*)`$", re.DOTALL)


@contextmanager
def open_buffer(path: Path) -> Iterator[Buffer]:
    """The bytes of a file. A regular one is mapped, so that nonsense of a gigabyte costs nothing."""
    try:
        with path.open("rb") as file:
            status = os.fstat(file.fileno())
            if stat.S_ISREG(status.st_mode) and status.st_size > 0:
                with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
                    yield mapped
                return
            data = file.read(_STREAM_LIMIT + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise FormatError(path, f"cannot be read: {reason}") from None
    if len(data) > _STREAM_LIMIT:
        raise FormatError(path, f"is a stream of more than {_STREAM_LIMIT >> 20} MiB; save it to a file first")
    yield data


def read_json(path: Path, kind: type[T]) -> T:
    """The JSON of a file as a typed object."""
    with open_buffer(path) as data:
        begun, ended = bytes(data[:1024]).lstrip()[:1] == b"{", bytes(data[-1024:]).rstrip()[-1:] == b"}"
        if len(data) > _LARGE and begun and not ended:
            raise FormatError(path, "is no whole JSON object: it does not end with }")
        try:
            return msgspec.json.decode(without_mark(data), type=kind, strict=True)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise explained(path, error) from None


def is_file(path: Path) -> bool:
    """Whether there is a regular file that we can see; a path that the system refuses is none."""
    try:
        return path.is_file()
    except OSError:
        return False


def without_mark(data: Buffer) -> Buffer | memoryview:
    """The bytes without the byte order mark that some editors put first."""
    return memoryview(data)[3:] if data[:3] == b"\xef\xbb\xbf" else data


def as_type(path: Path, value: Any, kind: type[T]) -> T:
    """Plain lists and dictionaries as a typed object."""
    try:
        return msgspec.convert(value, kind, strict=True)
    except (msgspec.ValidationError, RecursionError) as error:
        raise explained(path, error) from None


def explained(path: Path, error: Exception) -> FormatError:
    """One sentence for what msgspec found wrong."""
    if isinstance(error, RecursionError):
        return FormatError(path, "is nested too deeply")
    if isinstance(error, UnicodeDecodeError):
        return FormatError(path, "is not UTF-8 text", f"byte {error.start}")
    said = " ".join(str(error).split())  # a field's name may hold a line break
    match = _PLACE.match(said)
    problem, place = match.group("problem", "place") if match else (said, "")
    problem = problem[:1].lower() + problem[1:] if not problem.startswith("JSON") else problem
    return FormatError(path, problem, place.lstrip("."))


def write_text(path: Path, text: str) -> None:
    """`write_bytes` of the text as UTF-8."""
    write_bytes(path, text.encode("utf-8", "surrogatepass"))


def write_bytes(path: Path, data: bytes) -> None:
    """Writes beside the target and renames, so that a reader finds the old file or the whole new one.

    A link is followed, a device or a pipe written to directly, and an existing file keeps its rights.
    """
    try:
        stdout = getattr(sys.stdout, "buffer", None)
        if is_stdout(path) and stdout:
            sys.stdout.flush()  # and not opened anew: what is printed would go to the beginning of a file behind it
            stdout.write(data)
            stdout.flush()
        elif is_stream(path):
            with path.open("wb") as stream:
                stream.write(data)
        else:
            with _undisturbed():
                _replace(Path(os.path.realpath(path)), data)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise OutputError(f"{path}: cannot be written: {reason}") from None


def is_stdout(path: Path | None) -> bool:
    """Whether an output is what we print to."""
    return str(path) in _STDOUT


def is_stream(path: Path) -> bool:
    """Whether an output is a device, a pipe or what a shell has opened, and no file to be replaced."""
    return str(path).startswith(_STREAMS) or (path.exists() and not path.is_file() and not path.is_dir())


def check_writable(*paths: Path | None) -> None:
    """Raises if a file cannot be written there; for asking before long work, not after."""
    for path in paths:
        if path is not None and (is_stream(path) or (not path.is_dir() and os.access(path.parent, os.W_OK))):
            continue
        if path is not None:
            reason = "Is a directory" if path.is_dir() else "its folder does not exist or may not be written to"
            raise OutputError(f"{path}: cannot be written: {reason}")


def json_text(value: Any) -> str:
    """The value as indented JSON."""
    return msgspec.json.format(msgspec.json.encode(value), indent=1).decode() + "\n"


def _replace(target: Path, data: bytes) -> None:
    mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else _usual_mode()
    descriptor, aside = tempfile.mkstemp(dir=target.parent, prefix=".tfrgnn-", suffix=".part")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(aside).chmod(mode)
        Path(aside).replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(aside).unlink()
        raise


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Holds Ctrl-C back until the file is whole, since the command line leaves at once on it."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _usual_mode() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
