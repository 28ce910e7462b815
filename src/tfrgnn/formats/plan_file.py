"""The plan file: JSON, versioned, and tied to its workflow and cluster by content hash."""

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from tfrgnn import __version__
from tfrgnn.costs.costs import Costs
from tfrgnn.costs.explain import explain
from tfrgnn.costs.fit import check_fit
from tfrgnn.costs.timeline import failure_free_times
from tfrgnn.errors import FormatError, InputError, PlanError
from tfrgnn.formats.cluster_file import load_cluster
from tfrgnn.formats.files import is_file, json_text, read_json, write_text
from tfrgnn.formats.kinds import refuse_other_kinds
from tfrgnn.formats.wfformat import load_workflow
from tfrgnn.generate.clusters import generate_cluster
from tfrgnn.model.cluster import Cluster
from tfrgnn.model.failures import FailureModel
from tfrgnn.model.plan import NO_MACHINE, Plan
from tfrgnn.model.scenario import Scenario
from tfrgnn.model.workflow import Workflow

PLAN_VERSION = 1


class Recipe(msgspec.Struct, forbid_unknown_fields=True):
    """A generated cluster by its arguments."""

    machines: int
    seed: int
    volatile: float


class Source(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """What a plan is for: name and content hash, and where it can be found, as far as that is known.

    A relative path starts at the plan file's folder.
    """

    name: str
    hash: str
    path: str | None = None
    generated: Recipe | None = None


class Why(msgspec.Struct, forbid_unknown_fields=True):
    """One machine as the method saw it: the finish there, and what each part of its bias was worth, in seconds."""

    machine: str
    finish_s: float
    terms: dict[str, float]


class PlannedTask(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """One task; the times are those of its first copy when nothing fails.

    `why` is there if the method's bias has named parts: the chosen machine and the runner-up.
    """

    id: str
    position: int
    machine: str
    replicas: list[str]
    planned_start_s: float
    planned_finish_s: float
    why: list[Why] = []


class PlanDocument(msgspec.Struct, forbid_unknown_fields=True):
    """The plan file's content."""

    plan_version: int
    made_by: str
    method: str
    scale: float
    workflow: Source
    cluster: Source
    planned_makespan_s: float
    tasks: list[PlannedTask]


def plan_document(plan: Plan, workflow: Source | None = None, cluster: Source | None = None) -> PlanDocument:
    """The plan as its file says it, tasks by position."""
    scenario = plan.scenario
    ids, names = scenario.workflow.task_ids, scenario.cluster.machine_names
    why = _why(plan)
    return PlanDocument(
        plan_version=PLAN_VERSION,
        made_by=f"tfrgnn {__version__}",
        method=plan.method,
        scale=scenario.scale,
        workflow=workflow or Source(scenario.workflow.name, scenario.workflow.content_hash),
        cluster=cluster or Source(scenario.cluster.name, scenario.cluster.content_hash),
        planned_makespan_s=plan.planned_makespan_s,
        tasks=[
            PlannedTask(
                id=ids[i],
                position=position,
                machine=names[plan.machine[i]],
                replicas=[] if plan.replica[i] == NO_MACHINE else [names[plan.replica[i]]],
                planned_start_s=float(plan.start_s[i]),
                planned_finish_s=float(plan.finish_s[i]),
                why=why[i],
            )
            for position, i in enumerate(plan.order.tolist())
        ],
    )


def _why(plan: Plan) -> list[list[Why]]:
    """The chosen machine and the runner-up of each task (n); nothing for a method without named parts.

    Adding 0.0 makes a plain zero of minus zero.
    """
    reasons, names = explain(plan) if plan.terms else None, plan.scenario.cluster.machine_names
    if reasons is None:
        return [[] for _ in plan.order]
    sides = (plan.machine, reasons.finish_s, reasons.terms), (
        reasons.runner_up, reasons.runner_up_finish_s, reasons.runner_up_terms,
    )  # fmt: skip
    return [
        [
            Why(names[machine[i]], float(finish_s[i]), {name: float(value[i]) + 0.0 for name, value in terms.items()})
            for machine, finish_s, terms in sides
            if machine[i] != NO_MACHINE
        ]
        for i in range(plan.order.size)
    ]


def plan_text(document: PlanDocument) -> str:
    """The JSON text of a plan file."""
    return json_text(document)


def save_plan(plan: Plan, path: str | Path, workflow: Source | None = None, cluster: Source | None = None) -> None:
    """Writes a plan file."""
    write_text(Path(path), plan_text(plan_document(plan, workflow, cluster)))


def load_plan(path: str | Path, workflow: Workflow | None = None, cluster: Cluster | None = None) -> Plan:
    """The plan of a file, checked against its workflow and cluster.

    Without these two they are sought where the plan file says.
    """
    path = Path(path)
    try:
        document = read_json(path, PlanDocument)
    except FormatError:
        refuse_other_kinds(path, "a plan")
        raise
    if document.plan_version != PLAN_VERSION:
        raise FormatError(path, f"version {document.plan_version} is not read; {PLAN_VERSION} is", "plan_version")
    if workflow is None:
        workflow = _find(path, "workflow", document.workflow, load_workflow)
    recipe = document.cluster.generated
    if cluster is None and recipe is None:
        cluster = _find(path, "cluster", document.cluster, load_cluster)
    try:
        if cluster is None and recipe is not None:
            cluster = generate_cluster(recipe.machines, recipe.seed, volatile_share=recipe.volatile)
        return _build(document, workflow, cluster)
    except InputError as error:
        raise PlanError(f"{path}: {error}") from None


def _find(path: Path, kind: str, source: Source, load: Callable[[Path], Any]) -> Any:
    if source.path is None:
        raise FormatError(path, f"does not say where its {kind} {source.name!r} lies; give it by --{kind}", kind)
    target = path.parent / source.path
    if not is_file(target):
        raise FormatError(path, f"its {kind} is not at {target} any more; give it by --{kind}", kind)
    return load(target)


def relative_source(name: str, content_hash: str, target: Path, folder: Path) -> Source:
    """Where `target` lies as seen from the folder of a plan file; left out where it is no file to come back to."""
    found = Path(os.path.relpath(os.path.realpath(target), os.path.realpath(folder))).as_posix()
    lasting = is_file(target) and found.isprintable()
    return Source(name, content_hash, path=found if lasting else None)


def _build(document: PlanDocument, workflow: Workflow, cluster: Cluster | None) -> Plan:
    assert cluster is not None
    for kind, source, here in (
        ("workflow", document.workflow, workflow),
        ("cluster", document.cluster, cluster),
    ):
        if source.hash != here.content_hash:
            raise PlanError(
                f"the plan is for the {kind} {source.name!r} with hash {source.hash[:19]}..., "
                f"but {here.name!r} has {here.content_hash[:19]}..."
            )
    plan = _arrays(document, Scenario(workflow, cluster, FailureModel(scale=document.scale)))
    costs = Costs(workflow, cluster)
    plan = _with_replica_times(plan, costs)
    check_fit(plan, costs)
    makespan = plan.planned_makespan_s
    if abs(makespan - document.planned_makespan_s) > 1e-6 * makespan:
        raise PlanError(
            f"planned_makespan_s is {document.planned_makespan_s:g}, but the last task ends at {makespan:g}"
        )
    return plan


def _arrays(document: PlanDocument, scenario: Scenario) -> Plan:
    n = scenario.workflow.tasks
    place = {task: i for i, task in enumerate(scenario.workflow.task_ids)}
    index = {name: m for m, name in enumerate(scenario.cluster.machine_names)}
    order, machine, replica = (np.full(n, NO_MACHINE, np.int32) for _ in range(3))
    start_s, finish_s = np.zeros(n), np.zeros(n)
    for k, task in enumerate(document.tasks):
        at = f"tasks[{k}]"
        if task.id not in place:
            known = task.id in scenario.workflow.task_ids
            raise PlanError(
                f"{at}: " + (f"task {task.id!r} stands twice" if known else f"the workflow has no task {task.id!r}")
            )
        i = place.pop(task.id)
        for name in (task.machine, *task.replicas):
            if name not in index:
                raise PlanError(f"{at}: the cluster has no machine {name!r}")
        if not 0 <= task.position < n or order[task.position] != NO_MACHINE:
            raise PlanError(f"{at}: position {task.position} stands twice or lies outside 0..{n - 1}")
        if len(task.replicas) > 1 or task.machine in task.replicas:
            raise PlanError(f"{at}: task {task.id!r} may have one replica, on another machine")
        if not 0 <= task.planned_start_s <= task.planned_finish_s:
            raise PlanError(f"{at}: task {task.id!r} needs 0 <= planned_start_s <= planned_finish_s")
        order[task.position], machine[i] = i, index[task.machine]
        start_s[i], finish_s[i] = task.planned_start_s, task.planned_finish_s
        if task.replicas:
            replica[i] = index[task.replicas[0]]
    if place:
        raise PlanError(f"the plan lacks task {next(iter(place))!r}")
    never = np.full(n, np.inf)
    return Plan(scenario, document.method, order, machine, replica, start_s, finish_s, never, never)


def _with_replica_times(plan: Plan, costs: Costs) -> Plan:
    """The file has no times for second copies; they follow from the rest."""
    _, _, start_s, finish_s = failure_free_times(costs, plan.order, plan.machine, plan.replica)
    return replace(plan, replica_start_s=start_s, replica_finish_s=finish_s)
