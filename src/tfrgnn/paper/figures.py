"""Figures from rows: one column wide, a method in its own colour and marker everywhere, intervals drawn."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure

from tfrgnn.paper import published
from tfrgnn.paper.measures import Rows, by_setting, mean_of, seed_means, short, with_redundant_share
from tfrgnn.paper.suites import ABLATIONS, BUDGETS, POLICY, SCALES, SENSITIVITY, UNSEEN
from tfrgnn.report.palette import method_colour
from tfrgnn.simulation.outcome import Estimate, estimate

WIDTH = 3.4  # inches, a column
_STYLE: Any = {
    "font.size": 8, "axes.labelsize": 8, "xtick.labelsize": 7, "ytick.labelsize": 7, "legend.fontsize": 6.5,
    "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True, "axes.axisbelow": True,
    "grid.color": "#dddddd", "grid.linewidth": 0.5,
    "lines.linewidth": 1.2, "lines.markersize": 4, "pdf.fonttype": 42, "savefig.dpi": 200,
}  # fmt: skip
_MARKERS = {"heft": "o", "r-heft": "s", "ft-heft": "D", "tfr-gnn": "^", "oracle": "X", "reliable-heft": "P"}

_LEVERS: dict[str, Callable[[float], str]] = {
    "ft-heft": lambda b: f"ft-heft[budget={b:g}]",
    "tfr-gnn": lambda b: f"tfr-gnn[budget={b:g},preset=paper]",
}
_SPREAD = 0.012  # of the axis: how far points at one place stand apart
_BESIDE = 0.25  # from the middle of a bar, where its interval is, to the paper's number


def _figure(rows: int = 1, height: float = 2.4) -> tuple[Figure, Any]:
    """Panels stand below each other, so that every figure is legible in a column."""
    figure = Figure(figsize=(WIDTH, height * rows), layout="constrained")
    return figure, figure.subplots(rows, 1)


def _look(method: str) -> dict[str, Any]:
    name = method.partition("[")[0]
    return {"color": method_colour(name), "marker": _MARKERS.get(name, "v")}


def _line(axes: Any, method: str, x: Sequence[float], estimates: Sequence[Any], label: str = "") -> None:
    """Means with their intervals as error bars."""
    kept = [(a, e) for a, e in zip(x, estimates, strict=True) if e is not None]
    means = [e.mean for _, e in kept]
    reach = [(0.0, 0.0) if e.high is None else (e.mean - e.low, e.high - e.mean) for _, e in kept]
    axes.errorbar(
        [a for a, _ in kept], means, yerr=list(zip(*reach, strict=True)), label=label or short(method),
        capsize=2, elinewidth=0.8, **_look(short(method)),
    )  # fmt: skip


def _lines(axes: Any, methods: Sequence[str], x: Sequence[float], estimates: Callable[[str, float], Any]) -> None:
    """A line per method, a little apart, so that no interval hides another."""
    step = _SPREAD * (max(x) - min(x))
    for k, method in enumerate(methods):
        moved = [value + (k - (len(methods) - 1) / 2) * step for value in x]
        _line(axes, method, moved, [estimates(method, value) for value in x])


def _paper_line(axes: Any, method: str, x: Sequence[float], values: Sequence[float | None]) -> None:
    """The paper's numbers: hollow and dotted."""
    kept = [(a, b) for a, b in zip(x, values, strict=True) if b is not None]
    axes.plot(*zip(*kept, strict=True), linestyle=":", linewidth=0.8, fillstyle="none", **_look(method))


def _legend(axes: Any, columns: int = 3) -> None:
    """Above the axes, where it covers nothing."""
    axes.legend(ncols=columns, loc="lower center", bbox_to_anchor=(0.5, 1.0), frameon=False)


def _unit_line(axes: Any) -> None:
    axes.axhline(1.0, color="#333333", linewidth=0.8, linestyle="--")


def _bars(axes: Any, names: Sequence[str], estimates: Sequence[Any], colours: Sequence[str]) -> None:
    means = [e.mean for e in estimates]
    halves = [0.0 if e.high is None else e.high - e.mean for e in estimates]
    axes.bar(range(len(names)), means, yerr=halves, color=colours, capsize=2, error_kw={"elinewidth": 0.8})
    axes.set_xticks(range(len(names)), names, rotation=35, ha="right")


