"""Runs suites, and writes rows, tables, figures and the page that sets the paper's numbers beside ours."""

import base64
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any

from tfrgnn.formats.files import write_text
from tfrgnn.paper.findings import AllRows, findings
from tfrgnn.paper.runner import Rows
from tfrgnn.paper.suites import Cell, suites
from tfrgnn.paper.tables import TABLES, latex, markdown
from tfrgnn.paper.timing import timing_rows
from tfrgnn.policy.weights import shipped_weights
from tfrgnn.provenance import provenance

Progress = Callable[[int], None]

# Rows of long trainings: tools/run_ablations.py and tools/run_reinforcement.py make them.
BEFOREHAND = ("ablation-seeds", "reinforcement")


@dataclass(frozen=True)
class Job:
    """What to run with, and where to write; `command` is what the rows say they come from."""

    data: Path
    output: Path
    quick: bool = False
    processes: int | None = None
    command: str = "tfrgnn paper all"

    @property
    def about(self) -> dict[str, str]:
        """Where new rows come from."""
        return {"command": self.command + (" --quick" if self.quick else ""), **provenance()}

    def rows(self, names: Iterable[str], progress: Progress) -> AllRows:
        """The rows of these suites; what is on disk is not run again."""
        known, kept = suites(self.quick), Rows(self.output / "rows", self.about)
        found: AllRows = {}
        for name in names:
            if name == "timing":
                found[name] = self._timing(progress)
            elif name in BEFOREHAND:
                found[name] = self._beforehand(name)
            elif name == "training":
                found[name] = shipped_weights("paper").card["curve"]
            else:
                found[name] = kept.run(self.data, known[name].cells, self.processes, progress)
        return found

    def stored(self) -> AllRows:
        """The rows of all suites as they lie on disk; nothing is run."""
        kept = Rows(self.output / "rows")
        found: AllRows = {name: kept.read(suite.cells) for name, suite in suites(self.quick).items()}
        found["training"] = shipped_weights("paper").card["curve"]
        return found | {name: self._lines(name) for name in (*BEFOREHAND, "timing")}

    def _beforehand(self, name: str) -> list[dict[str, Any]]:
        """Rows that took hours of training and so come with the package; put beside the others."""
        text = files(__package__).joinpath("beforehand", f"{name}.jsonl").read_text(encoding="utf-8")
        write_text(self._path(name), text)
        return self._lines(name)

    def _timing(self, progress: Progress) -> list[dict[str, Any]]:
        """Planning times are measured alone and once; delete the file to measure anew."""
        path = self._path("timing")
        if not path.exists():
            rows = [{**row, "about": self.about} for row in timing_rows(self.data, self.quick, progress)]
            write_text(path, "".join(json.dumps(row) + "\n" for row in rows))
        return self._lines("timing")

    def _lines(self, name: str) -> list[dict[str, Any]]:
        path = self._path(name)
        return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []

    def _path(self, name: str) -> Path:
        path = self.output / "rows" / f"{name}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        return path


def cells_of(names: Iterable[str], quick: bool) -> int:
    """How many steps the progress of these suites has."""
    known = suites(quick)
    return sum(len(known[name].cells) for name in names if name in known)


def all_suites() -> list[str]:
    """Every suite, timing last: by then nothing else runs."""
    return [*suites(False), "training", *BEFOREHAND, "timing"]


def make_table(job: Job, number: int, rows: AllRows) -> str:
    """Writes a table as Markdown and LaTeX, and returns the first."""
    make, names = TABLES[number]
    table = make([row for name in names for row in rows[name]])
    stem = job.output / "tables" / f"table-{number}-{table.name}"
    stem.parent.mkdir(parents=True, exist_ok=True)
    text = f"**Table {number}. {table.title}**\n\n{markdown(table)}\n"
    write_text(stem.with_suffix(".md"), text)
    write_text(stem.with_suffix(".tex"), latex(table))
    return text


def make_figure(job: Job, number: int, rows: AllRows) -> list[Path]:
    """Writes a figure as PDF and PNG."""
    from tfrgnn.paper.figures import FIGURES, save_figure

    return save_figure(number, [row for name in FIGURES[number][1] for row in rows[name]], job.output / "figures")


def reproduce(job: Job, progress: Progress) -> Path:
    """Everything; returns the page."""
    from tfrgnn.paper.figures import FIGURES

    rows = job.rows(all_suites(), progress)
    for number in TABLES:
        make_table(job, number, rows)
    for number in FIGURES:
        make_figure(job, number, rows)
    about = {**job.about, "seed": Cell.seed}
    write_text(job.output / "about.json", json.dumps(about, indent=1) + "\n")
    write_text(job.output / "reproduction.md", reproduction(rows))
    page = job.output / "index.html"
    write_text(page, html(job.output, rows, about))
    return page


def reproduction(rows: AllRows) -> str:
    """The results in Markdown: what holds, then every table."""
    lines = ["| claim | here | measured |", "|---|---|---|"]
    lines += [f"| {f.claim} | {f.verdict} | {f.evidence} |" for f in findings(rows)]
    for number, (make, names) in TABLES.items():
        table = make([row for name in names for row in rows[name]])
        lines += ["", f"**Table {number}. {table.title}**", "", markdown(table)]
    return "\n".join(lines) + "\n"


def html(folder: Path, rows: AllRows, about: dict[str, Any]) -> str:
    """One self-contained page: claims, tables and figures."""
    from tfrgnn.paper.figures import FIGURES
    from tfrgnn.report.page import asset

    parts = [f"<h1>TFR-GNN reproduced</h1><p>{escape(json.dumps(about))}</p>", "<h2>What holds</h2>"]
    parts.append(_html_table(("claim", "here", "measured"), [(f.claim, f.verdict, f.evidence) for f in findings(rows)]))
    parts.append("<h2>Tables</h2><p>Ours ± half the 95 % interval over scenarios; the paper's in brackets.</p>")
    for number, (make, names) in TABLES.items():
        table = make([row for name in names for row in rows[name]])
        body = [[cell.strip() for cell in line.strip("|").split("|")] for line in markdown(table).splitlines()[2:]]
        parts.append(f"<h3>Table {number}. {escape(table.title)}</h3>{_html_table(table.header, body)}")
    parts.append("<h2>Figures</h2>")
    for number, (draw, _) in FIGURES.items():
        picture = base64.b64encode((folder / "figures" / f"figure-{number}-{draw.__name__}.png").read_bytes()).decode()
        caption = escape((draw.__doc__ or "").strip())
        source = f"data:image/png;base64,{picture}"
        parts.append(f'<figure><img alt="{caption}" src="{source}"><figcaption>{caption}</figcaption></figure>')
    style = asset("page.css") + "td { white-space: normal; } img { max-width: 100%; }"
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><link rel="icon" href="data:,">'
        f"<title>TFR-GNN reproduced</title><style>{style}</style></head>\n"
        f"<body><main>{''.join(parts)}</main></body></html>\n"
    )


def _html_table(header: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in header)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'
