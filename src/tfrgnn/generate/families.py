"""The shapes of seven real applications, for any number of tasks.

Each function adds the tasks of one family to a `Draft`, parents before children. The rules were read off all
120 WfCommons instances at hand and rebuild their edges, but for montage's choice of overlapping images, where
neighbours in a row stand for neighbours in the sky. Where the number of tasks does not come out even, the last unit
(lane, member, sample) ends early. Where instances of one family differ in proportion, the shape has that of the
instance that it is to be like, whose name says how many units it has.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice

POPULATIONS = 7


@dataclass(frozen=True)
class Like:
    """The real instance that a workflow is to be like."""

    name: str
    tasks: int

    def count(self, unit: str) -> int:
        """How many of a unit its name says: 6 of `ch` for 1000genome-6ch-100k-001."""
        found = re.search(rf"-(\d+){unit}-", self.name)
        return int(found.group(1)) if found else 1


@dataclass
class Draft:
    """A workflow in the making: types of tasks, and edges with the share of the parent's output they carry.

    `scales` names each task's row of measured scales: its type, with a + behind a parent of the same type, since
    merging merged data is another size of task. An output that is `divided` among its readers has parts that go with
    what the readers write themselves, and not with its own size: a larger one has more readers.
    """

    types: list[str] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    children: list[int] = field(default_factory=list)
    shares: list[float] = field(default_factory=list)
    divided: list[bool] = field(default_factory=list)
    scales: list[str] = field(default_factory=list)

    def add(self, type_name: str, *parents: int, share: float = 1.0, divided: bool = False) -> int:
        """A new task that reads `share` of the output of each parent; returns its index."""
        i = len(self.types)
        self.types.append(type_name)
        again = any(self.types[parent] == type_name for parent in parents)
        self.scales.append(f"{type_name}+" if again else type_name)
        for parent in parents:
            self.link(parent, i, share, divided)
        return i

    def link(self, parent: int, child: int, share: float = 1.0, divided: bool = False) -> None:
        self.parents.append(parent)
        self.children.append(child)
        self.shares.append(share)
        self.divided.append(divided)


def genome(draft: Draft, n: int, like: Like) -> None:
    """Chromosomes apart: individuals -> merge; merge and sifting -> overlap and frequency of 7 populations."""
    fixed = 2 + 2 * POPULATIONS
    chromosomes = min(max(1, round(n * like.count("ch") / like.tasks)), n // (fixed + 1))
    for individuals in _even(n - fixed * chromosomes, chromosomes):
        merge = draft.add("individuals_merge")
        for _ in range(individuals):
            draft.link(draft.add("individuals"), merge)
        sifting = draft.add("sifting")
        for type_name in ("mutation_overlap", "frequency"):
            for _ in range(POPULATIONS):
                draft.add(type_name, merge, sifting)


def montage(draft: Draft, n: int, like: Like) -> None:
    """Three bands: images -> differences of neighbours -> one model -> corrected images -> mosaic; one joint view.

    There are fewer images than the survey would have if less than three differences for two of them would be left.
    """
    images = _dss_images(n) if "dss" in like.name else max(2, round((n + 53) / 22.5))
    while images > 2 and n - 16 - 6 * images < 4.5 * images:
        images -= 1
    mosaics = []
    for differences in _even(n - 16 - 6 * images, 3):
        projected = [draft.add("mProject") for _ in range(images)]
        pairs = islice(_neighbours(images), differences)
        fits = [draft.add("mDiffFit", projected[i], projected[j]) for i, j in pairs]
        model = draft.add("mBgModel", draft.add("mConcatFit", *fits))
        corrected = [draft.add("mBackground", model, image) for image in projected]
        table = draft.add("mImgtbl", *corrected, share=0.5)
        mosaic = draft.add("mAdd", table, *corrected)
        draft.add("mViewer", mosaic, share=0.5)
        mosaics.append(mosaic)
    draft.add("mViewer", *mosaics, share=0.5)


def _dss_images(n: int) -> int:
    """Images of this survey are large, so that all overlap: as few as have differences enough among them."""
    images = 2
    while 3 * (2 * images + images * (images - 1) // 2) + 16 < n:
        images += 1
    return images


def _neighbours(count: int) -> Iterator[tuple[int, int]]:
    """Pairs of a row of images, next neighbours first; from the beginning again when all are used."""
    while True:
        for step in range(1, count):
            for i in range(count - step):
                yield i, i + step


def epigenomics(draft: Draft, n: int, like: Like) -> None:
    """Sequences split into lanes of four steps, merged by sequence, merged again, then two steps."""
    steps = ("filterContams", "sol2sanger", "fast2bfq", "map")
    sequences = max(1, round((n - 3) * like.count("seq") / (like.tasks - 3)))
    lanes, rest = divmod(n - 3 - 2 * sequences, len(steps))
    merges = []
    for number, count in enumerate(_even(lanes, sequences)):
        split = draft.add("fastqSplit")
        lengths = [len(steps)] * count
        if number == sequences - 1 and rest:
            lengths.append(rest)
        ends = []
        for length in lengths:
            last = draft.add(steps[0], split, share=1.0 / len(lengths), divided=True)
            for step in steps[1:length]:
                last = draft.add(step, last)
            ends.append(last)
        merges.append(draft.add("mapMerge", *ends))
    draft.add("pileup", draft.add("chr21", draft.add("mapMerge", *merges)))


def cycles(draft: Draft, n: int, like: Like) -> None:
    """Groups (crop, location) of members: baseline -> two simulations -> parser; summaries; plots by crop."""
    groups = max(1, round(n * like.count("l") * like.count("c") / like.tasks))
    crops = max(1, round(groups / like.count("l")))
    members, rest = divmod(n - 2 * groups - crops, 4)
    summaries = []
    for number, count in enumerate(_even(members, groups)):
        simulated, parsed = [], []
        sizes = [4] * count
        if number == groups - 1 and rest:
            sizes.append(rest)
        for size in sizes:
            baseline = draft.add("baseline_cycles")
            if size > 1:
                simulated.append(draft.add("cycles", baseline, share=0.0039))
            if size > 2:
                fertilised = draft.add("fertilizer_increase_cycles", baseline, share=0.0039)
            if size > 3:
                both = (simulated[-1], fertilised)
                parsed.append(draft.add("cycles_fertilizer_increase_output_parser", *both, share=0.00065))
        summaries.append(draft.add("cycles_output_summary", *simulated, share=0.00065))
        draft.add("cycles_fertilizer_increase_output_summary", *parsed)
    start = 0
    for count in _even(groups, crops):
        draft.add("cycles_plots", *summaries[start : start + count])
        start += count


def seismology(draft: Draft, n: int, like: Like) -> None:
    """All deconvolutions into one sift."""
    stations = [draft.add("sG1IterDecon") for _ in range(n - 1)]
    draft.add("wrapper_siftSTFByMisfit", *stations)


def soykb(draft: Draft, n: int, like: Like) -> None:
    """Samples through six steps and a caller per chromosome; genotypes by chromosome; variants selected, filtered."""
    chromosomes = min(like.count("ch"), (n - 12) // 2)
    samples, rest = divmod(n - chromosomes - 6, 6 + chromosomes)
    calls: list[list[int]] = [[] for _ in range(chromosomes)]
    for size in [6 + chromosomes] * samples + ([rest] if rest else []):
        last, source = -1, -1
        for step in ("alignment_to_reference", "sort_sam", "dedup", "add_replace")[:size]:
            last = source = draft.add(step, *([last] if last >= 0 else []))
        if size > 4:
            last = draft.add("realign_target_creator", source)
        if size > 5:
            last = draft.add("indel_realign", source, last)
        for chromosome in range(size - 6):
            calls[chromosome].append(draft.add("haplotype_caller", last))
    draft.add("merge_gcvf", *(call for row in calls for call in row))
    combined = draft.add("combine_variants", *[draft.add("genotype_gvcfs", *row) for row in calls])
    for kind in ("snp", "indel"):
        draft.add(f"filtering_{kind}", draft.add(f"select_variants_{kind}", combined, share=0.734))


def srasearch(draft: Draft, n: int, like: Like) -> None:
    """Reads dumped and aligned against one index, merged, from 26 on in blocks of 25 and once more."""
    reads = (n - 2) // 2
    while 2 * reads + 1 + _merges(reads) > n:
        reads -= 1
    index = draft.add("bowtie2-build")
    for _ in range(n - (2 * reads + 1 + _merges(reads))):
        draft.add("fasterq-dump")
    aligned = [draft.add("bowtie2", index, draft.add("fasterq-dump")) for _ in range(reads)]
    blocks = [draft.add("merge", *aligned[k : k + 25]) for k in range(0, reads, 25)]
    if len(blocks) > 1:
        draft.add("merge", *blocks)


def _merges(reads: int) -> int:
    blocks = -(-reads // 25)
    return blocks if blocks == 1 else blocks + 1


def _even(total: int, parts: int) -> list[int]:
    """`total` in `parts` almost equal shares."""
    return [(total * (k + 1)) // parts - (total * k) // parts for k in range(parts)]


@dataclass(frozen=True)
class Family:
    """A shape and the least number of tasks that has all of it."""

    shape: Callable[[Draft, int, Like], None]
    least: int


FAMILIES = {
    "1000genome": Family(genome, 17),
    "cycles": Family(cycles, 7),
    "epigenomics": Family(epigenomics, 9),
    "montage": Family(montage, 31),
    "seismology": Family(seismology, 2),
    "soykb": Family(soykb, 14),
    "srasearch": Family(srasearch, 4),
}


def draw_shape(family: str, tasks: int, like: Like) -> Draft:
    """The shape of a family with exactly `tasks` tasks, in the proportions of a real instance."""
    draft = Draft()
    FAMILIES[family].shape(draft, tasks, like)
    return draft
