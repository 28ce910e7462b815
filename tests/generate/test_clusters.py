"""Generated clusters follow the law of the paper's section 3.2 and 5.2."""

import numpy as np
import pytest

from tfrgnn.errors import InputError
from tfrgnn.generate.clusters import ClusterLaw, generate_cluster


def test_speeds_racks_and_reliability():
    cluster = generate_cluster(400, 1)
    mtbf = np.array([machine.mtbf_s for machine in cluster.machines])
    short = mtbf < 1000
    assert short.sum() == 140
    assert 0.5 <= cluster.speed.min() < 0.55
    assert 1.95 < cluster.speed.max() <= 2.0
    assert mtbf[short].min() >= 60
    assert mtbf[short].max() <= 250
    assert mtbf[~short].min() >= 3e3
    assert mtbf[~short].max() <= 3e4
    assert np.median(mtbf[~short]) == pytest.approx(np.sqrt(3e3 * 3e4), rel=0.15)  # log-uniform
    assert abs(np.corrcoef(cluster.speed, short)[0, 1]) < 0.1  # drawn apart from speed
    assert np.bincount(cluster.rack).tolist() == [8] * 50


def test_same_seed_same_cluster():
    assert generate_cluster(10, 1) == generate_cluster(10, 1)
    assert generate_cluster(10, 1).content_hash != generate_cluster(10, 2).content_hash


@pytest.mark.parametrize(
    ("machines", "seed", "share"), [(0, 0, 0.35), (5, -1, 0.35), (5, 0, 1.5), (5, 0, float("nan"))]
)
def test_what_cannot_be_generated_is_refused(machines, seed, share):
    with pytest.raises(InputError):
        generate_cluster(machines, seed, volatile_share=share)


def test_another_volatile_share_has_another_name():
    names = {generate_cluster(8, 0, volatile_share=share).name for share in (0.0, 0.35, 1.0)}
    assert names == {"mixed-8-seed0-v0", "mixed-8-seed0", "mixed-8-seed0-v1"}


@pytest.mark.parametrize(
    "law",
    [
        {"rack_size": 0},
        {"rack_size": 2.5},
        {"reliable_mtbf_s": (0.0, 1.0)},
        {"speed": (2.0, 1.0)},
        {"volatile_mtbf_s": (1.0, np.nan)},
    ],
)
def test_a_law_without_sense_is_refused(law):
    with pytest.raises(InputError, match="cluster law"):
        ClusterLaw(**law)


def test_machines_are_a_whole_number():
    for machines in (2.5, 8.0, float("nan")):
        with pytest.raises(InputError, match="number of machines is"):
            generate_cluster(machines)
