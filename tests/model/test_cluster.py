"""What a cluster tells of its machines."""

import pytest

from tfrgnn.generate.clusters import generate_cluster
from tfrgnn.model.cluster import Cluster, LognormalAffinity, Machine


def _volatile(*mtbf):
    return Cluster("c", tuple(Machine(f"m{m}", mtbf_s=x) for m, x in enumerate(mtbf))).volatile.tolist()


@pytest.mark.parametrize(
    ("mtbf", "volatile"),
    [
        ((60, 250, 3000, 30000), [True, True, False, False]),
        ((3600, None), [True, False]),  # one that never fails counts as ten times the longest
        ((None, None), [False, False]),
        ((100, 200, 300), [False, False, False]),  # no step of ten: nobody stands out
        ((100, 200, 3000, None), [True, True, False, False]),
        ((5000,), [False]),
    ],
)
def test_volatile_machines_stand_apart_by_a_factor_of_ten(mtbf, volatile):
    assert _volatile(*mtbf) == volatile


@pytest.mark.parametrize("share", [0.0, 0.35, 1.0])
@pytest.mark.parametrize("seed", range(5))
def test_generated_volatile_machines_are_recognised(share, seed):
    cluster = generate_cluster(48, seed, volatile_share=share)
    expected = [machine.mtbf_s <= 250 for machine in cluster.machines]
    if share < 1.0:  # in a fleet of volatile machines none stands out
        assert cluster.volatile.tolist() == expected
    assert sum(expected) == round(48 * share)


def test_affinity_depends_on_seed_and_type_name_alone():
    names = tuple("abc")
    law = LognormalAffinity(0.45, 1)
    assert law.row("fit", names).tolist() == LognormalAffinity(0.45, 1).row("fit", names).tolist()
    assert law.row("fit", names).tolist() != law.row("add", names).tolist()
    assert law.row("fit", names[:2]).tolist() == law.row("fit", names).tolist()[:2]
    assert LognormalAffinity(0.0, 1).row("fit", names).tolist() == [1.0, 1.0, 1.0]


def test_equality_is_by_content():
    first = Cluster("c", (Machine("a", speed=1),))
    assert first == Cluster("c", (Machine("a", speed=1.0),))
    assert first != Cluster("c", (Machine("a", speed=1.5),))
    assert hash(first) == hash(Cluster("c", (Machine("a"),)))
