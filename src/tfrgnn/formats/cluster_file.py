"""The cluster file, YAML or JSON; a field that is not ours is refused."""

import re
from pathlib import Path
from typing import Annotated, Any

import msgspec
import yaml

from tfrgnn.errors import FormatError, InputError
from tfrgnn.formats.files import as_type, explained, json_text, open_buffer, without_mark, write_text
from tfrgnn.formats.kinds import refuse_other_kinds
from tfrgnn.model.cluster import (
    Affinity,
    Cluster,
    LognormalAffinity,
    Machine,
    Network,
    Repair,
    TableAffinity,
)

_JSON_LIMIT, _YAML_LIMIT, _YAML_MACHINES = 1 << 28, 1 << 22, 30_000  # YAML takes five seconds a MiB
_DIGITS, _EXPONENT = "(?:0|[1-9][0-9]*)", "[eE][-+]?[0-9]+"
_FRACTION = rf"(?:{_DIGITS}?\.[0-9]+|{_DIGITS}\.)"
_NUMBERS = {
    "tag:yaml.org,2002:float": rf"^[-+]?(?:{_FRACTION}(?:{_EXPONENT})?|{_DIGITS}{_EXPONENT}|\.(?:inf|nan))$",
    "tag:yaml.org,2002:int": rf"^[-+]?{_DIGITS}$",
}
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
    """YAML 1.1, but numbers are plain decimals (1e3 is one; 010, 0x1f and 1:30 are none), a key stands once, and
    there are no merge keys.
    """

    yaml_implicit_resolvers = {  # noqa: RUF012 - as the base class has it
        first: [(tag, pattern) for tag, pattern in found if tag not in _NUMBERS]
        for first, found in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen: set[str] = set()
        for key, _ in node.value:
            name, merge = str(key.value), key.tag == "tag:yaml.org,2002:merge"
            if merge or name in seen:
                problem = "merge keys are not read" if merge else f"the key {name!r} stands twice"
                raise yaml.constructor.ConstructorError(None, None, problem, key.start_mark)
            seen.add(name)
        return super().construct_mapping(node, deep)


class _Dumper(yaml.SafeDumper):
    """Puts quotes around a text that the loader would take for a number."""


for _kind in (_Loader, _Dumper):
    for _tag, _pattern in _NUMBERS.items():
        _kind.add_implicit_resolver(_tag, re.compile(_pattern), list("-+.0123456789"))


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
        if len(cluster.machines) > _YAML_MACHINES:
            count = len(cluster.machines)
            raise InputError(f"{path}: {count} machines are too many for YAML; let the name end in .json")
        text = yaml.dump(document, Dumper=_Dumper, sort_keys=False, default_flow_style=None, width=200)
        write_text(path, text)


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
        if len(data) > _JSON_LIMIT:
            raise FormatError(path, f"is larger than {_JSON_LIMIT >> 20} MiB; no cluster file is")
        text = bytes(without_mark(data))
    if path.suffix == ".json" or text[:1024].lstrip()[:1] == b"{":
        try:
            return msgspec.json.decode(text, type=_Document, strict=True)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            refuse_other_kinds(path, "a cluster")
            if path.suffix == ".json":
                raise explained(path, error) from None
    if len(text) > _YAML_LIMIT:
        raise FormatError(path, f"is larger than {_YAML_LIMIT >> 20} MiB, too large for YAML; write it as JSON")
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
