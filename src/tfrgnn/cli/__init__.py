"""The command line: parse, one library call, print."""

import os
import signal
import sys
from typing import NoReturn

# Our parallelism is processes over scenarios and threads over traces. A matrix library's own threads only wait for each
# other on the policy's small matrices: on a busy machine that made a plan of 1 ms last 28 ms.
_MATRIX_LIBRARIES = ("OPENBLAS", "MKL")


def main() -> None:
    """Entry point of `tfrgnn`."""
    signal.signal(signal.SIGINT, _leave)
    for library in _MATRIX_LIBRARIES:
        os.environ.setdefault(f"{library}_NUM_THREADS", "1")
    for stream in ("stdout", "stderr"):
        if getattr(sys, stream) is None:  # closed by the shell
            setattr(sys, stream, open(os.devnull, "w"))  # noqa: SIM115, PTH123 - for the life of the process
        getattr(sys, stream).reconfigure(errors="backslashreplace")
    from tfrgnn.cli.app import app
    from tfrgnn.cli.failure import in_one_sentence

    try:
        in_one_sentence(app)()
    except BaseException as error:
        if type(error).__name__ == "Exit":  # of typer, raised outside its own app
            sys.exit(getattr(error, "exit_code", 1))
        raise


def _leave(number: int, frame: object) -> NoReturn:
    """Ctrl-C ends the process at once: an exception would be lost in a compiler's or a thread's callback.

    No output is half written by then: files are written with the signal held back.
    """
    cursor = "\x1b[?25h\r\x1b[K" if sys.stderr.isatty() else ""
    os.write(2, f"{cursor}tfrgnn: interrupted\n".encode())
    os._exit(130)
