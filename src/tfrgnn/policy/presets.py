"""Architectures as data: their sizes, their switches, and the shapes of their tensors."""

from dataclasses import dataclass, replace
from math import prod

from tfrgnn.errors import UnknownNameError

TASK_FEATURES, MACHINE_FEATURES, CONTEXT_FEATURES, EDGE_FEATURES = 9, 5, 6, 2


@dataclass(frozen=True)
class Preset:
    """One architecture. A switch that is off leaves its part out of the forward pass; the tensors stay."""

    width: int = 64
    heads: int = 4
    dependency_layers: int = 2
    type_rows: int = 1167
    type_width: int = 16
    rack_rows: int = 8
    rack_width: int = 4
    cross_width: int = 16
    hidden: int = 64
    dependency: bool = True
    topology: bool = True
    cross: bool = True
    fault: bool = True


_PAPER = Preset()

PRESETS = {
    "paper": _PAPER,
    "paper-no-dependency": replace(_PAPER, dependency=False),
    "paper-no-topology": replace(_PAPER, topology=False),
    "paper-no-cross": replace(_PAPER, cross=False),
    "paper-no-fault": replace(_PAPER, fault=False),
}
DEFAULT_PRESET = "paper"


def find_preset(name: str) -> Preset:
    """The preset of this name."""
    if name not in PRESETS:
        raise UnknownNameError("preset", name, PRESETS)
    return PRESETS[name]


def parameter_shapes(preset: Preset) -> dict[str, tuple[int, ...]]:
    """The learned tensors by name."""
    p, w, per_head = preset, preset.width, preset.width // preset.heads
    shapes: dict[str, tuple[int, ...]] = {
        "type_embedding.weight": (p.type_rows, p.type_width),
        "rack_embedding.weight": (p.rack_rows, p.rack_width),
        "task_encoder.weight": (w, TASK_FEATURES + p.type_width + CONTEXT_FEATURES),
        "task_encoder.bias": (w,),
        "machine_encoder.weight": (w, MACHINE_FEATURES + p.rack_width + CONTEXT_FEATURES),
        "machine_encoder.bias": (w,),
        "cross_task.weight": (p.cross_width, w),
        "cross_machine.weight": (p.cross_width, w),
        "theta": (),
        "gamma": (),
        "alpha": (),
    }
    for k in range(p.dependency_layers):
        shapes[f"dependency.{k}.lin.weight"] = (w, w)
        shapes[f"dependency.{k}.lin_edge.weight"] = (w, EDGE_FEATURES)
        for name in ("att_src", "att_dst", "att_edge"):
            shapes[f"dependency.{k}.{name}"] = (1, p.heads, per_head)
        shapes |= _norm(f"dependency_norm.{k}", w)
    for name in ("query", "key", "value", "out"):
        shapes[f"topology.{name}.weight"] = (w, w)
    shapes |= _norm("topology_norm", w)
    for name, inputs in (("gamma", CONTEXT_FEATURES), ("replication", 2 * w + CONTEXT_FEATURES), ("priority", w)):
        shapes[f"{name}_head.0.weight"], shapes[f"{name}_head.0.bias"] = (p.hidden, inputs), (p.hidden,)
        shapes[f"{name}_head.2.weight"], shapes[f"{name}_head.2.bias"] = (1, p.hidden), (1,)
    return shapes


def constant_shapes() -> dict[str, tuple[int, ...]]:
    """The standardisation constants by name; they belong to the weights but are not learned by descent."""
    sizes = {"task": TASK_FEATURES, "machine": MACHINE_FEATURES, "context": CONTEXT_FEATURES, "edge": 1}
    return {f"{name}_{kind}": (size,) for name, size in sizes.items() for kind in ("mean", "sd")}


def count_parameters(name: str) -> int:
    """How many learned numbers a preset has."""
    return sum(prod(shape) for shape in parameter_shapes(find_preset(name)).values())


def _norm(name: str, width: int) -> dict[str, tuple[int, ...]]:
    return {f"{name}.weight": (width,), f"{name}.bias": (width,)}
