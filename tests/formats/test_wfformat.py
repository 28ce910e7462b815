"""Workflow files: every version, every default, every refusal."""

import json
import os
import threading

import numpy as np
import pytest
from tests.cases import INSTANCES, needs_instances, random_case

from tfrgnn import load_workflow
from tfrgnn.errors import CycleError, FormatError, InputError, OtherFileError
from tfrgnn.formats.plan_file import load_plan
from tfrgnn.formats.wfwriter import save_workflow
from tfrgnn.generate.workflows import generate_workflow
from tfrgnn.model.workflow import Gaps, Task, Workflow

SPLIT = {
    "name": "pair",
    "schemaVersion": "1.5",
    "workflow": {
        "specification": {
            "tasks": [
                {"name": "a", "id": "a1", "parents": [], "children": ["b1"], "inputFiles": ["x"], "outputFiles": ["f", "g"]},
                {"name": "b", "id": "b1", "parents": ["a1"], "children": [], "inputFiles": ["f"], "outputFiles": []},
            ],
            "files": [{"id": "f", "sizeInBytes": 10}, {"id": "g", "sizeInBytes": 5}, {"id": "x", "sizeInBytes": 3}],
        },
        "execution": {
            "makespanInSeconds": 5,
            "executedAt": "2020-01-01T00:00:00Z",
            "tasks": [
                {"id": "a1", "runtimeInSeconds": 2, "command": {"program": "alpha"}, "avgCPU": 99.5},
                {"id": "b1", "runtimeInSeconds": 3, "command": {"program": "beta"}, "memoryInBytes": 1000000},
            ],
        },
    },
}  # fmt: skip
FLAT = {
    "name": "pair",
    "schemaVersion": "1.3",
    "workflow": {
        "makespan": 5,
        "executedAt": "2020-01-01T00:00:00Z",
        "tasks": [
            {
                "name": "a1", "type": "compute", "runtime": 2, "command": {"program": "alpha"}, "avgCPU": 99.5,
                "files": [
                    {"name": "x", "size": 3, "link": "input"},
                    {"name": "f", "size": 10, "link": "output"},
                    {"name": "g", "size": 5, "link": "output"},
                ],
            },
            {
                "name": "b1", "type": "compute", "runtime": 3, "command": {"program": "beta"}, "memory": 1000,
                "parents": ["a1"], "files": [{"name": "f", "size": 10, "link": "input"}],
            },
        ],
    },
}  # fmt: skip


def _flat_14():
    text = json.dumps(FLAT).replace('"makespan"', '"makespanInSeconds"').replace('"runtime"', '"runtimeInSeconds"')
    text = text.replace('"memory": 1000', '"memoryInBytes": 1000000').replace('"size"', '"sizeInBytes"')
    return {**json.loads(text), "schemaVersion": "1.4"}


def _write(tmp_path, document):
    path = tmp_path / "workflow.json"
    path.write_text(document if isinstance(document, str) else json.dumps(document))
    return path


def _changed(change, base=SPLIT):
    document = json.loads(json.dumps(base))
    change(document)
    return document


@pytest.mark.parametrize(
    "document",
    [FLAT, _flat_14(), SPLIT, {**SPLIT, "schemaVersion": "1.6"}],
    ids=["1.3", "1.4", "1.5", "1.6"],
)
def test_all_versions_give_the_same_workflow(tmp_path, document):
    workflow = load_workflow(_write(tmp_path, document))
    assert workflow == Workflow.from_tasks(
        "pair",
        [
            Task("a1", 2.0, "alpha", avg_cpu=99.5, input_bytes=3, output_bytes=15),
            Task("b1", 3.0, "beta", memory_bytes=1e6),
        ],
        [("a1", "b1", 10)],
    )
    assert workflow.gaps == Gaps(memories=1, avg_cpus=1)


def test_what_is_missing_has_a_default_and_is_counted(tmp_path):
    document = {
        "schemaVersion": "1.5",
        "workflow": {
            "specification": {
                "tasks": [
                    {"id": "fit_ID0001", "outputFiles": ["f"]},
                    {"id": "add_2", "parents": ["fit_ID0001"], "inputFiles": ["f"]},
                ],
                "files": [],
            },
            "execution": {"tasks": [{"id": "add_2", "runtimeInSeconds": 0.001}]},
        },
    }
    workflow = load_workflow(_write(tmp_path, document))
    assert workflow.name == "workflow"
    assert workflow.types == ("fit", "add")
    assert workflow.work_s.tolist() == [0.01, 0.01]
    assert workflow.edge_bytes.tolist() == [0]
    assert np.isnan(workflow.memory_bytes).all()
    assert np.isnan(workflow.avg_cpu).all()
    assert workflow.gaps == Gaps(runtimes=1, floored_runtimes=1, file_sizes=1, memories=2, avg_cpus=2, types=2)


