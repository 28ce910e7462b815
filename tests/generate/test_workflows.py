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


ABORTED = "montage-chameleon-2mass-02d-001"  # its last tasks took no time and wrote nothing


def _twin(path, real, seed=1):
    """Generated like a real instance and of its size."""
    return generate_workflow(path.parent.name, real.tasks, seed, like=path.stem.replace("-chameleon", ""))


@needs_instances
@pytest.mark.parametrize("path", [p for p in INSTANCES if p.stem != ABORTED], ids=lambda path: path.stem)
def test_one_like_a_real_instance_has_its_shape_and_in_each_type_its_mean_and_spread(path):
    real = load_workflow(path)
    made = _twin(path, real)
    assert _levels(made) == _levels(real)
    assert made.edges == pytest.approx(real.edges, rel=0.1)
    assert made.work_s.sum() == pytest.approx(real.work_s.sum(), rel=0.3)
    counts = Counter(real.types), Counter(made.types)
    for name, count in counts[0].items():
        assert abs(counts[1][name] - count) <= 0.1 * count, name
    mine = _pooled([made])
    for key, theirs in _pooled([real]).items():
        _alike(mine[key].mean(), theirs.mean(), (*key, "mean"))
        if theirs.size >= 20 and theirs.std() > 0.05 * theirs.mean():
            _alike(mine[key].std(), theirs.std(), (*key, "spread"))


@needs_instances
@pytest.mark.parametrize("family", FAMILIES)
def test_levels_and_types_are_those_of_the_real_instances_of_that_size(family):
    for real in _real(family):
        assert _levels(generate_workflow(family, real.tasks, 1)) == _levels(real), real.tasks


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
def test_over_all_sizes_work_and_bytes_by_type_have_the_real_mean_and_spread(family):
    instances = [(path, load_workflow(path)) for path in INSTANCES if path.parent.name == family]
    instances = [pair for pair in instances if pair[0].stem != ABORTED]
    real = _pooled(real for _, real in instances)
    made = _pooled(_twin(path, real, seed) for path, real in instances for seed in range(5))
    for key, theirs in real.items():
        mine = made[key]
        _alike(mine.mean(), theirs.mean(), (*key, "mean"))
        if theirs.std() > 0.01 * theirs.mean():  # of what hardly varies the spread is noise
            _alike(mine.std(), theirs.std(), (*key, "spread"))


def test_the_parts_of_a_divided_output_make_up_the_whole():
    made = generate_workflow("epigenomics", 421, 0, like="epigenomics-hep-5seq-100k-001")
    splits = [i for i, name in enumerate(made.types) if name == "fastqSplit"]
    assert len(splits) == 5
    for i in splits:
        assert made.edge_bytes[made.edge_parent == i].sum() == made.output_bytes[i]


def test_a_random_workflow_is_like_nothing():
    with pytest.raises(InputError, match="like no instance"):
        generate_workflow("random", 10, like="montage-dss-15d-001")


def test_which_instance_it_is_like_is_drawn_among_the_nearest_in_size():
    names = {f"montage-{survey}": 0 for survey in ("2mass", "dss")}
    for seed in range(20):
        images = generate_workflow("montage", 2122, seed).types.count("mProject")
        names["montage-dss" if images < 150 else "montage-2mass"] += 1
    assert min(names.values()) > 2
    with pytest.raises(UnknownNameError, match="did you mean 'montage-dss-15d-001'"):
        generate_workflow("montage", 100, like="montage-dss-16d-001")


def test_the_random_family_is_a_dag_of_the_size_asked_for():
    w = random_workflow(2000, 1)
    assert w.tasks == 2000
    assert np.all(w.edge_parent < w.edge_child)
    assert 3.5 < w.edges / w.tasks < 4.5


@pytest.mark.parametrize(
    ("family", "tasks", "seed"),
    [
        ("montage", 30, 0),
        ("random", 0, 0),
        ("cycles", 10**8, 0),
        ("cycles", 50, -1),
        ("montage", 100.5, 0),
        ("montage", 100.0, 0),
        ("cycles", float("nan"), 0),
        ("cycles", 50, 1.5),
    ],
)
def test_what_cannot_be_generated_is_refused(family, tasks, seed):
    with pytest.raises(InputError):
        generate_workflow(family, tasks, seed)


def test_an_unknown_family_is_refused_with_a_suggestion():
    with pytest.raises(UnknownNameError, match="did you mean 'montage'"):
        generate_workflow("montge", 100)
