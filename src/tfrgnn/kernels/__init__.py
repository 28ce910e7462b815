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
        try:
            return import_module(f"{__name__}.{name}")
        except RuntimeError as error:
            if "no locator available" not in str(error):
                raise
            return _import_uncached(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def _import_uncached(name: str) -> ModuleType:
    """Imports a kernel file where no folder for compiled code may be written to: into one of this process."""
    import tempfile

    from numba.core import config

    config.CACHE_DIR = tempfile.mkdtemp(prefix="tfrgnn-")
    return import_module(name)
