"""`tfrgnn inspect`: is a workflow valid, and what is in it?"""

from pathlib import Path
from typing import Annotated, Any

import typer

from tfrgnn.cli.inputs import AsJson
from tfrgnn.cli.show import number, print_json, print_table


def command(
    workflows: Annotated[list[Path], typer.Argument(help="Workflow files (WfFormat 1.3 to 1.6).")],
    as_json: AsJson = False,
) -> None:
    """Check workflow files and describe them: tasks, edges, depth, width, work, bytes, types, CCR, gaps."""
    from tfrgnn.costs.summary import summarise
    from tfrgnn.formats.wfformat import load_workflow

    summaries = [summarise(load_workflow(path)) for path in workflows]
    if as_json:
        print_json(summaries)
        return
    for path, summary in zip(workflows, summaries, strict=True):
        _print(path, summary)


def _print(path: Path, summary: dict[str, Any]) -> None:
    facts = [(name, value) for name, value in summary.items() if name not in ("types", "gaps")]
    print_table(f"{path}: valid", ("", ""), facts)
    header = ("type", "tasks", "work s, mean", "sd", "output bytes, mean", "sd")
    print_table("\nTypes", header, [tuple(row.values()) for row in summary["types"]])
    print_table("\nMissing in the file, and what stands for it", ("value", "missing", "default"), [
        (name, number(gap["count"]), gap["default"]) for name, gap in summary["gaps"].items()
    ])  # fmt: skip