def _paper_marks(axes: Any, x: Sequence[float], values: Sequence[float | None]) -> None:
    """The paper's numbers beside our bars: hollow diamonds."""
    kept = [(a, b) for a, b in zip(x, values, strict=True) if b is not None]
    axes.plot(*zip(*kept, strict=True), "D", color="#000000", markerfacecolor="#ffffff", markersize=4, label="paper")


def efficiency(rows: Rows) -> Figure:
    """Figure 2: failure-free makespan and utilisation; random, off the first scale, is in the second only."""
    figure, panels = _figure(2)
    methods = ("cpop", "min-min", "max-min", "peft", "heft", POLICY, "reliable-heft")
    for k, (axes, quantity) in enumerate(zip(panels, ("ratio_to_heft", "utilisation"), strict=True)):
        shown = methods if k == 0 else ("random", *methods)
        names = [short(m) for m in shown]
        _bars(axes, names, [mean_of(rows, quantity, method=m) for m in shown], [method_colour(n) for n in names])
        beside = [x - _BESIDE for x in range(len(names))]
        _paper_marks(axes, beside, [published.EFFICIENCY.get(n, (None, None))[k] for n in names])
        axes.set_ylabel("makespan / HEFT" if k == 0 else quantity)
    _unit_line(panels[0])
    _legend(panels[0])
    return figure


def intensity(rows: Rows) -> Figure:
    """Figure 3: makespan over HEFT's against the failure scale; the paper's TFR-GNN and oracle hollow and dotted."""
    figure, axes = _figure(height=3.0)
    methods = ("r-heft", "ft-heft", POLICY, "oracle", "reliable-heft")
    _lines(axes, methods, SCALES, lambda method, s: mean_of(rows, method=method, scale=s))
    for name in ("tfr-gnn", "oracle"):
        _paper_line(axes, name, SCALES, published.INTENSITY[name])
    _unit_line(axes)
    axes.set(xlabel="failure scale s (hollow: the paper)", ylabel="mean makespan / HEFT", ylim=(0, None))
    _legend(axes)
    return figure


def load(rows: Rows) -> Figure:
    """Figure 4: makespan over HEFT's against the number of machines at s = 2."""
    figure, axes = _figure(height=2.8)
    machines = sorted({row["machines"] for row in rows})
    methods = ("r-heft", POLICY, "oracle", "reliable-heft")
    _lines(axes, methods, machines, lambda method, m: mean_of(rows, method=method, machines=m))
    _unit_line(axes)
    axes.set(xlabel="machines", ylabel="mean makespan / HEFT", ylim=(0, None))
    _legend(axes, 2)
    return figure


def replication(rows: Rows) -> Figure:
    """Figure 5: makespan and redundant work against the replication budget at s = 3."""
    figure, panels = _figure(2)
    scaled = with_redundant_share(rows)
    for axes, quantity in zip(panels, ("ratio_to_heft", "redundant_share"), strict=True):
        _lines(axes, (*_LEVERS, "reliable-heft"), BUDGETS, partial(_at_budget, scaled, quantity))
        axes.set_xlabel("replication budget")
    _unit_line(panels[0])
    panels[0].set(ylabel="mean makespan / HEFT", ylim=(0, None))
    panels[1].set_ylabel("redundant work / HEFT makespan")
    _legend(panels[0])
    return figure


def _at_budget(rows: Rows, quantity: str, name: str, budget: float) -> Any:
    return mean_of(rows, quantity, method=_LEVERS[name](budget) if name in _LEVERS else name)


def ablation(rows: Rows) -> Figure:
    """Figure 6: each part of the network left out; means over trainings with several seeds, each a dot."""
    figure, axes = _figure(height=2.8)
    presets = ("paper", *ABLATIONS)
    trainings = [row for row in rows if "ratios" in row]
    names = ["full", *(name.removeprefix("paper-").replace("-", " ") for name in ABLATIONS), "reliable-heft"]
    means = [list(seed_means(trainings, preset).values()) for preset in presets]
    reliable = mean_of([row for row in rows if "ratios" not in row], method="reliable-heft", scale=2.0)
    colours = [method_colour("tfr-gnn"), *["#e8a87c"] * len(ABLATIONS), method_colour("reliable-heft")]
    _bars(axes, names, [*(estimate(np.array(each)) for each in means), reliable], colours)
    for k, each in enumerate(means):
        axes.plot(k + 0.28 + 0 * np.array(each), each, ".", color="#333333", markersize=3)
    _paper_marks(axes, [k - _BESIDE for k in range(len(presets))], [published.ABLATION[preset] for preset in presets])
    _unit_line(axes)
    axes.set(xlabel="intervals over trainings; reliable-heft's over scenarios", ylabel="mean makespan / HEFT, s = 2")
    _legend(axes)
    return figure


