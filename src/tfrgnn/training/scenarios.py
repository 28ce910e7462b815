"""The scenarios that the policy is trained on: recipes drawn from a seed, and what they stand for."""

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from tfrgnn.costs.estimates import Estimates
from tfrgnn.errors import InputError
from tfrgnn.formats.wfformat import load_workflow
from tfrgnn.generate.clusters import generate_cluster
from tfrgnn.model.failures import FailureModel
from tfrgnn.model.scenario import Scenario
from tfrgnn.model.workflow import Workflow

TRAINING_FAMILIES = ("1000genome", "cycles", "epigenomics", "montage")
MOST_TASKS = 700
MACHINES = (16, 24, 32, 48, 64)
SCALES = (0.0, 1.0, 2.0, 4.0)
BUDGETS = (0.05, 0.1, 0.15)
_HELD_BACK_EVERY = 5
_HELD_BACK_SEEDS = 1_000_000


@dataclass(frozen=True)
class Recipe:
    """One scenario: a workflow file, the arguments of a cluster, scale, budget, and the seed of its traces."""

    path: str
    machines: int
    cluster_seed: int
    scale: float
    budget: float
    trace_seed: int

    def estimates(self) -> Estimates:
        cluster = generate_cluster(self.machines, self.cluster_seed)
        return Estimates.of(Scenario(_workflow(self.path), cluster, FailureModel(self.scale)))


@dataclass(frozen=True)
class Corpus:
    """Workflow files to train on, and those held back to watch the training."""

    training: tuple[str, ...]
    held_back: tuple[str, ...]

    @property
    def hash(self) -> str:
        """Names the content of all its workflows."""
        digest = hashlib.sha256()
        for path in (*self.training, *self.held_back):
            digest.update(_workflow(path).content_hash.encode())
        return f"sha256:{digest.hexdigest()}"

    def types(self, most: int) -> tuple[str, ...]:
        """The task types that the training sees, in alphabetical order; if there are more, those of most workflows."""
        workflows = Counter(name for path in self.training for name in _workflow(path).type_names)
        return tuple(sorted(sorted(workflows, key=lambda name: (-workflows[name], name))[:most]))


def load_corpus(data: Path) -> Corpus:
    """The instances of the four training applications below `data`, of at most 700 tasks; every fifth is held back.

    A copy of an instance counts as one, so that none is trained on and held back at once.
    """
    training, held_back = [], []
    for family in TRAINING_FAMILIES:
        once: dict[str, str] = {}
        for path in sorted(path for path in data.rglob("*.json") if path.parent.name == family):
            once.setdefault(_workflow(str(path)).content_hash, str(path))
        small = [path for path in once.values() if _workflow(path).tasks <= MOST_TASKS]
        held_back += small[_HELD_BACK_EVERY - 1 :: _HELD_BACK_EVERY]
        training += [path for k, path in enumerate(small, 1) if k % _HELD_BACK_EVERY]
    if not training:
        families = ", ".join(TRAINING_FAMILIES)
        raise InputError(f"{data}: no workflow of at most {MOST_TASKS} tasks in a folder named {families}")
    return Corpus(tuple(training), tuple(held_back))


def draw_recipes(corpus: Corpus, count: int, seed: int) -> list[Recipe]:
    """`count` training scenarios; families first, so that one with many instances does not crowd out the others."""
    rng = np.random.default_rng([seed, 1])
    by_family = _by_family(corpus.training)
    recipes = []
    for k in range(count):
        paths = by_family[int(rng.integers(len(by_family)))]
        recipes.append(
            Recipe(
                path=paths[int(rng.integers(len(paths)))],
                machines=int(rng.choice(MACHINES)),
                cluster_seed=int(rng.integers(_HELD_BACK_SEEDS // 2)) + 1000,
                scale=float(rng.choice(SCALES)),
                budget=float(rng.choice(BUDGETS)),
                trace_seed=seed * 1_000_003 + k,
            )
        )
    return recipes


def held_back_recipes(corpus: Corpus) -> list[Recipe]:
    """Scenarios to watch the training with: held-back instances on fresh clusters, three scales per family.

    Where none is held back, as with fewer than five instances each, those of the training stand in.
    """
    groups = _by_family(corpus.held_back or corpus.training)
    return [
        Recipe(paths[k % len(paths)], 48, _HELD_BACK_SEEDS + k, scale, 0.1, _HELD_BACK_SEEDS + k)
        for paths in groups
        for k, scale in enumerate((1.0, 2.0, 4.0))
    ]


def _by_family(paths: Sequence[str]) -> list[list[str]]:
    groups = {family: [path for path in paths if Path(path).parent.name == family] for family in TRAINING_FAMILIES}
    return [group for group in groups.values() if group]


@cache
def _workflow(path: str) -> Workflow:
    return load_workflow(path)
