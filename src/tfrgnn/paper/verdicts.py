"""A claim held against its measurement, and the words for how it stands."""

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from tfrgnn.paper.measures import Rows, crossed, scenario_of
from tfrgnn.simulation.outcome import Estimate

HOLDS, FAILS, OPEN = "holds", "does not hold", "undecided"


@dataclass(frozen=True)
class Finding:
    """A claim, how it stands here, and what was measured."""

    claim: str
    verdict: str
    evidence: str


def below(e: Estimate | None, limit: float) -> str:
    """Whether the whole interval is below the limit, above it, or neither."""
    if e is None or e.low is None or e.high is None:
        return OPEN
    return HOLDS if e.high < limit else FAILS if e.low >= limit else OPEN


def above(e: Estimate | None, limit: float) -> str:
    """Whether the whole interval is above the limit, below it, or neither."""
    return {HOLDS: FAILS, FAILS: HOLDS, OPEN: OPEN}[below(e, limit)]


def within(e: Estimate | None, low: float, high: float) -> str:
    """Whether the whole interval lies between two limits, or wholly beyond one of them, or neither."""
    if e is None or e.low is None or e.high is None:
        return OPEN
    return HOLDS if low < e.low and e.high < high else FAILS if e.high <= low or e.low >= high else OPEN


def apart(e: Estimate, other: Estimate) -> str:
    """Whether an estimate's whole interval is above that of another, below it, or neither."""
    if other.low is None or other.high is None:
        return above(e, other.mean)
    if above(e, other.high) == HOLDS:
        return HOLDS
    return FAILS if below(e, other.low) == HOLDS else OPEN


def together(verdicts: dict[str, str]) -> str:
    """The verdicts of a claim's parts as one."""
    kept = [part for part, verdict in verdicts.items() if verdict == HOLDS]
    if len(kept) == len(verdicts):
        return HOLDS
    if kept:
        return f"holds for {', '.join(kept)}"
    return FAILS if FAILS in verdicts.values() else OPEN


def everywhere(verdicts: dict[str, str]) -> str:
    """The verdict of a claim that must hold in each of its parts."""
    if all(verdict == HOLDS for verdict in verdicts.values()):
        return HOLDS
    return FAILS if FAILS in verdicts.values() else OPEN


def paired(rows: Rows, method: str, other: str, these: bool = False) -> Estimate:
    """Ratio of a method's mean makespan to another's in the same scenario; `these` as in `crossed`."""
    cells: dict[Any, dict[str, dict[str, Any]]] = defaultdict(dict)
    for row in rows:
        cells[scenario_of(row)][row["method"]] = row
    return crossed(
        [
            (
                cell[method]["instance"],
                cell[method]["cluster_seed"],
                cell[method]["mean_makespan_s"] / cell[other]["mean_makespan_s"],
            )
            for cell in cells.values()
        ],
        these,
    )


def said(e: Estimate | None, signed: bool = False) -> str:
    """An estimate with its interval."""
    if e is None:
        return "-"
    form = "+.3f" if signed else ".3f"
    if e.low is None or e.high is None:
        return f"{e.mean:{form}}"
    return f"{e.mean:{form}} ({e.low:{form}} .. {e.high:{form}})"
