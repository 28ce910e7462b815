"""Synthetic workflows from the generator of the WfCommons package (the extra `wfcommons`)."""

import random
import tempfile
import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from tfrgnn.errors import InputError, UnknownNameError
from tfrgnn.formats.wfformat import load_workflow
from tfrgnn.model.workflow import Workflow

_RECIPES = {
    "1000genome": "GenomeRecipe",
    "blast": "BlastRecipe",
    "bwa": "BwaRecipe",
    "cycles": "CyclesRecipe",
    "epigenomics": "EpigenomicsRecipe",
    "montage": "MontageRecipe",
    "seismology": "SeismologyRecipe",
    "soykb": "SoykbRecipe",
    "srasearch": "SrasearchRecipe",
}


def generate_with_wfcommons(family: str, tasks: int, seed: int = 0) -> Workflow:
    """A workflow of at most `tasks` tasks by WfCommons' recipe; the package decides how near it comes.

    The package draws from the global generators of `random` and NumPy: they are seeded for the call and put
    back afterwards.
    """
    if family not in _RECIPES:
        raise UnknownNameError("WfCommons recipe", family, _RECIPES)
    states: tuple[Any, Any] = random.getstate(), np.random.get_state()  # noqa: NPY002 - that is what it uses
    try:
        with warnings.catch_warnings():
            built = _build(_RECIPES[family], tasks, seed)
    finally:
        random.setstate(states[0])
        np.random.set_state(states[1])  # noqa: NPY002
    return replace(built, name=f"wfcommons-{family}-{tasks}-seed{seed}")


def _build(recipe_name: str, tasks: int, seed: int) -> Workflow:
    try:
        from wfcommons import WorkflowGenerator
        from wfcommons.wfchef import recipes
    except ImportError:
        raise InputError("the generator wfcommons is not installed; pip install 'tfrgnn[wfcommons]'") from None
    random.seed(seed)
    np.random.seed(seed % 2**32)  # noqa: NPY002
    try:
        recipe = getattr(recipes, recipe_name).from_num_tasks(tasks)
        workflow = WorkflowGenerator(recipe).build_workflow()
    except ValueError as error:
        raise InputError(f"WfCommons cannot make {tasks} tasks with {recipe_name}: {error}") from None
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "workflow.json"
        workflow.write_json(path)
        return load_workflow(path)
