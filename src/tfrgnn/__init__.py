"""Plans workflow DAGs on machines that differ and fail, and tells what a plan is worth before it runs."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from tfrgnn.evaluation.compare import compare
    from tfrgnn.evaluation.simulate import simulate
    from tfrgnn.formats.cluster_file import load_cluster
    from tfrgnn.formats.plan_file import load_plan
    from tfrgnn.formats.wfformat import load_workflow
    from tfrgnn.model.cluster import Cluster
    from tfrgnn.model.plan import Plan
    from tfrgnn.model.workflow import Workflow
    from tfrgnn.schedulers.catalogue import methods
    from tfrgnn.schedulers.planning import plan

# Each public name is imported on first use, so that `import tfrgnn` costs nothing.
_HOMES = {
    "Cluster": "tfrgnn.model.cluster",
    "Plan": "tfrgnn.model.plan",
    "Workflow": "tfrgnn.model.workflow",
    "compare": "tfrgnn.evaluation.compare",
    "load_cluster": "tfrgnn.formats.cluster_file",
    "load_plan": "tfrgnn.formats.plan_file",
    "load_workflow": "tfrgnn.formats.wfformat",
    "methods": "tfrgnn.schedulers.catalogue",
    "plan": "tfrgnn.schedulers.planning",
    "simulate": "tfrgnn.evaluation.simulate",
}

__all__ = [
    "Cluster",
    "Plan",
    "Workflow",
    "compare",
    "load_cluster",
    "load_plan",
    "load_workflow",
    "methods",
    "plan",
    "simulate",
]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
