"""Runs suites, and writes rows, tables, figures and the page."""

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from tfrgnn.formats.files import write_text
from tfrgnn.paper.findings import AllRows, findings
from tfrgnn.paper.runner import Rows, check_spelling
from tfrgnn.paper.suites import Cell, suites
from tfrgnn.paper.tables import TABLES, latex, markdown
from tfrgnn.paper.timing import timed, timing_key, timing_rows
from tfrgnn.policy.weights import load_weights, shipped_weights
from tfrgnn.provenance import provenance

Progress = Callable[[int], None]

# Rows of long trainings: tools/run_ablations.py and tools/run_reinforcement.py make them.
BEFOREHAND = ("ablation-seeds", "reinforcement")


@dataclass(frozen=True)
class Job:
    """What to run with, and where to write; `command` is what the rows say they come from.

    A quick run has a folder of its own below the output, since its rows are of other cells; `weights` stand in for the
    shipped ones.
    """

    data: Path
    output: Path
    quick: bool = False
    processes: int | None = None
    weights: Path | None = None
    command: str = "tfrgnn paper all"

    def __post_init__(self) -> None:
        check_spelling(self.weights)

    @property
    def folder(self) -> Path:
        """Where rows, tables, figures and the page go."""
        return self.output / "quick" if self.quick else self.output

    @property
    def about(self) -> dict[str, str]:
        """Where new rows come from."""
        options = (" --quick" if self.quick else "") + (f" --weights {self.weights}" if self.weights else "")
        return {"command": self.command + options, **provenance()}

    def rows(self, names: Iterable[str], progress: Progress) -> AllRows:
        """The rows of these suites; what is on disk is not run again."""
        known, kept = suites(self.quick), Rows(self.folder / "rows", self.about, self.weights)
        found: AllRows = {}
        for name in names:
            if name == "timing":
                found[name] = self._timing(progress)
            elif name in BEFOREHAND:
                found[name] = self._beforehand(name)
            elif name == "training":
                found[name] = self._curve()
            else:
                found[name] = kept.run(self.data, known[name].cells, self.processes, progress)
        return found

    def stored(self) -> AllRows:
        """The rows of all suites as they lie on disk; nothing is run."""
        kept = Rows(self.folder / "rows")
        found: AllRows = {name: kept.read(suite.cells) for name, suite in suites(self.quick).items()}
        found["training"] = self._curve()
        return found | {name: self._lines(name) for name in (*BEFOREHAND, "timing")}

    def _curve(self) -> list[dict[str, Any]]:
        """The curve of the weights' distillation; none, if their card has none."""
        weights = load_weights(self.weights) if self.weights else shipped_weights("paper")
        return [point for point in weights.card.get("curve", []) if "loss" in point]

    def _beforehand(self, name: str) -> list[dict[str, Any]]:
        """Rows that took hours of training and so come with the package; put beside the others."""
        text = files(__package__).joinpath("beforehand", f"{name}.jsonl").read_text(encoding="utf-8")
        write_text(self._path(name), text)
        return self._lines(name)

    def _timing(self, progress: Progress) -> list[dict[str, Any]]:
        """Planning times are measured alone, and anew when code or weights have changed."""
        key, path = timing_key(self.data, self.quick, self.weights), self._path("timing")
        if not path.exists() or any(row.get("key") != key for row in self._lines("timing")):
            measured = timing_rows(self.data, self.quick, self.weights, progress)
            rows = [{"key": key, **row, "about": self.about} for row in measured]
            write_text(path, "".join(json.dumps(row) + "\n" for row in rows))
        return self._lines("timing")

    def made_by(self) -> dict[str, str]:
        """The commits and machines that made the rows, which may be of earlier runs."""
        made = [line["about"] for name in (*suites(self.quick), "timing") for line in self._lines(name)]
        return {key: " and ".join(sorted({each[key] for each in made})) for key in ("commit", "machine")}

    def _lines(self, name: str) -> list[dict[str, Any]]:
        path = self._path(name)
        return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []

    def _path(self, name: str) -> Path:
        path = self.folder / "rows" / f"{name}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        return path


def cells_of(names: Iterable[str], quick: bool) -> int:
    """How many steps the progress of these suites has."""
    known = suites(quick)
    steps = {name: len(suite.cells) for name, suite in known.items()} | {"timing": len(timed(quick))}
    return sum(steps.get(name, 0) for name in names)


def all_suites() -> list[str]:
    """Every suite, timing last: by then nothing else runs."""
    return [*suites(False), "training", *BEFOREHAND, "timing"]


def make_table(job: Job, number: int, rows: AllRows) -> str:
    """Writes a table as Markdown and LaTeX, and returns the first."""
    make, names = TABLES[number]
    table = make([row for name in names for row in rows[name]])
    stem = job.folder / "tables" / f"table-{number}-{table.name}"
    stem.parent.mkdir(parents=True, exist_ok=True)
    text = f"**Table {number}. {table.title}**\n\n{markdown(table)}\n"
    write_text(stem.with_suffix(".md"), text)
    write_text(stem.with_suffix(".tex"), latex(table))
    return text


def make_figure(job: Job, number: int, rows: AllRows) -> list[Path]:
    """Writes a figure as PDF and PNG."""
    from tfrgnn.paper.figures import FIGURES, save_figure

    return save_figure(number, [row for name in FIGURES[number][1] for row in rows[name]], job.folder / "figures")


def reproduce(job: Job, progress: Progress) -> Path:
    """Everything; returns the page."""
    from tfrgnn.paper.figures import FIGURES
    from tfrgnn.paper.page import paper_page

    rows = job.rows(all_suites(), progress)
    for number in TABLES:
        make_table(job, number, rows)
    for number in FIGURES:
        make_figure(job, number, rows)
    about = {**job.about, **job.made_by(), "seed": str(Cell.seed)}
    write_text(job.folder / "about.json", json.dumps(about, indent=1) + "\n")
    write_text(job.folder / "reproduction.md", reproduction(rows))
    page = job.folder / "index.html"
    write_text(page, paper_page(job.folder, rows, about))
    return page


def reproduction(rows: AllRows) -> str:
    """The results in Markdown: what holds, then every table."""
    lines = ["| claim | here | measured |", "|---|---|---|"]
    lines += [f"| {f.claim} | {f.verdict} | {f.evidence} |" for f in findings(rows)]
    for number, (make, names) in TABLES.items():
        table = make([row for name in names for row in rows[name]])
        lines += ["", f"**Table {number}. {table.title}**", "", markdown(table)]
    return "\n".join(lines) + "\n"
