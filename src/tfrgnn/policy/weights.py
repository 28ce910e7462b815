"""Weights in and out: safetensors, so that a weight file cannot run code, checked against their preset."""

import json
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from tfrgnn.errors import FormatError, InputError
from tfrgnn.formats.files import explained, is_file, write_bytes
from tfrgnn.policy.presets import PRESETS, Preset, constant_shapes, find_preset, parameter_shapes

WEIGHTS_VERSION = "1"
_LARGEST = 1e4
_LEAST_ALPHA = -30.0  # softplus(alpha) divides the priority's residual
_KEY = "tfrgnn"


class _About(msgspec.Struct):
    version: str
    preset: str
    types: list[str]
    card: dict[str, Any]


@dataclass(frozen=True, eq=False)
class Weights:
    """Tensors by name (learned ones and standardisation constants), preset, types with rows of their own, and card."""

    preset_name: str
    tensors: dict[str, NDArray[np.float32]]
    types: tuple[str, ...]
    card: dict[str, Any] = field(default_factory=dict)

    @property
    def preset(self) -> Preset:
        return find_preset(self.preset_name)

    @cached_property
    def vocabulary(self) -> dict[str, int]:
        """The embedding row of each known type; row 0 is for the unknown."""
        return {name: row for row, name in enumerate(self.types, 1)}

    def __getitem__(self, name: str) -> NDArray[np.float32]:
        return self.tensors[name]


def load_weights(path: str | Path) -> Weights:
    """The weights of a file; what does not fit its preset is refused."""
    from safetensors import SafetensorError, safe_open

    path = Path(path)
    if not is_file(path):
        reason = "there is no such file, or no regular one"
        raise FormatError(path, f"is not a readable weight file: {reason}")
    try:
        with safe_open(path, framework="numpy") as file:
            about = _about(path, dict(file.metadata() or {}))
            parts = {name: file.get_slice(name) for name in file.keys()}  # noqa: SIM118 - no mapping
            _check_kinds(path, about.preset, {name: (p.get_dtype(), tuple(p.get_shape())) for name, p in parts.items()})
            weights = Weights(about.preset, {n: file.get_tensor(n) for n in parts}, tuple(about.types), about.card)
    except (OSError, SafetensorError, ValueError, TypeError, KeyError, AttributeError) as error:
        reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
        raise FormatError(path, f"is not a readable weight file: {reason}") from None
    check_numbers(weights, path)
    return weights


def save_weights(weights: Weights, path: str | Path) -> None:
    """Writes the weights with their preset, types and card."""
    from safetensors.numpy import save

    about = {
        "version": WEIGHTS_VERSION,
        "preset": weights.preset_name,
        "types": list(weights.types),
        "card": weights.card,
    }
    # One key, since safetensors writes several in an order of its own and equal weights should be equal files.
    write_bytes(Path(path), save(dict(sorted(weights.tensors.items())), {_KEY: json.dumps(about, sort_keys=True)}))


@lru_cache(maxsize=8)
def shipped_weights(preset_name: str) -> Weights:
    """The weights of the package for a preset."""
    find_preset(preset_name)
    resource = files(__package__).joinpath("weights", f"{preset_name}.safetensors")
    if not resource.is_file():
        raise InputError(f"no weights are shipped for the preset {preset_name!r}; train them and give weights=PATH")
    with as_file(resource) as path:
        return load_weights(path)


def random_weights(preset_name: str, seed: int, spread: float = 0.2) -> Weights:
    """Weights drawn at random; for tests of what must hold whatever the weights are."""
    rng = np.random.default_rng(seed)
    shapes = parameter_shapes(find_preset(preset_name))
    tensors = {name: np.asarray(spread * rng.standard_normal(shape), np.float32) for name, shape in shapes.items()}
    for name, shape in constant_shapes().items():
        tensors[name] = np.ones(shape, np.float32)
    return Weights(preset_name, tensors, ())


def check_numbers(weights: Weights, path: Path) -> None:
    """Raises for the first number that no plan can be made with; `path` is where the weights lie, or are to lie."""
    for name, tensor in weights.tensors.items():
        if name in constant_shapes():
            if not np.all(np.isfinite(tensor)):
                raise FormatError(path, "has a number that is not finite", name)
            if name.endswith("_sd") and not np.all(tensor > 0):
                raise FormatError(path, "has a standard deviation that is not greater than 0", name)
        elif not np.all(np.abs(tensor) <= _LARGEST):  # false for NaN, too
            raise FormatError(path, f"has a number that is not finite or beyond {_LARGEST:g}", name)
        elif name == "alpha" and tensor < _LEAST_ALPHA:
            raise FormatError(path, f"is below {_LEAST_ALPHA:g}, so that the upward rank would not count", name)


def _about(path: Path, metadata: dict[str, str]) -> _About:
    if _KEY not in metadata:
        raise FormatError(path, "was not written by tfrgnn train: it does not name its preset", "metadata")
    try:
        about = msgspec.json.decode(metadata[_KEY], type=_About)
    except (msgspec.DecodeError, RecursionError) as error:
        raise explained(path, error) from None
    if about.version != WEIGHTS_VERSION:
        raise FormatError(path, f"weight version {about.version!r} is not read; {WEIGHTS_VERSION!r} is", "metadata")
    if about.preset not in PRESETS:
        raise FormatError(path, f"preset {about.preset!r} is unknown; {', '.join(PRESETS)} are known", "metadata")
    most = PRESETS[about.preset].type_rows - 1
    if len(about.types) > most:
        raise FormatError(path, f"has {len(about.types)} types; the preset has rows for {most}", "metadata")
    return about


def _check_kinds(path: Path, preset: str, kinds: dict[str, tuple[str, tuple[int, ...]]]) -> None:
    """Raises for the first tensor of another type or shape than the preset's, before any of them is read."""
    expected = parameter_shapes(PRESETS[preset]) | constant_shapes()
    for name, shape in expected.items():
        if name not in kinds:
            raise FormatError(path, f"lacks a tensor of the preset {preset!r}", name)
        if kinds[name] != ("F32", shape):
            found = "".join(map(str, kinds[name]))
            raise FormatError(path, f"is {found}; the preset {preset!r} needs F32{shape}", name)
    extra = sorted(set(kinds) - set(expected))
    if extra:
        raise FormatError(path, f"has a tensor that the preset {preset!r} does not know", extra[0])
