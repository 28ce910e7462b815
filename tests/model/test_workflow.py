"""A workflow is right from the moment it exists."""

import numpy as np
import pytest

from tfrgnn.errors import CycleError, InputError
from tfrgnn.model.workflow import Task, Workflow

TASKS = [Task(name, 1.0) for name in "abcd"]


def _diamond():
    return Workflow.from_tasks("d", TASKS, [("a", "b", 1), ("a", "c", 2), ("b", "d", 3), ("c", "d", 4)])


def test_edges_stand_by_child_and_by_parent():
    w = _diamond()
    assert w.parent_ptr.tolist() == [0, 0, 1, 2, 4]
    assert w.edge_parent.tolist() == [0, 0, 1, 2]
    assert w.child_ptr.tolist() == [0, 2, 3, 4, 4]
    assert w.child.tolist() == [1, 2, 3, 3]
    assert w.edge_bytes[w.child_edge].tolist() == [1, 2, 3, 4]
    assert w.level.tolist() == [0, 1, 1, 2]
    assert w.output_bytes.tolist() == [2, 3, 4, 0]


def test_equal_content_is_equal_however_it_was_given():
    other = Workflow.from_tasks("d", TASKS, [("c", "d", 4), ("b", "d", 3), ("a", "c", 2), ("a", "b", 1)])
    assert other == _diamond()
    assert hash(other) == hash(_diamond())
    assert other != Workflow.from_tasks("d", TASKS, [("a", "b", 1)])
    assert other != "d"


def test_tasks_may_stand_before_their_parents():
    w = Workflow.from_tasks("w", TASKS, [("d", "c", 0), ("c", "b", 0), ("b", "a", 0)])
    assert w.order.tolist() == [3, 2, 1, 0]
    assert w.level.tolist() == [3, 2, 1, 0]


def test_arrays_are_read_only_and_apart_from_the_callers():
    work = np.ones(1)
    w = Workflow("w", ("a",), ("t",), np.zeros(1, int), work, np.empty(0, int), np.empty(0, int), np.empty(0, int))
    work[0] = 5
    assert w.work_s.tolist() == [1.0]
    with pytest.raises(ValueError, match="read-only"):
        w.work_s[0] = 2


def test_work_has_a_floor():
    assert Workflow.from_tasks("w", [Task("a", 0.0)]).work_s.tolist() == [0.01]


@pytest.mark.parametrize(
    ("edges", "sentence"),
    [
        ([("a", "b", 0), ("b", "c", 0), ("c", "a", 0)], "workflow 'w' has a cycle: "),
        ([("a", "a", 0)], "workflow 'w' has a cycle: a -> a"),
    ],
)
def test_a_cycle_is_named(edges, sentence):
    with pytest.raises(CycleError, match=sentence):
        Workflow.from_tasks("w", TASKS, edges)


def test_a_long_cycle_is_cut():
    tasks = [Task(str(i), 1.0) for i in range(30)]
    with pytest.raises(CycleError, match=r"\.\.\. \(23 more\) -> \d+$"):
        Workflow.from_tasks("w", tasks, [(str(i), str((i + 1) % 30), 0) for i in range(30)])


@pytest.mark.parametrize(
    ("tasks", "edges", "sentence"),
    [
        ([], [], "has no tasks"),
        ([Task("a", 1), Task("a", 1)], [], "task id 'a' stands twice"),
        ([Task("", 1)], [], "task number 0 has an empty id"),
        ([Task("a", -1)], [], "task 'a': work_s is -1; it must be a number from 0 to 1e\\+15"),
        ([Task("a", float("nan"))], [], "work_s is nan"),
        ([Task("a", float("inf"))], [], "work_s is inf"),
        ([Task("a", 1, memory_bytes=-1)], [], "memory_bytes is -1"),
        ([Task("a", 1, "")], [], "a type has an empty name"),
        ([Task("a", 1, input_bytes=-1)], [], "input_bytes is -1"),
        (TASKS, [("a", "z", 0)], "edge a -> z names no task 'z'"),
        (TASKS, [("a", "b", 0), ("a", "b", 1)], "edge a -> b stands twice"),
        (TASKS, [("a", "b", -1)], "edge a -> b carries -1 bytes; give a whole number"),
        ([Task("a", 1, output_bytes=1), Task("b", 1)], [("a", "b", 2)], "writes 1 bytes, but a child reads 2"),
    ],
)
def test_a_broken_rule_is_named(tasks, edges, sentence):
    with pytest.raises(InputError, match=sentence):
        Workflow.from_tasks("w", tasks, edges)


def test_arrays_of_the_wrong_length_are_refused():
    none = np.empty(0, int)
    with pytest.raises(InputError, match=r"work_s has shape \(2,\); it must be \(1,\)"):
        Workflow("w", ("a",), ("t",), np.zeros(1, int), np.ones(2), none, none, none)
    with pytest.raises(InputError, match="type_index must lie in"):
        Workflow("w", ("a",), ("t",), np.ones(1, int), np.ones(1), none, none, none)
    with pytest.raises(InputError, match="an edge names no task"):
        Workflow("w", ("a",), ("t",), np.zeros(1, int), np.ones(1), np.zeros(1, int), np.ones(1, int), np.ones(1, int))


def test_fractions_of_bytes_and_indices_are_refused():
    whole = {"edge_parent": np.zeros(1), "edge_child": np.ones(1), "edge_bytes": np.ones(1)}
    Workflow("w", ("a", "b"), ("t",), np.zeros(2, int), np.ones(2), **whole)
    for name in whole:
        with pytest.raises(InputError, match=f"{name} must be whole numbers"):
            Workflow("w", ("a", "b"), ("t",), np.zeros(2, int), np.ones(2), **{**whole, name: np.array([0.5])})


def test_zeros_have_no_sign():
    made = [Workflow.from_tasks("w", [Task("a", 1.0, memory_bytes=zero, avg_cpu=zero)]) for zero in (0.0, -0.0)]
    assert made[0].content_hash == made[1].content_hash
