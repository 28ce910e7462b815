"""Distillation: the network learns to make the teacher's machine the best scored one at every step of its plan."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy

from tfrgnn import __version__
from tfrgnn.costs.estimates import Estimates
from tfrgnn.costs.explain import finish_blocks
from tfrgnn.errors import DivergedError, FormatError
from tfrgnn.evaluation.simulate import draw_traces
from tfrgnn.policy.features import UNKNOWN_TYPE, features_of
from tfrgnn.policy.network import Guided, TfrGnn
from tfrgnn.policy.presets import constant_shapes, find_preset
from tfrgnn.policy.weights import Weights, check_numbers
from tfrgnn.provenance import code_hash
from tfrgnn.schedulers.catalogue import parse_method
from tfrgnn.schedulers.planning import plan_with
from tfrgnn.schedulers.tfr_gnn import guided_plan
from tfrgnn.simulation.replay import run_plan
from tfrgnn.training.checkpoint import load_checkpoint, save_checkpoint
from tfrgnn.training.scenarios import Corpus, Recipe, draw_recipes, held_back_recipes
from tfrgnn.training.teacher import TRACES, Label, Labels
from tfrgnn.training.tensors import tensors_of


@dataclass(frozen=True)
class Config:
    """What a training run is; the same configuration on the same machine gives the same weights."""

    preset: str = "paper"
    steps: int = 650
    seed: int = 0
    batch: int = 4
    learning_rate: float = 8e-3
    replication_share: float = 0.5
    most_positive_weight: float = 20.0
    type_dropout: float = 0.15
    watch_every: int = 50
    constants_from: int = 200


@dataclass(frozen=True)
class Point:
    """One step of the loss curve; `ratio` is mean makespan over HEFT on held-back scenarios, on every n-th step."""

    step: int
    loss: float
    agreement: float
    ratio: float | None


Told = Callable[[Point], None]


def train(
    config: Config,
    corpus: Corpus,
    labels: Labels,
    checkpoint: Path,
    *,
    resume: bool = False,
    told: Told = lambda point: None,
    labelled: Callable[[int], None] = lambda count: None,
) -> tuple[Weights, list[Point]]:
    """Trains from the start, or from the checkpoint; the result is the same. The labels are made first.

    `told` hears of each step; if it raises KeyboardInterrupt, a checkpoint of that step is kept.
    """
    torch.use_deterministic_algorithms(True)
    torch.set_num_threads(1)  # small matrices; and no sum depends on the number of cores
    torch.manual_seed(config.seed)
    run = {**asdict(config), "data": corpus.hash, "code": code_hash("training")}
    preset = find_preset(config.preset)
    network = TfrGnn(preset)
    optimizer = torch.optim.Adam(network.parameters(), lr=config.learning_rate)
    curve: list[Point] = []
    if resume:
        curve = load_checkpoint(checkpoint, run, network, optimizer, Point)
    recipes = draw_recipes(corpus, config.steps * config.batch, config.seed)
    labels.prepare(recipes, labelled)
    constants = measure_constants(recipes[: config.constants_from])
    blank = Weights(config.preset, constants, corpus.types(preset.type_rows - 1))
    watch = [Watched.of(recipe) for recipe in held_back_recipes(corpus)]
    for step in range(len(curve), config.steps):
        batch = recipes[step * config.batch : (step + 1) * config.batch]
        loss, agreement = _step(network, optimizer, batch, labels, blank, config, step)
        last = step + 1 == config.steps
        ratio = None
        if last or (step + 1) % config.watch_every == 0:
            ratio = float(np.mean([each.ratio(network_weights(network, blank)) for each in watch]))
        curve.append(Point(step + 1, round(loss, 5), round(agreement, 4), ratio and round(ratio, 5)))
        kept = partial(save_checkpoint, checkpoint, run, network, optimizer, [asdict(p) for p in curve])
        try:
            told(curve[-1])
        except KeyboardInterrupt:
            kept()
            raise
        if ratio is not None:
            kept()
    card = {
        "config": asdict(config),
        "data": {"hash": corpus.hash, "training": len(corpus.training), "held_back": len(corpus.held_back)},
        "teacher_traces": TRACES,
        "version": __version__,
        "curve": [asdict(point) for point in curve],
    }
    return replace(network_weights(network, blank), card=card), curve


def measure_constants(recipes: Sequence[Recipe]) -> dict[str, Any]:
    """Mean and standard deviation of every feature over some training scenarios."""
    parts: dict[str, list[Any]] = {"task": [], "machine": [], "context": [], "edge": []}
    for recipe in recipes:
        raw = features_of(recipe.estimates(), recipe.budget)
        for name, rows in parts.items():
            values = getattr(raw, name)
            rows.append(values.reshape(-1, 1) if name == "edge" else np.atleast_2d(values))
    constants: dict[str, Any] = {}
    for name, rows in parts.items():
        values = np.concatenate(rows)
        known = ~np.isnan(values)
        count = np.maximum(known.sum(axis=0), 1)
        mean = np.where(known, values, 0.0).sum(axis=0) / count
        sd = np.sqrt((np.where(known, values - mean, 0.0) ** 2).sum(axis=0) / count)
        constants[f"{name}_mean"] = mean.astype(np.float32)
        constants[f"{name}_sd"] = np.where(sd > 1e-6, sd, 1.0).astype(np.float32)
    return {name: constants[name].reshape(shape) for name, shape in constant_shapes().items()}


def _step(
    network: TfrGnn,
    optimizer: torch.optim.Optimizer,
    batch: Sequence[Recipe],
    labels: Labels,
    blank: Weights,
    config: Config,
    step: int,
) -> tuple[float, float]:
    """One Adam update on a batch of scenarios: its loss and the share of tasks placed as the teacher did."""
    optimizer.zero_grad()
    losses, agreements = [], []
    for k, recipe in enumerate(batch):
        estimates, label = recipe.estimates(), labels[recipe]
        tensors = tensors_of(estimates, recipe.budget, blank)
        rng = np.random.default_rng([config.seed, 2, step, k])
        tensors["type"] = _with_dropout(tensors["type"], config.type_dropout, rng)
        loss, agreement = _loss(network(tensors), estimates, label, config)
        (loss / len(batch)).backward()  # type: ignore[no-untyped-call]
        losses.append(float(loss.detach()))
        agreements.append(agreement)
    optimizer.step()
    if not np.isfinite(losses).all():
        raise DivergedError(f"the training diverged: the loss of step {step + 1} is no finite number")
    return float(np.mean(losses)), float(np.mean(agreements))


def _loss(guided: Guided, estimates: Estimates, label: Label, config: Config) -> tuple[Tensor, float]:
    """Cross-entropy of the teacher's machine under bias - EFT / w, and the class-weighted loss of its replicas."""
    finish = torch.tensor(teacher_forced_rows(estimates, label) / estimates.costs.overall_mean_cost_s)
    score = guided.bias - finish.to(guided.bias.dtype)
    target = torch.tensor(label.machine, dtype=torch.long)
    placement = cross_entropy(score, target)
    wanted = torch.tensor(label.replica >= 0, dtype=score.dtype)
    positive = float(wanted.sum())
    weight = min((len(wanted) - positive) / positive, config.most_positive_weight) if positive else 1.0
    replication = binary_cross_entropy_with_logits(guided.replication, wanted, pos_weight=torch.tensor(weight))
    agreement = float((score.argmax(dim=1) == target).float().mean())
    return placement + config.replication_share * replication, agreement


