"""Where a result comes from: version, commit and machine."""

import os
import platform
import subprocess
from pathlib import Path

from tfrgnn import __version__


def provenance() -> dict[str, str]:
    """Version, commit (of a checkout, else unknown) and machine, to stand beside results."""
    return {"version": __version__, "commit": _commit(), "machine": _machine()}


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