def test_old_versions_may_name_parents_by_name_where_tasks_have_ids(tmp_path):
    document = _changed(lambda d: d["workflow"]["tasks"][0].update(id="ID1"), FLAT)
    assert load_workflow(_write(tmp_path, document)).task_ids == ("ID1", "b1")


@pytest.mark.parametrize("seed", range(20))
def test_written_files_read_back_equal(tmp_path, seed):
    workflow, _ = random_case(seed)
    path = tmp_path / "again.json"
    save_workflow(workflow, path)
    assert load_workflow(path) == workflow


@needs_instances
def test_all_real_instances_load_and_read_back_equal(tmp_path):
    assert len(INSTANCES) == 120
    path = tmp_path / "again.json"
    for instance in INSTANCES:
        workflow = load_workflow(instance)
        save_workflow(workflow, path)
        assert load_workflow(path) == workflow, instance.name


def test_a_generated_workflow_reads_back_equal(tmp_path):
    workflow = generate_workflow("montage", 200, 1)
    save_workflow(workflow, tmp_path / "m.json")
    assert load_workflow(tmp_path / "m.json") == workflow


def _spec(document):
    return document["workflow"]["specification"]


def _exec(document):
    return document["workflow"]["execution"]["tasks"]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda d: _spec(d)["tasks"][0].update(parents=["b1"]) or _spec(d)["tasks"][1].update(children=["a1"]),
         "workflow 'pair' has a cycle: b1 -> a1 -> b1"),
        (lambda d: _spec(d)["tasks"][1].update(parents=["nobody"]),
         "at workflow.specification.tasks[1]: task 'b1' names an unknown parent 'nobody'"),
        (lambda d: _spec(d)["tasks"][0].update(children=["nobody"]),
         "at workflow.specification.tasks[0]: task 'a1' names an unknown child 'nobody'"),
        (lambda d: _spec(d)["tasks"][0].update(children=[]),
         "at workflow.specification.tasks[1]: task 'b1' names parent 'a1', which does not name it back"),
        (lambda d: _spec(d)["tasks"][1].update(parents=["a1", "a1"]),
         "at workflow.specification.tasks[1]: task 'b1' names a parent twice"),
        (lambda d: _exec(d)[1].update(id="c1"),
         "at workflow.execution.tasks[1]: task 'c1' is not in the specification"),
        (lambda d: _spec(d)["tasks"].append(_spec(d)["tasks"][0]),
         "at workflow.specification.tasks[2]: task id 'a1' stands twice; ids must differ"),
        (lambda d: _exec(d).append(_exec(d)[0]),
         "at workflow.execution.tasks[2]: task id 'a1' stands twice; ids must differ"),
        (lambda d: _exec(d)[0].update(runtimeInSeconds=-1),
         "at workflow.execution.tasks[0]: task 'a1' has runtime -1; it must be a number from 0 to 1e+15"),
        (lambda d: _exec(d)[0].update(runtimeInSeconds="2"),
         "at workflow.execution.tasks[0].runtimeInSeconds: expected `float | null`, got `str`"),
        (lambda d: _exec(d)[1].update(memoryInBytes=-5),
         "at workflow.execution.tasks[1]: task 'b1' has memory -5; it must be a number from 0 to 1e+15"),
        (lambda d: _spec(d)["files"][0].update(sizeInBytes=1.5),
         "at workflow.specification.files[0]: file 'f' has size 1.5; it must be a whole number from 0 to 1e+15"),
        (lambda d: _spec(d)["files"].append({"id": "f", "sizeInBytes": 11}),
         "at workflow.specification.files[3]: file 'f' has two sizes, 10 and 11"),
        (lambda d: _spec(d).update(tasks=[]) or _exec(d).clear(), "workflow 'pair' has no tasks; it needs at least one"),
        (lambda d: _spec(d)["tasks"].append({"id": "", "children": []}) or _spec(d)["tasks"].reverse(),
         "workflow 'pair': task number 0 has an empty id"),
        (lambda d: d.update(schemaVersion="2.0"),
         "at schemaVersion: version '2.0' is not read; 1.3, 1.4, 1.5, 1.6 are"),
        (lambda d: d.pop("schemaVersion"), "object missing required field `schemaVersion`"),
        (lambda d: d["workflow"].pop("specification"),
         "at workflow: needs either tasks (1.3, 1.4) or specification (1.5, 1.6)"),
    ],
)  # fmt: skip
def test_a_broken_rule_is_named_with_file_and_place(tmp_path, change, sentence):
    path = _write(tmp_path, _changed(change))
    with pytest.raises(InputError) as caught:
        load_workflow(path)
    assert str(path) in str(caught.value)
    assert sentence in str(caught.value)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda d: d["workflow"]["tasks"][0]["files"][0].update(link="both"),
         "at workflow.tasks[0].files[0]: link is 'both'; it must be input or output"),
        (lambda d: d["workflow"]["tasks"][0]["files"][0].pop("name"),
         "at workflow.tasks[0].files[0]: a file needs a name"),
        (lambda d: d["workflow"]["tasks"][1].pop("parents") and d["workflow"]["tasks"][0].update(children=["b1"]),
         "at workflow.tasks[0]: task 'a1' names child 'b1', which does not name it back"),
        (lambda d: (d["workflow"]["tasks"].append({"name": "a1", "id": "other"}),
                    d["workflow"]["tasks"][0].update(id="one")),
         "the name 'a1' stands for several tasks; refer to one by its id"),
        (lambda d: d["workflow"]["tasks"][1].update(parents=["z"]),
         "at workflow.tasks[1]: task 'b1' names an unknown parent 'z'"),
    ],
)  # fmt: skip
def test_a_broken_rule_of_an_old_version(tmp_path, change, sentence):
    with pytest.raises(FormatError) as caught:
        load_workflow(_write(tmp_path, _changed(change, FLAT)))
    assert sentence in str(caught.value)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "input data was truncated"),
        ('{"name": "x", "work', "input data was truncated"),
        ("[" * 100_000, "expected `object`, got `array`"),
        ('{"workflow":' * 100_000, "is nested too deeply"),
        ('{"schemaVersion": NaN}', "JSON is malformed"),
        ("\x00" * 1000, "JSON is malformed"),
    ],
)
def test_what_is_no_json_is_refused(tmp_path, text, sentence):
    with pytest.raises(FormatError, match=sentence):
        load_workflow(_write(tmp_path, text))


