"""A training of full length gives weights like those shipped: the same on the same processor, and as good on another."""

from statistics import mean

import pytest

pytest.importorskip("torch", reason="pip install 'tfrgnn[train]' for torch")
pytest.importorskip("torch_geometric", reason="pip install 'tfrgnn[train]' for torch-geometric")

from tests.cases import DATA, needs_instances

from tfrgnn.policy.weights import shipped_weights
from tfrgnn.training.distil import Config, train
from tfrgnn.training.scenarios import load_corpus
from tfrgnn.training.teacher import Labels


@needs_instances
@pytest.mark.slow
def test_the_shipped_weights_come_out_again(tmp_path):
    shipped = shipped_weights("paper").card
    config = Config(**shipped["config"])
    weights, curve = train(config, load_corpus(DATA), Labels(tmp_path / "labels"), tmp_path / "checkpoint")
    assert weights.card["data"] == shipped["data"]
    before = shipped["curve"]
    for now, then in zip(curve[:20], before[:20], strict=True):  # from here on rounding may lead another way
        assert now.loss == pytest.approx(then["loss"], abs=1e-3)
    assert mean(point.loss for point in curve) == pytest.approx(mean(point["loss"] for point in before), abs=0.02)
    assert curve[-1].ratio == pytest.approx(before[-1]["ratio"], abs=0.02)
