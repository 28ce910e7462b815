"""Mutated files load or are refused with our own exception, never with another."""

import json
import os
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.cases import random_case

from tfrgnn import load_cluster, load_plan, load_workflow, plan, simulate
from tfrgnn.errors import TfrgnnError
from tfrgnn.formats.cluster_file import cluster_document
from tfrgnn.formats.plan_file import save_plan
from tfrgnn.formats.wfwriter import save_workflow

WORKFLOW, CLUSTER = random_case(12)
EXAMPLES = int(os.environ.get("TFRGNN_EXAMPLES", "300"))  # many more in `make slow`

JUNK = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8), st.sampled_from([0, -1, 1e308, 1e-308]),
    st.sampled_from(["", "0", "1", "m0", "m1", "a", "type0", "lognormal", "1.3"]),
    st.lists(st.integers(), max_size=2), st.dictionaries(st.text(max_size=3), st.integers(), max_size=2),
)  # fmt: skip


@st.composite
def mutated(draw, document):
    """The document with some places replaced, dropped, or filled with what stands elsewhere."""
    document = json.loads(json.dumps(document))
    for _ in range(draw(st.integers(1, 4))):
        places = list(_places(document))
        holder, key = draw(st.sampled_from(places))
        action = draw(st.sampled_from(["junk", "drop", "copy", "double"]))
        if action == "junk":
            holder[key] = draw(JUNK)
        elif action == "drop":
            del holder[key]
        elif action == "copy":
            other, at = draw(st.sampled_from(places))
            if (isinstance(other, dict) and at in other) or (isinstance(other, list) and at < len(other)):
                holder[key] = json.loads(json.dumps(other[at]))
        elif isinstance(holder, list):
            holder.append(json.loads(json.dumps(holder[key])))
        if not list(_places(document)):
            break
    return document


def _places(node):
    keys = node if isinstance(node, dict) else range(len(node)) if isinstance(node, list) else ()
    for key in list(keys):
        yield node, key
        yield from _places(node[key])


def _documents():
    with TemporaryDirectory() as folder:
        save_workflow(WORKFLOW, Path(folder) / "w.json")
        save_plan(plan(WORKFLOW, CLUSTER, "ft-heft[budget=0.5]", 1.0), Path(folder) / "p.json")
        return json.loads((Path(folder) / "w.json").read_text()), json.loads((Path(folder) / "p.json").read_text())


WORKFLOW_DOCUMENT, PLAN_DOCUMENT = _documents()
FLAT_DOCUMENT = {
    "name": "f",
    "schemaVersion": "1.4",
    "workflow": {
        "tasks": [
            {"name": "a", "id": "1", "runtimeInSeconds": 1.5, "files": [{"name": "x", "sizeInBytes": 9, "link": "output"}]},
            {"name": "b", "parents": ["a"], "memoryInBytes": 7, "category": "c",
             "files": [{"name": "x", "sizeInBytes": 9, "link": "input"}]},
        ],
    },
}  # fmt: skip


def _check(load, text, suffix):
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"file{suffix}"
        path.write_bytes(text)
        try:
            return load(path)
        except TfrgnnError as error:
            assert "\n" not in str(error)
            return None


def _json(document):
    return json.dumps(document).encode("utf-8", "surrogatepass")


@settings(max_examples=EXAMPLES, deadline=None)
@given(document=st.one_of(mutated(WORKFLOW_DOCUMENT), mutated(FLAT_DOCUMENT)))
def test_workflows(document):
    workflow = _check(load_workflow, _json(document), ".json")
    if workflow is not None:
        assert plan(workflow, CLUSTER, "heft").planned_makespan_s > 0


@settings(max_examples=EXAMPLES, deadline=None)
@given(document=mutated(cluster_document(CLUSTER)), as_yaml=st.booleans())
def test_clusters(document, as_yaml):
    text = yaml.safe_dump(document, allow_unicode=False).encode() if as_yaml else _json(document)
    cluster = _check(load_cluster, text, ".yaml" if as_yaml else ".json")
    if cluster is not None:
        assert plan(WORKFLOW, cluster, "r-heft", 1.0).planned_makespan_s > 0


@settings(max_examples=EXAMPLES, deadline=None)
@given(document=mutated(PLAN_DOCUMENT))
def test_plans(document):
    loaded = _check(lambda path: load_plan(path, WORKFLOW, CLUSTER), _json(document), ".json")
    if loaded is not None:
        try:
            assert simulate(loaded, 2, 1).makespan_s.min() > 0
        except TfrgnnError as error:
            assert "failures" in str(error)  # a mutated scale may ask for more of them than can be held


@pytest.mark.parametrize("load", [load_workflow, load_cluster, lambda path: load_plan(path, WORKFLOW, CLUSTER)])
@settings(max_examples=EXAMPLES // 2, deadline=None)
@given(data=st.data())
def test_bytes(load, data):
    base = data.draw(
        st.sampled_from([_json(WORKFLOW_DOCUMENT), _json(PLAN_DOCUMENT), _json(cluster_document(CLUSTER))])
    )
    text = bytearray(base)
    for _ in range(data.draw(st.integers(1, 5))):
        at = data.draw(st.integers(0, len(text) - 1))
        text[at : at + data.draw(st.integers(0, 30))] = data.draw(st.binary(max_size=4))
        if not text:
            break
    _check(load, bytes(text), data.draw(st.sampled_from([".json", ".yaml"])))
