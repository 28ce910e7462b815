"""`tfrgnn paper`: the paper's tables and figures, from raw workflow files."""

from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from tfrgnn.cli.show import print_table, progress_bar
from tfrgnn.errors import InputError

Data = Annotated[Path, typer.Option(help="Folder with the WfCommons instances.")]
Output = Annotated[Path, typer.Option("--output", "-o", help="Folder for rows, tables and figures.")]
Quick = Annotated[
    bool,
    typer.Option("--quick", help="One size, one cluster, few traces, into OUTPUT/quick: to see it run."),
]
WeightFile = Annotated[Path | None, typer.Option("--weights", help="Freshly trained weights in place of the shipped.")]
Processes = Annotated[int | None, typer.Option(min=1, help="Processes; as many as cores by default.")]
Number = Annotated[int, typer.Argument(help="As `tfrgnn paper list` counts.")]


def everything(
    data: Data, output: Output, quick: Quick = False, processes: Processes = None, weights: WeightFile = None
) -> None:
    """Every table and figure, and the page; interrupted runs go on where they stopped."""
    from tfrgnn.paper.reproduce import Job, all_suites, cells_of, reproduce

    _needs_matplotlib()
    job = Job(data, output, quick, processes, weights)
    with progress_bar("cells", cells_of(all_suites(), quick)) as progress:
        page = reproduce(job, progress)
    typer.echo(f"page: {page}")


def table(
    number: Number,
    data: Data,
    output: Output,
    quick: Quick = False,
    processes: Processes = None,
    weights: WeightFile = None,
) -> None:
    """One table."""
    from tfrgnn.paper.reproduce import Job, cells_of, make_table
    from tfrgnn.paper.tables import TABLES

    if number not in TABLES:
        raise InputError(f"there is no table {number}; there are 1 to {len(TABLES)}")
    job = Job(data, output, quick, processes, weights, f"tfrgnn paper table {number}")
    names = TABLES[number][1]
    with progress_bar("cells", cells_of(names, quick)) as progress:
        rows = job.rows(names, progress)
    typer.echo(make_table(job, number, rows))


def figure(
    number: Number,
    data: Data,
    output: Output,
    quick: Quick = False,
    processes: Processes = None,
    weights: WeightFile = None,
) -> None:
    """One figure."""
    _needs_matplotlib()
    from tfrgnn.paper.figures import FIGURES
    from tfrgnn.paper.reproduce import Job, cells_of, make_figure

    if number not in FIGURES:
        raise InputError(f"there is no figure {number}; there are {min(FIGURES)} to {max(FIGURES)}")
    job = Job(data, output, quick, processes, weights, f"tfrgnn paper figure {number}")
    names = FIGURES[number][1]
    with progress_bar("cells", cells_of(names, quick)) as progress:
        rows = job.rows(names, progress)
    for path in make_figure(job, number, rows):
        typer.echo(path)


def list_results() -> None:
    """What there is."""
    _needs_matplotlib()
    from tfrgnn.paper.figures import FIGURES
    from tfrgnn.paper.tables import TABLES

    rows = [("table", n, make.__doc__ or "", ", ".join(names)) for n, (make, names) in TABLES.items()]
    rows += [("figure", n, draw.__doc__ or "", ", ".join(names)) for n, (draw, names) in FIGURES.items()]
    print_table("Results", ("kind", "number", "what", "suites"), rows, left=4)


def _needs_matplotlib() -> None:
    if find_spec("matplotlib") is None:
        raise InputError("figures need matplotlib; pip install 'tfrgnn[paper]'")
