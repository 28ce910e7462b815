"""Figures from rows: one column wide, a method in its own colour and marker everywhere, intervals drawn."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure

from tfrgnn.paper.suites import ABLATIONS, BUDGETS, POLICY, SCALES
from tfrgnn.paper.tables import Rows, by_setting, mean_of, seed_means, short
from tfrgnn.report.palette import method_colour
from tfrgnn.simulation.outcome import Estimate, estimate

WIDTH = 3.4  # inches, a column
_STYLE: Any = {
    "font.size": 8, "axes.labelsize": 8, "xtick.labelsize": 7, "ytick.labelsize": 7, "legend.fontsize": 6.5,
    "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True, "axes.axisbelow": True,
    "grid.color": "#dddddd", "grid.linewidth": 0.5,
    "lines.linewidth": 1.2, "lines.markersize": 4, "pdf.fonttype": 42, "savefig.dpi": 200,
}  # fmt: skip
_MARKERS = {"heft": "o", "r-heft": "s", "ft-heft": "D", "tfr-gnn": "^", "oracle": "x", "reliable-heft": "P"}

_LEVERS: dict[str, Callable[[float], str]] = {
    "ft-heft": lambda b: f"ft-heft[budget={b:g}]",
    "tfr-gnn": lambda b: f"tfr-gnn[budget={b:g},preset=paper]",
}


def _figure(width: float = WIDTH, height: float = 2.5, columns: int = 1) -> tuple[Figure, Any]:
    figure = Figure(figsize=(width, height), layout="constrained")
    return figure, figure.subplots(1, columns)


def _line(axes: Any, method: str, x: Sequence[float], estimates: Sequence[Any], label: str = "") -> None:
    """Means with their intervals as error bars."""
    kept = [(a, e) for a, e in zip(x, estimates, strict=True) if e is not None]
    means = [e.mean for _, e in kept]
    reach = [(0.0, 0.0) if e.high is None else (e.mean - e.low, e.high - e.mean) for _, e in kept]
    name = short(method)
    axes.errorbar(
        [a for a, _ in kept], means, yerr=list(zip(*reach, strict=True)), label=label or name,
        color=method_colour(name), marker=_MARKERS.get(name.partition("[")[0], "v"), capsize=2, elinewidth=0.8,
    )  # fmt: skip


def _legend(axes: Any) -> None:
    """Above the axes, where it covers nothing."""
    axes.legend(ncols=3, loc="lower center", bbox_to_anchor=(0.5, 1.0), frameon=False)


def _unit_line(axes: Any) -> None:
    axes.axhline(1.0, color="#333333", linewidth=0.8, linestyle="--")


def _bars(axes: Any, names: Sequence[str], estimates: Sequence[Any], colours: Sequence[str]) -> None:
    means = [e.mean for e in estimates]
    halves = [0.0 if e.high is None else e.high - e.mean for e in estimates]
    axes.bar(range(len(names)), means, yerr=halves, color=colours, capsize=2, error_kw={"elinewidth": 0.8})
    axes.set_xticks(range(len(names)), names, rotation=35, ha="right")


def efficiency(rows: Rows) -> Figure:
    """Figure 2: failure-free makespan and utilisation; random is left out of the first, where it is off the scale."""
    figure, (left, right) = _figure(2 * WIDTH, 2.6, 2)
    methods = ("cpop", "min-min", "max-min", "peft", "heft", POLICY, "reliable-heft")
    for axes, quantity, label in ((left, "ratio_to_heft", "makespan / HEFT"), (right, "utilisation", "utilisation")):
        shown = methods if axes is left else ("random", *methods)
        _bars(axes, [short(m) for m in shown], [mean_of(rows, quantity, method=m) for m in shown],
              [method_colour(short(m)) for m in shown])  # fmt: skip
        axes.set_ylabel(label)
    _unit_line(left)
    return figure


def intensity(rows: Rows) -> Figure:
    """Figure 3: makespan over HEFT's against the failure scale."""
    figure, axes = _figure()
    for method in ("r-heft", "ft-heft", POLICY, "oracle", "reliable-heft"):
        _line(axes, method, SCALES, [mean_of(rows, method=method, scale=s) for s in SCALES])
    _unit_line(axes)
    axes.set(xlabel="failure scale s", ylabel="mean makespan / HEFT", ylim=(0, None))
    _legend(axes)
    return figure


