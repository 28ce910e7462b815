"""Renders the tables in docs from the rows in results; with --check only says whether they match."""

import json
import sys
from pathlib import Path

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
    summary = json.loads((ROOT / "results" / "policy-paper.json").read_text())["summary"]
    scales = ("0.5", "1.0", "2.0", "3.0", "4.0", "all")
    lines = ["| applications | method | " + " | ".join(f"s = {scale}" for scale in scales) + " |"]
    lines.append("|---|---|" + "---:|" * len(scales))
    for group, table in summary.items():
        for method in ("r-heft", "oracle", "tfr-gnn", "reliable-heft"):
            cells = " | ".join(f"{table[method][scale]:.3f}" for scale in scales)
            lines.append(f"| {group.split()[0]} | {method} | {cells} |")
    lines.append("")
    for group, table in summary.items():
        for other in ("oracle", "r-heft"):
            paired = table[f"tfr-gnn over {other}"]
            low, high = paired["ci95"]
            lines.append(
                f"- {group}: tfr-gnn over {other}, scenario by scenario, {paired['mean']:.3f} "
                f"({low:.3f} .. {high:.3f}, {paired['scenarios']} scenarios)"
            )
    alone = [
        f"{name.split()[-1]} {value:.3f}" for name, value in summary["unseen applications"].items() if " on " in name
    ]
    lines.append(f"- unseen applications one by one: {', '.join(alone)}")
    return "\n".join(lines)


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
    "policy.md": {"policy": policy_table},
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
