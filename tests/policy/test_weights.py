"""Weight files: they read back equal, and one that does not fit is refused."""

import json
import resource
from dataclasses import replace

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file
from tests.cases import random_case

from tfrgnn import plan
from tfrgnn.costs.estimates import Estimates
from tfrgnn.errors import FormatError, InputError, UnknownNameError
from tfrgnn.generate.clusters import generate_cluster
from tfrgnn.generate.workflows import generate_workflow
from tfrgnn.model.failures import FailureModel
from tfrgnn.model.scenario import Scenario
from tfrgnn.policy.presets import PRESETS, parameter_shapes
from tfrgnn.policy.weights import Weights, load_weights, random_weights, save_weights, shipped_weights
from tfrgnn.schedulers.catalogue import parse_method
from tfrgnn.schedulers.planning import plan_with
from tfrgnn.schedulers.tfr_gnn import guided_plan


@pytest.fixture
def saved(tmp_path):
    drawn = random_weights("paper", 1)
    path = tmp_path / "w.safetensors"
    save_weights(Weights("paper", drawn.tensors, ("add", "fit"), {"note": "x"}), path)
    return path


def _rewritten(path, change=lambda tensors: None, about=lambda about: None):
    tensors = load_file(path)
    described = {"version": "1", "preset": "paper", "types": [], "card": {}}
    change(tensors)
    about(described)
    save_file(tensors, path, {"tfrgnn": json.dumps(described)})
    return path


def test_weights_read_back_equal_and_equal_weights_are_equal_files(saved, tmp_path):
    again = load_weights(saved)
    assert again.types == ("add", "fit")
    assert again.vocabulary == {"add": 1, "fit": 2}
    assert again.card == {"note": "x"}
    save_weights(again, tmp_path / "again.safetensors")
    assert (tmp_path / "again.safetensors").read_bytes() == saved.read_bytes()


def test_the_shipped_weights_have_a_card():
    card = shipped_weights("paper").card
    assert card["config"]["preset"] == "paper"
    assert card["config"]["steps"] == 650
    assert len(card["curve"]) == 650
    assert card["data"]["hash"].startswith("sha256:")
    assert card["commit"] != "unknown"
    assert {"training applications", "unseen applications"} <= set(card["scores"])


def test_the_scores_of_the_card_are_what_the_policy_is_shipped_for():
    scores = shipped_weights("paper").card["scores"]
    seen, unseen = scores["training applications"], scores["unseen applications"]
    assert seen["tfr-gnn over oracle"]["all"]["ci95"][1] <= 1.02
    for scale in ("0.5", "1.0", "2.0", "3.0", "4.0"):
        assert seen["tfr-gnn over r-heft"][scale]["ci95"][1] < 1.0
        assert unseen["tfr-gnn"][scale]["ci95"][1] < 1.0
    assert all(unseen[f"tfr-gnn on {family}"]["mean"] < 1.0 for family in ("seismology", "soykb", "srasearch"))


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda t: t.pop("theta"), "at theta: lacks a tensor of the preset 'paper'"),
        (
            lambda t: t.update(extra=np.zeros(3, np.float32)),
            "at extra: has a tensor that the preset 'paper' does not know",
        ),
        (
            lambda t: t.update(theta=np.zeros(2, np.float32)),
            "at theta: is F32(2,); the preset 'paper' needs F32()",
        ),
        (lambda t: t.update(gamma=np.zeros((), np.float64)), "at gamma: is F64()"),
        (lambda t: t["task_encoder.bias"].fill(np.nan), "at task_encoder.bias: has a number that is not finite"),
        (lambda t: t["task_encoder.bias"].fill(np.inf), "at task_encoder.bias: has a number that is not finite"),
        (lambda t: t["alpha"].fill(-800), "at alpha: is below -30"),
        (lambda t: t["edge_sd"].fill(0), "at edge_sd: has a standard deviation that is not greater than 0"),
    ],
)
def test_tensors_that_do_not_fit_the_preset_are_refused(saved, change, sentence):
    with pytest.raises(FormatError) as caught:
        load_weights(_rewritten(saved, change))
    assert sentence in str(caught.value)
    assert str(saved) in str(caught.value)


@pytest.mark.parametrize(
    ("about", "sentence"),
    [
        (lambda a: a.update(preset="large"), "preset 'large' is unknown"),
        (lambda a: a.update(version="9"), "weight version '9' is not read"),
        (lambda a: a.update(types=[1]), "expected `str`, got `int`"),
        (lambda a: a.update(types=["t"] * 1167), "has 1167 types; the preset has rows for 1166"),
        (lambda a: a.pop("preset"), "missing required field `preset`"),
    ],
)
def test_a_description_that_does_not_fit_is_refused(saved, about, sentence):
    with pytest.raises(FormatError) as caught:
        load_weights(_rewritten(saved, about=about))
    assert sentence in str(caught.value)


