"""The paper's claims on the network and its training: ablation, policy gradients, learned values, the loss."""

from collections.abc import Callable
from typing import Any

import numpy as np

from tfrgnn.paper.measures import Rows, by_setting, over_seeds, seed_means
from tfrgnn.paper.suites import ABLATIONS
from tfrgnn.paper.verdicts import FAILS, HOLDS, OPEN, Finding, above, apart, everywhere, said, together
from tfrgnn.simulation.outcome import Estimate, estimate

AllRows = dict[str, Rows]
_STALLED = 0.02


def learning_findings(rows: AllRows) -> list[Finding]:
    """All claims on learning."""
    return [*_ablation(rows["ablation-seeds"]), _loss(rows["training"]), *_gradients(rows)]


def _ablation(rows: Rows) -> list[Finding]:
    """What each part is worth, over several trainings of each network."""
    full = seed_means(rows, "paper")
    means = {preset.removeprefix("paper-no-"): seed_means(rows, preset) for preset in ABLATIONS}
    more = {name: over_seeds({s: mean - full[s] for s, mean in each.items()}) for name, each in means.items()}
    without = means.pop("fault")
    beyond = {name: over_seeds({s: without[s] - mean for s, mean in each.items()}) for name, each in means.items()}
    fault = more.pop("fault")
    seeds = f"makespan over HEFT's at s = 2 against the full network's ({len(full)} trainings each)"
    return [
        Finding("The fault head matters most in the ablation.",
                everywhere({"it": above(fault, 0.0), **{name: above(e, 0.0) for name, e in beyond.items()}}),
                f"Without it, {seeds}: {said(fault, signed=True)}; against the network without each other part: "
                f"{'; '.join(f'{name} {said(e, signed=True)}' for name, e in beyond.items())}."),
        Finding("Dependency, topology and cross attention help by 3 to 4 % each.",
                together({name: above(e, 0.0) for name, e in more.items()}),
                f"Without each, {seeds}: {'; '.join(f'{name} {said(e, signed=True)}' for name, e in more.items())}."),
    ]  # fmt: skip


def _loss(rows: Rows) -> Finding:
    claim = "The loss decreases smoothly and the policy converges."
    if not rows:
        return Finding(claim, OPEN, "These weights come with no curve of a distillation.")
    loss = np.array([point["loss"] for point in rows])
    tenth = max(1, len(loss) // 10)
    first, last = estimate(loss[:tenth]), estimate(loss[-tenth:])
    watched = [point["ratio"] for point in rows if point["ratio"] is not None]
    return Finding(
        claim,
        {HOLDS: "holds in part", FAILS: FAILS, OPEN: OPEN}[apart(first, last)],
        f"Loss over the first and the last tenth of the steps: {said(first)} and {said(last)}; single steps differ by "
        f"{loss.std():.2f} (standard deviation), being of other scenarios. Held-back makespan over HEFT's: "
        f"{watched[0]:.3f} at its first look, {watched[-1]:.3f} at the end, {min(watched):.3f} at best.",
    )  # fmt: skip


def _gradients(rows: AllRows) -> list[Finding]:
    """The paper's claims on policy gradients, over seeds; on leaving HEFT, of the runs that start almost there."""
    runs = by_setting(rows["reinforcement"])
    near = {setting[1:]: group for setting, group in runs.items() if setting[0] == "almost HEFT"}
    starts = {key: _over(group, lambda run: run["start"]) for key, group in near.items()}
    ends = {key: _over(group, lambda run: run["curve"][-1]["ratio"]) for key, group in near.items()}
    moved = {key: _over(group, lambda run: run["curve"][-1]["ratio"] - run["start"]) for key, group in near.items()}
    mean = {key: _over(group, lambda run: run["curve"][0]["sampled"]) for key, group in near.items()}
    best = {key: _over(group, lambda run: run["curve"][0]["best"]) for key, group in near.items()}
    temperatures = sorted({key[0] for key in near}, reverse=True)
    distilled = estimate(np.array([row["held_back"] for row in rows["ablation-seeds"] if row["preset"] == "paper"]))
    finals = {key: _over(group, lambda run: run["curve"][-1]["ratio"]) for key, group in runs.items()}
    steps = next(iter(near.values()))[0]["curve"][-1]["step"]

    def by_temperature(verdict: Callable[[float], str]) -> str:
        return together({f"temperature {t:g}": verdict(t) for t in temperatures})

    def path(algorithm: str) -> str:
        return "; ".join(
            f"temperature {t:g}: {said(starts[t, algorithm])} before, {said(ends[t, algorithm])} after {steps} steps"
            for t in temperatures
        )

    def stalls(t: float) -> str:
        e = ends[t, "rloo"]
        return HOLDS if abs(e.mean - 1.0) < _STALLED else FAILS

    def sampled(t: float) -> str:
        return f"temperature {t:g}: {said(best[t, 'rloo'])} (mean {said(mean[t, 'rloo'])})"

    spelled = {f"{name.upper()} from {start}, temperature {t:g}": e for (start, t, name), e in sorted(finals.items())}
    found = "; ".join(f"{name} {said(e)}" for name, e in spelled.items())
    return [
        Finding("Self-critical REINFORCE drifts away from HEFT.",
                by_temperature(lambda t: above(moved[t, "scst"], 0.0)),
                f"Held-back makespan over HEFT's: {path('scst')}."),
        Finding("RLOO stalls at HEFT.", by_temperature(stalls), f"Held-back makespan over HEFT's: {path('rloo')}."),
        Finding("The best of several samples is 20 to 45 % worse than HEFT.",
                by_temperature(lambda t: above(best[t, "rloo"], 1.2)),
                "Best (and mean) of 8 samples over HEFT's in RLOO's first 50 steps: "
                f"{'; '.join(sampled(t) for t in temperatures)}."),
        Finding("Policy gradients do not find what distillation finds.",
                together({name: apart(e, distilled) for name, e in spelled.items()}),
                f"Held-back makespan over HEFT's after {steps} steps: {found}; distillation {said(distilled)}, over "
                "seeds."),
    ]  # fmt: skip


def _over(runs: Rows, value: Callable[[dict[str, Any]], float]) -> Estimate:
    return estimate(np.array([value(run) for run in runs]))
