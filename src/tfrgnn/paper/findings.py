"""The paper's claims held against the rows: each a sentence with its measurement, and whether it holds here."""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from tfrgnn.paper.suites import ABLATIONS, BUDGETS, POLICY, SCALES
from tfrgnn.paper.tables import Rows, by_setting, mean_of, seed_means
from tfrgnn.simulation.outcome import Estimate, estimate

AllRows = dict[str, Rows]
_STALLED = 0.02


@dataclass(frozen=True)
class Finding:
    """A claim, whether it holds here, and what was measured."""

    claim: str
    verdict: str
    evidence: str


def findings(rows: AllRows) -> list[Finding]:
    """All claims."""
    return [_equality(rows), _oracle(rows), _beats_r_heft(rows), _capacity(rows), _replication(rows), _abstains(rows),
            *_ablation(rows), _unseen(rows), _reliable(rows), _horizon(rows), *_gradients(rows)]  # fmt: skip


def _equality(rows: AllRows) -> Finding:
    calm = [r for name in ("intensity", "ablation", "generalisation", "efficiency") for r in rows[name]
            if r["scale"] == 0.0 and r["method"].startswith("tfr-gnn")]  # fmt: skip
    worst = max(abs(r["planned_makespan_s"] - r["mean_makespan_s"]) + abs(r["ratio_to_heft"] - 1.0) for r in calm)
    return Finding(
        "At s = 0 TFR-GNN equals HEFT exactly.", _word(worst == 0.0),
        f"Largest difference of the makespan over {len(calm)} scenarios, all ablations among them: {worst:g}.",
    )  # fmt: skip


def _oracle(rows: AllRows) -> Finding:
    pair = _paired(rows["intensity"], POLICY, "oracle")
    return Finding(
        "Over s > 0 TFR-GNN matches the hindsight oracle (paper: 0.998 of it).",
        _word(pair.low is not None and pair.low <= 1.02),
        f"Mean makespan over the oracle's, scenario by scenario: {_interval(pair)}.",
    )


def _beats_r_heft(rows: AllRows) -> Finding:
    pair = _paired(rows["intensity"], POLICY, "r-heft")
    return Finding(
        "It beats the fixed R-HEFT by about 11 %.",
        _word(pair.high is not None and pair.high < 1.0),
        f"Mean makespan over R-HEFT's, scenario by scenario: {_interval(pair)}.",
    )


