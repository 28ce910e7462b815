"""What is run for each result: suites as data. A cell is one scenario with all its methods."""

from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from tfrgnn.errors import InputError
from tfrgnn.evaluation.oracle import ORACLE
from tfrgnn.formats.wfformat import load_workflow
from tfrgnn.generate.workflows import generate_workflow
from tfrgnn.model.workflow import Workflow

POLICY = "tfr-gnn[preset=paper]"
SEEN = ("1000genome", "montage", "epigenomics", "cycles")
UNSEEN = ("seismology", "soykb", "srasearch")
SCALES = (0.0, 0.5, 1.0, 2.0, 3.0, 4.0)
CLASSIC = ("random", "cpop", "min-min", "max-min", "peft", "heft", POLICY, "reliable-heft")
FAULT = ("heft", "r-heft", "ft-heft", POLICY, ORACLE, "reliable-heft")
BETAS = ("r-heft[beta=1]", "r-heft", "r-heft[beta=3]", "r-heft[beta=5]")  # those of the paper's portfolio
STRONG = "r-heft[beta=10]"
ABLATIONS = ("paper-no-dependency", "paper-no-topology", "paper-no-cross", "paper-no-fault")
BUDGETS = (0.0, 0.05, 0.1, 0.15, 0.2, 0.3)
MILD = (0.005, 0.02, 0.05, 0.1, 0.2, 0.5)
SENSITIVITY: dict[str, tuple[float, ...]] = {
    "sigma": (0.0, 0.2, 0.45, 0.7, 1.0),
    "volatile": (0.0, 0.15, 0.35, 0.5, 0.7, 0.9),
}
CONSTANTS: dict[str, tuple[float, ...]] = {
    "rack_size": (2.0, 8.0, 48.0),
    "bandwidth": (0.1, 1.0, 10.0),
    "repair_mean_s": (15.0, 60.0, 240.0),
    "horizon_factor": (5.0, 10.0, 30.0, 100.0),
    "work_factor": (0.1, 1.0, 10.0),
}

USUAL = {"rack_size": 8.0, "bandwidth": 1.0, "repair_mean_s": 60.0, "horizon_factor": 10.0, "work_factor": 1.0}

# Three sizes of each training application; the second is the one nearest to the paper's own examples.
INSTANCES = {
    "1000genome": ("1000genome-chameleon-6ch-100k-001", "1000genome-chameleon-12ch-100k-001",
                   "1000genome-chameleon-22ch-100k-001"),
    "montage": ("montage-chameleon-2mass-01d-001", "montage-chameleon-2mass-015d-001",
                "montage-chameleon-2mass-025d-001"),
    "epigenomics": ("epigenomics-chameleon-hep-3seq-100k-001", "epigenomics-chameleon-ilmn-2seq-50k-001",
                    "epigenomics-chameleon-hep-7seq-100k-001"),
    "cycles": ("cycles-chameleon-1l-1c-12p-001", "cycles-chameleon-1l-2c-12p-001", "cycles-chameleon-5l-2c-9p-001"),
}  # fmt: skip
# Other choices of one instance per application, in the order of the suite's values.
CHOICES = {
    "the smallest of three": {family: names[0] for family, names in INSTANCES.items()},
    "the middle one": {family: names[1] for family, names in INSTANCES.items()},
    "the largest of three": {family: names[2] for family, names in INSTANCES.items()},
    "the largest to 700 tasks": {
        "1000genome": "1000genome-chameleon-16ch-250k-001", "montage": "montage-chameleon-2mass-025d-001",
        "epigenomics": "epigenomics-chameleon-hep-4seq-50k-001", "cycles": "cycles-chameleon-5l-2c-9p-001",
    },
    "the largest there is": {
        "1000genome": "1000genome-chameleon-22ch-250k-001", "montage": "montage-chameleon-dss-15d-001",
        "epigenomics": "epigenomics-chameleon-ilmn-6seq-50k-001", "cycles": "cycles-chameleon-5l-2c-9p-001",
    },
}  # fmt: skip
# The paper's table of generalisation; for its cycles instance of 874 tasks, not in the data here, the largest stands.
GENERALISATION = (
    ("seismology", "seismology-chameleon-500p-001"),
    ("soykb", "soykb-chameleon-30fastq-20ch-001"),
    ("srasearch", "srasearch-chameleon-30a-001"),
    ("montage", "montage-chameleon-dss-15d-001"),
    ("cycles", "cycles-chameleon-5l-2c-9p-001"),
    ("seismology", "seismology-chameleon-1100p-001"),
)
# The paper's table of planning times; of the sizes that are not here the nearest stand, and 4,846 is generated.
TIMING = (
    ("srasearch", "srasearch-chameleon-10a-001"),
    ("1000genome", "1000genome-chameleon-6ch-100k-001"),
    ("montage", "montage-chameleon-2mass-015d-001"),
    ("cycles", "cycles-chameleon-1l-2c-12p-001"),
    ("epigenomics", "epigenomics-chameleon-ilmn-2seq-50k-001"),
    ("montage", "montage-chameleon-2mass-03d-001"),
    ("cycles", "cycles-chameleon-5l-2c-9p-001"),
    ("seismology", "seismology-chameleon-1100p-001"),
    ("montage", "montage-chameleon-2mass-05d-001"),
    ("montage", "montage-chameleon-dss-15d-001"),
    ("montage", "generated-4846"),
)