def load(rows: Rows) -> Figure:
    """Figure 4: makespan over HEFT's against the number of machines at s = 2."""
    figure, axes = _figure()
    machines = sorted({row["machines"] for row in rows})
    for method in ("r-heft", POLICY, "oracle", "reliable-heft"):
        _line(axes, method, machines, [mean_of(rows, method=method, machines=m) for m in machines])
    _unit_line(axes)
    axes.set(xlabel="machines", ylabel="mean makespan / HEFT", ylim=(0, None))
    _legend(axes)
    return figure


def replication(rows: Rows) -> Figure:
    """Figure 5: makespan and redundant work against the replication budget at s = 3."""
    figure, (left, right) = _figure(2 * WIDTH, 2.5, 2)
    heft = {(r["instance"], r["cluster_seed"]): r["mean_makespan_s"] for r in rows if r["method"] == "heft"}
    scaled = [{**r, "redundant": r["redundant_s"] / heft[r["instance"], r["cluster_seed"]]} for r in rows]
    for axes, quantity in ((left, "ratio_to_heft"), (right, "redundant")):
        for name, spelling in _LEVERS.items():
            _line(axes, name, BUDGETS, [mean_of(scaled, quantity, method=spelling(b)) for b in BUDGETS])
        axes.set_xlabel("replication budget")
    _unit_line(left)
    left.set_ylabel("mean makespan / HEFT")
    right.set_ylabel("redundant work / HEFT makespan")
    left.legend()
    return figure


def ablation(rows: Rows) -> Figure:
    """Figure 6: each part of the network left out; means over trainings with several seeds, each a dot."""
    figure, axes = _figure()
    presets = ("paper", *ABLATIONS)
    names = ["full", *(name.removeprefix("paper-").replace("-", " ") for name in ABLATIONS)]
    colours = [method_colour("tfr-gnn"), *["#e8a87c"] * len(ABLATIONS)]
    means = [list(seed_means(rows, preset).values()) for preset in presets]
    _bars(axes, names, [estimate(np.array(each)) for each in means], colours)
    for k, each in enumerate(means):
        axes.plot(k + 0.25 + 0 * np.array(each), each, ".", color="#333333", markersize=3)
    _unit_line(axes)
    axes.set_ylabel("mean makespan / HEFT, s = 2")
    return figure


def sensitivity(rows: Rows) -> Figure:
    """Figure 7: heterogeneity and share of volatile machines (cycles, s = 2); replication budget (cycles, s = 3)."""
    figure, panels = _figure(2 * WIDTH, 2.6, 3)
    budgets = [row for row in rows if row["suite"] == "replication" and row["family"] == "cycles"]
    for name, spelling in _LEVERS.items():
        _line(panels[2], name, BUDGETS, [mean_of(budgets, method=spelling(b)) for b in BUDGETS])
    _unit_line(panels[2])
    panels[2].set(xlabel="replication budget", ylim=(0, None))
    _legend(panels[2])
    for axes, vary, label in zip(
        panels[:2], ("sigma", "volatile"), ("affinity sigma", "share of volatile machines"), strict=True
    ):
        values = sorted({row["value"] for row in rows if row["vary"] == vary})
        for method in ("r-heft", POLICY, "oracle", "reliable-heft"):
            _line(axes, method, values, [mean_of(rows, method=method, vary=vary, value=v) for v in values])
        _unit_line(axes)
        axes.set(xlabel=label, ylabel="mean makespan / HEFT", ylim=(0, None))
    _legend(panels[0])
    return figure


def generalisation(rows: Rows) -> Figure:
    """Figure 8: applications that the training did not see."""
    figure, panels = _figure(2 * WIDTH, 2.5, 2)
    families = ("seismology", "soykb", "srasearch")
    for axes, scale in zip(panels, (2.0, 4.0), strict=True):
        for k, method in enumerate(("r-heft", POLICY, "reliable-heft")):
            estimates = [mean_of(rows, method=method, scale=scale, family=f) for f in families]
            x = np.arange(len(families)) + (k - 1) * 0.27
            halves = [0.0 if e is None or e.high is None else e.high - e.mean for e in estimates]
            axes.bar(x, [e.mean if e else 0.0 for e in estimates], 0.25, yerr=halves, capsize=2,
                     color=method_colour(short(method)), label=short(method), error_kw={"elinewidth": 0.8})  # fmt: skip
        axes.set_xticks(range(len(families)), families)
        axes.set(ylabel="mean makespan / HEFT", title=f"s = {scale:g}")
        _unit_line(axes)
    panels[0].legend()
    return figure


