"""Renders the tables in docs from the rows in results; with --check only says whether they match."""

import json
import sys
from pathlib import Path
from typing import Any

from tfrgnn.paper.reproduce import Job, reproduction

ROOT = Path(__file__).parent.parent


def planning_table() -> str:
    """The benchmark of planning and replay."""
    result = json.loads((ROOT / "results" / "planning.json").read_text())
    lines = [
        f"Version {result['version']}, {result['machine']}.",
        "",
        "| what | where | time | over HEFT | peak memory |",
        "|---|---|---:|---:|---:|",
    ]
    for row in result["rows"]:
        over = f"{row['over_heft']:,.2f}" if row["over_heft"] else ""
        peak = f"{row['peak_gib']:.2f} GiB" if "peak_gib" in row else ""
        lines.append(f"| {row['what']} | {row['where']} | {row['ms']:,.2f} ms | {over} | {peak} |")
    return "\n".join(lines)


def policy_table() -> str:
    """The scores of the shipped weights."""
    result = json.loads((ROOT / "results" / "policy-paper.json").read_text())
    scales = ("0.5", "1.0", "2.0", "3.0", "4.0", "all")
    lines = ["| applications | method | " + " | ".join(f"s = {scale}" for scale in scales) + " | past horizon |"]
    lines.append("|---|---|" + "---:|" * (len(scales) + 1))
    for group, table in result["summary"].items():
        for method in ("r-heft", "r-heft[beta=5]", "oracle", "tfr-gnn", "reliable-heft"):
            cells = " | ".join(f"{table[method][scale]['mean']:.3f}" for scale in scales)
            lines.append(f"| {group.split()[0]} | {method} | {cells} | {table['past horizon'][method]:.0%} |")
    lines += ["", "| tfr-gnn over | " + " | ".join(f"s = {scale}" for scale in scales) + " |"]
    lines.append("|---|" + "---:|" * len(scales))
    for group, table in result["summary"].items():
        for other in ("oracle", "r-heft", "r-heft[beta=5]"):
            cells = " | ".join(_ratio(table[f"tfr-gnn over {other}"][scale]) for scale in scales)
            lines.append(f"| {other}, {group.split()[0]} | {cells} |")
    lines += ["", "| application, all scales | tfr-gnn | over oracle | over r-heft |", "|---|---:|---:|---:|"]
    for table in result["summary"].values():
        for name in (key.removeprefix("tfr-gnn on ") for key in table if key.startswith("tfr-gnn on ")):
            entries = (table[f"tfr-gnn{kind} on {name}"] for kind in ("", " over oracle", " over r-heft"))
            lines.append(f"| {name} | {' | '.join(_ratio(entry) for entry in entries)} |")
    return "\n".join(lines)


def rate_table() -> str:
    """What the learning rate does."""
    rows = json.loads((ROOT / "results" / "learning-rate.json").read_text())
    lines = ["| learning rate | over the oracle, a training each | held-back ratio to HEFT |", "|---:|---|---|"]
    for rate in sorted({row["rate"] for row in rows}):
        here = [row for row in rows if row["rate"] == rate]
        columns = (", ".join(f"{row[key]:.3f}" for row in here) for key in ("over_oracle", "held_back"))
        lines.append(f"| {rate:g} | {' | '.join(columns)} |")
    return "\n".join(lines)


def _ratio(entry: dict[str, Any]) -> str:
    low, high = entry["ci95"]
    return f"{entry['mean']:.3f} ± {(high - low) / 2:.3f}"


def speed_table() -> str:
    """The benchmark of the learned policy."""
    result = json.loads((ROOT / "results" / "policy_speed.json").read_text())
    lines = [
        f"Version {result['version']}, {result['machine']}, one of them used.",
        "",
        "| what | where | time | over HEFT or share | peak memory |",
        "|---|---|---:|---:|---:|",
    ]
    for row in result["rows"]:
        over = f"{row['over_heft']:.2f}" if "over_heft" in row else f"{row['share']:.0%}" if "share" in row else ""
        peak = f"{row['peak_gib']:.2f} GiB" if "peak_gib" in row else ""
        lines.append(f"| {row['what']} | {row['where']} | {row['ms']:,.2f} ms | {over} | {peak} |")
    return "\n".join(lines)


def reproduction_tables() -> str:
    """The paper's claims and tables from the rows of results/paper."""
    folder = ROOT / "results" / "paper"
    about = json.loads((folder / "about.json").read_text())
    head = f"`{about['command']}`, version {about['version']}, commit {about['commit']}, {about['machine']}."
    return f"{head}\n\n{reproduction(Job(Path(), folder).stored())}"


TABLES = {
    "reproduction.md": {"reproduction": reproduction_tables},
    "performance.md": {"planning": planning_table, "policy-speed": speed_table},
    "policy.md": {"policy": policy_table, "learning-rate": rate_table},
}


def rendered(text: str, name: str, table: str) -> str:
    """`text` with the part between its markers replaced."""
    begin, end = f"<!-- {name} -->", f"<!-- /{name} -->"
    head, rest = text.split(begin)
    return f"{head}{begin}\n{table}\n{end}{rest.split(end)[1]}"


def main() -> int:
    stale = 0
    for name, tables in TABLES.items():
        page = ROOT / "docs" / name
        before = after = page.read_text()
        for mark, table in tables.items():
            after = rendered(after, mark, table())
        stale |= before != after
        if "--check" not in sys.argv:
            page.write_text(after)
    return int(stale) if "--check" in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())
