"""Policy gradients on the same network, as the paper tried first: self-critical REINFORCE, RLOO and PPO.

A placement is sampled by Gumbel noise on the guided score, so that one decode draws from softmax(score / temperature)
at every step; its log-probability is read off the finish times along the sampled plan. The reward is minus the mean
makespan over HEFT's in the same traces.

- SCST (Rennie et al., arXiv 1612.00563): the baseline is the reward of the greedy plan.
- RLOO (Kool et al. 2019): the baseline of a sample is the mean reward of the others.
- PPO (Schulman et al., arXiv 1707.06347): RLOO's advantages, scaled, with the clipped ratio over several epochs.
"""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from tfrgnn import __version__
from tfrgnn.costs.estimates import Estimates
from tfrgnn.costs.explain import finish_blocks
from tfrgnn.errors import DivergedError, InputError
from tfrgnn.evaluation.simulate import draw_traces
from tfrgnn.model.failures import FailureTraces
from tfrgnn.model.plan import Plan
from tfrgnn.policy.network import TfrGnn
from tfrgnn.policy.presets import find_preset
from tfrgnn.policy.weights import Weights
from tfrgnn.schedulers.catalogue import parse_method
from tfrgnn.schedulers.decoding import list_schedule
from tfrgnn.schedulers.planning import plan_with
from tfrgnn.simulation.replay import run_plan
from tfrgnn.training.distil import Watched, measure_constants, network_weights
from tfrgnn.training.scenarios import Corpus, Recipe, draw_recipes, held_back_recipes
from tfrgnn.training.tensors import tensors_of

ALGORITHMS = ("scst", "rloo", "ppo")


@dataclass(frozen=True)
class ReinforceConfig:
    """A run of reinforcement."""

    algorithm: str
    preset: str = "paper"
    steps: int = 650
    seed: int = 0
    samples: int = 8
    temperature: float = 0.25
    start_gamma: float = 1.5
    learning_rate: float = 5e-4
    traces: int = 20
    clip: float = 0.2
    epochs: int = 3
    watch_every: int = 50
    constants_from: int = 100


@dataclass(frozen=True)
class ReinforcePoint:
    """One step: mean and best ratio to HEFT of the samples, the greedy plan's, and now and then the held-back one.

    Step 0 is the network before any update, with the held-back ratio alone.
    """

    step: int
    sampled: float | None
    best: float | None
    greedy: float | None
    ratio: float | None


def reinforce(
    config: ReinforceConfig, corpus: Corpus, told: Callable[[ReinforcePoint], None] = lambda point: None
) -> tuple[Weights, list[ReinforcePoint]]:
    """Trains from scratch by policy gradients; at scale 0, where there is nothing to learn, scale 1 stands."""
    if config.samples < 2:
        raise InputError("policy gradients compare samples with each other; draw at least 2")
    torch.use_deterministic_algorithms(True)
    torch.set_num_threads(1)
    torch.manual_seed(config.seed)
    recipes = [replace(r, scale=r.scale or 1.0) for r in draw_recipes(corpus, config.steps, config.seed)]
    preset = find_preset(config.preset)
    network = TfrGnn(preset)
    with torch.no_grad():
        network.gamma.fill_(config.start_gamma)  # 1.5 is the network's own start, a tilt already; -4 is almost HEFT
    constants = measure_constants(recipes[: config.constants_from])
    blank = Weights(config.preset, constants, corpus.types(preset.type_rows - 1))
    optimizer = torch.optim.Adam(network.parameters(), lr=config.learning_rate)
    watch = [Watched.of(recipe) for recipe in held_back_recipes(corpus)]

    def held_back() -> float:
        return float(np.mean([each.ratio(network_weights(network, blank)) for each in watch]))

    curve = [ReinforcePoint(0, None, None, None, held_back())]
    for step, recipe in enumerate(recipes):
        sampled, best, greedy = _step(network, optimizer, _Scene(recipe, config, blank), config, step)
        watched = (step + 1) % config.watch_every == 0 or step + 1 == config.steps
        ratio = held_back() if watched else None
        curve.append(ReinforcePoint(step + 1, sampled, best, greedy, ratio))
        told(curve[-1])
    card = {"config": asdict(config), "curve": [asdict(p) for p in curve], "version": __version__,
            "data": {"hash": corpus.hash}}  # fmt: skip
    return replace(network_weights(network, blank), card=card), curve


