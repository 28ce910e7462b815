"""The page that sets the paper's numbers beside ours: claims, tables and figures in one self-contained file."""

import base64
from collections.abc import Iterable, Mapping
from html import escape
from pathlib import Path

from tfrgnn.paper.figures import FIGURES
from tfrgnn.paper.findings import AllRows, findings
from tfrgnn.paper.tables import TABLES, markdown
from tfrgnn.report.page import asset, facts

_STYLE = """
main { max-width: 1400px; }
.claims td { white-space: normal; text-align: left; vertical-align: top; }
.claims td:first-child { min-width: 260px; }
.numbers td, .numbers th { white-space: normal; }
.numbers td:first-child, th:first-child, .claims th { text-align: left; }
th { cursor: default; }
.figures { display: grid; grid-template-columns: repeat(auto-fill, minmax(420px, 1fr)); gap: 20px; align-items: start; }
img { max-width: 100%; }
"""


def paper_page(folder: Path, rows: AllRows, about: Mapping[str, str]) -> str:
    """The page; its figures are taken from the folder."""
    parts = ["<h2>What holds</h2>"]
    body = [(f.claim, f.verdict, f.evidence) for f in findings(rows)]
    parts.append(_table("claims", ("claim", "here", "measured"), body))
    parts.append("<h2>Tables</h2><p>Ours \u00b1 half the 95 % interval; the paper's number in brackets.</p>")
    for number, (make, names) in TABLES.items():
        table = make([row for name in names for row in rows[name]])
        cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in markdown(table).splitlines()[2:]]
        parts.append(f"<h3>Table {number}. {escape(table.title)}</h3>{_table('numbers', table.header, cells)}")
    parts.append('<h2>Figures</h2><p>Where the paper has numbers, they are the hollow points.</p><div class="figures">')
    for number, (draw, _) in FIGURES.items():
        picture = base64.b64encode((folder / "figures" / f"figure-{number}-{draw.__name__}.png").read_bytes()).decode()
        caption = escape((draw.__doc__ or "").strip())
        source = f"data:image/png;base64,{picture}"
        parts.append(f'<figure><img alt="{caption}" src="{source}"><figcaption>{caption}</figcaption></figure>')
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><link rel="icon" href="data:,">'
        f"<title>TFR-GNN reproduced</title><style>{asset('page.css')}{_STYLE}</style></head>\n"
        f"<body><header><h1>TFR-GNN reproduced</h1>{facts(list(about.items()))}</header>"
        f"<main>{''.join(parts)}</div></main></body></html>\n"
    )


def _table(kind: str, header: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in header)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f'<div class="scroll {kind}"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'