@dataclass(frozen=True)
class Cell:
    """One scenario: a workflow on a generated cluster at a scale, and the methods that meet its traces.

    `vary` names a constant and the value it has here in place of its default.
    """

    suite: str
    family: str
    instance: str
    machines: int
    cluster_seed: int
    scale: float
    methods: tuple[str, ...]
    traces: int = 40
    seed: int = 7
    vary: str = ""
    value: float = 0.0


@dataclass(frozen=True)
class Suite:
    """The cells of one result."""

    name: str
    cells: tuple[Cell, ...] = field(repr=False)


def suites(quick: bool) -> dict[str, Suite]:
    """All suites by name; `quick` has one size, one cluster and few traces, to see that all of it runs."""
    seeds = (0,) if quick else tuple(range(6))
    many = (0,) if quick else tuple(range(10))  # where there is one instance only
    traces = 8 if quick else 40
    sizes = {family: names[1:2] if quick else names for family, names in INSTANCES.items()}
    seen = [(family, name) for family, names in sizes.items() for name in names]

    def cells(
        suite: str,
        instances: list[tuple[str, str]],
        methods: tuple[str, ...],
        scales: tuple[float, ...],
        machines: tuple[int, ...] = (48,),
        vary: str = "",
        values: tuple[float, ...] = (0.0,),
        clusters: tuple[int, ...] = seeds,
    ) -> list[Cell]:
        return [
            Cell(suite, family, name, m, cluster, scale, methods, traces, vary=vary, value=value)
            for value in values
            for m in machines
            for scale in scales
            for family, name in instances
            for cluster in clusters
        ]

    levers = (
        *(f"ft-heft[budget={b:g}]" for b in BUDGETS[1:]),
        *(f"tfr-gnn[budget={b:g},preset=paper]" for b in BUDGETS),
    )
    variants = (POLICY, *(f"tfr-gnn[preset={name}]" for name in ABLATIONS))
    short = ("heft", "r-heft", POLICY, ORACLE, "reliable-heft")
    strengths = ("heft", *BETAS, STRONG, *FAULT[2:])
    one = [("cycles", INSTANCES["cycles"][1])]
    made = {
        "efficiency": cells("efficiency", seen, CLASSIC, (0.0,), (16, 48, 96)),
        "intensity": cells("intensity", seen, strengths, SCALES),
        "load": cells("load", seen, short, (2.0,), (16, 24, 32, 48, 64, 96)),
        "replication": cells("replication", seen, ("heft", "r-heft", *levers, "reliable-heft"), (3.0,)),
        "ablation": cells("ablation", seen, ("heft", *variants, "reliable-heft"), (0.0, 2.0)),
        "generalisation": cells("generalisation", list(GENERALISATION), FAULT, (0.0, 2.0, 4.0), clusters=many),
        "mild": cells("mild", seen, short, MILD),
    }
    for name, values in SENSITIVITY.items():
        suite = f"sensitivity-{name}"
        made[suite] = cells(suite, one, short, (2.0,), vary=name, values=values, clusters=many)
    for name, values in CONSTANTS.items():
        suite = f"constant-{name}"
        made[suite] = cells(suite, seen, short, (2.0,), vary=name, values=values)
    made["constant-instances"] = [
        cell
        for k, choice in enumerate(CHOICES.values())
        for cell in cells("constant-instances", list(choice.items()), short, (2.0,), vary="instances", values=(k,))
    ]
    return {name: Suite(name, tuple(each)) for name, each in made.items()}


@lru_cache(maxsize=64)
def workflow_of(data: Path, family: str, instance: str) -> Workflow:
    """An instance of the data, or the generated montage of 4,846 tasks."""
    if instance.startswith("generated-"):
        return generate_workflow(family, int(instance.removeprefix("generated-")), 0)
    if not data.is_dir():
        raise InputError(f"{data}: is no folder; `tfrgnn data fetch wfinstances DIR` makes one")
    found = sorted(data.rglob(f"{instance}.json"))
    if not found:
        raise InputError(f"{data}: has no {instance}.json; `tfrgnn data fetch wfinstances DIR` brings the corpus")
    return load_workflow(found[0])