def teacher_forced_rows(estimates: Estimates, label: Label) -> np.ndarray[Any, Any]:
    """Finish of each task on each machine when all before it stand where the teacher put them (n, p)."""
    rows = np.empty((label.machine.size, estimates.costs.machines))
    for tasks, block in finish_blocks(label.plan(estimates), estimates.costs):
        rows[tasks] = block
    return rows


def _with_dropout(types: Tensor, share: float, rng: np.random.Generator) -> Tensor:
    """Makes some types of a scenario unknown, so that the unknown row means something."""
    kinds = torch.unique(types)
    dropped = kinds[torch.tensor(rng.random(len(kinds)) < share)]
    return torch.where(torch.isin(types, dropped), UNKNOWN_TYPE, types)


def network_weights(network: TfrGnn, blank: Weights) -> Weights:
    """The network as weights, with the constants and types of `blank`; raises if no plan can be made with them."""
    learned = {name: value.detach().numpy().copy() for name, value in network.state_dict().items()}
    weights = replace(blank, tensors={**blank.tensors, **learned})
    try:
        check_numbers(weights, Path("the network"))
    except FormatError as error:
        raise DivergedError(f"the training diverged: {error}") from None
    return weights


@dataclass(frozen=True, eq=False)
class Watched:
    """A held-back scenario with its traces and HEFT's mean in them."""

    estimates: Estimates
    budget: float
    traces: Any
    heft_s: float

    @classmethod
    def of(cls, recipe: Recipe) -> "Watched":
        estimates = recipe.estimates()
        traces = draw_traces(estimates.scenario, estimates.costs, TRACES, recipe.trace_seed)
        heft = run_plan(plan_with(estimates, parse_method("heft")), traces, estimates.costs)
        return cls(estimates, recipe.budget, traces, heft.mean_makespan_s.mean)

    def ratio(self, weights: Weights) -> float:
        """Mean makespan of these weights' plan over HEFT's."""
        plan = guided_plan(self.estimates, weights, self.budget)
        return run_plan(plan, self.traces, self.estimates.costs).mean_makespan_s.mean / self.heft_s
