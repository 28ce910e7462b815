"""A cluster: machines that differ in speed and reliability, the network between them, repair and affinity."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from tfrgnn.errors import InputError, UnknownNameError
from tfrgnn.model.checks import SMALLEST, check_number, frozen_array

BYTES_PER_MB = 1e6
_VOLATILE_GAP = 10.0


@dataclass(frozen=True)
class Machine:
    """One machine. Without `mtbf_s`, the mean time between failures, it never fails."""

    name: str
    speed: float = 1.0
    rack: str = "r0"
    mtbf_s: float | None = None
    price_per_hour: float = 0.0

    def __post_init__(self) -> None:
        owner = f"machine {self.name!r}"
        check_number(owner, "speed", self.speed, low=SMALLEST)
        check_number(owner, "price_per_hour", self.price_per_hour)
        if self.mtbf_s is not None:
            check_number(owner, "mtbf_s", self.mtbf_s, low=SMALLEST)


@dataclass(frozen=True)
class Network:
    """Bandwidth inside a rack and between racks in MB/s (1 MB = 1e6 bytes), and latency in seconds."""

    intra_rack_mb_s: float = 1250.0
    inter_rack_mb_s: float = 125.0
    latency_s: float = 0.0

    def __post_init__(self) -> None:
        check_number("network", "intra_rack_mb_s", self.intra_rack_mb_s, low=SMALLEST)
        check_number("network", "inter_rack_mb_s", self.inter_rack_mb_s, low=SMALLEST)
        check_number("network", "latency_s", self.latency_s)


@dataclass(frozen=True)
class Repair:
    """How long a failed machine is down: log-normal with this mean, and sigma of the logarithm."""

    mean_s: float = 60.0
    sigma: float = 0.5

    def __post_init__(self) -> None:
        check_number("repair", "mean_s", self.mean_s)
        check_number("repair", "sigma", self.sigma, high=10)


@dataclass(frozen=True)
class LognormalAffinity:
    """A factor exp(sigma Z) on the work of each (type, machine), drawn from (seed, type name).

    So it depends neither on the order of tasks nor on which other types there are.
    """

    sigma: float = 0.45
    seed: int = 0

    def __post_init__(self) -> None:
        check_number("affinity", "sigma", self.sigma, high=10)
        check_number("affinity", "seed", self.seed, high=2**63 - 1)

    def row(self, type_name: str, machines: tuple[str, ...]) -> NDArray[np.float64]:
        """The factors of one type on every machine (p)."""
        key = hashlib.sha256(type_name.encode("utf-8", "surrogatepass")).digest()
        words = np.frombuffer(key[:16], "<u4").tolist()
        rng = np.random.default_rng([self.seed, *words])
        return np.exp(self.sigma * rng.standard_normal(len(machines)))


@dataclass(frozen=True)
class TableAffinity:
    """A factor on the work for the (type, machine) pairs of a table, and 1 for all others."""

    table: Mapping[str, Mapping[str, float]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        own = {name: MappingProxyType(dict(row)) for name, row in self.table.items()}
        object.__setattr__(self, "table", MappingProxyType(own))
        for type_name, row in self.table.items():
            for machine, factor in row.items():
                check_number("affinity", f"table.{type_name}.{machine}", factor, low=SMALLEST)

    def row(self, type_name: str, machines: tuple[str, ...]) -> NDArray[np.float64]:
        """The factors of one type on every machine (p)."""
        row = self.table.get(type_name, {})
        return np.array([row.get(machine, 1.0) for machine in machines])


Affinity = LognormalAffinity | TableAffinity


@dataclass(frozen=True, eq=False)
class Cluster:
    """Machines by index, and what they share. Arrays over machines have p entries and are read-only."""

    name: str
    machines: tuple[Machine, ...]
    network: Network = field(default_factory=Network)
    repair: Repair = field(default_factory=Repair)
    affinity: Affinity = field(default_factory=TableAffinity)

    def __post_init__(self) -> None:
        if not self.machines:
            raise InputError(f"cluster {self.name!r} has no machines; it needs at least one")
        seen: set[str] = set()
        for machine in self.machines:
            if not machine.name:
                raise InputError(f"cluster {self.name!r}: a machine has an empty name")
            if machine.name in seen:
                raise InputError(f"cluster {self.name!r}: machine name {machine.name!r} stands twice")
            seen.add(machine.name)
        if isinstance(self.affinity, TableAffinity):
            for row in self.affinity.table.values():
                for name in row:
                    if name not in seen:
                        raise UnknownNameError(f"machine (in the affinity table of cluster {self.name!r})", name, seen)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Cluster):
            return NotImplemented
        return self.name == other.name and self.content_hash == other.content_hash

    def __hash__(self) -> int:
        return hash((self.name, self.content_hash))

    @cached_property
    def content_hash(self) -> str:
        """Names the content (all but `name`), however it was written down."""
        machines = [
            (m.name, float(m.speed), m.rack, m.mtbf_s and float(m.mtbf_s), float(m.price_per_hour))
            for m in self.machines
        ]
        shared = [float(x) for law in (self.network, self.repair) for x in vars(law).values()]
        content = repr((machines, shared, _plain(self.affinity)))
        return f"sha256:{hashlib.sha256(content.encode('utf-8', 'surrogatepass')).hexdigest()}"

    @cached_property
    def machine_names(self) -> tuple[str, ...]:
        return tuple(machine.name for machine in self.machines)

    @cached_property
    def speed(self) -> NDArray[np.float64]:
        return frozen_array([machine.speed for machine in self.machines], np.float64)

    @cached_property
    def rate_per_s(self) -> NDArray[np.float64]:
        """Failures per second of uptime, 0 for a machine that never fails (p)."""
        rates = [0.0 if machine.mtbf_s is None else 1.0 / machine.mtbf_s for machine in self.machines]
        return frozen_array(rates, np.float64)

    @cached_property
    def rack_names(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(machine.rack for machine in self.machines))

    @cached_property
    def rack(self) -> NDArray[np.int32]:
        """The rack of each machine as an index into `rack_names` (p)."""
        place = {name: r for r, name in enumerate(self.rack_names)}
        return frozen_array([place[machine.rack] for machine in self.machines], np.int32)

    @cached_property
    def volatile(self) -> NDArray[np.bool_]:
        """The machines that fail at least ten times as often as the next more dependable one (p).

        The widest step between neighbouring MTBFs divides the fleet, if it is a factor of ten or more; a
        machine that never fails counts as ten times the longest MTBF. No such step: nobody is volatile.
        """
        known = [machine.mtbf_s for machine in self.machines if machine.mtbf_s is not None]
        if not known:
            return frozen_array(np.zeros(len(self.machines)), np.bool_)
        never = _VOLATILE_GAP * max(known)
        mtbf = np.array([never if m.mtbf_s is None else m.mtbf_s for m in self.machines])
        steps = np.sort(mtbf)
        ratio = steps[1:] / steps[:-1]
        if ratio.size == 0 or ratio.max() < _VOLATILE_GAP * (1 - 1e-12):
            return frozen_array(np.zeros(len(self.machines)), np.bool_)
        return frozen_array(mtbf <= steps[np.argmax(ratio)], np.bool_)


def _plain(affinity: Affinity) -> object:
    if isinstance(affinity, LognormalAffinity):
        return float(affinity.sigma), affinity.seed
    rows = ((name, sorted((m, float(f)) for m, f in row.items())) for name, row in affinity.table.items())
    return sorted(rows)
