"""Tables from rows: each cell a mean over scenarios with its 95 % interval, beside the paper's number."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tfrgnn.paper import published
from tfrgnn.paper.measures import Rows, best_of, by_setting, mean_of, over_seeds, seed_means, short
from tfrgnn.paper.suites import ABLATIONS, BETAS, CHOICES, FAULT, MILD, POLICY, SCALES, SEEN, STRONG
from tfrgnn.simulation.outcome import Estimate, estimate

BEST = "r-heft, best of four per scenario"


@dataclass(frozen=True)
class Entry:
    """One number of a table: ours with its interval over scenarios, and the paper's where it has one."""

    ours: Estimate | None
    paper: float | None = None
    digits: int = 3


@dataclass(frozen=True)
class Table:
    """A table: `header` of the columns, and per row its name and entries."""

    number: int
    name: str
    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Entry, ...]], ...]


def efficiency(rows: Rows) -> Table:
    """Failure-free makespan over HEFT's, and utilisation."""
    methods = ("random", "cpop", "min-min", "max-min", "peft", "heft", POLICY, "reliable-heft")
    body = []
    for method in methods:
        paper = published.EFFICIENCY.get(short(method), (None, None))
        entries = (
            Entry(mean_of(rows, method=method), paper[0]),
            Entry(mean_of(rows, "utilisation", method=method), paper[1]),
        )
        body.append((short(method), entries))
    title = "Failure-free makespan over HEFT's, and utilisation (16, 48 and 96 machines)"
    return Table(1, "efficiency", title, ("method", "makespan / HEFT", "utilisation"), tuple(body))


def intensity(rows: Rows) -> Table:
    """Makespan over HEFT's against the failure scale."""
    rows = [*rows, *best_of(rows, BETAS, BEST)]
    body = []
    for method in ("heft", "r-heft", BETAS[-1], STRONG, BEST, *FAULT[2:]):
        paper = published.INTENSITY.get(short(method), (None,) * len(SCALES))
        entries = tuple(
            Entry(mean_of(rows, method=method, scale=scale), number)
            for scale, number in zip(SCALES, paper, strict=True)
        )
        body.append((short(method), entries))
    header = ("method", *(f"s = {scale:g}" for scale in SCALES))
    return Table(2, "intensity", "Mean makespan over HEFT's against failure scale (48 machines)", header, tuple(body))


def applications(rows: Rows) -> Table:
    """The same per application at s = 2 and 4."""
    body = []
    for family in SEEN:
        paper = iter(published.APPLICATIONS[family])
        entries = [
            Entry(mean_of(rows, these=True, method=method, scale=scale, family=family), next(paper))
            for scale in (2.0, 4.0)
            for method in ("r-heft", POLICY)
        ]
        entries += [
            Entry(mean_of(rows, these=True, method="reliable-heft", scale=s, family=family)) for s in (2.0, 4.0)
        ]
        body.append((family, tuple(entries)))
    header = ("application", "r-heft, s = 2", "tfr-gnn, s = 2", "r-heft, s = 4", "tfr-gnn, s = 4",
              "reliable-heft, s = 2", "reliable-heft, s = 4")  # fmt: skip
    return Table(
        3,
        "applications",
        "Mean makespan over HEFT's per application, for these three sizes (48 machines)",
        header,
        tuple(body),
    )


def ablation(rows: Rows) -> Table:
    """Each part of the network left out, trained anew; with several seeds, since one says little."""
    cells, full = [row for row in rows if "ratios" not in row], seed_means(rows, "paper")
    body: list[tuple[str, tuple[Entry, ...]]] = []
    for preset in ("paper", *ABLATIONS):
        method = POLICY if preset == "paper" else f"tfr-gnn[preset={preset}]"
        means = seed_means(rows, preset)
        more = None if preset == "paper" else over_seeds({seed: means[seed] - full[seed] for seed in means})
        entries = (
            Entry(mean_of(cells, method=method, scale=0.0), 1.0),
            Entry(mean_of(cells, method=method, scale=2.0), published.ABLATION[preset]),
            Entry(over_seeds(means)),
            Entry(more, None if preset == "paper" else published.ABLATION[preset] - published.ABLATION["paper"]),
        )
        body.append((preset, entries))
    reliable = [Entry(mean_of(cells, method="reliable-heft", scale=scale)) for scale in (0.0, 2.0)]
    body.append(("reliable-heft", (*reliable, Entry(None), Entry(None))))
    header = ("preset", "s = 0", "s = 2, these weights", "s = 2, mean over trainings", "more than the full network")
    title = f"Ablation: mean makespan over HEFT's (48 machines); the last two columns over {len(full)} trainings"
    return Table(4, "ablation", title, header, tuple(body))