class _Scene:
    """One training scenario: its tensors, its traces, and HEFT's mean in them."""

    def __init__(self, recipe: Recipe, config: ReinforceConfig, blank: Weights) -> None:
        self.estimates: Estimates = recipe.estimates()
        costs = self.estimates.costs
        self.unit_s = costs.overall_mean_cost_s
        self.tensors = tensors_of(self.estimates, recipe.budget, blank)
        self.traces: FailureTraces = draw_traces(self.estimates.scenario, costs, config.traces, recipe.trace_seed)
        self.heft_s = self._mean_s(plan_with(self.estimates, parse_method("heft")))

    def place(self, bias: NDArray[np.float64]) -> Plan:
        """The plan under a bias (n, p), in units of the mean cost; no replicas are explored."""
        costs = self.estimates.costs
        placed = list_schedule(costs, costs.upward_rank, bias_s=lambda tasks: self.unit_s * bias[tasks])
        return Plan(scenario=self.estimates.scenario, method="sample", **vars(placed))

    def ratio(self, plan: Plan) -> float:
        """Mean makespan over HEFT's."""
        return self._mean_s(plan) / self.heft_s

    def finish(self, plan: Plan) -> Tensor:
        """Finish of each task on each machine along the plan, in units of the mean cost (n, p)."""
        costs = self.estimates.costs
        rows = np.empty((plan.order.size, costs.machines))
        for tasks, block in finish_blocks(plan, costs):
            rows[tasks] = block
        return torch.tensor(rows / self.unit_s, dtype=torch.float32)

    def _mean_s(self, plan: Plan) -> float:
        return run_plan(plan, self.traces, self.estimates.costs).mean_makespan_s.mean


def _step(
    network: TfrGnn, optimizer: torch.optim.Optimizer, scene: _Scene, config: ReinforceConfig, step: int
) -> tuple[float, float, float]:
    """One scenario: samples, advantages, and one update (several for PPO)."""
    with torch.no_grad():
        bias = network(scene.tensors).bias.double().numpy()
    if not np.isfinite(bias).all():
        raise DivergedError(f"the training diverged: the network's bias in step {step + 1} is no finite number")
    rng = np.random.default_rng([config.seed, 3, step])
    plans = [scene.place(bias + config.temperature * rng.gumbel(size=bias.shape)) for _ in range(config.samples)]
    ratios = np.array([scene.ratio(plan) for plan in plans])
    greedy = scene.ratio(scene.place(bias))
    advantage = _advantages(config.algorithm, -ratios, -greedy)
    finishes = [scene.finish(plan) for plan in plans]
    targets = [torch.tensor(plan.machine, dtype=torch.long) for plan in plans]
    before: list[Tensor] | None = None
    for _ in range(config.epochs if config.algorithm == "ppo" else 1):
        current = network(scene.tensors).bias
        logs = [_log_probability(current, f, t, config.temperature) for f, t in zip(finishes, targets, strict=True)]
        before = before or [log.detach() for log in logs]
        loss = _loss(config, logs, before, advantage)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimizer.step()
    return float(ratios.mean()), float(ratios.min()), float(greedy)


def _advantages(algorithm: str, rewards: NDArray[np.float64], greedy: float) -> NDArray[np.float64]:
    if algorithm == "scst":
        return rewards - greedy
    left_out = (rewards.sum() - rewards) / (rewards.size - 1)
    advantage: NDArray[np.float64] = rewards - left_out
    return advantage / (advantage.std() + 1e-8) if algorithm == "ppo" else advantage


def _log_probability(bias: Tensor, finish: Tensor, target: Tensor, temperature: float) -> Tensor:
    """Log p of each task's machine along the sampled plan (n)."""
    logs = torch.log_softmax((bias - finish) / temperature, dim=1)
    return logs[torch.arange(len(target)), target]


def _loss(
    config: ReinforceConfig, logs: Sequence[Tensor], before: Sequence[Tensor], advantage: NDArray[np.float64]
) -> Any:
    """Minus the expected advantage, per task; PPO's with the clipped ratio."""
    total: Any = 0.0
    for now, then, gain in zip(logs, before, advantage.tolist(), strict=True):
        if config.algorithm == "ppo":
            change = torch.exp(now - then)
            clipped = torch.clamp(change, 1.0 - config.clip, 1.0 + config.clip)
            total = total - torch.minimum(change * gain, clipped * gain).mean()
        else:
            total = total - gain * now.mean()
    return total / len(logs)
