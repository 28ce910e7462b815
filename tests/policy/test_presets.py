"""The architecture has the paper's size."""

import pytest

from tfrgnn.errors import UnknownNameError
from tfrgnn.policy.presets import PRESETS, count_parameters


def test_the_paper_preset_has_62870_parameters():
    assert count_parameters("paper") == 62_870


def test_every_ablation_of_the_paper_is_a_preset():
    assert {f"paper-no-{part}" for part in ("dependency", "topology", "cross", "fault")} <= set(PRESETS)


def test_an_unknown_preset_is_refused():
    with pytest.raises(UnknownNameError, match="did you mean 'paper'"):
        count_parameters("papr")
