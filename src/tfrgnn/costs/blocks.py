"""Blocks of tasks, so that no task x machine matrix of a whole problem is ever held."""

from collections.abc import Iterator

BLOCK_CELLS = 1 << 19  # 4 MiB of float64, so that one block stays in the second-level cache


def blocks(n: int, p: int, cells: int = BLOCK_CELLS) -> Iterator[tuple[int, int]]:
    """The (begin, end) of blocks of tasks that hold about `cells` numbers for p machines."""
    rows = max(1, cells // p)
    return ((begin, min(begin + rows, n)) for begin in range(0, n, rows))