def scalability(rows: Rows) -> Figure:
    """Figure 9: planning time against size, on logarithmic axes."""
    figure, axes = _figure()
    for method in ("heft", "peft", POLICY):
        by_size = sorted(rows, key=lambda row: int(row["tasks"]))
        times = [row["ms"][method] for row in by_size]
        _line(axes, method, [row["tasks"] for row in by_size],
              [Estimate(t["median"], t["low"], t["high"]) for t in times])  # fmt: skip
    axes.set(xscale="log", yscale="log", xlabel="tasks", ylabel="planning time, ms")
    axes.legend()
    return figure


def training(rows: Rows) -> Figure:
    """Figure 10: loss and held-back ratio over the training of the shipped weights."""
    figure, (left, right) = _figure(2 * WIDTH, 2.4, 2)
    steps, loss = [row["step"] for row in rows], np.array([row["loss"] for row in rows])
    window = 25
    smooth = np.convolve(loss, np.ones(window) / window, mode="valid")
    left.plot(steps, loss, color="#dddddd", linewidth=0.6, label="each step")
    left.plot(steps[window - 1 :], smooth, color=method_colour("tfr-gnn"), label=f"mean of {window}")
    left.set(xlabel="step", ylabel="loss")
    left.legend()
    watched = [(row["step"], row["ratio"]) for row in rows if row["ratio"] is not None]
    right.plot(*zip(*watched, strict=True), marker="^", color=method_colour("tfr-gnn"))
    right.set(xlabel="step", ylabel="held-back makespan / HEFT")
    _unit_line(right)
    return figure


def reinforcement(rows: Rows) -> Figure:
    """Figure 11: policy gradients from almost HEFT, held-back makespan over HEFT's; mean and interval over seeds."""
    gradients = by_setting([row for row in rows if "config" in row])
    distilled = [row["ratio"] for row in rows if "config" not in row and row["ratio"] is not None][-1]
    runs = {key[1:]: group for key, group in gradients.items() if key[0] == "almost HEFT"}
    temperatures = sorted({key[0] for key in runs})
    figure, panels = _figure(2 * WIDTH, 2.5, 2)
    for axes, temperature in zip(panels, temperatures, strict=True):
        for algorithm, marker in (("scst", "o"), ("rloo", "s"), ("ppo", "D")):
            group, colour = runs[temperature, algorithm], method_colour(algorithm)
            steps = [0, *(point["step"] for point in group[0]["curve"])]
            paths = np.array([[run["start"], *(point["ratio"] for point in run["curve"])] for run in group])
            estimates = [estimate(column) for column in paths.T]
            axes.plot(steps, paths.mean(axis=0), color=colour, marker=marker, markersize=3, label=algorithm)
            axes.fill_between(steps, [e.low or e.mean for e in estimates], [e.high or e.mean for e in estimates],
                              color=colour, alpha=0.2, linewidth=0)  # fmt: skip
        axes.set(xlabel="step", ylabel="held-back makespan / HEFT", title=f"temperature {temperature:g}")
        axes.axhline(distilled, color=method_colour("tfr-gnn"), linewidth=1.2, label="distilled")
        _unit_line(axes)
    panels[0].legend()
    return figure


# the paper's number -> (what draws it, the suites whose rows it takes); 1 is a drawing of the architecture, 11 is ours
FIGURES: dict[int, tuple[Callable[[Rows], Figure], tuple[str, ...]]] = {
    2: (efficiency, ("efficiency",)),
    3: (intensity, ("intensity",)),
    4: (load, ("load",)),
    5: (replication, ("replication",)),
    6: (ablation, ("ablation-seeds",)),
    7: (sensitivity, ("sensitivity-sigma", "sensitivity-volatile", "replication")),
    8: (generalisation, ("generalisation",)),
    9: (scalability, ("timing",)),
    10: (training, ("training",)),
    11: (reinforcement, ("reinforcement", "training")),
}


def save_figure(number: int, rows: Rows, folder: Path) -> list[Path]:
    """Draws a figure and writes it as PDF and PNG."""
    folder.mkdir(parents=True, exist_ok=True)
    draw = FIGURES[number][0]
    paths = [folder / f"figure-{number}-{draw.__name__}.{kind}" for kind in ("pdf", "png")]
    with mpl.rc_context(_STYLE):
        figure = draw(rows)
        for path in paths:
            metadata = {"CreationDate": None} if path.suffix == ".pdf" else {"Software": None}
            figure.savefig(path, metadata=metadata)
    return paths
