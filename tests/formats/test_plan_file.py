"""Plan files: they read back equal, and one that does not fit is refused with the first broken constraint."""

import json

import pytest
from tests.cases import random_case, topcuoglu

from tfrgnn import load_plan, plan
from tfrgnn.errors import FormatError, PlanError
from tfrgnn.formats.cluster_file import save_cluster
from tfrgnn.formats.plan_file import Recipe, Source, relative_source, save_plan
from tfrgnn.formats.wfwriter import save_workflow
from tfrgnn.generate.clusters import generate_cluster
from tfrgnn.generate.workflows import generate_workflow


@pytest.mark.parametrize("seed", range(10))
def test_a_plan_reads_back_equal(tmp_path, seed):
    case = random_case(seed)
    made = plan(*case, "ft-heft[budget=0.5]", 2.0)
    save_plan(made, tmp_path / "plan.json")
    again = load_plan(tmp_path / "plan.json", *case)
    for name in ("order", "machine", "replica", "start_s", "finish_s", "replica_finish_s"):
        assert getattr(again, name).tolist() == getattr(made, name).tolist()
    assert (again.method, again.scenario.scale) == (made.method, 2.0)


def test_a_plan_finds_its_workflow_and_cluster(tmp_path):
    workflow, cluster = generate_workflow("montage", 60, 1), generate_cluster(8, 3, volatile_share=0.5)
    (tmp_path / "files").mkdir()
    (tmp_path / "plans").mkdir()
    save_workflow(workflow, tmp_path / "files" / "w.json")
    save_cluster(cluster, tmp_path / "files" / "c.yaml")
    path = tmp_path / "plans" / "plan.json"
    made = plan(workflow, cluster)
    source = relative_source(workflow.name, workflow.content_hash, tmp_path / "files" / "w.json", path.parent)
    assert source.path == "../files/w.json"
    at = relative_source(cluster.name, cluster.content_hash, tmp_path / "files" / "c.yaml", path.parent)
    recipe = Source(cluster.name, cluster.content_hash, generated=Recipe(8, 3, 0.5))
    for where in (at, recipe):
        save_plan(made, path, source, where)
        assert load_plan(path).scenario.cluster == cluster


def test_a_plan_that_does_not_say_where_its_workflow_lies_is_refused(tmp_path):
    save_plan(plan(*topcuoglu()), tmp_path / "plan.json")
    with pytest.raises(FormatError, match="does not say where its workflow 'topcuoglu' lies"):
        load_plan(tmp_path / "plan.json")


def _first(document, task):
    return next(entry for entry in document["tasks"] if entry["id"] == task)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda d: d["workflow"].update(hash="sha256:0"), "the plan is for the workflow 'topcuoglu' with hash sha256:0"),
        (lambda d: d["cluster"].update(hash="sha256:0"), "the plan is for the cluster 'topcuoglu' with hash sha256:0"),
        (lambda d: d["tasks"].pop(3), "the plan lacks task"),
        (lambda d: d["tasks"].append(d["tasks"][0]), "tasks[10]: task '1' stands twice"),
        (lambda d: d["tasks"][0].update(id="11"), "tasks[0]: the workflow has no task '11'"),
        (lambda d: d["tasks"][0].update(machine="m9"), "tasks[0]: the cluster has no machine 'm9'"),
        (lambda d: d["tasks"][0].update(replicas=["m9"]), "tasks[0]: the cluster has no machine 'm9'"),
        (lambda d: d["tasks"][0].update(replicas=["m2"]), "tasks[0]: task '1' may have one replica, on another machine"),
        (lambda d: d["tasks"][0].update(replicas=["m0", "m1"]), "may have one replica"),
        (lambda d: d["tasks"][1].update(position=0), "tasks[1]: position 0 stands twice or lies outside 0..9"),
        (lambda d: d["tasks"][1].update(position=-1), "position -1 stands twice or lies outside"),
        (lambda d: d["tasks"][0].update(planned_start_s=-1), "needs 0 <= planned_start_s <= planned_finish_s"),
        (lambda d: (d["tasks"][0].update(position=9), d["tasks"][9].update(position=0)),
         "before its parent '1' at 9"),
        (lambda d: _first(d, "3").update(planned_start_s=1, planned_finish_s=20),
         "task '3' starts at 1 s on 'm2', before its input from '1' is there at 9 s"),
        (lambda d: _first(d, "10").update(planned_finish_s=200), "task '10' takes 7 s on 'm1', not 127 s"),
        (lambda d: d.update(planned_makespan_s=79), "planned_makespan_s is 79, but the last task ends at 80"),
    ],
)  # fmt: skip
def test_a_plan_that_does_not_fit_is_refused(tmp_path, change, sentence):
    path = tmp_path / "plan.json"
    save_plan(plan(*topcuoglu()), path)
    document = json.loads(path.read_text())
    change(document)
    path.write_text(json.dumps(document))
    with pytest.raises(PlanError) as caught:
        load_plan(path, *topcuoglu())
    assert sentence in str(caught.value)
    assert str(path) in str(caught.value)


def _with_times(path, task, start, finish):
    save_plan(plan(*topcuoglu()), path)
    document = json.loads(path.read_text())
    _first(document, task).update(planned_start_s=start, planned_finish_s=finish)
    path.write_text(json.dumps(document))


def test_two_tasks_at_once_on_one_machine_are_refused(tmp_path):
    # m2 runs task 3 from 9 to 28 and task 5 from 28 to 38
    _with_times(tmp_path / "plan.json", "5", 20, 30)
    with pytest.raises(PlanError, match="task '5' starts at 20 s on 'm2', which is busy until 28 s"):
        load_plan(tmp_path / "plan.json", *topcuoglu())


def test_slack_is_refused_since_no_machine_would_wait(tmp_path):
    _with_times(tmp_path / "plan.json", "3", 20, 39)
    with pytest.raises(PlanError, match="task '3' starts at 20 s on 'm2', but can at 9 s; a plan has no slack"):
        load_plan(tmp_path / "plan.json", *topcuoglu())


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda d: d.update(plan_version=2), "at plan_version: version 2 is not read; 1 is"),
        (lambda d: d.update(note="x"), "unknown field `note`"),
        (lambda d: d["tasks"][0].pop("machine"), "at tasks[...]: object missing required field `machine`"),
        (lambda d: d["tasks"][0].update(position="first"), "at tasks[...].position: expected `int`, got `str`"),
    ],
)
def test_a_file_of_another_form_is_refused(tmp_path, change, sentence):
    path = tmp_path / "plan.json"
    save_plan(plan(*topcuoglu()), path)
    document = json.loads(path.read_text())
    change(document)
    path.write_text(json.dumps(document))
    with pytest.raises(FormatError) as caught:
        load_plan(path, *topcuoglu())
    assert sentence.replace("[...]", "[0]") in str(caught.value)
