"""`tfrgnn compare`: methods on workflows and scales, in the same traces."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tfrgnn.cli.inputs import (
    AsCsv,
    AsJson,
    ClusterChoice,
    ClusterFile,
    ClusterSeed,
    Horizon,
    Machines,
    Report,
    Seed,
    Traces,
    Volatile,
    keep_inputs,
    numbers,
    one_format,
    one_stream,
)
from tfrgnn.cli.show import interval, print_csv, print_json, print_table, printable, progress_bar
from tfrgnn.errors import InputError, OtherFileError

if TYPE_CHECKING:
    from tfrgnn.evaluation.compare import Comparison
    from tfrgnn.model.workflow import Workflow


def command(
    workflows: Annotated[list[Path], typer.Argument(help="Workflow files (WfFormat 1.3 to 1.6).")],
    cluster: ClusterFile = None,
    machines: Machines = None,
    cluster_seed: ClusterSeed = None,
    volatile: Volatile = None,
    methods: Annotated[str, typer.Option(help="Methods, as r-heft\\[beta=3], with commas between.")] = (
        "heft,r-heft,ft-heft,tfr-gnn,reliable-heft,oracle"
    ),
    scales: Annotated[str, typer.Option(help="Multiples of the machines' failure rates.")] = "0,1,2,4",
    traces: Traces = 40,
    seed: Seed = 0,
    horizon: Horizon = 10.0,
    report: Report = None,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """Compare methods under failures; every method meets the same traces."""
    from tfrgnn.evaluation.compare import compare
    from tfrgnn.formats.files import check_writable, is_stdout, write_text
    from tfrgnn.schedulers.catalogue import split_methods

    one_format(as_json, as_csv)
    one_stream(as_json or as_csv, report)
    keep_inputs([*workflows, cluster], [report])
    check_writable(report)
    loaded = _load(workflows)
    names, levels = list(dict.fromkeys(split_methods(methods))), list(dict.fromkeys(numbers(scales, "--scales")))
    with progress_bar("compare", len(loaded) * len(names) * len(levels)) as progress:
        result = compare(
            loaded,
            ClusterChoice(cluster, machines, cluster_seed, volatile).load(),
            names,
            levels,
            traces,
            seed,
            progress,
            horizon,
        )
    if report:
        from tfrgnn.report.comparison_page import comparison_page

        write_text(report, comparison_page(result))
    if is_stdout(report):
        return
    if as_json:
        print_json([asdict(row) for row in result.rows])
    elif as_csv:
        print_csv([asdict(row) for row in result.rows])
    else:
        _print(result)
        if report:
            typer.echo(f"page: {report}")


def _load(paths: list[Path]) -> "list[Workflow]":
    """The workflows; a plan or a cluster among several files, as `*.json` brings them, is passed over with a word."""
    from tfrgnn.formats.wfformat import load_workflow

    loaded, kept = [], []
    for path in paths:
        try:
            loaded.append(load_workflow(path))
            kept.append(path)
        except OtherFileError as error:
            if len(paths) == 1:
                raise
            typer.echo(f"tfrgnn: {error}; passed over", err=True)
    if not loaded:
        raise InputError("none of the files is a workflow")
    return _named_apart(loaded, kept)


def _named_apart(loaded: "list[Workflow]", paths: list[Path]) -> "list[Workflow]":
    """The workflows under their own names, or, where two share one, under those of their files."""
    from dataclasses import replace

    for names in ([w.name for w in loaded], [path.stem for path in paths], [str(path) for path in paths]):
        if len(set(names)) == len(names):
            return [replace(w, name=name) if w.name != name else w for w, name in zip(loaded, names, strict=True)]
    raise InputError("a workflow file is given twice")


def _print(result: "Comparison") -> None:
    header = (
        "workflow", "method", "scale", "planned s", "mean s", "95 % interval", "p95 s", "cvar95 s",
        "/ heft", "95 % interval", "wasted s", "redundant s", "util", "plan ms",
    )  # fmt: skip
    bound = "{} (paper's bound: {})"
    rows = [
        (
            row.workflow, row.method if row.chosen is None else bound.format(row.method, row.chosen),
            row.scale, row.planned_makespan_s, row.mean_makespan_s, interval(row.ci95_low_s, row.ci95_high_s),
            row.p95_s, row.cvar95_s, row.ratio_to_heft, interval(row.ratio_ci95_low, row.ratio_ci95_high),
            row.wasted_s, row.redundant_s, row.utilisation, row.plan_ms,
        )
        for row in result.rows
    ]  # fmt: skip
    print_table(f"{result.settings['traces']} traces", header, rows, left=2)
    settings = {key: value for key, value in result.settings.items() if key != "version"}
    typer.echo("\n" + printable(", ".join(f"{key} {_plain(value)}" for key, value in settings.items())))
    if any(row.past_horizon_share > 0 for row in result.rows):
        worst = max(result.rows, key=lambda row: row.past_horizon_share)
        typer.echo(
            f"Up to {worst.past_horizon_share:.0%} of the traces ran past the horizon, where nothing fails any more "
            f"({worst.workflow}, {worst.method}, scale {worst.scale:g}): means there are too low, ratios too near 1."
        )


def _plain(value: object) -> str:
    if isinstance(value, dict):
        return "(" + ", ".join(f"{key} {part:g}" for key, part in value.items()) + ")"
    return str(value)
