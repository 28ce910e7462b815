"""Who may import whom, and what starts without what."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import tfrgnn

SOURCE = Path(tfrgnn.__file__).parent
FILES = sorted(SOURCE.rglob("*.py"))

# package -> the packages of ours it may import (besides itself, errors, and __version__)
ALLOWED = {
    "model": set(),
    "kernels": set(),
    "costs": {"model", "kernels"},
    "generate": {"model", "formats"},
    "formats": {"model", "costs", "kernels", "generate"},
    "schedulers": {"model", "costs", "kernels", "policy"},
    "policy": {"model", "costs", "kernels", "formats"},
    "training": {
        "model",
        "costs",
        "kernels",
        "formats",
        "generate",
        "schedulers",
        "simulation",
        "evaluation",
        "policy",
    },
    "simulation": {"model", "costs", "kernels"},
    "evaluation": {"model", "costs", "schedulers", "simulation"},
    "report": {"model", "costs", "kernels", "simulation", "evaluation"},
    "paper": {
        "model",
        "costs",
        "formats",
        "generate",
        "schedulers",
        "simulation",
        "evaluation",
        "policy",
        "report",
    },
    "corpus": {"formats"},
    "cli": set(),  # below: all of them
}
ALLOWED["cli"] = set(ALLOWED)
HEAVY = {"torch", "torch_geometric", "matplotlib", "dask", "distributed", "polars"}


def _imports(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize("path", [p for p in FILES if p.parent != SOURCE], ids=lambda p: str(p.relative_to(SOURCE)))
def test_packages_import_only_what_they_may(path):
    package = path.relative_to(SOURCE).parts[0]
    for name in _imports(path):
        if name.startswith("tfrgnn."):
            target = name.split(".")[1]
            assert target in ALLOWED[package] | {package, "errors", "provenance", "processes", "__version__"}, (
                f"{path.name} imports {name}"
            )
        if package != "training" and path.name != "network.py" and str(path.relative_to(SOURCE)) != "paper/figures.py":
            assert name.split(".")[0] not in HEAVY


def test_no_kernel_file_imports_another():
    for path in (SOURCE / "kernels").glob("*.py"):
        if path.name != "__init__.py":
            assert {name.split(".")[0] for name in _imports(path)} <= {"heapq", "numpy", "numba"}


def test_importing_the_package_loads_nothing_heavy():
    code = "import tfrgnn, sys; print([m for m in ('numpy', 'numba', 'torch', 'plotly') if m in sys.modules])"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert result.stdout == "[]\n"


def test_the_ten_public_names_exist():
    assert len(tfrgnn.__all__) == 10
    for name in tfrgnn.__all__:
        assert getattr(tfrgnn, name) is not None
    assert set(tfrgnn.__all__) <= set(dir(tfrgnn))
    with pytest.raises(AttributeError):
        _ = tfrgnn.no_such_name
