"""Clusters of dependable and volatile machines, as in sections 3.2 and 5.2 of the TFR-GNN paper."""

from dataclasses import dataclass, field
from math import log

import numpy as np

from tfrgnn.errors import InputError
from tfrgnn.model.checks import SMALLEST, check_number, check_whole
from tfrgnn.model.cluster import Cluster, LognormalAffinity, Machine, Network, Repair

VOLATILE_SHARE = 0.35


@dataclass(frozen=True)
class ClusterLaw:
    """The constants of a generated cluster, here in one place; the paper leaves most of them open."""

    speed: tuple[float, float] = (0.5, 2.0)
    rack_size: int = 8
    volatile_mtbf_s: tuple[float, float] = (60.0, 250.0)
    reliable_mtbf_s: tuple[float, float] = (3e3, 3e4)
    volatile_price_per_hour: float = 0.03
    reliable_price_per_hour: float = 0.10
    affinity_sigma: float = 0.45
    network: Network = field(default_factory=Network)
    repair: Repair = field(default_factory=Repair)

    def __post_init__(self) -> None:
        check_whole("cluster law", "rack_size", self.rack_size, low=1)
        for name in ("speed", "volatile_mtbf_s", "reliable_mtbf_s"):
            low, high = getattr(self, name)
            check_number("cluster law", f"{name}[0]", low, low=SMALLEST)
            check_number("cluster law", f"{name}[1]", high, low=low)


def generate_cluster(
    machines: int, seed: int = 0, *, volatile_share: float = VOLATILE_SHARE, law: ClusterLaw | None = None
) -> Cluster:
    """A mixed cluster: speeds uniform, `volatile_share` of the machines volatile, drawn apart from speed.

    A volatile machine's MTBF is uniform, a reliable one's log-uniform in the range of the law; prices are
    per unit of speed, spot at three tenths of the dependable price.
    """
    law = law or ClusterLaw()
    check_whole("generated cluster", "number of machines", machines, low=1, high=1_000_000)
    if not 0 <= volatile_share <= 1:
        raise InputError(f"the volatile share is {volatile_share:g}; it must lie in 0..1")
    check_whole("generated cluster", "seed", seed, low=0, high=2**63 - 1)
    rng = np.random.default_rng(seed)
    speed = rng.uniform(*law.speed, machines)
    volatile = np.zeros(machines, bool)
    volatile[rng.permutation(machines)[: round(volatile_share * machines)]] = True
    short = rng.uniform(*law.volatile_mtbf_s, machines)
    long = np.exp(rng.uniform(log(law.reliable_mtbf_s[0]), log(law.reliable_mtbf_s[1]), machines))
    price = np.where(volatile, law.volatile_price_per_hour, law.reliable_price_per_hour) * speed
    digits = len(str(machines - 1))
    return Cluster(
        name=f"mixed-{machines}-seed{seed}" + ("" if volatile_share == VOLATILE_SHARE else f"-v{volatile_share:g}"),
        machines=tuple(
            Machine(
                name=f"m{m:0{digits}}",
                speed=float(speed[m]),
                rack=f"r{m // law.rack_size}",
                mtbf_s=float(short[m] if volatile[m] else long[m]),
                price_per_hour=round(float(price[m]), 4),
            )
            for m in range(machines)
        ),
        network=law.network,
        repair=law.repair,
        affinity=LognormalAffinity(law.affinity_sigma, seed),
    )
