"""`tfrgnn plan`: a plan for a workflow on a cluster."""

from pathlib import Path
from typing import Annotated

import typer

from tfrgnn.cli.inputs import (
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
    one_stream,
)
from tfrgnn.cli.show import print_json, print_table, progress_bar


def command(
    workflow: Annotated[Path, typer.Argument(help="Workflow file (WfFormat 1.3 to 1.6).")],
    cluster: ClusterFile = None,
    machines: Machines = None,
    cluster_seed: ClusterSeed = None,
    volatile: Volatile = None,
    method: Annotated[str, typer.Option("--method", "-m", help="As listed by `tfrgnn methods`.")] = "heft",
    scale: Annotated[float, typer.Option(help="Failures expected, in multiples of the machines' rates.")] = 0.0,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Plan file to write.")] = None,
    report: Report = None,
    traces: Traces = 200,
    seed: Seed = 0,
    horizon: Horizon = 10.0,
    as_json: AsJson = False,
) -> None:
    """Plan a workflow; --traces, --seed and --horizon are for the page."""
    from tfrgnn.formats.files import check_writable, is_stdout, is_stream, write_text
    from tfrgnn.formats.plan_file import plan_document, plan_text, relative_source
    from tfrgnn.formats.wfformat import load_workflow
    from tfrgnn.schedulers.planning import plan

    keep_inputs([workflow, cluster], [output, report])
    one_stream(as_json, report)
    check_writable(output, report)
    loaded, choice = load_workflow(workflow), ClusterChoice(cluster, machines, cluster_seed, volatile)
    made = plan(loaded, choice.load(), method, scale)
    folder = output.parent if output and not is_stream(output) else Path()
    document = plan_document(
        made,
        relative_source(loaded.name, loaded.content_hash, workflow, folder),
        choice.source(made.scenario.cluster, folder),
    )
    page = ""
    if report:
        from tfrgnn.report.plan_page import plan_page

        with progress_bar("page", 2 * traces) as progress:
            page = plan_page(made, traces, seed, horizon, progress)
    if output:
        write_text(output, plan_text(document))
    if report:
        write_text(report, page)
    if is_stdout(output) or is_stdout(report):
        return
    if as_json:
        print_json(document)
        return
    facts = [
        ("workflow", loaded.name),
        ("tasks", loaded.tasks),
        ("cluster", made.scenario.cluster.name),
        ("machines", len(made.scenario.cluster.machines)),
        ("method", made.method),
        ("scale", made.scenario.scale),
        ("planned makespan s", made.planned_makespan_s),
        ("replicas", made.replicas),
    ]
    facts += [(kind, str(path)) for kind, path in (("plan", output), ("page", report)) if path]
    print_table("Plan", ("", ""), facts)
