"""How a command fails: one sentence on stderr and an exit code."""

import os
import sys
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec

import typer

from tfrgnn.errors import TfrgnnError, shorten

P = ParamSpec("P")


def in_one_sentence(command: Callable[P, None]) -> Callable[P, None]:
    """The command, whose foreseen failures end in one sentence: 1 failed, 2 misuse, 130 interrupted."""

    @wraps(command)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            command(*args, **kwargs)
            sys.stdout.flush()
        except TfrgnnError as error:
            _stop(str(error), error.exit_code)
        except KeyboardInterrupt:
            _stop("interrupted", 130)
        except MemoryError:
            _stop("not enough memory for this input", 1)
        except BrokenPipeError:  # the reader of our output has gone, as in `| head`
            _drop_stdout()
            raise typer.Exit(1) from None
        except OSError as error:
            if error.filename is not None:
                _stop(f"{error.filename}: {error.strerror}", 1)
            _drop_stdout()
            _stop(f"output cannot be written: {error.strerror}", 1)
        except (typer.Exit, typer.Abort):
            raise
        except Exception as error:  # a mistake of ours, or of a method loaded by the user
            if os.environ.get("TFRGNN_DEBUG"):
                raise
            _stop(f"unexpected {type(error).__name__}: {error} (TFRGNN_DEBUG=1 shows where)", 1)

    return guarded


def _drop_stdout() -> None:
    """Points stdout at nothing, so that Python does not try to flush it once more on its way out."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _stop(sentence: str, code: int) -> None:
    print("tfrgnn: " + shorten(" ".join(sentence.split()), 600), file=sys.stderr)
    raise typer.Exit(code) from None