def test_foreign_truncated_and_missing_files_are_refused(saved, tmp_path):
    foreign = tmp_path / "foreign.safetensors"
    save_file({"x": np.zeros(2, np.float32)}, foreign)
    with pytest.raises(FormatError, match="does not name its preset"):
        load_weights(foreign)
    for size in (0, 7, 100, saved.stat().st_size - 1):
        cut = tmp_path / "cut.safetensors"
        cut.write_bytes(saved.read_bytes()[:size])
        with pytest.raises(FormatError, match="is not a readable weight file"):
            load_weights(cut)
    for path in (tmp_path, tmp_path / "none"):
        with pytest.raises(FormatError, match="is not a readable weight file"):
            load_weights(path)


def test_a_large_foreign_tensor_is_refused_before_it_is_read(saved):
    """A sparse file whose one tensor claims 6 GiB."""
    header = json.dumps({
        "__metadata__": {"tfrgnn": json.dumps({"version": "1", "preset": "paper", "types": [], "card": {}})},
        "theta": {"dtype": "F32", "shape": [3 << 29], "data_offsets": [0, 6 << 30]},
    }).encode()  # fmt: skip
    with saved.open("wb") as file:
        file.write(len(header).to_bytes(8, "little") + header)
        file.truncate(8 + len(header) + (6 << 30))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(FormatError, match="lacks a tensor of the preset"):
        load_weights(saved)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 1 << 20  # KiB


def test_constants_may_be_large_but_not_infinite(saved):
    assert load_weights(_rewritten(saved, lambda t: t["context_mean"].fill(1e9)))["context_mean"][0] == 1e9
    with pytest.raises(FormatError, match="at context_mean: has a number that is not finite"):
        load_weights(_rewritten(saved, lambda t: t["context_mean"].fill(np.inf)))


def test_every_bit_pattern_loads_or_is_refused(saved, tmp_path):
    rng = np.random.default_rng(1)
    whole = bytearray(saved.read_bytes())
    for _ in range(300):
        text = bytearray(whole)
        for _ in range(4):
            text[int(rng.integers(0, 4000))] = int(rng.integers(256))
        path = tmp_path / "mutated.safetensors"
        path.write_bytes(text)
        try:
            weights = load_weights(path)
        except FormatError:
            continue
        assert set(weights.tensors) >= set(parameter_shapes(weights.preset))


def test_the_method_takes_preset_and_weights(saved):
    case = random_case(8)
    assert plan(*case, "tfr-gnn", 1.0).machine.tolist() == plan(*case, "tfr-gnn[preset=paper]", 1.0).machine.tolist()
    assert plan(*case, f"tfr-gnn[weights={saved}]", 1.0).planned_makespan_s > 0
    with pytest.raises(UnknownNameError, match="did you mean 'paper'"):
        plan(*case, "tfr-gnn[preset=papr]")
    with pytest.raises(InputError, match="has weights of the preset 'paper', not of 'paper-no-cross'"):
        plan(*case, f"tfr-gnn[preset=paper-no-cross,weights={saved}]", 1.0)
    with pytest.raises(UnknownNameError, match="did you mean 'paper'"):
        plan(*case, f"tfr-gnn[preset=papr,weights={saved}]", 1.0)
    with pytest.raises(InputError, match="option weights: has no value"):
        plan(*case, "tfr-gnn[weights=]", 1.0)
    with pytest.raises(FormatError):
        plan(*case, "tfr-gnn[weights=nowhere.safetensors]", 1.0)
    with pytest.raises(InputError, match="at most 1"):
        plan(*case, "tfr-gnn[budget=2]", 1.0)


def test_a_plan_remembers_the_preset_that_was_asked_for():
    case = random_case(8)
    assert plan(*case, "tfr-gnn[preset=paper]").method == "tfr-gnn[preset=paper]"
    assert plan(*case, "tfr-gnn").method == "tfr-gnn"


def test_a_preset_without_shipped_weights_says_so(monkeypatch):
    monkeypatch.setitem(PRESETS, "large", PRESETS["paper"])
    with pytest.raises(InputError, match="no weights are shipped for the preset 'large'"):
        plan(*random_case(8), "tfr-gnn[preset=large]", 1.0)


def test_equality_at_scale_0_does_not_hang_on_alpha():
    weights = random_weights("paper", 1)
    weights = replace(weights, tensors={**weights.tensors, "alpha": np.array(-800, np.float32)})
    estimates = Estimates.of(Scenario(generate_workflow("montage", 120, 1), generate_cluster(16, 1), FailureModel(0)))
    guided, heft = guided_plan(estimates, weights, 0.1), plan_with(estimates, parse_method("heft"))
    assert guided.order.tolist() == heft.order.tolist()
    assert guided.finish_s.tolist() == heft.finish_s.tolist()
