"""Where a result comes from: version, commit and machine; and the code that it depends on."""

import hashlib
import os
import platform
import subprocess
from functools import cache
from pathlib import Path

from tfrgnn import __version__


def provenance() -> dict[str, str]:
    """Version, commit (of a checkout, else unknown) and machine, to stand beside results."""
    return {"version": __version__, "commit": _commit(), "machine": _machine()}


_DECIDING = ("model", "formats", "generate", "costs", "kernels", "schedulers", "simulation", "evaluation", "policy")


@cache
def code_hash() -> str:
    """Names the code that plans and outcomes depend on; what was computed by other code is computed anew."""
    source = Path(__file__).parent
    return digest_of(*(path.read_bytes() for name in _DECIDING for path in sorted((source / name).rglob("*.py"))))


def digest_of(*parts: str | bytes) -> str:
    """A short name for the content of all parts."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(hashlib.sha256(part.encode() if isinstance(part, str) else part).digest())
    return digest.hexdigest()[:16]


def _commit() -> str:
    folder = Path(__file__).parent
    call = ["git", "-C", str(folder), "rev-parse", "--short=12", "HEAD"]
    try:
        tracked = ["git", "-C", str(folder), "ls-files", "--error-unmatch", "provenance.py"]
        subprocess.run(tracked, capture_output=True, check=True, timeout=10)
        return subprocess.run(call, capture_output=True, text=True, check=True, timeout=10).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return "unknown"


def _machine() -> str:
    return f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
