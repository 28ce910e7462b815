"""The cluster file, YAML or JSON; a field that is not ours is refused."""

import re
from pathlib import Path
from typing import Annotated, Any

import msgspec
import yaml

from tfrgnn.errors import FormatError, InputError
from tfrgnn.formats.files import as_type, explained, json_text, open_buffer, without_mark, write_text
from tfrgnn.model.cluster import (
    Affinity,
    Cluster,
    LognormalAffinity,
    Machine,
    Network,
    Repair,
    TableAffinity,
)

_SIZE_LIMIT = 16 << 20
_SEED = Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)]


class _Machine(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    speed: float = 1.0
    rack: str = "r0"
    mtbf_s: float | None = None
    price_per_hour: float = 0.0


class _Network(msgspec.Struct, forbid_unknown_fields=True):
    intra_rack_mb_s: float = Network.intra_rack_mb_s
    inter_rack_mb_s: float = Network.inter_rack_mb_s
    latency_s: float = Network.latency_s


class _Repair(msgspec.Struct, forbid_unknown_fields=True):
    mean_s: float = Repair.mean_s
    sigma: float = Repair.sigma


class _Affinity(msgspec.Struct, forbid_unknown_fields=True):
    law: str | None = None
    sigma: float | None = None
    seed: _SEED | None = None
    table: dict[str, dict[str, float]] | None = None


class _Document(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    machines: list[_Machine]
    network: _Network = msgspec.field(default_factory=_Network)
    repair: _Repair = msgspec.field(default_factory=_Repair)
    affinity: _Affinity | None = None


class _Loader(yaml.SafeLoader):
    """YAML 1.1, but 1e3 is a number and not a text, a key stands once, and there are no merge keys."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen: set[str] = set()
        for key, _ in node.value:
            name = str(key.value)
            if name == "<<" or name in seen:
                problem = "merge keys are not read" if name == "<<" else f"the key {name!r} stands twice"
                raise yaml.constructor.ConstructorError(None, None, problem, key.start_mark)
            seen.add(name)
        return super().construct_mapping(node, deep)


class _Dumper(yaml.SafeDumper):
    """Puts quotes around a text that the loader would take for a number."""


for _kind in (_Loader, _Dumper):
    _kind.add_implicit_resolver(
        "tag:yaml.org,2002:float", re.compile(r"[-+]?\d+(?:\.\d*)?[eE][-+]?\d+"), list("-+0123456789")
    )


def load_cluster(path: str | Path) -> Cluster:
    """The cluster of a YAML or JSON file."""
    path = Path(path)
    document = _read(path)
    try:
        return Cluster(
            name=document.name,
            machines=tuple(_machine(i, machine) for i, machine in enumerate(document.machines)),
            network=Network(**msgspec.structs.asdict(document.network)),
            repair=Repair(**msgspec.structs.asdict(document.repair)),
            affinity=_affinity(document.affinity),
        )
    except InputError as error:
        raise FormatError(path, str(error)) from None


def save_cluster(cluster: Cluster, path: str | Path) -> None:
    """Writes the cluster, as JSON if the path ends so, else as YAML; reading it gives an equal one."""
    path = Path(path)
    document = cluster_document(cluster)
    if path.suffix == ".json":
        write_text(path, json_text(document))
    else:
        write_text(path, yaml.dump(document, Dumper=_Dumper, sort_keys=False, default_flow_style=None, width=200))


def cluster_document(cluster: Cluster) -> dict[str, Any]:
    """The cluster as its file says it."""
    machines = []
    for machine in cluster.machines:
        fields = {key: value for key, value in vars(machine).items() if value is not None}
        machines.append(fields)
    if isinstance(cluster.affinity, LognormalAffinity):
        affinity: dict[str, Any] = {"law": "lognormal", **vars(cluster.affinity)}
    else:
        affinity = {"table": {name: dict(row) for name, row in cluster.affinity.table.items()}}
    return {
        "name": cluster.name,
        "machines": machines,
        "network": dict(vars(cluster.network)),
        "repair": dict(vars(cluster.repair)),
        "affinity": affinity,
    }


def _read(path: Path) -> _Document:
    with open_buffer(path) as data:
        if len(data) > _SIZE_LIMIT:
            raise FormatError(path, f"is larger than {_SIZE_LIMIT >> 20} MiB; no cluster file is")
        text = bytes(without_mark(data))
    if path.suffix == ".json" or text.lstrip()[:1] == b"{":
        try:
            return msgspec.json.decode(text, type=_Document, strict=True)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            if path.suffix == ".json":
                raise explained(path, error) from None
    return as_type(path, _parse_yaml(path, text), _Document)


def _parse_yaml(path: Path, text: bytes) -> Any:
    try:
        return yaml.load(text, _Loader)
    except RecursionError as error:
        raise explained(path, error) from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        place = f"line {mark.line + 1}, column {mark.column + 1}" if mark else ""
        raise FormatError(path, f"YAML is malformed: {error.problem or error.context}", place) from None
    except yaml.YAMLError as error:
        raise FormatError(path, f"YAML is malformed: {str(error).splitlines()[0]}") from None
    except (ValueError, OverflowError, TypeError, KeyError, IndexError, AttributeError) as error:
        raise FormatError(path, f"YAML has a value that cannot be read: {error}") from None


def _machine(i: int, machine: _Machine) -> Machine:
    try:
        return Machine(**msgspec.structs.asdict(machine))
    except InputError as error:
        raise InputError(f"machines[{i}]: {error}") from None


def _affinity(affinity: _Affinity | None) -> Affinity:
    if affinity is None:
        return TableAffinity()
    if affinity.table is not None:
        if (affinity.law, affinity.sigma, affinity.seed) != (None, None, None):
            raise InputError("affinity: give either a law with sigma and seed, or a table, not both")
        return TableAffinity(affinity.table)
    if affinity.law != "lognormal":
        raise InputError(f"affinity: law is {affinity.law!r}; it must be lognormal, or give a table")
    given = {"sigma": affinity.sigma, "seed": affinity.seed}
    return LognormalAffinity(**{name: value for name, value in given.items() if value is not None})  # type: ignore[arg-type]