def sensitivity(rows: Rows) -> Figure:
    """Figure 7: heterogeneity and share of volatile machines (cycles, s = 2); replication budget (cycles, s = 3)."""
    figure, panels = _figure(3)
    methods = ("r-heft", POLICY, "oracle", "reliable-heft")
    shown = zip(panels, SENSITIVITY.items(), ("affinity sigma", "share of volatile machines"), strict=False)
    for axes, (vary, values), label in shown:
        _lines(axes, methods, values, partial(_at_value, rows, vary))
        axes.set_xlabel(label)
    budgets = [row for row in rows if row["suite"] == "replication" and row["family"] == "cycles"]
    for name, spelling in _LEVERS.items():
        _line(panels[2], name, BUDGETS, [mean_of(budgets, these=True, method=spelling(b)) for b in BUDGETS])
    panels[2].set_xlabel("replication budget")
    for axes in panels:
        _unit_line(axes)
        axes.set(ylabel="mean makespan / HEFT", ylim=(0, 1.35))
    _legend(panels[0], 2)
    _legend(panels[2], 2)
    return figure


def _at_value(rows: Rows, vary: str, method: str, value: float) -> Any:
    return mean_of(rows, method=method, vary=vary, value=value)


def generalisation(rows: Rows) -> Figure:
    """Figure 8: applications that the training did not see, at two scales; the paper's numbers as diamonds."""
    figure, panels = _figure(2)
    methods = (POLICY, "r-heft", "reliable-heft")
    sizes = {row["instance"]: (row["family"], row["tasks"]) for row in rows if row["family"] in UNSEEN}
    for axes, scale in zip(panels, (2.0, 4.0), strict=True):
        for k, method in enumerate(methods):
            estimates = [mean_of(rows, method=method, scale=scale, instance=name) for name in sizes]
            x = np.arange(len(sizes)) + (k - 1) * 0.27
            halves = [0.0 if e is None or e.high is None else e.high - e.mean for e in estimates]
            axes.bar(x, [e.mean if e else 0.0 for e in estimates], 0.25, yerr=halves, capsize=2,
                     color=method_colour(short(method)), label=short(method), error_kw={"elinewidth": 0.8})  # fmt: skip
            if k < 2:  # the paper has no reliable-heft; its columns: both methods at s = 2, then at s = 4
                column = k + (0 if scale == 2.0 else 2)
                marks = [published.GENERALISATION.get(size, (None,) * 4)[column] for size in sizes.values()]
                _paper_marks(axes, (x - 0.07).tolist(), marks)
        axes.set_xticks(range(len(sizes)), [f"{family}\n{tasks}" for family, tasks in sizes.values()])
        axes.set(ylabel=f"mean makespan / HEFT, s = {scale:g}", ylim=(0, 1.2))
        _unit_line(axes)
    handles, labels = panels[0].get_legend_handles_labels()
    once = dict(zip(labels, handles, strict=True))
    panels[0].legend(once.values(), once, ncols=4, loc="lower center", bbox_to_anchor=(0.5, 1.0), frameon=False,
                     columnspacing=1.0, handletextpad=0.4)  # fmt: skip
    return figure