def generalisation(rows: Rows) -> Table:
    """Unseen applications and sizes."""
    body = []
    for (family, tasks), paper in published.GENERALISATION.items():
        instances = {row["instance"]: row["tasks"] for row in rows if row["family"] == family}
        instance = min(instances, key=lambda name: abs(instances[name] - tasks))
        numbers = iter(paper)
        entries = []
        for scale in (2.0, 4.0):
            entries.append(Entry(mean_of(rows, method=POLICY, scale=scale, instance=instance), next(numbers)))
            entries.append(Entry(mean_of(rows, method="r-heft", scale=scale, instance=instance), next(numbers)))
            entries.append(Entry(mean_of(rows, method="reliable-heft", scale=scale, instance=instance)))
        here = instances[instance]
        note = f"{family} {tasks}" if here == tasks else f"{family} {tasks} (here {here}, seen in training)"
        body.append((note, tuple(entries)))
    header = ("application, tasks", *(f"{m}, s = {s}" for s in (2, 4) for m in ("tfr-gnn", "r-heft", "reliable-heft")))
    return Table(5, "generalisation", "Unseen applications and larger sizes (48 machines)", header, tuple(body))


def timing(rows: Rows) -> Table:
    """Planning times against size."""
    body = []
    for (tasks, paper), row in zip(published.TIMING.items(), rows, strict=False):  # a quick run has the first few
        times = [row["ms"][method] for method in ("heft", "peft", POLICY, "reliable-heft")]
        ours = [Estimate(t["median"], t["low"], t["high"]) for t in times]
        entries = tuple(Entry(mine, number) for mine, number in zip(ours, (*paper, None), strict=True))
        name = f"{row['family']} {tasks}"
        if row["instance"].startswith("generated"):
            name += " (generated)"
        elif row["tasks"] != tasks:
            name += f" (here {row['tasks']})"
        body.append((name, entries))
    header = ("application, tasks", "heft ms", "peft ms", "tfr-gnn ms", "reliable-heft ms")
    return Table(6, "timing", "Median planning time against size (48 machines, one core)", header, tuple(body))


def constants(rows: Rows) -> Table:
    """What the constants that the paper leaves open do to the result at s = 2."""
    names = {"rack_size": "rack size", "bandwidth": "bandwidth factor", "repair_mean_s": "repair mean, s",
             "horizon_factor": "horizon factor", "work_factor": "work factor", "instances": "instances:"}  # fmt: skip
    body = []
    for key, name in names.items():
        for value in sorted({row["value"] for row in rows if row["vary"] == key}):
            entries = [
                Entry(mean_of(rows, these=True, method=method, vary=key, value=value))
                for method in ("r-heft", POLICY, "oracle", "reliable-heft")
            ]
            entries.append(Entry(mean_of(rows, "past_horizon_share", True, method="heft", vary=key, value=value)))
            shown = [*CHOICES][int(value)] if key == "instances" else f"{value:g}"
            body.append((f"{name} {shown}", tuple(entries)))
    header = ("constant", "r-heft", "tfr-gnn", "oracle", "reliable-heft", "HEFT past horizon")
    title = "Sensitivity to what the paper leaves open, for these instances (s = 2, 48 machines)"
    return Table(7, "constants", title, header, tuple(body))


def mild(rows: Rows) -> Table:
    """Below the paper's scales: from where on leaving the volatile machines out pays."""
    body = []
    for scale in MILD:
        methods = ("r-heft", POLICY, "oracle", "reliable-heft")
        entries = [Entry(mean_of(rows, these=True, method=m, scale=scale)) for m in methods]
        body.append((f"s = {scale:g}", tuple(entries)))
    header = ("scale", "r-heft", "tfr-gnn", "oracle", "reliable-heft")
    title = "Rare failures: mean makespan over HEFT's, for these instances (48 machines)"
    return Table(9, "mild", title, header, tuple(body))


