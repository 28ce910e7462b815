"""`tfrgnn simulate`: what happens to a plan when machines fail."""

from pathlib import Path
from typing import Annotated, Any

import typer

from tfrgnn.cli.inputs import AsCsv, AsJson, Seed, Traces, one_format
from tfrgnn.cli.show import interval, print_csv, print_json, print_table, progress_bar


def command(
    plan: Annotated[Path, typer.Argument(help="Plan file.")],
    traces: Traces = 40,
    seed: Seed = 0,
    scale: Annotated[float | None, typer.Option(help="Scale of the failures; the plan's own by default.")] = None,
    horizon: Annotated[
        float | None, typer.Option(help="How far traces reach, in failure-free HEFT makespans; 10 by default.")
    ] = None,
    workflow: Annotated[Path | None, typer.Option(help="Workflow file, if it is not where the plan says.")] = None,
    cluster: Annotated[Path | None, typer.Option(help="Cluster file, if it is not where the plan says.")] = None,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """Simulate a plan under failures."""
    from tfrgnn.evaluation.simulate import simulate
    from tfrgnn.formats.cluster_file import load_cluster
    from tfrgnn.formats.plan_file import load_plan
    from tfrgnn.formats.wfformat import load_workflow

    one_format(as_json, as_csv)
    loaded = load_plan(plan, load_workflow(workflow) if workflow else None, load_cluster(cluster) if cluster else None)
    with progress_bar("draw and replay", 2 * traces) as progress:
        outcome = simulate(loaded, traces, seed, scale, progress, horizon)
    mean = outcome.mean_makespan_s
    row: dict[str, Any] = {
        "workflow": loaded.scenario.workflow.name,
        "cluster": loaded.scenario.cluster.name,
        "method": loaded.method,
        "scale": loaded.scenario.scale if scale is None else scale,
        "planned_makespan_s": loaded.planned_makespan_s,
        "mean_makespan_s": mean.mean,
        "ci95_low_s": mean.low,
        "ci95_high_s": mean.high,
        "p95_s": outcome.quantile_s(0.95),
        "p99_s": outcome.quantile_s(0.99),
        "cvar95_s": outcome.cvar95_s,
        "wasted_s": outcome.mean_wasted_s,
        "redundant_s": outcome.redundant_s,
        "utilisation": outcome.utilisation,
        "past_horizon_share": outcome.past_horizon_share,
        "horizon_s": outcome.horizon_s,
        "traces": traces,
        "seed": seed,
    }
    if as_json:
        print_json(row)
    elif as_csv:
        print_csv([row])
    else:
        row["ci95_low_s .. ci95_high_s"] = interval(row.pop("ci95_low_s"), row.pop("ci95_high_s"))
        print_table(f"{plan}, {traces} traces", ("", ""), list(row.items()))
        if outcome.past_horizon_share > 0:
            typer.echo(
                f"{outcome.past_horizon_share:.0%} of the traces ran past the horizon, where nothing fails any more: "
                "the mean is too low."
            )