def test_a_runtime_that_is_no_finite_number_is_refused(tmp_path):
    text = json.dumps(SPLIT).replace('"runtimeInSeconds": 2', '"runtimeInSeconds": 1e999')
    with pytest.raises(FormatError, match="runtimeInSeconds"):
        load_workflow(_write(tmp_path, text))


def test_a_gigabyte_of_nonsense_is_refused_at_its_first_byte(tmp_path):
    path = tmp_path / "huge.json"
    with path.open("wb") as file:
        file.truncate(1 << 30)  # a hole of zeros
    with pytest.raises(FormatError, match="byte 0"):
        load_workflow(path)


def test_a_large_file_cut_short_is_refused_before_it_is_read_into_memory(tmp_path):
    path = tmp_path / "huge.json"
    with path.open("wb") as file:
        file.write(b'{"schemaVersion": "1.5"')
        file.truncate(1 << 30)
    with pytest.raises(FormatError, match="does not end with }"):
        load_workflow(path)


def test_a_file_of_another_kind_is_called_so(tmp_path):
    for text, kind in (
        ('{"plan_version": 1}', "a plan"), ('{"name": "c", "machines": []}', "a cluster"),
        ('[{"method": "heft", "ratio_to_heft": 1.0}]', "rows of a comparison"),
    ):  # fmt: skip
        with pytest.raises(OtherFileError, match=f"is {kind}, not a workflow"):
            load_workflow(_write(tmp_path, text))
    with pytest.raises(OtherFileError, match="is a workflow, not a plan"):
        load_plan(_write(tmp_path, json.dumps(_changed(lambda d: None))))


def test_nonsense_in_a_pipe_is_read_once(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_text, args=("nonsense",), daemon=True)
    writer.start()
    with pytest.raises(FormatError, match="JSON is malformed"):
        load_workflow(pipe)
    writer.join(5)


def test_two_sizes_are_told_apart(tmp_path):
    def twice(d):
        _spec(d)["files"] += [{"id": "z", "sizeInBytes": 123456789}, {"id": "z", "sizeInBytes": 123456790}]

    with pytest.raises(FormatError, match="two sizes, 123456789 and 123456790"):
        load_workflow(_write(tmp_path, json.dumps(_changed(twice))))


def test_an_unreadable_path_is_named(tmp_path):
    for path in (tmp_path, tmp_path / "missing.json"):
        with pytest.raises(FormatError) as caught:
            load_workflow(path)
        assert str(path) in str(caught.value)
        assert "cannot be read" in str(caught.value)


def test_a_cycle_has_its_own_exception(tmp_path):
    document = _changed(lambda d: _spec(d)["tasks"][0].update(parents=["a1"], children=["b1", "a1"]))
    with pytest.raises(CycleError, match="a1 -> a1"):
        load_workflow(_write(tmp_path, document))


def test_more_bytes_than_can_be_counted_are_refused(tmp_path):
    files = [{"id": f"f{k}", "sizeInBytes": 10**15} for k in range(10)]
    task = {"id": "a", "outputFiles": [file["id"] for file in files]}
    document = {"schemaVersion": "1.5", "workflow": {"specification": {"tasks": [task], "files": files}}}
    with pytest.raises(FormatError, match="the files of task 'a' hold more than"):
        load_workflow(_write(tmp_path, document))