def _capacity(rows: AllRows) -> Finding:
    machines = sorted({r["machines"] for r in rows["load"]})
    means = [_mean(rows["load"], method=POLICY, machines=m) for m in machines]
    text = ", ".join(f"{m}: {x:.3f}" for m, x in zip(machines, means, strict=True))
    return Finding(
        "Gains grow with spare capacity (paper: 2 % at 16 machines, 40 % at 96).",
        _word(means[-1] < means[0] and means[len(means) // 2] < means[0]),
        f"Makespan over HEFT's at s = 2 by machines: {text}.",
    )


def _replication(rows: AllRows) -> Finding:
    best = {b: mean_of(rows["replication"], method=f"ft-heft[budget={b:g}]") for b in BUDGETS[1:]}
    text = ", ".join(f"{b:g}: {_interval(e)}" for b, e in best.items() if e)
    helps = any(e is not None and e.high is not None and e.high < 0.98 for e in best.values())
    return Finding(
        "Replication hardly helps under restart in place.", _word(not helps),
        f"FT-HEFT's makespan over HEFT's at s = 3 by budget: {text}.",
    )  # fmt: skip


def _abstains(rows: AllRows) -> Finding:
    methods = {f"tfr-gnn[budget={b:g},preset=paper]" for b in BUDGETS}
    redundant = [r["redundant_s"] / r["mean_makespan_s"] for r in rows["replication"] if r["method"] in methods]
    return Finding(
        "The trained replication gate abstains.", _word(max(redundant) == 0.0),
        f"Redundant work over the makespan at s = 3, largest of {len(redundant)} scenarios: {max(redundant):.3g}.",
    )  # fmt: skip


def _ablation(rows: AllRows) -> list[Finding]:
    """What each part is worth, over several trainings of each network; nothing if they were not run."""
    full = seed_means(rows["ablation-seeds"], "paper")
    more = {}
    for preset in ABLATIONS:
        means = seed_means(rows["ablation-seeds"], preset)
        if not means.keys() & full.keys():
            return []
        more[preset.removeprefix("paper-no-")] = estimate(np.array([means[s] - full[s] for s in means if s in full]))
    fault = more.pop("fault")
    helps = [name for name, e in more.items() if e.low is not None and e.low > 0.0]
    seeds = f"makespan over HEFT's at s = 2 against the full network's ({len(full)} trainings each)"
    return [
        Finding("The fault head matters most in the ablation.",
                _word(fault.low is not None and fault.low > 0.0 and fault.mean > max(e.mean for e in more.values())),
                f"Without it, {seeds}: {_signed(fault)}."),
        Finding("Dependency, topology and cross attention help by 3 to 4 % each.",
                _word(len(helps) == len(more)) if len(helps) in (0, len(more)) else f"holds for {', '.join(helps)}",
                f"Without each, {seeds}: {'; '.join(f'{name} {_signed(e)}' for name, e in more.items())}."),
    ]  # fmt: skip


def _unseen(rows: AllRows) -> Finding:
    unseen = ("seismology", "soykb", "srasearch")
    means = {f: _mean([r for r in rows["generalisation"] if r["scale"] > 0], method=POLICY, family=f) for f in unseen}
    text = ", ".join(f"{family} {x:.3f}" for family, x in means.items())
    return Finding(
        "On unseen applications it is below HEFT.", _word(max(means.values()) < 1.0),
        f"Makespan over HEFT's over s = 2 and 4: {text}.",
    )  # fmt: skip


def _reliable(rows: AllRows) -> Finding:
    parts = []
    for scale in SCALES[1:]:
        row = [_mean(rows["intensity"], method=m, scale=scale) for m in ("reliable-heft", "oracle", POLICY)]
        parts.append(f"s = {scale:g}: {row[0]:.3f} against {row[1]:.3f} and {row[2]:.3f}")
    pair = _paired(rows["intensity"], POLICY, "reliable-heft")
    return Finding(
        "TFR-GNN is better than leaving the volatile machines out (which the paper does not try).",
        _word(pair.low is not None and pair.low < 1.0),
        f"reliable-heft against oracle and TFR-GNN, makespan over HEFT's: {'; '.join(parts)}. "
        f"TFR-GNN over reliable-heft, scenario by scenario: {_interval(pair)}.",
    )


def _horizon(rows: AllRows) -> Finding:
    share = [_mean(rows["intensity"], "past_horizon_share", method="heft", scale=s) for s in SCALES]
    text = ", ".join(f"s = {s:g}: {x:.0%}" for s, x in zip(SCALES, share, strict=True))
    return Finding(
        "The expected makespan is that of the failure law (the paper does not say how far its traces reach).",
        _word(max(share) < 0.05),
        f"Traces in which HEFT's plan ran past the horizon, where nothing fails any more: {text}. "
        "There the mean is the horizon's more than the failure law's; see the sensitivity table.",
    )


def _gradients(rows: AllRows) -> list[Finding]:
    """The paper's claims on policy gradients, over seeds, for runs that start almost at HEFT."""
    runs = by_setting(rows["reinforcement"])
    near = {setting[1:]: group for setting, group in runs.items() if setting[0] == "almost HEFT"}
    if not near:
        return []
    moved = {key: _column(group, lambda run: run["curve"][-1]["ratio"] - run["start"]) for key, group in near.items()}
    ends = {key: _column(group, lambda run: run["curve"][-1]["ratio"]) for key, group in near.items()}
    starts = {key: _column(group, lambda run: run["start"]) for key, group in near.items()}
    best = {key: _column(group, lambda run: run["curve"][0]["best"]) for key, group in near.items()}
    temperatures = sorted({key[0] for key in near}, reverse=True)
    distilled = next(p["ratio"] for p in reversed(rows["training"]) if p["ratio"] is not None)

    def by_temperature(holds: Callable[[float], bool]) -> str:
        kept = [t for t in temperatures if holds(t)]
        if len(kept) in (0, len(temperatures)):
            return _word(bool(kept))
        return "holds at temperature " + ", ".join(f"{t:g}" for t in kept)

    def path(algorithm: str) -> str:
        return "; ".join(
            f"temperature {t:g}: {_interval(starts[t, algorithm])} before, {_interval(ends[t, algorithm])} after"
            for t in temperatures
        )

    gradients = "; ".join(
        f"{algorithm.upper()} at temperature {t:g} {_interval(e)}" for (t, algorithm), e in sorted(ends.items())
    )
    return [
        Finding("Self-critical REINFORCE drifts away from HEFT.",
                by_temperature(lambda t: (moved[t, "scst"].low or 0.0) > 0.0),
                f"Held-back makespan over HEFT's: {path('scst')}."),
        Finding("RLOO stalls at HEFT.",
                by_temperature(lambda t: abs(ends[t, "rloo"].mean - 1.0) < _STALLED),
                f"Held-back makespan over HEFT's: {path('rloo')}."),
        Finding("The best of several samples is 20 to 45 % worse than HEFT.",
                by_temperature(lambda t: best[t, "rloo"].mean > 1.2),
                "Best of 8 samples over HEFT's in RLOO's first 50 steps: "
                + "; ".join(f"temperature {t:g}: {_interval(best[t, 'rloo'])}" for t in temperatures) + "."),
        Finding("Policy gradients do not find what distillation finds.",
                _word(all((e.low or 0.0) > distilled for e in ends.values())),
                f"Held-back makespan over HEFT's after {near[temperatures[0], 'rloo'][0]['config']['steps']} steps: "
                f"{gradients}; the distilled weights {distilled:.3f}."),
    ]  # fmt: skip


def _column(runs: Rows, value: Callable[[dict[str, Any]], float]) -> Estimate:
    return estimate(np.array([value(run) for run in runs]))


def _paired(rows: Rows, method: str, other: str) -> Estimate:
    """Ratio of mean makespans in the same scenario, over all scenarios with failures."""
    cells: dict[Any, dict[str, float]] = defaultdict(dict)
    for row in rows:
        if row["scale"] > 0:
            key = row["instance"], row["machines"], row["cluster_seed"], row["scale"]
            cells[key][row["method"]] = row["mean_makespan_s"]
    return estimate(np.array([cell[method] / cell[other] for cell in cells.values()]))


def _mean(rows: Rows, quantity: str = "ratio_to_heft", **wanted: Any) -> float:
    found = mean_of(rows, quantity, **wanted)
    return float("nan") if found is None else found.mean


def _interval(e: Estimate) -> str:
    if e.low is None or e.high is None:
        return f"{e.mean:.3f}"
    return f"{e.mean:.3f} ({e.low:.3f} .. {e.high:.3f})"


def _signed(e: Estimate) -> str:
    if e.low is None or e.high is None:
        return f"{e.mean:+.3f}"
    return f"{e.mean:+.3f} ({e.low:+.3f} .. {e.high:+.3f})"


def _word(holds: bool) -> str:
    return "holds" if holds else "does not hold"