def reinforcement(rows: Rows) -> Table:
    """Policy gradients, over seeds: held-back makespan over HEFT's as they go, and their samples at the beginning."""
    body = []
    for (start, temperature, algorithm), runs in by_setting(rows).items():
        first = [run["curve"][0] for run in runs]
        columns = (
            [run["start"] for run in runs],
            [point["ratio"] for point in first],
            [run["curve"][-1]["ratio"] for run in runs],
            [point["sampled"] for point in first],
            [point["best"] for point in first],
        )
        name = f"{algorithm} from {start}, temperature {temperature:g}"
        body.append((name, tuple(Entry(estimate(np.array(column))) for column in columns)))
    header = ("run", "held-back before", "after 50 steps", "at the end", "mean of 8 samples, first 50 steps",
              "best of 8 samples, first 50 steps")  # fmt: skip
    title = "Policy gradients on the same network: makespan over HEFT's, over seeds"
    return Table(8, "reinforcement", title, header, tuple(body))


# number -> (what makes it, the suites whose rows it takes)
TABLES: dict[int, tuple[Callable[[Rows], Table], tuple[str, ...]]] = {
    1: (efficiency, ("efficiency",)),
    2: (intensity, ("intensity",)),
    3: (applications, ("intensity",)),
    4: (ablation, ("ablation", "ablation-seeds")),
    5: (generalisation, ("generalisation",)),
    6: (timing, ("timing",)),
    7: (constants, tuple(f"constant-{c}" for c in ("rack_size", "bandwidth", "repair_mean_s", "horizon_factor",
                                                   "work_factor", "instances"))),
    8: (reinforcement, ("reinforcement",)),
    9: (mild, ("mild",)),
}  # fmt: skip


_IN_BRACKETS = "; the paper's numbers in brackets"
_SHRUNK = r"\ifdim\width>\linewidth\linewidth\else\width\fi"


def markdown(table: Table) -> str:
    """The table as Markdown, the paper's number in brackets behind ours."""
    lines = [f"| {' | '.join(table.header)} |", "|---" * 1 + "|---:" * (len(table.header) - 1) + "|"]
    lines += [f"| {name} | {' | '.join(_text(entry) for entry in entries)} |" for name, entries in table.rows]
    return "\n".join(lines)


def latex(table: Table) -> str:
    """The table as LaTeX (booktabs, graphicx): over both columns if it has more than three, and shrunk to fit."""
    floating = "table*" if len(table.header) > 3 else "table"
    both = any(entry.paper is not None for _, entries in table.rows for entry in entries)
    caption = f"{table.title}. Mean ± half the 95 % interval{_IN_BRACKETS if both else ''}."
    lines = [rf"\begin{{{floating}}}[t]", r"\centering", rf"\caption{{{_escape(caption)}}}"]
    lines += [rf"\label{{tab:{table.name}}}", r"\small", rf"\resizebox{{{_SHRUNK}}}{{!}}{{%"]
    lines += [rf"\begin{{tabular}}{{l{'r' * (len(table.header) - 1)}}}", r"\toprule"]
    lines.append(" & ".join(_escape(name) for name in table.header) + r" \\")
    lines.append(r"\midrule")
    for name, entries in table.rows:
        lines.append(" & ".join([_escape(name), *(_escape(_text(entry)) for entry in entries)]) + r" \\")
    lines += [r"\bottomrule", r"\end{tabular}}", rf"\end{{{floating}}}"]
    return "\n".join(lines) + "\n"


def _text(entry: Entry) -> str:
    if entry.ours is None:
        return "-"
    ours, digits = entry.ours, entry.digits
    text = f"{ours.mean:.{digits}f}"
    if ours.low is not None and ours.high is not None and ours.high - ours.low >= 10**-digits:
        text += f" ± {(ours.high - ours.low) / 2:.{digits}f}"
    return text if entry.paper is None else f"{text} [{entry.paper:.{digits}f}]"


def _escape(text: str) -> str:
    return text.replace("%", r"\%").replace("_", r"\_").replace("±", r"$\pm$").replace("&", r"\&")
