"""Policy gradients: samples come from the distribution whose log-probability is used, and advantages are as published."""

import json
from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("torch", reason="pip install 'tfrgnn[train]' for torch")
pytest.importorskip("torch_geometric", reason="pip install 'tfrgnn[train]' for torch-geometric")

import torch
from typer.testing import CliRunner

from tfrgnn.cli.app import app
from tfrgnn.formats.wfwriter import save_workflow
from tfrgnn.generate.workflows import generate_workflow
from tfrgnn.policy.network import TfrGnn
from tfrgnn.policy.presets import find_preset
from tfrgnn.policy.weights import Weights, load_weights
from tfrgnn.training import reinforce as module
from tfrgnn.training.distil import measure_constants
from tfrgnn.training.reinforce import ALGORITHMS, ReinforceConfig, reinforce
from tfrgnn.training.scenarios import TRAINING_FAMILIES, draw_recipes, load_corpus


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    folder = tmp_path_factory.mktemp("data")
    for family in TRAINING_FAMILIES:
        (folder / family).mkdir()
        for seed in range(5):
            save_workflow(generate_workflow(family, 40, seed), folder / family / f"{seed}.json")
    return folder


@pytest.fixture(scope="module")
def corpus(data):
    return load_corpus(data)


@pytest.fixture(scope="module")
def scene(corpus):
    recipes = [replace(recipe, scale=2.0) for recipe in draw_recipes(corpus, 3, 0)]
    blank = Weights("paper", measure_constants(recipes), corpus.types(1166))
    return module._Scene(recipes[0], ReinforceConfig("rloo", traces=5), blank)


def test_scst_subtracts_the_greedy_reward():
    assert module._advantages("scst", np.array([-1.0, -0.8]), -0.9).tolist() == pytest.approx([-0.1, 0.1])


def test_rloo_subtracts_the_mean_reward_of_the_others():
    # others of the first: mean(-2, -3) = -2.5; of the second: -2; of the third: -1.5
    assert module._advantages("rloo", np.array([-1.0, -2.0, -3.0]), 0.0).tolist() == [1.5, 0.0, -1.5]


def test_ppo_scales_these_advantages():
    scaled = module._advantages("ppo", np.array([-1.0, -2.0, -3.0]), 0.0)
    assert scaled.std() == pytest.approx(1.0)
    assert scaled.tolist() == pytest.approx([1.2247, 0.0, -1.2247], abs=1e-4)


def test_ppo_clips_what_moved_away_and_only_that():
    config = ReinforceConfig("ppo", clip=0.2)
    now, before = torch.log(torch.tensor([0.9, 0.3])).requires_grad_(), torch.log(torch.tensor([0.5, 0.29]))
    # ratios 1.8 and 1.034, advantage 1: min(1.8, 1.2) and min(1.034, 1.034)
    loss = module._loss(config, [now], [before], np.array([1.0]))
    assert loss.item() == pytest.approx(-(1.2 + 0.3 / 0.29) / 2)
    loss.backward()
    assert now.grad[0] == 0.0
    assert now.grad[1] != 0.0


@pytest.mark.parametrize("temperature", [0.25, 1.0])
def test_samples_follow_the_softmax_of_the_guided_score(scene, temperature):
    """The first task of the order always sees empty machines, so its machine is drawn from one fixed distribution."""
    n, p = scene.estimates.costs.workflow.tasks, scene.estimates.costs.machines
    bias = 0.3 * np.random.default_rng(1).standard_normal((n, p))
    rng, drawn, many = np.random.default_rng(2), [], 3000
    for _ in range(many):
        plan = scene.place(bias + temperature * rng.gumbel(size=bias.shape))
        drawn.append(plan.machine[plan.order[0]])
    first, finish, target = plan.order[0], scene.finish(plan), torch.tensor(plan.machine, dtype=torch.long)
    share = np.bincount(drawn, minlength=p) / many
    expected = np.zeros(p)
    for m in range(p):
        target[first] = m
        logs = module._log_probability(torch.tensor(bias, dtype=torch.float32), finish, target, temperature)
        expected[m] = logs[first].exp()
    assert expected.sum() == pytest.approx(1.0, abs=1e-5)
    assert np.abs(share - expected).max() < 4 * np.sqrt(0.25 / many)


def test_a_step_makes_the_better_samples_likelier(scene):
    config = ReinforceConfig("rloo", temperature=0.25, learning_rate=1e-3)
    torch.manual_seed(0)
    network = TfrGnn(find_preset("paper"))
    with torch.no_grad():
        bias = network(scene.tensors).bias.double().numpy()
    rng = np.random.default_rng([config.seed, 3, 0])
    plans = [scene.place(bias + config.temperature * rng.gumbel(size=bias.shape)) for _ in range(config.samples)]
    order = np.argsort([scene.ratio(plan) for plan in plans])
    best, worst = plans[order[0]], plans[order[-1]]

    def gap():
        with torch.no_grad():
            current = network(scene.tensors).bias
            logs = [
                module._log_probability(current, scene.finish(p), torch.tensor(p.machine).long(), config.temperature)
                for p in (best, worst)
            ]
        return float(logs[0].sum() - logs[1].sum())

    before = gap()
    module._step(network, torch.optim.Adam(network.parameters(), lr=config.learning_rate), scene, config, 0)
    assert gap() > before


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_same_seed_same_weights(corpus, algorithm):
    config = ReinforceConfig(algorithm, steps=2, samples=3, traces=4, watch_every=2, constants_from=2)
    (one, curve), (two, _) = (reinforce(config, corpus) for _ in range(2))
    assert all(np.array_equal(one[name], two[name]) for name in one.tensors)
    assert [point.step for point in curve] == [0, 1, 2]
    assert [point.ratio is not None for point in curve] == [True, False, True]
    assert curve[0].sampled is None
    json.dumps(one.card)


def test_the_command(data, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = ["train", "--data", str(data), "--steps", "2", "--algorithm", "rloo", "-o", "w.safetensors"]
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 0, result.output
    assert load_weights(tmp_path / "w.safetensors").card["config"]["algorithm"] == "rloo"
    for wrong, reason in (("rlo", "did you mean 'rloo'"), ("ppo --resume", "--resume goes with")):
        refused = CliRunner().invoke(app, [*words[:6], *wrong.split(), "-o", "w.safetensors"])
        assert refused.exit_code == 2
        assert reason in refused.output
