"""The rows in results are what this code gives: all suites once more, from raw files."""

from pathlib import Path

import pytest

pytest.importorskip("matplotlib", reason="pip install 'tfrgnn[paper]' for the figures")

from tests.cases import DATA, needs_instances

from tfrgnn.paper.reproduce import Job
from tfrgnn.paper.suites import suites

ROOT = Path(__file__).parents[2]


@needs_instances
@pytest.mark.slow
@pytest.mark.parametrize("suite", suites(False))
def test_every_row_comes_out_again(suite, tmp_path):
    """Numbers of the learned policy, computed in 32 bits, may differ a little on another kind of processor."""
    stored = Job(DATA, ROOT / "results" / "paper").stored()[suite]
    again = Job(DATA, tmp_path).rows([suite], lambda count: None)[suite]
    assert len(again) == len(stored)
    for before, now in zip(stored, again, strict=True):
        assert before["method"] == now["method"]
        near = 0.05 if now["method"].startswith("tfr-gnn") else 1e-6
        assert now["mean_makespan_s"] == pytest.approx(before["mean_makespan_s"], rel=near)
        assert now["planned_makespan_s"] == pytest.approx(before["planned_makespan_s"], rel=near)
