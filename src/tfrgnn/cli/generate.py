"""`tfrgnn generate workflow` and `tfrgnn generate cluster`."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from tfrgnn.errors import InputError

Output = Annotated[Path, typer.Option("--output", "-o", help="File to write.")]
Seed = Annotated[int, typer.Option(min=0, help="Same seed, same result.")]


class Generator(StrEnum):
    """Who draws the workflow."""

    builtin = "builtin"
    wfcommons = "wfcommons"


def workflow(
    family: Annotated[str, typer.Argument(help="1000genome, cycles, epigenomics, montage, ..., or random.")],
    tasks: Annotated[int, typer.Option(help="Number of tasks.")],
    output: Output,
    seed: Seed = 0,
    like: Annotated[str, typer.Option(help="A real instance to be like; drawn among the nearest by default.")] = "",
    generator: Annotated[Generator, typer.Option(help="wfcommons needs the extra of that name.")] = Generator.builtin,
) -> None:
    """Write a synthetic workflow as WfFormat 1.5."""
    from tfrgnn.formats.files import check_writable, is_stdout
    from tfrgnn.formats.wfwriter import save_workflow

    check_writable(output)
    if generator is Generator.wfcommons:
        from tfrgnn.generate.wfcommons import generate_with_wfcommons

        if like:
            raise InputError("--like goes with the generator builtin")
        made = generate_with_wfcommons(family, tasks, seed)
    else:
        from tfrgnn.generate.workflows import generate_workflow

        made = generate_workflow(family, tasks, seed, like=like)
    save_workflow(made, output)
    typer.echo(f"{output}: {made.name}, {made.tasks} tasks, {made.edges} edges", err=is_stdout(output))


def cluster(
    machines: Annotated[int, typer.Option(help="Number of machines.")],
    output: Output,
    seed: Seed = 0,
    volatile: Annotated[float, typer.Option(help="Share of volatile machines.")] = 0.35,
    rack_size: Annotated[int, typer.Option(min=1, help="Machines in a rack.")] = 8,
    intra_rack_mb_s: Annotated[float, typer.Option(help="Bandwidth inside a rack.")] = 1250.0,
    inter_rack_mb_s: Annotated[float, typer.Option(help="Bandwidth between racks.")] = 125.0,
    latency_s: Annotated[float, typer.Option(help="Latency of a transfer.")] = 0.0,
    repair_mean_s: Annotated[float, typer.Option(help="Mean repair time.")] = 60.0,
    repair_sigma: Annotated[float, typer.Option(help="Sigma of the repair time's logarithm.")] = 0.5,
    affinity_sigma: Annotated[float, typer.Option(help="Sigma of the affinities' logarithm.")] = 0.45,
) -> None:
    """Write a mixed cluster of dependable and volatile machines."""
    from tfrgnn.formats.cluster_file import save_cluster
    from tfrgnn.generate.clusters import ClusterLaw, generate_cluster
    from tfrgnn.model.cluster import Network, Repair

    if output.suffix not in (".yaml", ".yml", ".json"):
        raise InputError(f"{output}: a cluster file ends in .yaml, .yml or .json")
    law = ClusterLaw(
        rack_size=rack_size,
        affinity_sigma=affinity_sigma,
        network=Network(intra_rack_mb_s, inter_rack_mb_s, latency_s),
        repair=Repair(repair_mean_s, repair_sigma),
    )
    made = generate_cluster(machines, seed, volatile_share=volatile, law=law)
    save_cluster(made, output)
    typer.echo(f"{output}: {made.name}, {machines} machines, {int(made.volatile.sum())} volatile")
