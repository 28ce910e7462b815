"""What several commands read: a cluster from a file or a recipe, and lists of numbers."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tfrgnn.errors import InputError

if TYPE_CHECKING:
    from tfrgnn.formats.plan_file import Source
    from tfrgnn.model.cluster import Cluster

ClusterFile = Annotated[Path | None, typer.Option("--cluster", "-c", help="Cluster file, YAML or JSON.")]
Machines = Annotated[int | None, typer.Option(help="Instead of a cluster file: generate this many machines.")]
ClusterSeed = Annotated[int | None, typer.Option(help="Seed of the generated cluster; 0 by default.")]
Volatile = Annotated[
    float | None, typer.Option(help="Share of volatile machines in the generated cluster; 0.35 by default.")
]
Traces = Annotated[int, typer.Option(min=1, help="Failure traces to simulate.")]
Seed = Annotated[int, typer.Option(min=0, help="Seed of the failure traces.")]
AsJson = Annotated[bool, typer.Option("--json", help="JSON on stdout.")]
AsCsv = Annotated[bool, typer.Option("--csv", help="CSV on stdout.")]
Horizon = Annotated[float, typer.Option(help="How far traces reach, in failure-free HEFT makespans.")]
Report = Annotated[Path | None, typer.Option(help="Write a page to look at, one HTML file.")]


@dataclass(frozen=True)
class ClusterChoice:
    """A cluster file, or the arguments of a generated one."""

    path: Path | None
    machines: int | None
    seed: int | None
    volatile: float | None

    def load(self) -> "Cluster":
        from tfrgnn.formats.cluster_file import load_cluster
        from tfrgnn.generate.clusters import generate_cluster

        if (self.path is None) == (self.machines is None):
            raise InputError("give the machines either by --cluster FILE or by --machines N")
        if self.path is None:
            return generate_cluster(self.machines or 0, self._seed, volatile_share=self._volatile)
        if self.seed is not None or self.volatile is not None:
            raise InputError("--cluster-seed and --volatile go with --machines, not with --cluster")
        return load_cluster(self.path)

    def source(self, cluster: "Cluster", folder: Path) -> "Source":
        """How a plan file in `folder` refers to it."""
        from tfrgnn.formats.plan_file import Recipe, Source, relative_source

        if self.path is not None:
            return relative_source(cluster.name, cluster.content_hash, self.path, folder)
        recipe = Recipe(len(cluster.machines), self._seed, self._volatile)
        return Source(cluster.name, cluster.content_hash, generated=recipe)

    @property
    def _seed(self) -> int:
        return 0 if self.seed is None else self.seed

    @property
    def _volatile(self) -> float:
        return 0.35 if self.volatile is None else self.volatile


def keep_inputs(inputs: Sequence[Path | None], outputs: Sequence[Path | None]) -> None:
    """Refuses to write over what is read, or two outputs into one file."""
    taken = {path.resolve() for path in inputs if path}
    for path in filter(None, outputs):
        if path.resolve() in taken and not path.resolve().is_relative_to("/dev"):
            raise InputError(f"{path}: is read or written here already; give the output another name")
        taken.add(path.resolve())


def one_format(as_json: bool, as_csv: bool) -> None:
    """Refuses to print two formats at once."""
    if as_json and as_csv:
        raise InputError("give either --json or --csv, not both")


def one_stream(printed: bool, page: Path | None) -> None:
    """Refuses to print results and to write a page to stdout at once."""
    from tfrgnn.formats.files import is_stdout

    if printed and is_stdout(page):
        raise InputError("--json, --csv and a page cannot all go to stdout; give the page a file")


def numbers(text: str, option: str) -> list[float]:
    """The numbers of a list like 0,1,2.5."""
    try:
        return [float(part) for part in text.split(",") if part.strip()]
    except ValueError:
        raise InputError(f"{option}: {text!r} is not a list of numbers like 0,1,2.5") from None
