"""Work spread over processes that end with ours, however ours ends."""

import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from multiprocessing import active_children, get_context, parent_process
from threading import Thread, current_thread, main_thread
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")


@contextmanager
def in_processes(
    call: Callable[[T], R], items: Sequence[T], processes: int | None = None
) -> Iterator[Iterator[tuple[T, R]]]:
    """Gives each item with its result, as they are done; in this process where one is enough.

    `processes` is as many as there are cores by default. When the block is left early, what has not begun is dropped;
    on Ctrl-C, what has begun, too.
    """
    workers = min(processes or os.cpu_count() or 1, len(items))
    if workers < 2:
        yield ((item, call(item)) for item in items)
        return
    others = set(active_children())
    pool = ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=_end_with_parent)
    with _raising_on_interrupt():
        try:
            futures = {pool.submit(call, item): item for item in items}
            yield ((futures[future], future.result()) for future in as_completed(futures))
        except KeyboardInterrupt:
            for worker in set(active_children()) - others:
                worker.terminate()
            raise
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


@contextmanager
def _raising_on_interrupt() -> Iterator[None]:
    """Ctrl-C as an exception for once: a process that left without a word would leave workers and semaphores behind."""
    if current_thread() is not main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _end_with_parent() -> None:
    """A worker waits for work on a pipe that never closes, so it would outlive a parent that was killed.

    Ctrl-C goes to the whole group; it is the parent's to answer.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()

    def watch() -> None:
        if parent is not None:
            parent.join()
            os._exit(1)

    Thread(target=watch, daemon=True).start()
