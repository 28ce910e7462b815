"""Generated workflows look like the real ones."""

from collections import Counter, defaultdict

import numpy as np
import pytest
from tests.cases import INSTANCES, needs_instances

from tfrgnn import load_workflow
from tfrgnn.errors import InputError, UnknownNameError
from tfrgnn.generate.families import FAMILIES
from tfrgnn.generate.workflows import generate_workflow, random_workflow


@pytest.mark.parametrize("family", FAMILIES)
def test_any_number_of_tasks(family):
    least = FAMILIES[family].least
    for tasks in [*range(least, least + 120), 312, 999, 5000]:
        assert generate_workflow(family, tasks, 1).tasks == tasks


@pytest.mark.parametrize("family", [*FAMILIES, "random"])
def test_same_seed_same_workflow(family):
    assert generate_workflow(family, 200, 3) == generate_workflow(family, 200, 3)
    assert generate_workflow(family, 200, 3).content_hash != generate_workflow(family, 200, 4).content_hash


def _levels(workflow):
    """The types on each level."""
    levels = defaultdict(set)
    for level, name in zip(workflow.level.tolist(), workflow.types, strict=True):
        levels[level].add(name)
    return dict(levels)


def _real(family):
    return [load_workflow(path) for path in INSTANCES if path.parent.name == family]


@needs_instances
@pytest.mark.parametrize("family", FAMILIES)
def test_levels_and_types_are_those_of_the_real_instances(family):
    """At an instance's own size; a generated one may lack the second merge that a real one of that size has."""
    for real in _real(family):
        made = generate_workflow(family, real.tasks, 1)
        assert _levels(made) == _levels(real), real.tasks
        shares = Counter(real.types), Counter(made.types)
        for name in shares[0]:
            assert shares[1][name] <= 3 * shares[0][name] + 3, (name, real.tasks)
            assert shares[0][name] <= 3 * shares[1][name] + 3, (name, real.tasks)


def _pooled(workflows):
    """Work and bytes of all tasks by type, and bytes of all edges by kind."""
    values = defaultdict(list)
    for w in workflows:
        kinds = np.array(w.types)
        for name in w.type_names:
            for quantity in ("work_s", "output_bytes", "input_bytes"):
                values[name, quantity].append(getattr(w, quantity)[kinds == name])
        pairs = np.char.add(np.char.add(kinds[w.edge_parent], ">"), kinds[w.edge_child])
        for pair in np.unique(pairs).tolist():
            values[pair, "edge"].append(w.edge_bytes[pairs == pair])
    return {key: np.concatenate(parts).astype(float) for key, parts in values.items()}


def _alike(mine, theirs, what):
    """Within a factor of two, or both next to nothing."""
    if max(mine, theirs) > 1e-3:
        assert theirs / 2 <= mine <= theirs * 2, (what, mine, theirs)


@needs_instances
@pytest.mark.parametrize("family", FAMILIES)
def test_work_and_bytes_by_type_have_the_real_mean_and_spread(family):
    real = _pooled(_real(family))
    made = _pooled(generate_workflow(family, tasks, seed) for tasks in (100, 300, 600) for seed in range(20))
    for key, theirs in real.items():
        mine = made[key]
        _alike(mine.mean(), theirs.mean(), (*key, "mean"))
        if theirs.std() > 0.01 * theirs.mean():  # of what hardly varies the spread is noise
            _alike(mine.std(), theirs.std(), (*key, "spread"))


def test_the_random_family_is_a_dag_of_the_size_asked_for():
    w = random_workflow(2000, 1)
    assert w.tasks == 2000
    assert np.all(w.edge_parent < w.edge_child)
    assert 3.5 < w.edges / w.tasks < 4.5


@pytest.mark.parametrize(
    ("family", "tasks", "seed"), [("montage", 30, 0), ("random", 0, 0), ("cycles", 10**8, 0), ("cycles", 50, -1)]
)
def test_what_cannot_be_generated_is_refused(family, tasks, seed):
    with pytest.raises(InputError):
        generate_workflow(family, tasks, seed)


def test_an_unknown_family_is_refused_with_a_suggestion():
    with pytest.raises(UnknownNameError, match="did you mean 'montage'"):
        generate_workflow("montge", 100)