def scalability(rows: Rows) -> Figure:
    """Figure 9: planning time against size, on logarithmic axes, beside the paper's."""
    figure, axes = _figure(height=3.2)
    by_size = sorted(rows, key=lambda row: int(row["tasks"]))
    sizes = [row["tasks"] for row in by_size]
    for k, method in enumerate(("heft", "peft", POLICY, "reliable-heft")):
        times = [row["ms"][method] for row in by_size]
        _line(axes, method, sizes, [Estimate(t["median"], t["low"], t["high"]) for t in times])
        if k < 3:
            _paper_line(axes, short(method), list(published.TIMING), [each[k] for each in published.TIMING.values()])
        for row, time in zip(by_size, times, strict=True):
            if row["instance"].startswith("generated"):
                axes.plot(row["tasks"], time["median"], "o", color="#000000", fillstyle="none", markersize=9)
    axes.set(
        xscale="log", yscale="log", xlabel="tasks (hollow: the paper; ringed: generated)", ylabel="planning time, ms"
    )
    _legend(axes, 2)
    return figure


def training(rows: Rows) -> Figure:
    """Figure 10: loss and held-back ratio over the training of the weights."""
    figure, panels = _figure(2, 2.1)
    if not rows:
        panels[0].set_title("these weights come with no curve of a distillation")
        return figure
    steps, loss = [row["step"] for row in rows], np.array([row["loss"] for row in rows])
    window = min(25, len(loss))
    smooth = np.convolve(loss, np.ones(window) / window, mode="valid")
    panels[0].plot(steps, loss, color="#cccccc", linewidth=0.6, label="each step")
    panels[0].plot(steps[window - 1 :], smooth, color=method_colour("tfr-gnn"), label=f"mean of {window}")
    panels[0].set(xlabel="step", ylabel="loss")
    _legend(panels[0])
    watched = [(row["step"], row["ratio"]) for row in rows if row["ratio"] is not None]
    panels[1].plot(*zip(*watched, strict=True), **_look("tfr-gnn"))
    panels[1].set(xlabel="step", ylabel="held-back makespan / HEFT")
    _unit_line(panels[1])
    return figure


def reinforcement(rows: Rows) -> Figure:
    """Figure 11: policy gradients from almost HEFT, held-back makespan over HEFT's; mean and interval over seeds."""
    gradients = by_setting([row for row in rows if "config" in row])
    distilled = estimate(np.array([row["held_back"] for row in rows if row.get("preset") == "paper"]))
    runs = {key[1:]: group for key, group in gradients.items() if key[0] == "almost HEFT"}
    figure, panels = _figure(2)
    for axes, temperature in zip(panels, sorted({key[0] for key in runs}), strict=True):
        for algorithm, marker in (("scst", "o"), ("rloo", "s"), ("ppo", "D")):
            group, colour = runs[temperature, algorithm], method_colour(algorithm)
            steps = [0, *(point["step"] for point in group[0]["curve"])]
            paths = np.array([[run["start"], *(point["ratio"] for point in run["curve"])] for run in group])
            estimates = [estimate(column) for column in paths.T]
            axes.plot(steps, paths.mean(axis=0), color=colour, marker=marker, markersize=3, label=algorithm)
            axes.fill_between(steps, [e.low or e.mean for e in estimates], [e.high or e.mean for e in estimates],
                              color=colour, alpha=0.2, linewidth=0)  # fmt: skip
        axes.set(xlabel=f"step, sampling at temperature {temperature:g}", ylabel="held-back makespan / HEFT")
        axes.axhline(distilled.mean, color=method_colour("tfr-gnn"), linewidth=1.2, label="distilled")
        axes.axhspan(distilled.low or distilled.mean, distilled.high or distilled.mean, alpha=0.2, linewidth=0,
                     color=method_colour("tfr-gnn"))  # fmt: skip
        _unit_line(axes)
        axes.set_ylim(0.4, 1.15)
    _legend(panels[0], 4)
    return figure


# the paper's number -> (what draws it, the suites whose rows it takes); 1 is a drawing of the architecture, 11 is ours
FIGURES: dict[int, tuple[Callable[[Rows], Figure], tuple[str, ...]]] = {
    2: (efficiency, ("efficiency",)),
    3: (intensity, ("intensity",)),
    4: (load, ("load",)),
    5: (replication, ("replication",)),
    6: (ablation, ("ablation", "ablation-seeds")),
    7: (sensitivity, ("sensitivity-sigma", "sensitivity-volatile", "replication")),
    8: (generalisation, ("generalisation",)),
    9: (scalability, ("timing",)),
    10: (training, ("training",)),
    11: (reinforcement, ("reinforcement", "ablation-seeds")),
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
