"""Where a result comes from: version, commit and machine; and the code that it depends on."""

import hashlib
import os
import platform
import subprocess
from functools import cache
from pathlib import Path

from tfrgnn import __version__


def provenance() -> dict[str, str]:
    """Version, commit and machine, to stand beside results.

    Outside a checkout the commit is unknown; a + behind it says that the code has changes of its own.
    """
    return {"version": __version__, "commit": _commit(), "machine": _machine()}


_DECIDING = ("model", "formats", "generate", "costs", "kernels", "schedulers", "simulation", "evaluation", "policy")


@cache
def code_hash(*more: str) -> str:
    """Names the code that plans and outcomes depend on, and that of `more` packages; other code computes anew."""
    source, names = Path(__file__).parent, (*_DECIDING, *more)
    return digest_of(*(path.read_bytes() for name in names for path in sorted((source / name).rglob("*.py"))))


def digest_of(*parts: str | bytes) -> str:
    """A short name for the content of all parts."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(hashlib.sha256(part.encode() if isinstance(part, str) else part).digest())
    return digest.hexdigest()[:16]


_CODE = ("*.py", "*/scales.json", ":(top)tools", ":(top)benchmarks")  # what decides results, and no result itself


def _commit() -> str:
    try:
        _git("ls-files", "--error-unmatch", "provenance.py")
        changed = _git("status", "--porcelain", "--", *_CODE)
        return _git("rev-parse", "--short=12", "HEAD") + ("+" if changed else "")
    except (OSError, subprocess.SubprocessError):
        return "unknown"


def _git(*words: str) -> str:
    call = ["git", "-C", str(Path(__file__).parent), *words]
    return subprocess.run(call, capture_output=True, text=True, check=True, timeout=10).stdout.strip()


def _machine() -> str:
    return f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
