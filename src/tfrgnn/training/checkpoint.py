"""Where a training run stands, in one safetensors file: the network, Adam's moments, configuration and curve."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import torch
from torch import Tensor, nn

from tfrgnn.errors import FormatError, InputError
from tfrgnn.formats.files import write_bytes
from tfrgnn.provenance import digest_of

P = TypeVar("P")


def save_checkpoint(
    path: Path, run: dict[str, Any], network: nn.Module, optimizer: torch.optim.Optimizer, curve: list[Any]
) -> None:
    """Writes all that the next step depends on; random numbers depend on seed and step alone. `run` names the run."""
    from safetensors.torch import save

    tensors = {f"network.{name}": value.detach().clone() for name, value in network.state_dict().items()}
    for number, state in optimizer.state_dict()["state"].items():
        for name, value in state.items():
            tensors[f"adam.{number}.{name}"] = torch.as_tensor(value).clone()
    about = {"run": json.dumps(run), "curve": json.dumps(curve)}
    write_bytes(path, save(tensors, {**about, "digest": _digest(about, tensors)}))


def _digest(about: dict[str, str], tensors: dict[str, Tensor]) -> str:
    """Names all of a checkpoint, so that a damaged one is found whatever is wrong with it."""
    numbers = (part for name in sorted(tensors) for part in (name, tensors[name].numpy().tobytes()))
    return digest_of(about["run"], about["curve"], *numbers)


def load_checkpoint(
    path: Path, run: dict[str, Any], network: nn.Module, optimizer: torch.optim.Optimizer, point: Callable[..., P]
) -> list[P]:
    """Restores network and optimizer, and returns the curve so far as `point`s."""
    from safetensors import SafetensorError, safe_open

    if not path.exists():
        raise InputError(f"{path}: there is no checkpoint to go on from; train anew, without --resume")
    try:
        with safe_open(path, framework="pt") as file:
            metadata = dict(file.metadata() or {})
            tensors: dict[str, Tensor] = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
        if _digest(metadata, tensors) != metadata["digest"]:
            raise ValueError("it was changed since it was written")
        stored = json.loads(metadata["run"])
        if stored != run:
            other = ", ".join(sorted(name for name in run.keys() | stored.keys() if stored.get(name) != run.get(name)))
            raise InputError(f"{path}: is the checkpoint of another run ({other}); train anew, without --resume")
        network.load_state_dict({k[8:]: v for k, v in tensors.items() if k.startswith("network.")})
        state: dict[int, dict[str, Tensor]] = {}
        for name, value in tensors.items():
            if name.startswith("adam."):
                _, number, part = name.split(".")
                state.setdefault(int(number), {})[part] = value
        optimizer.load_state_dict({"state": state, "param_groups": optimizer.state_dict()["param_groups"]})
        return [point(**each) for each in json.loads(metadata["curve"])]
    except (OSError, SafetensorError, ValueError, KeyError, TypeError, RuntimeError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise FormatError(path, f"is not a readable checkpoint: {reason}") from None
