"""Compiled loops over flat arrays; they import nothing of ours, and no kernel file imports another.

Numba's cache on disk does not notice a change in a compiled helper of another file, so every
file here holds all compiled functions that it calls. The submodules are imported on first use,
because loading Numba takes longer than most commands.
"""

from importlib import import_module
from types import ModuleType

_FILES = ("attention", "decode", "order", "ranks", "replay")


def __getattr__(name: str) -> ModuleType:
    if name in _FILES:
        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
