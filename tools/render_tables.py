"""Renders the tables in docs from the rows in results; with --check only says whether they match."""

import json
import sys
from pathlib import Path

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


def rendered(text: str, name: str, table: str) -> str:
    """`text` with the part between its markers replaced."""
    begin, end = f"<!-- {name} -->", f"<!-- /{name} -->"
    head, rest = text.split(begin)
    return f"{head}{begin}\n{table}\n{end}{rest.split(end)[1]}"


def main() -> int:
    page = ROOT / "docs" / "performance.md"
    before = page.read_text()
    after = rendered(before, "planning", planning_table())
    if "--check" in sys.argv:
        return int(before != after)
    page.write_text(after)
    return 0


if __name__ == "__main__":
    sys.exit(main())
