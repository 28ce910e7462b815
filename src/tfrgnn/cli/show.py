"""Tables for people, JSON and CSV for programs, and progress on stderr."""

import csv
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Protocol


def print_json(value: Any) -> None:
    """The value as indented JSON on stdout."""
    from tfrgnn.formats.files import json_text

    sys.stdout.write(json_text(value))


def print_csv(rows: Sequence[Mapping[str, Any]]) -> None:
    """The rows as CSV with a header on stdout."""
    writer = csv.DictWriter(sys.stdout, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)


def print_table(title: str, header: Sequence[str], rows: Iterable[Sequence[Any]], left: int = 1) -> None:
    """A table whose first `left` columns are text and the others numbers."""
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    table = Table(title=escape(printable(title)), title_justify="left", box=None, pad_edge=False, header_style="bold")
    for k, name in enumerate(header):
        table.add_column(name, justify="left" if k < left else "right", no_wrap=True)
    for row in rows:
        table.add_row(*[escape(printable(number(cell))) for cell in row])
    console = Console(emoji=False)
    needed = console.measure(table, options=console.options.update(width=1000)).maximum
    Console(width=max(needed, 20), soft_wrap=True, emoji=False).print(table)  # lines may break, but nothing is cut


def printable(text: str) -> str:
    """The text with what would move the cursor spelt out."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def number(value: Any) -> str:
    """A number as people read it."""
    if value is None:
        return "-"
    if not isinstance(value, float):
        return str(value)
    if value == 0 or 1e-3 <= abs(value) < 1e6:
        return f"{value:.4g}" if abs(value) < 1000 else f"{value:.0f}"
    return f"{value:.3g}"


def interval(low: float | None, high: float | None) -> str:
    """`low .. high`, or a dash without one."""
    return "-" if low is None or high is None else f"{number(low)} .. {number(high)}"


class Advance(Protocol):
    """What a progress bar is told: so many more steps, and perhaps a note to stand beside it."""

    def __call__(self, done: int, note: str = "") -> None: ...


@contextmanager
def progress_bar(label: str, total: int) -> Iterator[Advance]:
    """A bar on stderr, if that is a terminal; yields what to call with the number of steps done."""
    with progress_bars((label, total)) as (advance,):
        yield advance


@contextmanager
def progress_bars(*bars: tuple[str, int]) -> Iterator[list[Advance]]:
    """Bars below each other, each by its label and total, for work in several stages."""

    def silent(done: int, note: str = "") -> None:
        pass

    if not sys.stderr.isatty():
        yield [silent for _ in bars]
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, TextColumn("{task.fields[note]}"), console=Console(stderr=True), transient=True) as shown:

        def add(label: str, total: int) -> Advance:
            task = shown.add_task(label, total=total, note="")

            def advance(done: int, note: str = "") -> None:
                shown.advance(task, done)
                if note:
                    shown.update(task, note=note)

            return advance

        yield [add(label, total) for label, total in bars]
